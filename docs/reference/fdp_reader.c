/* SPDX-License-Identifier: BSD-3-Clause
 * Reads packed deep images by docs/reference/fdp.md alone; C99, no libraries.
 *
 *   cc -O2 -o fdp_reader fdp_reader.c && ./fdp_reader PACKED.fdp PLAIN.exr
 *
 * writes a deep EXR of scanlines without compression. Other programs take fdp_counts() and
 * fdp_planes(), which unpack a block of 16 rows. What is damaged ends in longjmp(fdp_damage). */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf fdp_damage;
static void expect(int right) {
  if (!right) longjmp(fdp_damage, 1);
}

/* Memory of a block, given back at once. */
static struct Room { struct Room *before; } *rooms;
static void *room(size_t count, size_t each) {
  struct Room *made;
  expect(each == 0 || count <= (SIZE_MAX - sizeof *made) / each);
  made = calloc(1, sizeof *made + count * each);
  expect(made != NULL);
  made->before = rooms, rooms = made;
  return made + 1;
}
static void give_back(void) {
  while (rooms) {
    struct Room *before = rooms->before;
    free(rooms), rooms = before;
  }
}

static uint64_t number_at(const uint8_t *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

/* Streams ------------------------------------------------------------------------------------- */

typedef struct { int32_t s[17], count; } Model;
typedef struct {
  const uint8_t *words, *raw;
  size_t word_count, at, raw_bytes;
  uint64_t bit;
  uint32_t states[2];
  int turn;
} Stream;
typedef struct { Model *own, *large; } Number;

static Model *models(size_t count) {
  Model *made = room(count, sizeof *made);
  for (size_t m = 0; m < count; ++m) {
    for (int i = 0; i < 17; ++i) made[m].s[i] = i < 16 ? 2048 * i : 32767;
    made[m].count = 4;
  }
  return made;
}
static Number numbers(size_t own) {
  Number made;
  made.own = models(own), made.large = models(2);
  return made;
}
/* Of a plane: the likely class follows from how late it was. */
static Number plane_numbers(int type) {
  Number made = numbers(128);
  for (int at = 0; at < 128; ++at) {
    int w[16], all = 0, before = 0, middle = at / 8;
    if (type != 1) middle = 2 * middle + 1 < 14 ? 2 * middle + 1 : 14;
    for (int k = 0; k < 16; ++k) {
      const int off = k < middle ? middle - k : k - middle;
      w[k] = k == 15 || off > 4 ? 4 : 64 >> off;
      all += w[k];
    }
    for (int k = 0; k < 16; before += w[k++]) made.own[at].s[k] = 32751 * before / all + k;
    made.own[at].count = 12;
  }
  return made;
}

static void learn(Model *m, int k) {
  int rate = 0;
  while (m->count >> (rate + 1)) ++rate;
  for (int i = 0; i < 16; ++i) {
    const int32_t d = i + (i > k ? 32751 : 0) - m->s[i], size = 1 << rate;
    m->s[i] += d >= 0 ? d / size : -((-d + size - 1) / size);
  }
  if (m->count < 128) ++m->count;
}

static uint32_t word(Stream *in) {
  expect(in->at < in->word_count);
  return (uint32_t)number_at(in->words + 2 * in->at++, 2);
}

static Stream stream_of(const uint8_t *data, size_t size) {
  Stream in;
  memset(&in, 0, sizeof in);
  expect(size >= 4);
  const uint64_t length = number_at(data, 4);
  expect(length <= size - 4 && length % 2 == 0);
  in.words = data + 4, in.word_count = (size_t)length / 2;
  in.raw = data + 4 + length, in.raw_bytes = size - 4 - (size_t)length;
  for (int i = 0; i < 2; ++i) {
    in.states[i] = word(&in) << 16;
    in.states[i] |= word(&in);
  }
  return in;
}

static void finish(const Stream *in) {
  expect(in->states[0] == 65536 && in->states[1] == 65536 && in->at == in->word_count &&
         (in->bit + 7) / 8 == in->raw_bytes);
}

static int symbol(Stream *in, Model *m) {
  uint32_t *x = &in->states[in->turn];
  const int32_t slot = (int32_t)(*x % 32768);
  int k = 15;
  while (m->s[k] > slot) --k;
  *x = (uint32_t)(m->s[k + 1] - m->s[k]) * (*x / 32768) + (uint32_t)(slot - m->s[k]);
  if (*x < 65536) *x = *x << 16 | word(in);
  in->turn ^= 1;
  learn(m, k);
  return k;
}

static uint64_t bits(Stream *in, int count) {
  uint64_t value = 0;
  expect(in->bit + (uint64_t)count <= 8 * (uint64_t)in->raw_bytes);
  for (int i = 0; i < count; ++i, ++in->bit)
    value |= (uint64_t)(in->raw[in->bit >> 3] >> (in->bit & 7) & 1) << i;
  return value;
}

/* Returns 1 for what is known, which is no number. */
static int read_number(Stream *in, Number *n, int context, int64_t *distance) {
  int size = symbol(in, &n->own[context]);
  if (size == 15) return 1;
  if (size == 14) {
    const int more = symbol(in, &n->large[0]);
    size += more;
    if (more == 15) size += symbol(in, &n->large[1]);
  }
  expect(size <= 33);
  const int64_t v = (int64_t)bits(in, size), most = ((int64_t)1 << size) - 1;
  *distance = v <= most >> 1 ? v - most : v;
  return 0;
}

static int64_t read_quick(Stream *in, int low, int width) {
  uint64_t zeros = 0, u;
  while (zeros < 24 && !bits(in, 1)) ++zeros;
  if (zeros == 24) bits(in, 1);
  u = zeros < 24 ? zeros << low | bits(in, low) : bits(in, width);
  u &= 0xFFFFFFFFu;
  return u % 2 ? -1 - (int64_t)(u / 2) : (int64_t)(u / 2);
}

static int class_of(int64_t value) {
  uint64_t amount = (uint64_t)(value < 0 ? -value : value);
  int count = 0;
  for (; amount; amount >>= 1) ++count;
  return count;
}
static int least(int64_t a, int most) { return a < most ? (int)a : most; }
static int64_t edge(int64_t a, int64_t b, int64_t c) {
  const int64_t low = a < b ? a : b, high = a < b ? b : a, plane = a + b - c;
  return plane < low ? low : plane > high ? high : plane;
}

/* Counts -------------------------------------------------------------------------------------- */

/* Fragments per pixel, counts[height][width]. */
static void fdp_counts(const uint8_t *data, size_t size, int width, int height, int32_t *counts) {
  Stream in = stream_of(data, size);
  Model *around = models(256);
  Number runs = numbers(4), many = numbers(34);
  const int64_t all = (int64_t)width * height;
  int after = 0;
  for (int64_t p = 0; p < all;) {
    const int64_t x = p % width;
    const int32_t l = x > 0 ? counts[p - 1] : 0, u = p >= width ? counts[p - width] : 0;
    const int32_t ul = x > 0 && p >= width ? counts[p - width - 1] : 0;
    const int32_t ur = x + 1 < width && p >= width ? counts[p - width + 1] : 0;
    if (l == u && l == ul && l == ur && !after) {
      int64_t run = 0;
      const int known = read_number(&in, &runs, least(l, 3), &run);
      expect(!known && run >= 0 && run <= width - x);
      for (int64_t i = 0; i < run; ++i) counts[p++] = l;
      if (x + run == width) continue;
      after = 1;
      if (run > 0) continue;
    }
    after = 0;
    int64_t n = 15;
    if (l < 30 && u < 30)
      n = symbol(&in, &around[64 * least(l, 3) + 16 * least(u, 3) + 4 * least(ul, 3) + least(ur, 3)]);
    if (n == 15) {
      int64_t more = 0;
      const int known = read_number(&in, &many, class_of((int64_t)l - u), &more);
      n = edge(l, u, ul) + more;
      expect(!known && n >= 0 && n <= INT32_MAX);
    }
    counts[p++] = (int32_t)n;
  }
  finish(&in);
}

/* Fragments ----------------------------------------------------------------------------------- */

/* How late a fragment was, for its own plane and for those beside it. */
typedef struct { int late, beside; } Mark;
/* A channel: its name, its type (0 uint, 1 half, 2 float), and the fragments of a block. */
typedef struct Plane {
  const char *name;
  int type, by, is_alpha, is_quick;
  const struct Plane *companion;
  int64_t *v;
  float *ratios;
  Mark *marks;
  Number numbers;
} Plane;
typedef struct { size_t a, b, c; } Near;
/* Fragments of the same surface beside one, 0 for none, and how its depth goes on. */
typedef struct { size_t left, up, right, down; uint32_t x, y; } Links;
typedef struct { size_t first, end, next; } List;
typedef struct {
  Stream in;
  Near *near;
  Links *links;
  Plane *z, *back;
} Block;

static Plane *named(Plane *planes, int count, const char *layer, size_t length, const char *base) {
  for (int i = 0; i < count; ++i)
    if (strncmp(planes[i].name, layer, length) == 0 && strcmp(planes[i].name + length, base) == 0)
      return &planes[i];
  return NULL;
}

static float float_of(uint32_t bits) {
  float real;
  memcpy(&real, &bits, sizeof real);
  return real;
}
static float real_of(int64_t n, int type) {
  if (type == 2) {
    const int64_t low = 97 << 23, high = 157 << 23;
    return float_of((uint32_t)(n < low ? low : n > high ? high : n));
  }
  if (n < 1024) return ((float)(n < 0 ? 0 : n) + 0.5f) / 16777216.0f;
  return float_of((uint32_t)(n * 8192 + 112 * 8388608));
}
static int64_t nearest_to(float real, int type) {
  uint32_t bits;
  memcpy(&bits, &real, sizeof bits);
  if (type == 2) return bits;
  if (bits < 113u << 23) return (int64_t)(real * 16777216.0f);
  const int64_t n = ((int64_t)bits - 112 * 8388608 + 4096) / 8192;
  return n < 31743 ? n : 31743;
}

static int64_t forecast_of(const Block *block, const Plane *plane, int by, size_t i) {
  const Near near = block->near[i];
  const int64_t *v = plane->v, a = v[near.a], b = v[near.b], c = v[near.c];
  if (by == 2) {
    const float ra = plane->ratios[near.a], rb = plane->ratios[near.b], rc = plane->ratios[near.c];
    const float low = ra < rb ? ra : rb, high = ra < rb ? rb : ra, sum = ra + rb, even = sum - rc;
    const float t = even < low ? low : even > high ? high : even;
    return nearest_to(t * real_of(plane->companion->v[i], plane->companion->type), plane->type);
  }
  return by == 1 ? a + b - c : edge(a, b, c);
}

static int64_t back_of(const Block *block, size_t i) {
  const Near near = block->near[i];
  const int64_t *z = block->z->v, *back = block->back->v;
  return z[i] + edge(back[near.a] - z[near.a], back[near.b] - z[near.b], back[near.c] - z[near.c]);
}

static int late_around(const Block *block, const Plane *plane, size_t i) {
  return plane->marks[block->near[i].a].late + plane->marks[block->near[i].b].late;
}
static Mark mark_of(int size, int around, int type) {
  const int h = type == 1 ? 0 : 1;
  Mark mark;
  mark.late = (10 * least((16 * size) >> h, 240) + 3 * around) / 16;
  mark.beside = least((size + 1) >> (h + 1), 7);
  return mark;
}
static int64_t wrapped(int64_t value, int type) {
  const uint64_t sign = (uint64_t)1 << (type == 1 ? 15 : 31), bits = (uint64_t)value & (2 * sign - 1);
  return bits < sign ? (int64_t)bits : (int64_t)bits - (int64_t)(2 * sign);
}
static void set_value(Plane *plane, int by, size_t i, int64_t value) {
  plane->v[i] = wrapped(value, plane->type);
  if (by != 2) return;
  const float one = 1 / real_of(plane->companion->v[i], plane->companion->type);
  plane->ratios[i] = real_of(plane->v[i], plane->type) * one;
}

static void code_number(Block *block, Plane *plane, size_t i, int64_t forecast) {
  const int around = late_around(block, plane, i);
  const int beside = plane->companion ? plane->companion->marks[i].beside : 0;
  int64_t missed = 0;
  if (read_number(&block->in, &plane->numbers, 8 * ((around + 16) / 32) + beside, &missed)) {
    expect(plane == block->back || plane->is_alpha);
    missed = (plane == block->back ? block->z->v[i] : plane->type == 1 ? 0x3C00 : 0x3F800000) -
             forecast;
    missed = wrapped(missed, plane->type);
  }
  set_value(plane, plane->by, i, forecast + missed);
  plane->marks[i] = mark_of(class_of(missed), around, plane->type);
}

/* A fragment of planes that go together: `lead`, and those behind it by 3. */
static void code_quick(Block *block, Plane **lead, int count, size_t i, const int64_t *depth) {
  const int around = late_around(block, *lead, i), type = (*lead)->type, by = (*lead)->by;
  const int low = type == 1 ? around / 32 : (around + 20) / 16;
  uint64_t amounts = 0;
  for (int p = 0; p < count; ++p) {
    const int64_t forecast = depth ? *depth : forecast_of(block, lead[p], by, i);
    const int64_t missed = read_quick(&block->in, low, type == 1 ? 16 : 32);
    set_value(lead[p], by, i, forecast + missed);
    amounts |= (uint64_t)(missed < 0 ? -missed : missed);
  }
  for (int p = 0; p < count; ++p)
    lead[p]->marks[i] = mark_of(class_of((int64_t)amounts), around, type);
}

static void code_ids(Block *block, Plane *plane, size_t total) {
  Model *same = models(32);
  int64_t lately[10] = {0}, *known = room(total + 1, sizeof *known);
  size_t known_count = 0;
  int late_count = 0;
  for (size_t i = 1; i <= total; ++i) {
    const Near n = block->near[i];
    const int64_t near[4] = {plane->v[n.a], plane->v[n.b], plane->v[n.c], plane->v[i - 1]};
    const int e = (near[0] == near[1]) + 2 * (near[1] == near[2]);
    const int s = symbol(&block->in, &same[8 * e + plane->companion->marks[i].beside]);
    int64_t id = s < 4 ? near[s] : 0;
    int from = late_count < 10 ? late_count : 9; /* where it leaves the list of those seen lately */
    if (s == 4) {
      id = known[known_count++] = (int64_t)bits(&block->in, 32);
    } else if (s == 15) {
      const uint64_t at = bits(&block->in, class_of((int64_t)known_count));
      expect(at < known_count);
      id = known[at];
    } else if (s > 4) {
      expect(s - 5 < late_count);
      from = s - 5, id = lately[from];
    }
    if (s >= 4) {
      if ((s == 4 || s == 15) && late_count < 10) ++late_count;
      memmove(lately + 1, lately, (size_t)from * sizeof *lately);
      lately[0] = id;
    }
    plane->v[i] = id, plane->marks[i] = mark_of(s, 0, 1);
  }
}

/* Finds the neighbors of a fragment from the one named in list l: left, above, above left, above
 * right; 0: none. */
static void meet(Block *block, size_t i, List *lists, size_t name, int list, size_t found[4]) {
  Links *links = block->links;
  size_t *l = &found[0], *u = &found[1], *ul = &found[2], *ur = &found[3];
  Near *near = &block->near[i];
  for (int k = 0; k < 4; ++k) found[k] = 0;
  near->a = near->b = near->c = i - 1;
  if (name == 0) return;
  found[list] = name;
  if (!*ul) *ul = links[*l].up;
  if (!*u) *u = links[*ur].left;
  if (!*ul) *ul = links[*u].left;
  if (!*u) *u = links[*ul].right;
  if (!*ur) *ur = links[*u].right;
  if (!*l) *l = links[*ul].down;
  for (int k = 0; k < 4; ++k)
    if (found[k]) lists[k].next = found[k] + 1;
  if (*l) links[*l].right = i;
  if (*u) links[*u].down = i;
  links[i].left = *l, links[i].up = *u;
  near->a = near->b = near->c = *l ? *l : *u ? *u : *ul ? *ul : *ur;
  if (*u && *ur && !*l) near->b = near->c = *ur;
  if (*l && *u) near->b = *u, near->c = *ul;
}

static int compared(const List *list, size_t own) {
  if (list->next >= list->end) return 0;
  const size_t left = list->end - list->next;
  return own < left ? 1 : own == left ? 2 : 3;
}

static void code_depths(Block *block, const int32_t *counts, int width, int height) {
  static const int which[10] = {0, 1, 0, 1, 0, 1, 0, 1, 2, 3}, by[10] = {0, 0, 1, 1, -1, -1, 2, 2};
  Model *references = models(1024);
  size_t *ends = room((size_t)width * (size_t)height + 1, sizeof *ends);
  int q = 0;
  ends[0] = 1;
  for (int64_t p = 0; p < (int64_t)width * height; ++p)
    ends[p + 1] = ends[p] + (size_t)counts[p];
  for (int64_t p = 0; p < (int64_t)width * height; ++p) {
    const int64_t x = p % width;
    const int there[4] = {x > 0, p >= width, x > 0 && p >= width, x + 1 < width && p >= width};
    const int64_t back[4] = {1, width, width + 1, width - 1};
    List lists[4];
    for (int l = 0; l < 4; ++l) {
      const int64_t at = there[l] ? p - back[l] : 0;
      lists[l].first = lists[l].next = ends[at];
      lists[l].end = there[l] ? ends[at + 1] : ends[at];
    }
    const int w = (lists[2].first < lists[2].end) + 2 * (lists[3].first < lists[3].end);
    for (size_t i = ends[p]; i < ends[p + 1]; ++i) {
      const int c = 4 * compared(&lists[0], ends[p + 1] - i) + compared(&lists[1], ends[p + 1] - i);
      const int r = q = symbol(&block->in, &references[64 * q + 4 * c + w]);
      size_t name = 0, found[4];
      int64_t depth = 0;
      expect(r <= 11);
      if (r == 11) {
        expect(block->back != NULL && i > ends[p]);
        block->z->v[i] = wrapped(block->back->v[i - 1], block->z->type);
        meet(block, i, lists, 0, 0, found);
      } else {
        const int list = r == 10 ? 0 : which[r];
        if (r == 10) {
          depth = (block->back ? block->back : block->z)->v[i - 1];
        } else {
          name = lists[list].next + (size_t)(ptrdiff_t)by[r];
          expect(name >= lists[list].first && name < lists[list].end);
          const int64_t x = block->links[name].x, y = block->links[name].y;
          depth = block->z->v[name] + (list == 0 ? x : list == 1 ? y : y + (list == 2 ? x : -x));
          depth = wrapped(depth, 2);
        }
        meet(block, i, lists, name, list, found);
        if (block->z->is_quick)
          code_quick(block, &block->z, 1, i, &depth);
        else
          code_number(block, block->z, i, depth);
        const int64_t *z = block->z->v;
        Links *own = &block->links[i];
        const size_t l = found[0], u = found[1], corner = found[2] ? found[2] : found[3];
        own->x = l ? (uint32_t)(z[i] - z[l]) : block->links[u ? u : corner].x;
        own->y = u ? (uint32_t)(z[i] - z[u]) : block->links[l ? l : corner].y;
      }
      if (block->back) code_number(block, block->back, i, back_of(block, i));
    }
  }
}

/* The channel whose numbers are like those of another one. */
static Plane *companion_of(Plane *planes, int count, const char *name, size_t layer, int group) {
  Plane *found = NULL;
  if (group == 2) found = named(planes, count, name, layer, "G");
  if (group == 1) found = named(planes, count, name, layer, "A");
  if (group == 1 && !(found && found->type)) found = named(planes, count, "", 0, "A");
  return found && found->type ? found : NULL;
}

/* Puts planes in the order that they are coded in, and says how many are no IDs. */
static int order_planes(Plane *planes, int count, Plane *z, const Plane *back, Plane **order) {
  int coded = 0, number_count = 0;
  for (int group = 0; group < 5; ++group) /* A, G, R and B, others, IDs */
    for (int i = 0; i < count; ++i) {
      Plane *plane = &planes[i];
      const char *dot = strrchr(plane->name, '.');
      const size_t length = dot ? (size_t)(dot + 1 - plane->name) : 0;
      const char *base = plane->name + length;
      const char *const found = base[0] && !base[1] ? strchr("AGRB", base[0]) : NULL;
      int own = !found ? 3 : *found == 'A' ? 0 : *found == 'G' ? 1 : 2;
      if (plane->type == 0) own = 4;
      if (plane == z || plane == back || own != group) continue;
      plane->companion = companion_of(planes, count, plane->name, length, own);
      if (!plane->companion) plane->companion = coded ? order[coded - 1] : z;
      order[coded++] = plane;
      if (own < 4) number_count = coded;
    }
  return number_count;
}

/* Unpacks the planes of a block: place i + 1 of v holds fragment i, in the order of floats. */
static void fdp_planes(const uint8_t *data, size_t size, const int32_t *counts, int width,
                       int height, Plane *planes, int plane_count) {
  Block block;
  size_t total = 0;
  for (int64_t p = 0; p < (int64_t)width * height; ++p) total += (size_t)counts[p];
  block.in = stream_of(data, size);
  block.near = room(total + 1, sizeof *block.near);
  block.links = room(total + 1, sizeof *block.links);
  for (int i = 0; i < plane_count; ++i) {
    Plane *plane = &planes[i];
    const char *dot = strrchr(plane->name, '.');
    plane->v = room(total + 1, sizeof *plane->v);
    plane->ratios = room(total + 1, sizeof *plane->ratios), plane->ratios[0] = 1;
    plane->marks = room(total + 1, sizeof *plane->marks);
    plane->numbers = plane_numbers(plane->type), plane->by = plane->is_quick = 0;
    plane->companion = NULL;
    plane->is_alpha = plane->type > 0 && strcmp(dot ? dot + 1 : plane->name, "A") == 0;
  }
  block.z = named(planes, plane_count, "", 0, "Z");
  block.back = named(planes, plane_count, "", 0, "ZBack");
  expect(block.z != NULL);
  if (block.back) block.back->companion = block.z;
  Plane **order = room((size_t)plane_count, sizeof *order);
  const int number_count = order_planes(planes, plane_count, block.z, block.back, order);
  const int all = plane_count - 1 - (block.back != NULL);
  block.z->is_quick = (int)bits(&block.in, 1);
  code_depths(&block, counts, width, height);
  for (int p = 0; p < number_count; ++p) {
    Plane *plane = order[p];
    plane->by = (int)bits(&block.in, 2);
    if (plane->by < 3)
      plane->is_quick = (int)bits(&block.in, 1);
    else
      expect(p > 0 && order[p - 1]->is_quick && order[p - 1]->type == plane->type);
    if (plane->by == 3) plane->is_quick = 1;
  }
  for (int p = 0, next; p < number_count; p = next) {
    for (next = p + 1; next < number_count && order[next]->by == 3;) ++next;
    for (size_t i = 1; i <= total; ++i)
      if (order[p]->is_quick)
        code_quick(&block, &order[p], next - p, i, NULL);
      else
        code_number(&block, order[p], i, forecast_of(&block, order[p], order[p]->by, i));
  }
  for (int p = number_count; p < all; ++p) code_ids(&block, order[p], total);
  finish(&block.in);
}

static void put_value(const Plane *plane, size_t i, uint8_t *out) {
  const int width = plane->type == 1 ? 2 : 4;
  int64_t v = plane->v[i];
  if (plane->type && v < 0) v = (int64_t)1 << (8 * width - 1) | (-1 - v);
  for (int b = 0; b < width; ++b) out[b] = (uint8_t)(v >> 8 * b);
}

/* A file ------------------------------------------------------------------------------------- */

typedef struct {
  const uint8_t *data;
  size_t size;
} File;
typedef struct {
  int top, width, height, plane_count;
  Plane *planes;
} Part;

static void put(FILE *out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) fputc((int)(value >> 8 * i & 255), out);
}

