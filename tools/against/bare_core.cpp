// SPDX-License-Identifier: Apache-2.0
//
// The obvious harness in C++ for core iddmm_arch2: load, start, wait, read, compare the result. No signal is looked at
// but done. It prints the seconds for all products of the file, which is read beforehand: the number of products, n,
// passes, p', and the digits of p; then the digits of a, b and result of each.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "Vcore.h"
#include "verilated.h"

namespace {

using Digits = std::vector<uint32_t>;

void cycle(Vcore& core) {
  core.clk_i = 1;
  core.eval();
  core.clk_i = 0;
  core.eval();
}

void load(Vcore& core, int select, const uint32_t* value, size_t words) {
  core.wr_en_i = 1;
  core.wr_sel_i = select;
  for (size_t address = 0; address < words; ++address) {
    core.wr_addr_i = address;
    core.wr_data_i = value[address];
    cycle(core);
  }
  core.wr_en_i = 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  size_t count = 0, n = 0, passes = 0;
  uint32_t p_prime = 0;
  file >> count >> n >> passes >> p_prime;
  const size_t words = n + 1;
  Digits digits((3 * count + 1) * words);
  for (uint32_t& digit : digits) file >> digit;
  if (!file) return 2;

  Vcore core;
  core.rst_ni = 0;
  core.start_i = 0;
  core.wr_en_i = 0;
  core.n_i = n;
  core.passes_i = passes;
  core.p_prime_i = p_prime;
  for (int k = 0; k < 3; ++k) cycle(core);
  core.rst_ni = 1;
  load(core, 2, digits.data(), words);
  const auto begin = std::chrono::steady_clock::now();
  for (size_t product = 0; product < count; ++product) {
    const uint32_t* at = digits.data() + (3 * product + 1) * words;
    load(core, 0, at, words);
    load(core, 1, at + words, passes);
    core.start_i = 1;
    cycle(core);
    core.start_i = 0;
    while (!core.done_o) cycle(core);
    for (size_t address = 0; address < words; ++address) {
      core.rd_addr_i = address;
      cycle(core);
      if (core.rd_data_o != at[2 * words + address]) return 1;
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%f\n", seconds.count());
  return 0;
}
