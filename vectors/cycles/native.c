/* Rows of cycle tables as text. The text of a library includes this after the program of its schedule, which defines

     ROWS, COLUMNS, ROW_WORDS, FRAME_WORDS, A_WORDS, B_WORDS   sizes; those of words are of 64 bits
     lt_columns   where each cell is in the image of a row: its first word, and how many it has
     lt_cares     for every row and column, whether anybody cares about the cell
     lt_product   (a, b, frame, image): all rows of a product as an image

   Nothing here allocates, keeps state or fails. */

typedef struct {
  const char *open, *quote, *none, *close; /* in front of a row, around a cell, a cell without a value, behind a row */
  size_t numbered;                         /* whether a row begins with the number of its cycle */
} lt_style;

static char *put(char *to, const char *text) {
  while (*text) *to++ = *text++;
  return to;
}

static char *decimal(char *to, int64_t value) {
  char digits[20];
  size_t count = 0;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0) *to++ = '-';
  while (count) *to++ = digits[--count];
  return to;
}

static char *hexadecimal(char *to, const uint64_t *value, size_t words) {
  char digits[16];
  for (; words > 1 && value[words - 1] == 0; --words) continue;
  limb_digits(digits, value[words - 1]);
  size_t zeros = 0;
  while (zeros < 15 && digits[zeros] == '0') ++zeros;
  *to++ = '0';
  *to++ = 'x';
  to = copy(to, digits + zeros, 16 - zeros);
  for (size_t k = words - 1; k-- > 0; to += 16) limb_digits(to, value[k]);
  return to;
}

/* One row; without an image, one that nobody cares about. */
static char *row(char *to, const lt_style *style, int64_t cycle, const uint64_t *image, const uint8_t *cares) {
  to = put(to, style->open);
  if (style->numbered) {
    to = decimal(to, cycle);
    *to++ = ',';
  }
  for (size_t c = 0; c < COLUMNS; ++c) {
    if (c) *to++ = ',';
    if (image == NULL || !cares[c]) {
      to = put(to, style->none);
      continue;
    }
    to = put(to, style->quote);
    to = hexadecimal(to, image + lt_columns[c].word, lt_columns[c].words);
    to = put(to, style->quote);
  }
  return put(to, style->close);
}

/* The rows of some products, from `cycle` on; product k has its first one in cycle begins[k]. `idle` is the most rows
   between two products that are written in a call. Returns the length of the text, and how far it came in `cycle` and
   `products`. `scratch` has FRAME_WORDS + ROWS * ROW_WORDS words. */
size_t lt_rows(const uint64_t *a, const uint64_t *b, const int64_t *begins, size_t *products, int64_t *cycle, size_t idle,
               const lt_style *style, uint64_t *scratch, char *out);
size_t lt_rows(const uint64_t *a, const uint64_t *b, const int64_t *begins, size_t *products, int64_t *cycle, size_t idle,
               const lt_style *style, uint64_t *scratch, char *out) {
  uint64_t *const image = scratch + FRAME_WORDS;
  const size_t count = *products;
  char *to = out;
  for (*products = 0; *products < count; ++*products) {
    const size_t k = *products;
    for (; *cycle < begins[k]; ++*cycle, --idle) {
      if (idle == 0) return (size_t)(to - out);
      to = row(to, style, *cycle, NULL, NULL);
    }
    lt_product(a + A_WORDS * k, b + B_WORDS * k, scratch, image);
    for (size_t r = 0; r < ROWS; ++r, ++*cycle) {
      to = row(to, style, *cycle, image + ROW_WORDS * r, lt_cares + COLUMNS * r);
    }
  }
  return (size_t)(to - out);
}