/* Copies the header of a part, as of scanlines without compression; returns where it ends. */
static size_t copy_header(const File *in, size_t at, FILE *out, Part *part) {
  for (;;) {
    const char *name = (const char *)in->data + at;
    const uint8_t *end = memchr(name, 0, in->size - at);
    expect(end != NULL);
    if (!*name) {
      fputc(0, out);
      return at + 1;
    }
    const char *type = (const char *)end + 1;
    end = memchr(type, 0, (size_t)(in->data + in->size - (const uint8_t *)type));
    expect(end != NULL && (size_t)(in->data + in->size - end) > 5);
    const size_t size = (size_t)number_at(end + 1, 4), head = (size_t)(end + 5 - in->data) - at;
    const uint8_t *value = end + 5;
    expect(size <= (size_t)(in->data + in->size - value));
    at += head + size;
    if (strcmp(name, "tiles") == 0) continue;
    if (strcmp(name, "type") == 0) {
      fwrite(name, 1, head - 4, out), put(out, 12, 4), fputs("deepscanline", out);
      continue;
    }
    fwrite(name, 1, head, out);
    if (strcmp(name, "compression") == 0 || strcmp(name, "lineOrder") == 0)
      fputc(0, out);
    else if (strcmp(name, "chunkCount") == 0)
      put(out, (uint64_t)part->height, 4);
    else
      fwrite(value, 1, size, out);
    if (strcmp(name, "dataWindow") == 0 && size == 16) {
      part->top = (int)(int32_t)number_at(value + 4, 4);
      part->width = (int)((int32_t)number_at(value + 8, 4) - (int32_t)number_at(value, 4) + 1);
      part->height = (int)((int32_t)number_at(value + 12, 4) - part->top + 1);
    }
    if (strcmp(name, "channels") != 0) continue;
    for (size_t c = 0; c < size && value[c]; c += strlen((const char *)value + c) + 17) {
      part->planes = realloc(part->planes, (size_t)(part->plane_count + 1) * sizeof(Plane));
      expect(part->planes != NULL && c + strlen((const char *)value + c) + 17 <= size);
      Plane *plane = &part->planes[part->plane_count++];
      memset(plane, 0, sizeof *plane);
      plane->name = (const char *)value + c;
      plane->type = (int)number_at(value + c + strlen(plane->name) + 1, 4);
      expect(plane->type >= 0 && plane->type <= 2);
    }
  }
}

