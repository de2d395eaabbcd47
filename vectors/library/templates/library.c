/* What follows is the same in every library: it reads values out of a frame. */

static uint64_t lt_word(const uint64_t *frame, uint32_t at) {
  return at < LT_FRAME_WORDS ? frame[at] : lt_constants[at - LT_FRAME_WORDS];
}

/* Word k of a value, extended by its sign. */
static uint64_t lt_value(const uint64_t *frame, uint32_t number, uint32_t k) {
  const uint32_t words = lt_values[number].words;
  if (k < words) return lt_word(frame, lt_values[number].at + k);
  return lt_values[number].negative ? lt_fill(lt_word(frame, lt_values[number].at + words - 1)) : 0;
}

/* Number of the value of a step, -1 where there is no such step. */
static int32_t lt_find(uint32_t name, const int32_t *index) {
  uint32_t low = 0, high = LT_STEPS;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    int order = lt_steps[middle].name < name ? -1 : lt_steps[middle].name > name;
    for (uint32_t k = 0; order == 0 && k < LT_DEPTH; ++k) {
      order = lt_steps[middle].index[k] < index[k] ? -1 : lt_steps[middle].index[k] > index[k];
    }
    if (order == 0) return (int32_t)lt_steps[middle].value;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

static int lt_step(const uint64_t *frame, uint32_t name, const int32_t *index, uint64_t *value, uint32_t words) {
  const int32_t number = lt_find(name, index);
  for (uint32_t k = 0; k < words; ++k) value[k] = number < 0 ? 0 : lt_value(frame, (uint32_t)number, k);
  return number >= 0;
}
