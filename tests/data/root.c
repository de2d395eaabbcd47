/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a digest, from the operands of a vector set of format raw and results that are computed here; or the hash
   of the cases FIRST to LAST, which are a node of the tree or part of a leaf.

   Usage: root FILE LOG2_LEAF [FIRST LAST]. It needs `limbtrace library MODEL ... --name golden`; a board would put its own
   results in the place of golden_product. With -DWRONG=K, the result of case K is wrong. Memory does not grow with the
   number of cases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* SHA-256 ---------------------------------------------------------------------------------------------------------- */

typedef struct {
  uint32_t h[8];
  uint64_t bytes;
  unsigned char block[64];
} sha256;

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(sha256 *s) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; ++i)
    w[i] = (uint32_t)s->block[4 * i] << 24 | (uint32_t)s->block[4 * i + 1] << 16 |
           (uint32_t)s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + w[i - 7] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(v, s->h, sizeof v);
  for (int i = 0; i < 64; ++i) {
    uint32_t one = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                   ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
    uint32_t two = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) +
                   ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int i = 0; i < 8; ++i) s->h[i] += v[i];
}

static void begin(sha256 *s) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->h, start, sizeof start);
  s->bytes = 0;
}

static void add(sha256 *s, const unsigned char *data, size_t size) {
  for (; size > 0; --size) {
    s->block[s->bytes++ % 64] = *data++;
    if (s->bytes % 64 == 0) compress(s);
  }
}

static void end(sha256 *s, unsigned char *hash) {
  const uint64_t bits = 8 * s->bytes;
  add(s, (const unsigned char *)"\x80", 1);
  while (s->bytes % 64 != 56) add(s, (const unsigned char *)"", 1);
  for (int i = 56; i >= 0; i -= 8) add(s, &(unsigned char){(unsigned char)(bits >> i)}, 1);
  for (int i = 0; i < 32; ++i) hash[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

/* The tree --------------------------------------------------------------------------------------------------------- */

static unsigned char waiting[64][32]; /* left nodes without a right one, the largest first */
static int heights[64], used;

/* Joins the last two nodes. */
static void join(void) {
  sha256 s;
  begin(&s);
  add(&s, (const unsigned char *)"\1", 1);
  add(&s, waiting[used - 2], 64); /* both: they stand side by side */
  end(&s, waiting[--used - 1]);
}

static void put_leaf(sha256 *leaf) {
  int height = 0;
  end(leaf, waiting[used++]);
  while (used > 1 && heights[used - 2] == height) {
    join();
    ++height;
  }
  heights[used - 1] = height;
}

/* The cases -------------------------------------------------------------------------------------------------------- */

static uint64_t number(const unsigned char *bytes) {
  uint64_t x = 0;
  for (int i = 7; i >= 0; --i) x = x << 8 | bytes[i];
  return x;
}

static void words(const unsigned char *bytes, uint64_t *x, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = number(bytes + 8 * i);
}

static void bytes(const uint64_t *x, unsigned char *to, size_t n) {
  for (size_t i = 0; i < 8 * n; ++i) to[i] = (unsigned char)(x[i / 8] >> 8 * (i % 8));
}

int main(int argc, char **argv) {
  enum { A = GOLDEN_A_WORDS, B = GOLDEN_B_WORDS, RESULT = GOLDEN_RESULT_WORDS, SIZE = 8 * (A + B + RESULT) };
  FILE *file = argc == 3 || argc == 5 ? fopen(argv[1], "rb") : NULL;
  unsigned char head[32], record[SIZE];
  if (file == NULL || fread(head, 1, 32, file) != 32 || memcmp(head, "LTRACE\1\n", 8) != 0 ||
      number(head + 24) != SIZE || fseek(file, (long)number(head + 8), SEEK_SET) != 0) {
    fprintf(stderr, "usage: root FILE LOG2_LEAF [FIRST LAST], of a set of format raw for the model of the library\n");
    return 2;
  }
  const uint64_t count = number(head + 16), mask = ((uint64_t)1 << atoi(argv[2])) - 1;
  const uint64_t first = argc == 5 ? strtoull(argv[3], NULL, 10) : 0;
  const uint64_t last = argc == 5 ? strtoull(argv[4], NULL, 10) : count - 1;
  if (first > last || last >= count || fseek(file, (long)(first * SIZE), SEEK_CUR) != 0) return 2;
  sha256 leaf;
  for (uint64_t k = first; k <= last; ++k) {
    uint64_t a[A], b[B], result[RESULT];
    if (fread(record, 1, SIZE, file) != SIZE) return 3;
    words(record, a, A);
    words(record + 8 * A, b, B);
    golden_product(a, b, result);
#ifdef WRONG
    result[0] ^= k == WRONG;
#endif
    bytes(result, record + 8 * (A + B), RESULT);
    if (k == first || (k & mask) == 0) {
      begin(&leaf);
      add(&leaf, (const unsigned char *)"", 1); /* the byte 0 of a leaf */
    }
    add(&leaf, record, SIZE);
    if (k == last || (k & mask) == mask) put_leaf(&leaf);
  }
  while (used > 1) join();
  for (int i = 0; i < 32; ++i) printf("%02x", waiting[0][i]);
  printf("\n");
  return 0;
}
