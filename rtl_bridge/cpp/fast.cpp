// SPDX-License-Identifier: Apache-2.0
//
// A verilated lt_fast_tb as a shared library: clock and handshake run here, a batch of products per
// call. Time passes exactly as under lt_lockstep_tb, so that the same stalls meet the same products.
//
// Wide values are arrays of 32-bit words, low word first, as Verilator itself keeps them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

// Bits of a row, at most 64, of which a cell of 64 bits is made in every cycle of every product.
struct Lane {
  uint32_t offset;
  uint32_t width;
};

// What became of one product.
struct Outcome {
  uint64_t rows_end;  // its last row ends here, its first begins where the product before ends
  uint32_t latency;
  uint32_t rule_cycle;    // outputs of lt_monitor
  uint8_t taken;
  uint8_t late;
  uint8_t rule;
  uint8_t level;
  uint8_t since;
  uint8_t failed;         // an assertion of the core failed, which the log says
};

// What a bench is made for.
struct Settings {
  uint32_t stall_seed;
  uint32_t limit;      // most cycles to wait for the core
  uint32_t a_words;    // 32-bit words of an operand a
  uint32_t b_words;
  uint32_t result_words;
  uint32_t row_bytes;
  uint32_t cycles;     // cycles of which cells are made, from cycle 0
  uint32_t lanes;
  uint32_t seed;       // of the values with which registers begin
};

constexpr int kResetCycles = 4;

constexpr uint64_t kHalf = 5;  // nanoseconds of half a clock cycle, as in lt_clock
constexpr int kNano = -9;      // as Verilator counts units of time

// Products whose cells are written together: a line of the cache holds as many.
constexpr size_t kBlock = 8;

// Verilator keeps a port of more than 64 bits in 32-bit words, a smaller one in the smallest
// integer that holds it: never in more bytes than the words of its width have.
template <typename Port>
void write(Port& port, const uint32_t* words) {
  std::memcpy(static_cast<void*>(&port), words, sizeof port);
}

template <typename Port>
void read(const Port& port, uint32_t* words) {
  *words = 0;  // a port narrower than a word leaves the rest of it
  std::memcpy(words, static_cast<const void*>(&port), sizeof port);
}

class Bench {
 public:
  Bench(const Settings& settings, const uint32_t* constants, const Lane* lanes)
      : settings_(settings),
        lanes_(lanes, lanes + settings.lanes),
        row_(sizeof(Vtop::row) / sizeof(uint32_t) + 3),
        block_(size_t{settings.cycles} * settings.lanes * kBlock) {
    context_.errorLimit(1000000);  // a failing assertion is reported with its cycle, and ends nothing
    context_.randReset(2);
    context_.randSeed(static_cast<int>(settings.seed));
    Verilated::addExitCb(ended, this);
    top_ = std::make_unique<Vtop>(&context_);
    for (int unit = context_.timeprecision(); unit < kNano; ++unit) half_ *= 10;
    top_->clk = 0;
    top_->rst = 0;
    top_->valid = 0;
    write(top_->constants, constants);
    top_->stall_seed = static_cast<uint16_t>(settings.stall_seed);
    top_->eval();
  }

  ~Bench() {
    top_->final();
    Verilated::removeExitCb(ended, this);
  }

  // Runs products until one is late; returns how many were run. Cell (cycle, lane, product) is
  // cells[(cycle * lanes + lane) * count + product].
  uint32_t run(uint32_t count, const uint32_t* a, const uint32_t* b, uint32_t* results,
               Outcome* outcomes, uint64_t* cells) {
    rows_.clear();
    uint32_t ran = 0;
    for (bool late = false; ran < count && !late;) {
      const uint32_t at = ran++;
      write(top_->a, a + size_t{at} * settings_.a_words);
      write(top_->b, b + size_t{at} * settings_.b_words);
      if (!up_) reset();
      edge(true);
      outcomes[at] = multiply(block_.data() + at % kBlock);
      read(top_->result, results + size_t{at} * settings_.result_words);
      edge(false);
      late = outcomes[at].late || outcomes[at].rule || outcomes[at].failed;
      if (ran % kBlock == 0 || ran == count || late) keep_block(cells, count, at / kBlock * kBlock, ran);
    }
    return ran;
  }

  // Idle cycles after the last product.
  Outcome rest(uint32_t cycles) {
    Outcome outcome{};
    for (uint32_t k = 0; k < cycles; ++k) edge(false);
    tell(outcome);
    return outcome;
  }

  const uint8_t* rows() const { return rows_.data(); }

 private:
  void reset() {
    for (int cycle = 0; cycle < kResetCycles; ++cycle) edge(false, true);
    edge(false);
    errors_ = context_.errorCount();  // those of registers that no reset had reached
    up_ = true;
  }

