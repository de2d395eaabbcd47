/* Numbers as text. The text of a library includes this after stddef.h, stdint.h, string.h and limbs.h. */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(LT_PORTABLE)
#include <immintrin.h>
#define LT_X86
#endif

/* The 16 hexadecimal digits of x. */
LT_UNUSED static void limb_digits(char *to, uint64_t x) {
#ifdef LT_X86
  const __m128i bytes = _mm_cvtsi64_si128((long long)__builtin_bswap64(x)), low = _mm_set1_epi8(15);
  const __m128i halves = _mm_unpacklo_epi8(_mm_srli_epi64(bytes, 4), bytes), values = _mm_and_si128(halves, low);
  const __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(values, _mm_set1_epi8(9)), _mm_set1_epi8(39));
  _mm_storeu_si128((__m128i *)to, _mm_add_epi8(_mm_add_epi8(values, _mm_set1_epi8('0')), letters));
#else
  const uint64_t ones = UINT64_C(0x0101010101010101);
  for (int k = 32; k >= 0; k -= 32) {
    uint64_t half = x >> k & 0xffffffff;
    half = (half << 16 | half) & UINT64_C(0x0000ffff0000ffff);
    half = (half << 8 | half) & UINT64_C(0x00ff00ff00ff00ff);
    half = (half << 4 | half) & 15 * ones;
    half += 0x30 * ones + ((half + 6 * ones) >> 4 & ones) * 39; /* '0' or, from 10 on, 'a' */
    for (int i = 56; i >= 0; i -= 8) *to++ = (char)(half >> i);
  }
#endif
}

/* All digits of n limbs; returns how many there are without zeros in front, at least one. */
LT_UNUSED static size_t all_digits(char *to, const uint64_t *x, size_t n) {
  for (; n > 1 && x[n - 1] == 0; --n, to += 16) memset(to, '0', 16);
  size_t count = 16 * n;
  for (uint64_t top = x[n - 1]; count > 16 * n - 15 && top >> 60 == 0; top <<= 4) --count;
  for (size_t k = n; k-- > 0; to += 16) limb_digits(to, x[k]);
  return count;
}

LT_UNUSED static char *copy(char *to, const char *from, size_t length) {
  memcpy(to, from, length);
  return to + length;
}
