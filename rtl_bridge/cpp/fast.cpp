// SPDX-License-Identifier: Apache-2.0
//
// A verilated lt_fast_tb as a shared library: clock and handshake run here, a batch of products per
// call. Time passes exactly as under lt_lockstep_tb, so that the same stalls meet the same products.
//
// Wide values are arrays of 64-bit words, low word first. Verilator's own have 32 bits, which on a machine that stores
// low bytes first is the same.

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
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace {

// What became of one product.
struct Outcome {
  uint64_t rows_end;  // rows up to its last one; its first comes behind the last one of the product before
  uint64_t level;         // of lt_monitor
  uint32_t latency;
  uint32_t rule_cycle;    // outputs of lt_monitor
  uint32_t early;
  uint8_t taken;
  uint8_t late;
  uint8_t rule;
  uint8_t since;
  uint8_t failed;         // an assertion of the core failed, which the log says
};

// What a bench is made for. Strides are distances of the values of two products, in words of 64 bits.
struct Settings {
  uint32_t stall_seed;
  uint32_t limit;          // most cycles to wait for the core
  uint32_t first;          // number of the first product of all
  uint32_t size;           // products of a stream
  uint32_t seed;           // of the values with which registers begin
  uint32_t a_stride;
  uint32_t b_stride;
  uint32_t row_stride;     // that of two rows
  uint32_t result_stride;
};

// Operands of streams as integers, one after the other.
struct Integers {
  const uint64_t* a;
  const uint64_t* b;
  uint32_t a_stride;
  uint32_t b_stride;
};

// Rows in which one bit is high, in order, of which each is compared with the next one of the golden data.
struct Event {
  uint32_t word;   // of a row, with the bit
  uint32_t bit;
  uint32_t at;     // word of the image at which their golden rows begin
  uint32_t count;  // in a stream
};

// Golden data that a program computes: lt_golden of the C text that rtl_bridge/run/compiled.py writes.
struct Golden {
  // The operands of a stream as integers; a frame to work in; and the image: rows from cycle 0 on, rows of events, the
  // last row, and the result.
  void (*image)(const uint64_t* a, const uint64_t* b, uint64_t* frame, uint64_t* image);
  const uint64_t* masks;  // bits of the image that are compared
  const Event* events;
  uint32_t frame_words;
  uint32_t image_words;
  uint32_t a_words;  // of the operands a of a stream
  uint32_t b_words;
  uint32_t cycles;       // rows from cycle 0 on, 0 without a schedule
  uint32_t least;        // cycles from start to done
  uint32_t most;
  uint32_t event_count;
  uint32_t end_rows;     // 1: the last row is compared with the one at end_at
  uint32_t end_at;
};

constexpr int kResetCycles = 4;
constexpr uint32_t kMispacked = UINT32_MAX;

constexpr uint64_t kHalf = 5;  // nanoseconds of half a clock cycle, as in lt_clock
constexpr int kNano = -9;      // as Verilator counts units of time

// Verilator keeps a port of more than 64 bits in 32-bit words, a smaller one in the smallest
// integer that holds it: never in more bytes than the words of its width have.
template <typename Port>
void write(Port& port, const uint64_t* words) {
  std::memcpy(static_cast<void*>(&port), words, sizeof port);
}

// The upper bits of the last word stay as they are.
template <typename Port>
void read(const Port& port, uint64_t* words) {
  std::memcpy(words, static_cast<const void*>(&port), sizeof port);
}

class Bench {
 public:
  Bench(const Settings& settings, const uint64_t* constants)
      : settings_(settings), rows_(settings.row_stride), result_(settings.result_stride) {
    context_.errorLimit(1000000);  // a failing assertion is reported with its cycle, and ends nothing
    context_.randReset(2);
    context_.randSeed(static_cast<int>(settings.seed));
    Verilated::addExitCb(ended, this);
    top_ = std::make_unique<Vtop>(&context_);
    for (int unit = context_.timeprecision(); unit < kNano; ++unit) half_ *= 10;
    top_->tick = 0;
    top_->rst = 0;
    top_->valid = 0;
    write(top_->constants, constants);
    top_->stall_seed = static_cast<uint16_t>(settings.stall_seed);
    top_->eval();
  }

  ~Bench() {
    top_->final();
#if VM_COVERAGE
    context_.coveragep()->write();  // into the working directory, as other models do at their end
#endif
    Verilated::removeExitCb(ended, this);
  }

  // Runs products, and keeps all of their rows, until one is late; returns how many were run.
  uint32_t run(uint32_t count, const uint64_t* a, const uint64_t* b, uint64_t* results, Outcome* outcomes) {
    kept_ = 0;
    for (uint32_t at = 0; at < count; ++at) {
      outcomes[at] = product(at, a, b, [this] { keep_row(); });
      std::copy(result_.begin(), result_.end(), results + at * result_.size());
      if (outcomes[at].late || outcomes[at].rule || outcomes[at].failed) return at + 1;
    }
    return count;
  }

  // Runs products until one is not exactly as the golden data say; returns how many were before it. What that one
  // showed is in `result`, `outcome` and the rows; `cycles` has the latencies of those before it together, the least and
  // the most of them, and the first product with each. Returns kMispacked where integers are not packed as the golden
  // data read them.
  uint32_t compare(uint32_t count, const uint64_t* a, const uint64_t* b, const Golden& golden, const Integers& integers,
                   uint64_t* result, Outcome* outcome, uint64_t* cycles) {
    if (integers.a_stride != golden.a_words || integers.b_stride != golden.b_words) return kMispacked;
    std::fill(cycles, cycles + 5, 0);
    met_.resize(golden.event_count);
    frame_.resize(golden.frame_words);
    image_.resize(golden.image_words);
    for (uint32_t at = 0; at < count; ++at) {
      golden.image(integers.a + size_t{at} * integers.a_stride, integers.b + size_t{at} * integers.b_stride,
                   frame_.data(), image_.data());
      kept_ = 0;
      uint64_t wrong = 0;
      uint32_t compared = 0;
      std::fill(met_.begin(), met_.end(), 0);
      *outcome = product(at, a, b, [&] {
        const uint64_t* row = keep_row();
        for (uint32_t k = 0; k < golden.event_count; ++k) wrong |= unlike_next(row, golden, k);
        const auto cycle = static_cast<uint32_t>(row[0]);
        if (cycle >= golden.cycles) return;
        ++compared;
        wrong |= difference(row, golden, size_t{cycle} * settings_.row_stride, settings_.row_stride);
      });
      wrong |= difference(result_.data(), golden, golden.image_words - result_.size(), result_.size());
      for (uint32_t k = 0; k < golden.event_count; ++k) wrong |= met_[k] != golden.events[k].count;
      if (golden.end_rows) {
        const bool none = kept_ == 0;
        wrong |= none || difference(rows_.data() + kept_ - (none ? 0 : settings_.row_stride), golden, golden.end_at,
                                    settings_.row_stride);
      }
      if (wrong || compared != golden.cycles || outcome->latency < golden.least || outcome->latency > golden.most ||
          outcome->late || outcome->rule || outcome->failed) {
        std::copy(result_.begin(), result_.end(), result);
        return at;
      }
      const uint64_t latency = outcome->latency;
      cycles[0] += latency;
      if (at == 0 || latency < cycles[1]) cycles[1] = latency, cycles[3] = at;
      if (latency > cycles[2]) cycles[2] = latency, cycles[4] = at;
    }
    return count;
  }

  // Runs products and compares nothing, for measurements of the rest.
  void drive(uint32_t count, const uint64_t* a, const uint64_t* b) {
    for (uint32_t at = 0; at < count; ++at) product(at, a, b, [] {});
  }

  // Idle cycles after the last product.
  Outcome rest(uint32_t cycles) {
    Outcome outcome{};
    for (uint32_t k = 0; k < cycles; ++k) edge(false);
    tell(outcome);
    return outcome;
  }

  const uint64_t* rows() const { return rows_.data(); }

 private:
  void reset() {
    for (int cycle = 0; cycle < kResetCycles; ++cycle) edge(false, true);
    edge(false);
    errors_ = context_.errorCount();  // those of registers that no reset had reached
    up_ = true;
  }

  // A rising edge, what the inputs become after it, and the falling edge.
  void edge(bool valid, bool rst = false) {
    top_->valid = valid;
    top_->rst = rst;
    top_->tick = !top_->tick;
    context_.timeInc(half_);
    top_->eval();
    if (up_ && failed_ == 0 && context_.errorCount() != errors_) {
      failed_ = context_.time();
      say_failed();
    }
    // $finish in the core ends the process without a report, as it ends any other simulation.
    if (context_.gotFinish()) std::exit(0);
    context_.timeInc(half_);
  }

  // The core ends the process: with $fatal, which is an assertion that fails.
  static void ended(void* bench) {
    const auto* self = static_cast<const Bench*>(bench);
    if (self->context_.gotError()) self->say_failed();
  }

  // An assertion failed at this edge: the product at work, -1 before the first one, and the cycle of it.
  void say_failed() const {
    const auto passed = static_cast<int64_t>(context_.time() - started_) / static_cast<int64_t>(2 * half_);
    std::printf("LIMBTRACE FAILED %lld %lld\n", static_cast<long long>(number_), static_cast<long long>(passed) - 1);
    std::fflush(stdout);
  }

  // What the handshake and the assertions of the core say.
  void tell(Outcome& outcome) const {
    outcome.rule = top_->rule;
    outcome.level = top_->rule_level;
    outcome.since = top_->rule_since;
    outcome.rule_cycle = top_->rule_cycle;
    outcome.early = top_->early;
    outcome.failed = failed_ != 0;
  }

  // From the offer to the cycle in which the whole result is there or the time is up; `row` is called where there is
  // a row.
  template <typename Row>
  Outcome product(uint32_t at, const uint64_t* a, const uint64_t* b, const Row& row) {
    Outcome outcome{};
    write(top_->a, a + size_t{at} * settings_.a_stride);
    write(top_->b, b + size_t{at} * settings_.b_stride);
    top_->turn = turn_;
    turn_ += settings_.size;
    if (!up_) reset();
    edge(true);
    bool counted = false;
    for (uint32_t waited = 1;; ++waited) {
      if (top_->row_valid) row();
      if (top_->started || top_->front) {
        started_ = context_.time() + half_;
        if (!counted) ++number_;
        counted = true;
      }
      if (top_->started) {
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
    outcome.rows_end = kept_ / settings_.row_stride;
    read(top_->result, result_.data());
    edge(false);
    return outcome;
  }

  // The row that is there now, in the place where it is kept.
  const uint64_t* keep_row() {
    const size_t at = kept_;
    kept_ += settings_.row_stride;
    if (kept_ > rows_.size()) rows_.resize(2 * kept_);
    read(top_->row, rows_.data() + at);
    return rows_.data() + at;
  }

  // Where the bit of event k is high in a row: bits that are not those of the next one, or all if there is none.
  uint64_t unlike_next(const uint64_t* row, const Golden& golden, uint32_t k) {
    const Event& event = golden.events[k];
    if (!(row[event.word] >> event.bit & 1)) return 0;
    const uint32_t number = met_[k]++;
    if (number >= event.count) return ~uint64_t{0};
    return difference(row, golden, event.at + size_t{number} * settings_.row_stride, settings_.row_stride);
  }

  // Bits that are not those of the golden image from word `at` on.
  uint64_t difference(const uint64_t* seen, const Golden& golden, size_t at, size_t words) const {
    uint64_t wrong = 0;
    for (size_t k = 0; k < words; ++k) wrong |= (seen[k] ^ image_[at + k]) & golden.masks[at + k];
    return wrong;
  }

  const Settings settings_;
  std::vector<uint64_t> rows_;
  size_t kept_ = 0;  // words of them
  std::vector<uint64_t> result_;
  std::vector<uint64_t> frame_;
  std::vector<uint64_t> image_;
  std::vector<uint32_t> met_;  // events of each sort in the product at work
  bool up_ = false;
  uint32_t turn_ = settings_.first;  // number of the next product
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

void* limbtrace_open(const Settings* settings, const uint64_t* constants) { return new Bench(*settings, constants); }

void limbtrace_close(void* bench) { delete static_cast<Bench*>(bench); }

uint32_t limbtrace_run(void* bench, uint32_t count, const uint64_t* a, const uint64_t* b, uint64_t* results,
                       Outcome* outcomes) {
  return static_cast<Bench*>(bench)->run(count, a, b, results, outcomes);
}

uint32_t limbtrace_compare(void* bench, uint32_t count, const uint64_t* a, const uint64_t* b, const Golden* golden,
                           const Integers* integers, uint64_t* result, Outcome* outcome,
                           uint64_t* cycles) {
  return static_cast<Bench*>(bench)->compare(count, a, b, *golden, *integers, result, outcome, cycles);
}

void limbtrace_drive(void* bench, uint32_t count, const uint64_t* a, const uint64_t* b) {
  static_cast<Bench*>(bench)->drive(count, a, b);
}

void limbtrace_rest(void* bench, uint32_t cycles, Outcome* outcome) {
  *outcome = static_cast<Bench*>(bench)->rest(cycles);
}

// The rows of the last batch, one after the other; valid until the next batch.
const uint64_t* limbtrace_rows(void* bench) { return static_cast<Bench*>(bench)->rows(); }
}