  // A rising edge, what the inputs become after it, and the falling edge.
  void edge(bool valid, bool rst = false) {
    context_.timeInc(half_);
    top_->clk = 1;
    top_->eval();
    if (up_ && failed_ == 0 && context_.errorCount() != errors_) {
      failed_ = context_.time();
      say_failed();
    }
    // $finish in the core ends the process without a report, as it ends any other simulation.
    if (context_.gotFinish()) std::exit(0);
    top_->valid = valid;
    top_->rst = rst;
    context_.timeInc(half_);
    top_->clk = 0;
    top_->eval();
  }

  // The core ends the process: with $fatal, which is an assertion that fails.
  static void ended(void* bench) {
    const auto* self = static_cast<const Bench*>(bench);
    if (self->context_.gotError()) self->say_failed();
  }

  // An assertion failed at this edge: the product at work, and the cycle of it.
  void say_failed() const {
    const auto passed = static_cast<int64_t>(context_.time() - started_) / static_cast<int64_t>(2 * half_);
    std::printf("LIMBTRACE FAILED %llu %lld\n", number_, static_cast<long long>(passed) - 1);
    std::fflush(stdout);
  }

  // What the handshake and the assertions of the core say.
  void tell(Outcome& outcome) const {
    outcome.rule = top_->rule;
    outcome.level = top_->rule_level;
    outcome.since = top_->rule_since;
    outcome.rule_cycle = top_->rule_cycle;
    outcome.failed = failed_ != 0;
  }

  // From the offer to the cycle in which the whole result is there or the time is up.
  Outcome multiply(uint64_t* cells) {
    Outcome outcome{};
    for (uint32_t waited = 1;; ++waited) {
      if (top_->row_valid) keep_row(cells);
      if (top_->started) {
        started_ = context_.time() + half_;
        ++number_;
        outcome.taken = 1;
        waited = 0;
      }
      if (top_->finished) waited = 0;
      outcome.late = !top_->done && waited > settings_.limit;
      if (top_->done || outcome.late) break;
      edge(top_->valid && !top_->ready);
    }
    outcome.latency = top_->latency;
    tell(outcome);
    outcome.rows_end = rows_.size();
    return outcome;
  }

  void keep_row(uint64_t* cells) {
    read(top_->row, row_.data());
    const auto* bytes = reinterpret_cast<const uint8_t*>(row_.data());
    rows_.insert(rows_.end(), bytes, bytes + settings_.row_bytes);
    const uint32_t cycle = row_[0];
    if (cycle >= settings_.cycles) return;
    uint64_t* cell = cells + cycle * lanes_.size() * kBlock;
    for (const Lane& lane : lanes_) {
      *cell = bits(lane);
      cell += kBlock;
    }
  }

  // The cells of products `from` to `to` go to their places.
  void keep_block(uint64_t* cells, size_t count, size_t from, size_t to) const {
    for (size_t at = 0; at < block_.size(); at += kBlock)
      std::copy_n(block_.data() + at, to - from, cells + at / kBlock * count + from);
  }

  // Three words hold any 64 bits; behind a row there are words to spare.
  uint64_t bits(const Lane& lane) const {
    const uint32_t* words = row_.data() + lane.offset / 32;
    const uint32_t shift = lane.offset % 32;
    uint64_t value = (words[0] | uint64_t{words[1]} << 32) >> shift;
    if (shift != 0) value |= uint64_t{words[2]} << (64 - shift);
    return value & (~uint64_t{0} >> (64 - lane.width));
  }

  const Settings settings_;
  const std::vector<Lane> lanes_;
  std::vector<uint32_t> row_;
  std::vector<uint64_t> block_;
  std::vector<uint8_t> rows_;
  bool up_ = false;
  int errors_ = 0;
  uint64_t half_ = kHalf;  // in units of time of the model, which a `timescale of the core may make finer
  uint64_t failed_ = 0;   // time at which the first assertion failed; 0: none
  uint64_t started_ = 0;  // time at which the last product started
  unsigned long long number_ = ~0ULL;  // of that product
  VerilatedContext context_;
  std::unique_ptr<Vtop> top_;
};

}  // namespace

extern "C" {

void* limbtrace_open(const Settings* settings, const uint32_t* constants, const Lane* lanes) {
  return new Bench(*settings, constants, lanes);
}

void limbtrace_close(void* bench) { delete static_cast<Bench*>(bench); }

uint32_t limbtrace_run(void* bench, uint32_t count, const uint32_t* a, const uint32_t* b,
                       uint32_t* results, Outcome* outcomes, uint64_t* cells) {
  return static_cast<Bench*>(bench)->run(count, a, b, results, outcomes, cells);
}

void limbtrace_rest(void* bench, uint32_t cycles, Outcome* outcome) {
  *outcome = static_cast<Bench*>(bench)->rest(cycles);
}

// The rows of the last batch, one after the other; valid until the next batch.
const uint8_t* limbtrace_rows(void* bench) { return static_cast<Bench*>(bench)->rows(); }
}