/* Unpacks the block at `place` and writes a chunk for each of its rows. */
static void copy_block(const File *in, uint64_t place, int number, int parts, const Part *part,
                       int block, FILE *out, long table) {
  const size_t lead = parts > 1 ? 4 : 0;
  expect(place <= in->size && in->size - place >= lead + 28);
  const uint8_t *at = in->data + place;
  expect(!lead || (int)number_at(at, 4) == number);
  at += lead;
  const int rows = part->height - 16 * block < 16 ? part->height - 16 * block : 16;
  expect((int32_t)number_at(at, 4) == part->top + 16 * block);
  const uint64_t counts_size = number_at(at + 4, 8), size = number_at(at + 12, 8);
  const uint64_t left = in->size - place - lead - 28;
  expect(counts_size <= left && size <= left - counts_size);
  int32_t *counts = room((size_t)part->width * (size_t)rows, sizeof *counts);
  fdp_counts(at + 28, (size_t)counts_size, part->width, rows, counts);
  if (size)
    fdp_planes(at + 28 + counts_size, (size_t)size, counts, part->width, rows, part->planes,
               part->plane_count);
  size_t fragment = 1;
  for (int y = 0; y < rows; ++y) {
    size_t n = 0, bytes = 0;
    const long start = ftell(out);
    for (int x = 0; x < part->width; ++x) n += (size_t)counts[y * part->width + x];
    expect(n == 0 || size > 0);
    for (int c = 0; c < part->plane_count; ++c) bytes += n * (part->planes[c].type == 1 ? 2 : 4);
    if (parts > 1) put(out, (uint64_t)number, 4);
    put(out, (uint64_t)(uint32_t)(part->top + 16 * block + y), 4);
    put(out, 4 * (uint64_t)part->width, 8), put(out, bytes, 8), put(out, bytes, 8);
    uint64_t sum = 0;
    for (int x = 0; x < part->width; ++x)
      put(out, sum += (uint64_t)counts[y * part->width + x], 4);
    for (int c = 0; c < part->plane_count && n > 0; ++c)
      for (size_t i = 0; i < n; ++i) {
        uint8_t value[4];
        put_value(&part->planes[c], fragment + i, value);
        fwrite(value, 1, part->planes[c].type == 1 ? 2 : 4, out);
      }
    fragment += n;
    const long end = ftell(out);
    fseek(out, table + 8 * (16 * block + y), SEEK_SET);
    put(out, (uint64_t)start, 8);
    fseek(out, end, SEEK_SET);
  }
  give_back();
}

static void copy_file(const File *in, FILE *out) {
  enum { kManyParts = 0x1000, kMostParts = 1024 };
  static Part parts[kMostParts];
  static long tables[kMostParts];
  int count = 0;
  expect(in->size > 8 && memcmp(in->data, "fdp\3", 4) == 0);
  const uint64_t version = number_at(in->data + 4, 4);
  size_t at = 8;
  put(out, 20000630, 4), put(out, version & ~(uint64_t)0x200, 4);
  do {
    /* The channel count and window stand behind what needs them: read once, then written. */
    FILE *nowhere = tmpfile();
    expect(nowhere != NULL && count < kMostParts);
    copy_header(in, at, nowhere, &parts[count]);
    fclose(nowhere);
    parts[count].plane_count = 0;
    at = copy_header(in, at, out, &parts[count]);
    expect(parts[count].width > 0 && parts[count].height > 0), ++count;
  } while (version & kManyParts && at < in->size && in->data[at]);
  if (version & kManyParts) fputc(0, out), ++at;
  for (int p = 0; p < count; ++p) {
    tables[p] = ftell(out);
    for (int y = 0; y < parts[p].height; ++y) put(out, 0, 8);
  }
  for (int p = 0; p < count; ++p)
    for (int block = 0; block < (parts[p].height + 15) / 16; ++block, at += 8) {
      expect(in->size - at >= 8);
      copy_block(in, number_at(in->data + at, 8), p, count, &parts[p], block, out, tables[p]);
    }
}

int main(int argc, char **argv) {
  File in = {NULL, 0};
  FILE *from = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!from) return fprintf(stderr, "usage: fdp_reader PACKED.fdp PLAIN.exr\n"), 2;
  fseek(from, 0, SEEK_END);
  in.size = (size_t)ftell(from);
  rewind(from);
  uint8_t *data = malloc(in.size + 1);
  if (!data || fread(data, 1, in.size, from) != in.size) return perror(argv[1]), 1;
  in.data = data;
  FILE *out = fopen(argv[2], "wb+");
  if (!out) return perror(argv[2]), 1;
  if (setjmp(fdp_damage)) {
    fclose(out), remove(argv[2]);
    return fprintf(stderr, "%s: expected a packed deep image, found a damaged one\n", argv[1]), 1;
  }
  copy_file(&in, out);
  return fclose(out) == 0 ? 0 : 1;
}
