// SPDX-License-Identifier: BSD-3-Clause
// The structure of a genome, the numbers of its records, and the text of its shader.
#include "app/engine/flame/render/generator.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/projection.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
namespace {

constexpr std::size_t kMaxTableXforms = 4096;  // with xaos 64 MiB of thresholds
constexpr std::int64_t kUniformBytes = 16384;  // every GL 4.5 has uniform blocks of this size

std::vector<int> variationsOf(const Xform& xform) {
  std::vector<int> used;
  for (const VariationUse& use : xform.variations)
    if (use.weight != 0) used.push_back(use.index);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

bool hasPost(const Xform& xform) { return !(xform.post == Affine{}); }

bool seesLess(const Genome& genome) {
  return genome.soloXform >= 0 ||
         std::ranges::any_of(genome.xforms, [](const Xform& xform) { return xform.opacity != 1; });
}

/// The file tells in which order variations act.
bool hasPlaces(const Genome& genome) {
  const auto told = [](const VariationUse& use) { return use.place > 0; };
  return anyXform(genome,
                  [&](const Xform& xform) { return std::ranges::any_of(xform.variations, told); });
}

void checkWeights(const Genome& genome) {
  double total = 0;
  for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
    const double weight = genome.xforms[i].weight;
    if (!(weight >= 0) || !std::isfinite(weight))
      fail("xform {}: expected a weight of 0 or more, found {}", i, weight);
    total += weight;
  }
  if (!(total > 0) || !std::isfinite(total))
    fail("expected an xform with a weight, found {}",
         genome.xforms.empty() ? "no xform" : "only weights of 0");
}

void checkChaos(const Genome& genome) {
  for (std::size_t from = 0; from < genome.xforms.size(); ++from) {
    double total = 0;
    for (std::size_t to = 0; to < genome.xforms.size(); ++to) {
      const double factor = genome.xforms[from].chaosTo(to);
      if (!(factor >= 0) || !std::isfinite(factor))
        fail("xform {}: expected chaos of 0 or more, found {}", from, factor);
      total += factor * genome.xforms[to].weight;
    }
    if (!(total > 0))
      fail("xform {}: expected chaos that leaves an xform to follow, found none", from);
  }
}

void addDepth(const Genome& genome, Structure& s) {
  const Projection projection = projectionOf(genome);
  s.depth = needsDepth(genome);
  s.preservesZ = s.depth && genome.preservesZ != 0;
  s.lens = !projection.isFlat;
  s.lensClips = projection.clips;
  s.lensBlur = projection.blur != 0 ? int(projection.kind) : -1;
}

int capacityFor(std::size_t count) {
  if (count <= std::size_t(kMaxCompared)) return int(count);
  int capacity = 2 * kMaxCompared;
  while (std::size_t(capacity) < count) capacity *= 2;
  return capacity;
}

/// A point is then no more than a place in the plane and a color from 0 to 1.
bool canTakeTurns(const Genome& genome, const Settings& settings) {
  const auto asksForMore = [](const Xform& xform) {
    return !(xform.color >= 0 && xform.color <= 1 && std::abs(xform.colorSpeed - 0.5) <= 0.5) ||
           std::ranges::any_of(xform.variations, [](const VariationUse& use) {
             const VariationInfo& info = variations()[std::size_t(use.index)];
             return info.hides || info.orbits;
           });
  };
  return settings.accumulate == Accumulate::Deferred && settings.restart == 0 &&
         genome.dialect != Dialect::JWildfire && !needsDepth(genome) && !usesChaos(genome) &&
         genome.xforms.size() <= std::size_t(kMaxCompared) && !anyXform(genome, asksForMore);
}

}  // namespace

bool usesChaos(const Genome& genome) {
  constexpr double kSame = 1e-10;
  for (const Xform& xform : genome.xforms)
    for (std::size_t i = 0; i < std::min(xform.chaos.size(), genome.xforms.size()); ++i)
      if (!(std::abs(xform.chaos[i] - 1) <= kSame)) return true;
  return false;
}

Structure structureOf(const Genome& genome, const HistogramShape& shape, const Settings& settings,
                      Selection selection) {
  checkWeights(genome);
  if (genome.xforms.size() > kMaxTableXforms)
    fail("expected at most {} xforms, found {}", kMaxTableXforms, genome.xforms.size());
  Structure s;
  s.capacity = capacityFor(genome.xforms.size());
  s.xaos = usesChaos(genome);
  if (s.xaos) checkChaos(genome);
  s.selection = s.xaos ? Selection::Own : selection;  // each point has its own last xform
  if (selection == Selection::Turns && !canTakeTurns(genome, settings))
    s.selection = Selection::Own;
  std::set<int> all;
  for (const Xform& xform : genome.xforms) {
    if (xform.weight == 0) continue;
    const std::vector<int> used = variationsOf(xform);
    all.insert(used.begin(), used.end());
    s.post |= hasPost(xform);
  }
  if (s.selection != Selection::Own)
    for (const Xform& xform : genome.xforms) {
      s.perXform.push_back(xform.weight == 0 ? std::vector<int>{} : variationsOf(xform));
      s.postPerXform.push_back(hasPost(xform));
    }
  else
    s.perXform = {{all.begin(), all.end()}};
  for (const Xform& xform : genome.furtherFinals) {
    s.furtherFinals.push_back(variationsOf(xform));
    s.post |= hasPost(xform);
    all.insert(s.furtherFinals.back().begin(), s.furtherFinals.back().end());
  }
  addDepth(genome, s);
  s.restarts = settings.restart > 0;
  if (genome.finalXform && genome.finalXform->opacity > 0) {
    s.finalXform = true;
    s.finalVariations = variationsOf(*genome.finalXform);
    s.finalPost = hasPost(*genome.finalXform);
    s.finalSometimes = genome.finalXform->opacity < 1;
    all.insert(s.finalVariations.begin(), s.finalVariations.end());
  }
  s.variations.assign(all.begin(), all.end());
  s.goesFar = anyXform(genome, [](const Xform& xform) {
    return farthest(xform.coefs) > 1e4 || farthest(xform.post) > 1e4;
  });
  if (hasPlaces(genome)) s.order = actingOrder(genome).variations;
  s.alpha = shape.hasAlpha;
  s.visibility = s.alpha && seesLess(genome);
  s.linearPalette = genome.paletteMode == PaletteMode::Linear;
  s.jitter = settings.antialias == Antialias::Jitter;
  s.jwildfire = genome.dialect == Dialect::JWildfire;
  s.jitterAntialiasing = !s.jitter && hasJitterAntialiasing(genome);
  s.accumulate = settings.accumulate;
  const std::int64_t rows = std::int64_t(s.capacity + finalRecords(s)) * layoutOf(s).rows;
  const std::int64_t words = std::int64_t(s.capacity) * (s.xaos ? s.capacity + 1 : 1);
  s.tables = rows * 16 + words * 4 > kUniformBytes;
  s.sharedRecords = s.xaos && selection == Selection::Shared;
  return s;
}

bool covers(const Structure& made, const Structure& wanted) {
  const auto includes = [](const std::vector<int>& big, const std::vector<int>& small) {
    return std::includes(big.begin(), big.end(), small.begin(), small.end());
  };
  if (made.perXform.size() != wanted.perXform.size() ||
      made.postPerXform.size() != wanted.postPerXform.size() ||
      made.furtherFinals != wanted.furtherFinals)
    return false;
  for (std::size_t i = 0; i < made.perXform.size(); ++i)
    if (!includes(made.perXform[i], wanted.perXform[i])) return false;
  for (std::size_t i = 0; i < made.postPerXform.size(); ++i)
    if (wanted.postPerXform[i] && !made.postPerXform[i]) return false;
  if (!includes(made.variations, wanted.variations) ||
      !includes(made.finalVariations, wanted.finalVariations))
    return false;
  if ((wanted.post && !made.post) || (wanted.finalPost && !made.finalPost)) return false;
  // Whatever else differs changes what is drawn, or how much work is wasted.
  Structure same = wanted;
  same.variations = made.variations, same.perXform = made.perXform;
  same.finalVariations = made.finalVariations;
  same.post = made.post, same.postPerXform = made.postPerXform, same.finalPost = made.finalPost;
  same.tables = made.tables;
  return same == made;
}

int packedCount(int variation) { return variations()[std::size_t(variation)].packedCount; }

RecordLayout layoutOf(const Structure& structure) {
  RecordLayout layout;
  layout.hasPost = structure.post || structure.finalPost;
  int next = layout.hasPost ? 16 : 8;
  if (structure.visibility) layout.visibilityOffset = next++;
  for (const int variation : structure.variations) {
    layout.variationOffsets.emplace_back(variation, next);
    next += 1 + packedCount(variation);
  }
  layout.rows = (next + 3) / 4;
  return layout;
}

int RecordLayout::offsetOf(int variation) const {
  for (const auto& [index, offset] : variationOffsets)
    if (index == variation) return offset;
  fail("variation {}: expected one that the structure holds", variation);
}

// ---- Numbers

namespace {

// Doubles beyond a float's range keep their meaning: the point they make is bad either way.
float toFloat(double v) { return float(std::clamp(v, -3e38, 3e38)); }

const VariationUse* useOf(const Xform& xform, int variation) {
  for (const VariationUse& use : xform.variations)
    if (use.index == variation && use.weight != 0) return &use;
  return nullptr;
}

void packAffine(const Affine& m, double keep, double add, glm::vec4* rows) {
  rows[0] = {toFloat(m.a), toFloat(m.b), toFloat(m.c), toFloat(keep)};
  rows[1] = {toFloat(m.d), toFloat(m.e), toFloat(m.f), toFloat(add)};
}

void packXform(const Xform& xform, double visibility, const RecordLayout& layout, glm::vec4* rows) {
  packAffine(xform.coefs, 1 - xform.colorSpeed, xform.colorSpeed * xform.color, rows);
  if (layout.hasPost) packAffine(xform.post, 0, 0, rows + 2);
  float* floats = &rows[0].x;
  if (layout.visibilityOffset >= 0) floats[layout.visibilityOffset] = toFloat(visibility);
  for (const auto& [variation, offset] : layout.variationOffsets)
    if (const VariationUse* use = useOf(xform, variation)) {
      std::array<double, kMaxPacked> packed{};
      packVariation(*use, xform.coefs, packed.data());
      floats[offset] = toFloat(use->weight);
      for (int i = 0; i < packedCount(variation); ++i)
        floats[offset + 1 + i] = toFloat(packed[std::size_t(i)]);
    }
}

void addThresholds(const std::vector<double>& weights, int capacity,
                   std::vector<std::uint32_t>& out) {
  std::vector<std::uint32_t> row = selectionThresholds(weights);
  row.resize(std::size_t(capacity), FLAME_SELECTION);
  out.insert(out.end(), row.begin(), row.end());
}

}  // namespace

std::size_t thresholdWords(const Structure& structure) {
  const std::size_t rows = structure.xaos ? std::size_t(structure.capacity) + 1 : 1;
  return (rows * std::size_t(structure.capacity) + 3) / 4 * 4;
}

double visibilityOf(const Genome& genome, std::size_t xform) {
  const bool solo = genome.soloXform >= 0 && std::size_t(genome.soloXform) != xform;
  const double opacity = solo ? 0.0 : genome.xforms[xform].opacity;
  return opacity <= 0 ? 0.0 : std::pow(opacity, std::log2(10.0));
}

std::vector<std::uint32_t> selectionThresholds(const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint32_t> thresholds;
  double sum = 0;
  std::uint32_t entry = 0;
  for (const double weight : weights) {
    sum += weight;
    while (entry < FLAME_SELECTION && sum > entry * (total / FLAME_SELECTION)) ++entry;
    thresholds.push_back(entry);
  }
  // Rounding may leave the last entries over: they belong to the last xform that has a weight.
  if (const auto last =
          std::find_if(weights.rbegin(), weights.rend(), [](double weight) { return weight > 0; });
      last != weights.rend())
    std::fill(thresholds.begin() + (weights.rend() - last - 1), thresholds.end(), FLAME_SELECTION);
  return thresholds;
}

PackedGenome pack(const Genome& genome, const Structure& structure) {
  const RecordLayout layout = layoutOf(structure);
  PackedGenome packed;
  packed.parameters.resize(std::size_t(structure.capacity + finalRecords(structure)) *
                           std::size_t(layout.rows));
  FATHOM_CHECK_OP(genome.xforms.size(), <=, std::size_t(structure.capacity));
  const auto rowsOf = [&](std::size_t record) {
    return packed.parameters.data() + record * std::size_t(layout.rows);
  };
  for (std::size_t i = 0; i < genome.xforms.size(); ++i)
    packXform(genome.xforms[i], visibilityOf(genome, i), layout, rowsOf(i));
  if (genome.finalXform)
    packXform(*genome.finalXform, 1, layout, rowsOf(std::size_t(structure.capacity)));
  for (std::size_t i = 0; i < structure.furtherFinals.size(); ++i)
    if (i < genome.furtherFinals.size())
      packXform(genome.furtherFinals[i], 1, layout,
                rowsOf(std::size_t(structure.capacity) + 1 + i));

  std::vector<double> weights;
  for (const Xform& xform : genome.xforms) weights.push_back(xform.weight);
  addThresholds(weights, structure.capacity, packed.thresholds);
  // After an xform that this moment of a film does not have, any may follow.
  for (std::size_t from = 0; structure.xaos && from < std::size_t(structure.capacity); ++from) {
    std::vector<double> row = weights;
    for (std::size_t to = 0; from < genome.xforms.size() && to < row.size(); ++to)
      row[to] *= genome.xforms[from].chaosTo(to);
    addThresholds(row, structure.capacity, packed.thresholds);
  }
  packed.thresholds.resize(thresholdWords(structure), FLAME_SELECTION);
  return packed;
}

CameraRows cameraOf(const Genome& genome, const HistogramShape& shape) {
  const double angle = projectionOf(genome).turns ? 0 : genome.rotate * std::numbers::pi / 180;
  const double scale =
      pixelsPerUnit(genome) * shape.supersample * double(shape.size.x) / std::max(1, genome.size.x);
  const double c = std::cos(angle) * scale, s = std::sin(angle) * scale;
  return {{float(c), float(-s), float(s), float(c)},
          glm::vec2(genome.center),
          float(genome.filter / 3 * shape.supersample),
          genome.finalXform ? float(genome.finalXform->opacity) : 0};
}

std::size_t controlPointRows(const Structure& structure) {
  const std::size_t thresholds = thresholdWords(structure) / 4;
  return FLAME_CAMERA_ROWS +
         std::size_t(structure.capacity + finalRecords(structure)) *
             std::size_t(layoutOf(structure).rows) +
         thresholds;
}

std::array<glm::vec4, 6> lensOf(const Genome& genome) {
  const Projection p = projectionOf(genome);
  std::array<glm::vec4, 6> rows{};
  for (int i = 0; i < 3; ++i)
    rows[std::size_t(i)] = {p.rows[i].x, p.rows[i].y, p.rows[i].z, p.shift[i]};
  rows[3] = {p.perspective, p.base, p.blur, p.power};
  rows[4] = {p.focus.x, p.focus.y, p.focus.z, 0};
  rows[5] = {p.area, p.fade, genome.jwildfire.antialiasAmount, genome.jwildfire.antialiasRadius};
  return rows;
}

bool canMove(const Structure& structure) {
  // The passes that evaluate control points know flam3's variations and camera.
  if (structure.depth || structure.lens || structure.jitterAntialiasing ||
      !structure.furtherFinals.empty() ||
      (!structure.variations.empty() && structure.variations.back() >= kFlam3Variations))
    return false;
  constexpr std::size_t kSharedRows = 20 * 1024 / 16;  // of 32 KiB; points are passed on in 8
  return controlPointRows(structure) <= kSharedRows;
}

std::vector<glm::vec4> packControlPoint(const Genome& genome, const Structure& structure,
                                        const HistogramShape& shape) {
  const CameraRows camera = cameraOf(genome, shape);
  std::vector<glm::vec4> rows{camera.turn, {camera.center, camera.jitter, camera.finalChance}};
  const PackedGenome packed = pack(genome, structure);
  rows.insert(rows.end(), packed.parameters.begin(), packed.parameters.end());
  for (std::size_t i = 0; i < packed.thresholds.size(); i += 4) {
    const std::uint32_t* t = &packed.thresholds[i];
    rows.emplace_back(float(t[0]), float(t[1]), float(t[2]), float(t[3]));
  }
  FATHOM_CHECK_OP(rows.size(), ==, controlPointRows(structure));
  return rows;
}

std::array<glm::vec4, 256> packedPalette(const Palette& palette) {
  std::array<glm::vec4, 256> entries;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (int channel = 0; channel < 4; ++channel) {
      // Text holds bytes, so a channel is a whole number of 255ths but for the rounding of floats.
      const float value = std::max(0.0f, palette[i][channel] * 255);
      const float whole = std::round(value);
      entries[i][channel] = std::abs(value - whole) < 1e-4f ? whole : value;
    }
  return entries;
}

// ---- Text

namespace {

class TextWriter {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// In software, all records are kept in registers when there are few of them.
bool holdsRecords(const Structure& s) {
  return s.selection != Selection::Shared && !s.tables && !s.sharedRecords &&
         s.capacity <= kMaxCompared;
}

std::string recordsOf(const Structure& s) { return holdsRecords(s) ? "held" : "parameters"; }

bool copiesRecords(const Structure& s) { return s.sharedRecords && !s.tables && !s.moving; }

// "record[2].y": float `offset` of a record; `rows` says where its rows are, "record[{}]".
std::string floatAt(const std::string& rows, int offset) {
  return fmt::format(fmt::runtime(rows), offset / 4) + '.' + "xyzw"[offset % 4];
}

const VariationInfo& infoOf(int variation) { return variations()[std::size_t(variation)]; }
std::string_view nameOf(int variation) { return infoOf(variation).name; }

/// "variation_julian(p, w, ...)" with the packed values.
std::string callOf(int variation, const std::string& rows, int offset) {
  std::string call = fmt::format("variation_{}(p, w", infoOf(variation).function);
  for (int i = 0; i < packedCount(variation); ++i) call += ", " + floatAt(rows, offset + 1 + i);
  return call + ')';
}

bool isDeep(int variation) { return infoOf(variation).depth != kFlat; }

void writeBlocks(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const int parameterRows = (s.capacity + finalRecords(s)) * layout.rows,
            thresholdRows = int(thresholdWords(s)) / 4;
  out.line("const uint kRows = {}u;      // vec4 of a record", layout.rows);
  out.line("const uint kCapacity = {}u;  // xforms that fit", s.capacity);
  if (s.moving) {
    out.line("const uint kParameterRows = {}u, kThresholdRows = {}u;", parameterRows,
             thresholdRows);
    out.line(
        "layout(std430, binding = FLAME_BIND_TABLES) restrict readonly buffer ControlPoints {{");
    out.line("  vec4 controlPoints[];  // [work group][camera, records, thresholds]\n}};");
    out.line("shared vec4 parameters[kParameterRows];");
    out.line("shared uvec4 thresholds[kThresholdRows];\n");
    return;
  }
  if (s.tables)
    out.line("layout(std430, binding = FLAME_BIND_TABLES) restrict readonly buffer Xforms {{");
  else
    out.line("layout(std140, binding = FLAME_BIND_XFORMS) uniform Xforms {{");
  const char* const given = copiesRecords(s) ? "given_" : "";
  out.line("  vec4 {}parameters[{}];", given, parameterRows);
  out.line("  uvec4 {}thresholds[{}];", given, thresholdRows);
  out.line("}};");
  if (copiesRecords(s))
    out.line("shared vec4 parameters[{}];\nshared uvec4 thresholds[{}];", parameterRows,
             thresholdRows);
  out.line("");
}

// Before the rounds: software renderers fetch uniforms lane by lane within loops. No loop copies
// the rows: drivers unroll none of over 32 rounds, and what a loop indexes lies in memory.
void writeLoad(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const auto copyRows = [&](const char* to, const char* from, int count, int first = 0) {
    for (int i = 0; i < count; ++i) out.line("  {}[{}] = {}[{}];", to, i, from, first + i);
  };
  out.line("vec4 record[kRows];       // of the chosen xform");
  out.line("vec4 finalRecord[kRows];  // of the final xform");
  if (holdsRecords(s)) out.line("vec4 held[kRows * kCapacity];");
  if (holdsRecords(s) && !s.xaos) out.line("uvec4 heldThresholds[{}];", (s.capacity + 3) / 4);
  if (s.moving) out.line("#include \"shaders/flame/chaos/load_control_point.glsl\"");
  out.line("void loadXforms() {{");
  if (s.moving) out.line("  loadControlPoint();");
  for (const char* array : {"parameters", "thresholds"})
    if (copiesRecords(s))
      out.line(
          "  for (uint i = gl_LocalInvocationID.x; i < {0}.length(); i += FLAME_GROUP) "
          "{0}[i] = given_{0}[i];",
          array);
  if (copiesRecords(s)) out.line("  barrier();  // read by the whole group from here on");
  if (s.finalXform) copyRows("finalRecord", "parameters", layout.rows, layout.rows * s.capacity);
  if (holdsRecords(s)) copyRows("held", "parameters", layout.rows * s.capacity);
  if (holdsRecords(s) && !s.xaos) copyRows("heldThresholds", "thresholds", (s.capacity + 3) / 4);
  out.line("}}\n");
}

// Few xforms: all of them pass by, and the last one whose threshold was reached stays.
void writeComparisons(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const bool held = holdsRecords(s);
  out.line("  uint xform = 0u;");
  for (int row = 0; held && row < layout.rows; ++row) out.line("  record[{0}] = held[{0}];", row);
  for (int i = 0; i + 1 < s.capacity; ++i) {
    if (s.xaos) out.line("  i = row * kCapacity + {}u;", i);
    out.line("  reached = r >= {};",
             s.xaos ? "thresholds[i >> 2][i & 3u]"
                    : fmt::format("{}[{}].{}", held ? "heldThresholds" : "thresholds", i / 4,
                                  "xyzw"[i % 4]));
    out.line("  xform += uint(reached);");
    for (int row = 0; held && row < layout.rows; ++row)
      out.line("  record[{0}] = mix(record[{0}], held[{1}], bvec4(reached));", row,
               (i + 1) * layout.rows + row);
  }
}

// Many: bisection.
void writeBisection(TextWriter& out, const Structure& s) {
  out.line("  uint xform = 0u, start = row * kCapacity - 1u;");
  for (int step = s.capacity / 2; step > 0; step /= 2) {
    out.line("  i = start + xform + {}u;", step);
    out.line("  xform += r >= thresholds[i >> 2][i & 3u] ? {}u : 0u;", step);
  }
}

void writeChoice(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  out.line("// The xform that 14 random bits choose; `row` is last xform + 1 with xaos, else 0.");
  out.line("uint chooseXform(uint r, uint row) {{");
  out.line("  bool reached;\n  uint i;");
  if (s.capacity <= kMaxCompared)
    writeComparisons(out, s, layout);
  else
    writeBisection(out, s);
  if (s.selection == Selection::Own && !holdsRecords(s))
    for (int row = 0; row < layout.rows; ++row)
      out.line("  record[{0}] = parameters[xform * kRows + {0}u];", row);
  out.line("  return xform;\n}}\n");
}

// Each xform takes its share of a round, whose fraction `shift` rounds up or down.
void writeTurns(TextWriter& out, const Structure& s) {
  out.line("void takeTurn(uint xform, uint slot);");
  out.line("void takeTurns(uint shift) {{\n  uint slot = 0u, end;");
  for (std::size_t i = 0; i < s.perXform.size(); ++i) {
    out.line("  end = ({}[{}].{} * FLAME_HELD + shift) / FLAME_SELECTION;",
             holdsRecords(s) ? "heldThresholds" : "thresholds", i / 4, "xyzw"[i % 4]);
    out.line("  if (slot < end) do takeTurn({}u, slot); while (++slot < end);", i);
  }
  out.line("}}\n");
}

// The affine map that fills rows `row` and `row + 1` of a record, applied to `from`.
std::string affineOf(const std::string& rows, int row, const char* from) {
  const auto at = [&](int r) { return fmt::format(fmt::runtime(rows), r); };
  return fmt::format("vec2(dot(vec3({0}, 1.0), {1}.xyz), dot(vec3({0}, 1.0), {2}.xyz))", from,
                     at(row), at(row + 1));
}

/// Gives points a color by how far they came.
bool isDistanceColor(const VariationInfo& info) { return info.name == "distance_color"; }
bool isDisc(const VariationInfo& info) { return info.name == "disc"; }
bool readsSum(const VariationInfo& info) { return info.readsSum; }

template <class Holds>
bool anyOf(const std::vector<int>& used, Holds holds) {
  return std::ranges::any_of(used, [&](int variation) { return holds(infoOf(variation)); });
}

struct Application {
  std::string name, rows, about;
  const std::vector<int>& used;
  bool post;
};

// A variation that this xform does not use has weight 0. It is evaluated all the same: lanes that
// take part are in step with those that do not, and a choice is cheaper than a branch.
class ApplicationWriter {
 public:
  ApplicationWriter(TextWriter& out, const Application& a, const Structure& s,
                    const RecordLayout& layout)
      : out_(out), a_(a), s_(s), layout_(layout), used_(a.used) {}

  void write() {
    if (!s_.order.empty()) {
      const std::vector<int> used = std::exchange(used_, {});
      for (const int variation : s_.order)
        if (std::binary_search(used.begin(), used.end(), variation)) used_.push_back(variation);
    }
    const char* type = s_.depth ? "vec3" : "vec2";
    out_.line("// {}", a_.about);
    out_.line("{} {}({} {}) {{", type, a_.name, type, s_.depth ? "from" : "at");
    if (s_.depth) out_.line("  vec2 at = from.xy;\n  float z = from.z, qz = 0.0;");
    if (anyOf(used_, isDistanceColor))
      out_.line("  vec3 start = {};", s_.depth ? "from" : "vec3(at, 0.0)");
    out_.line("  at = {};", affineOf(a_.rows, 0, "at"));
    out_.line("  float w;\n  vec2 v;");
    if (s_.depth || has(VariationStage::Before) || has(VariationStage::After))
      out_.line("  vec3 u;");
    writePreBlur();
    if (has(VariationStage::Before)) {
      out_.line("  Point p;");
      writeInTurn(VariationStage::Before, "at", "z");
      out_.line("  p = makePoint({});", s_.depth ? "vec3(at, z)" : "at");
    } else {
      out_.line("  Point p = makePoint({});", s_.depth ? "vec3(at, z)" : "at");
    }
    out_.line("  vec2 q = vec2(0.0);");
    if (anyOf(used_, readsSum)) out_.line("  started = vec3(at, {});", s_.depth ? "z" : "0.0");
    writeSum();
    writeInTurn(VariationStage::After, "q", "qz");
    if (a_.post) out_.line("  q = {};", affineOf(a_.rows, 2, "q"));
    writeDistanceColor();
    out_.line("  return {};\n}}\n", s_.depth ? "vec3(q, qz)" : "q");
  }

 private:
  /// What is shown of the point in place of its color; the trajectory goes on with its own.
  void writeDistanceColor() {
    for (const int variation : used_) {
      if (!isDistanceColor(infoOf(variation))) continue;
      const int offset = layout_.offsetOf(variation);
      out_.line("  v.x = {} + {} * length(vec3(q, {}) - start);", floatAt(a_.rows, offset + 1),
                floatAt(a_.rows, offset + 2), s_.depth ? "qz" : "0.0");
      out_.line("  showColor(v.x, {});", floatAt(a_.rows, offset));
    }
  }

  bool has(VariationStage stage) const {
    return anyOf(used_, [&](const VariationInfo& info) { return info.stage == stage; });
  }

  void writePreBlur() {
    for (const int variation : used_)
      if (variation == kPreBlur) {
        out_.line("  w = {};", floatAt(a_.rows, layout_.offsetOf(variation)));
        out_.line("  v = preBlurOffset(w);");
        out_.line("  at += mix(v, vec2(0.0), bvec2(w == 0.0));");
      }
  }

  void writeSum() {
    for (const int variation : used_) {
      if (variation == kPreBlur || infoOf(variation).stage != VariationStage::Among) continue;
      const int offset = layout_.offsetOf(variation);
      const std::string call = callOf(variation, a_.rows, offset);
      out_.line("  w = {};", floatAt(a_.rows, offset));
      if (readsSum(infoOf(variation)))
        out_.line("  summed = {};", s_.order.empty() ? "vec3(0.0)"
                                    : s_.depth       ? "vec3(q, qz)"
                                                     : "vec3(q, 0.0)");
      writeActing(variation);
      if (!s_.order.empty() && infoOf(variation).assigns)
        out_.line("  q = mix(vec2(0.0), q, bvec2(w == 0.0));");
      if (isDeep(variation) && s_.depth) {
        out_.line("  u = {};", call);
        out_.line("  q += mix(u.xy, vec2(0.0), bvec2(w == 0.0));");
        out_.line("  qz += w == 0.0 ? 0.0 : u.z;");
        continue;
      }
      const bool mayDrop = s_.preservesZ && infoOf(variation).dropsZ;
      if (mayDrop) out_.line("  dropped = false;");
      out_.line("  v = {}{};", call, isDeep(variation) ? ".xy" : "");
      out_.line("  q += mix(v, vec2(0.0), bvec2(w == 0.0));");
      if (s_.preservesZ) out_.line("  qz += {};", mayDrop ? "dropped ? 0.0 : w * z" : "w * z");
    }
  }

  /// What shaders ask for by acting().
  void writeActing(int variation) {
    if (!s_.order.empty()) out_.line("  actingNow = {};", actingOf(variation));
  }

  /// Those before or after the others move a point one after the other.
  void writeInTurn(VariationStage stage, const char* place, const char* z) {
    if (stage == VariationStage::After && has(stage)) out_.line("  // after the others");
    for (const int variation : used_) {
      const VariationInfo& info = infoOf(variation);
      if (info.stage != stage) continue;
      const int offset = layout_.offsetOf(variation);
      out_.line("  w = {};", floatAt(a_.rows, offset));
      out_.line("  p = makePoint({});",
                s_.depth ? fmt::format("vec3({}, {})", place, z) : std::string(place));
      if (info.readsSum)
        out_.line("  summed = {};", info.adds || s_.order.empty()
                                        ? fmt::format("vec3({}, {})", place, s_.depth ? z : "0.0")
                                        : "vec3(0.0)");
      writeActing(variation);
      if (info.readsSum && stage == VariationStage::Before)
        out_.line("  started = vec3({}, {});", place, s_.depth ? z : "0.0");
      const std::string call = callOf(variation, a_.rows, offset);
      const bool deep = isDeep(variation);
      out_.line("  u = {};", deep ? call
                                  : fmt::format("vec3({}, {})", call,
                                                info.adds  ? "0.0"
                                                : s_.depth ? z
                                                           : "0.0"));
      if (info.adds) {
        out_.line("  {} += mix(u.xy, vec2(0.0), bvec2(w == 0.0));", place);
        if (s_.depth) out_.line("  {} += w == 0.0 ? 0.0 : u.z;", z);
      } else {
        if (!info.zAlone) out_.line("  {0} = mix(u.xy, {0}, bvec2(w == 0.0));", place);
        if (s_.depth) out_.line("  {0} = w == 0.0 ? {0} : u.z;", z);
        if (s_.preservesZ && info.addsZ && actingOf(variation) == 1 && !s_.order.empty())
          out_.line("  qz += w * z;");
      }
    }
  }

  TextWriter& out_;
  const Application& a_;
  const Structure& s_;
  const RecordLayout& layout_;
  std::vector<int> used_;  // in the order in which they act
};

std::string listOf(const std::vector<int>& variations) {
  if (variations.empty()) return "nothing";
  return joined(variations, ", ", [](int variation) { return nameOf(variation); });
}

/// Some variation gives points a color of their own.
bool setsColors(const Structure& s) {
  return anyOf(s.variations, [](const VariationInfo& info) { return info.colors; });
}

/// Final xforms after the first, one after the other; colors change as by any xform.
void writeFurtherFinals(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  if (s.furtherFinals.empty()) return;
  const auto rowsOf = [&](std::size_t i) {
    return fmt::format("parameters[{}u * kRows + {{}}u]", std::size_t(s.capacity) + 1 + i);
  };
  for (std::size_t i = 0; i < s.furtherFinals.size(); ++i) {
    const Application one{fmt::format("applyFurther{}", i), rowsOf(i),
                          fmt::format("Final xform {}: {}", i + 2, listOf(s.furtherFinals[i])),
                          s.furtherFinals[i], s.post};
    ApplicationWriter(out, one, s, layout).write();
  }
  out.line("{0} applyFurtherFinals({0} at, inout float color) {{", s.depth ? "vec3" : "vec2");
  for (std::size_t i = 0; i < s.furtherFinals.size(); ++i) {
    out.line("  color = {} * color + {};", floatAt(rowsOf(i), 3), floatAt(rowsOf(i), 7));
    if (showsFullColors(s)) out.line("  fullColor = vec4(-1.0);");
    out.line("  at = applyFurther{}(at);", i);
    if (setsColors(s)) out.line("  color = takeColor(color);");
  }
  out.line("  return at;\n}}\n");
}

void writeXforms(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const char* type = s.depth ? "vec3" : "vec2";
  if (s.selection == Selection::Own) {
    const Application any{"applyChosen", "record[{}]", "Any xform: " + listOf(s.perXform[0]),
                          s.perXform[0], s.post};
    ApplicationWriter(out, any, s, layout).write();
    out.line("{0} applyXform(uint xform, {0} at) {{ return applyChosen(at); }}\n", type);
  } else {
    for (std::size_t i = 0; i < s.perXform.size(); ++i) {
      const Application one{
          fmt::format("applyXform{}", i), fmt::format("{}[{}u * kRows + {{}}u]", recordsOf(s), i),
          fmt::format("Xform {}: {}", i, listOf(s.perXform[i])), s.perXform[i], s.postPerXform[i]};
      ApplicationWriter(out, one, s, layout).write();
    }
    out.line("{0} applyXform(uint xform, {0} at) {{\n  switch (xform) {{", type);
    for (std::size_t i = 0; i + 1 < s.perXform.size(); ++i)
      out.line("    case {0}u: return applyXform{0}(at);", i);
    out.line("    default: return applyXform{}(at);\n  }}\n}}\n", s.perXform.size() - 1);
  }
  if (s.finalXform) {
    const Application last{"applyFinal", "finalRecord[{}]",
                           "The final xform: " + listOf(s.finalVariations), s.finalVariations,
                           s.finalPost};
    ApplicationWriter(out, last, s, layout).write();
  }
  writeFurtherFinals(out, s, layout);
}

// What else a record holds, of the chosen xform.
void writeColor(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const std::string rows =
      s.selection == Selection::Own ? "record[{}]" : recordsOf(s) + "[xform * kRows + {}u]";
  out.line("float colorKeep(uint xform) {{ return {}; }}", floatAt(rows, 3));
  out.line("float colorAdd(uint xform) {{ return {}; }}", floatAt(rows, 7));
  if (s.visibility)
    out.line("float visibilityOf(uint xform) {{ return {}; }}",
             floatAt(rows, layout.visibilityOffset));
}

std::string xformsText(const Structure& s) {
  const RecordLayout layout = layoutOf(s);
  TextWriter out;
  out.line("// Made from a genome's structure; its numbers are in the block below.");
  for (const auto& [name, on] :
       {std::pair("SHARED_SELECTION", s.selection == Selection::Shared),
        std::pair("FINAL", s.finalXform), std::pair("FINAL_SOMETIMES", s.finalSometimes),
        std::pair("XAOS", s.xaos), std::pair("ALPHA", s.alpha),
        std::pair("VISIBILITY", s.visibility), std::pair("LINEAR_PALETTE", s.linearPalette),
        std::pair("JITTER", s.jitter)})
    out.line("#define FLAME_{} {}", name, int(on));
  const bool hides = anyOf(s.variations, [](const VariationInfo& info) { return info.hides; });
  for (const auto& [name, on] :
       {std::pair("STRAYS", s.jitterAntialiasing),
        std::pair("FURTHER_FINALS", !s.furtherFinals.empty()),
        std::pair("OWN_COLORS", setsColors(s)), std::pair("TURNS", s.selection == Selection::Turns),
        std::pair("HIDES", hides), std::pair("SHOWN_COLORS", anyOf(s.variations, isDistanceColor)),
        std::pair("FULL_COLORS", showsFullColors(s)), std::pair("DEPTH", s.depth),
        std::pair("LENS", s.lens), std::pair("LENS_CLIPS", s.lensClips),
        std::pair("RESTARTS", s.restarts), std::pair("JWILDFIRE", s.jwildfire),
        std::pair("KEEPS_SIDES", anyOf(s.variations, isDisc))})
    if (on) out.line("#define FLAME_{} 1", name);
  if (s.lensBlur >= 0) out.line("#define FLAME_LENS_BLUR {}", s.lensBlur);
  out.line("#define FLAME_MOVING {}", int(s.moving));
  out.line("#define FLAME_LOG_WIDE {}", int(s.wideLog));
  out.line("#define FLAME_PARTS {}\n", s.partCount);
  out.line("bool inOrder() {{ return {}; }}\n", !s.order.empty());
  for (const int variation : s.variations)
    out.line("#include \"shaders/flame/variations/{}.glsl\"", infoOf(variation).function);
  out.line("");
  writeBlocks(out, s, layout);
  writeLoad(out, s, layout);
  if (s.selection == Selection::Turns)
    writeTurns(out, s);
  else
    writeChoice(out, s, layout);
  writeXforms(out, s, layout);
  writeColor(out, s, layout);
  return std::move(out).text();
}

}  // namespace

bool showsFullColors(const Structure& s) {
  return anyOf(s.variations, [](const VariationInfo& info) { return info.fullColors; });
}

bool hasLoops(const Structure& s) {
  return anyOf(s.variations, [](const VariationInfo& info) { return info.loops; });
}

std::vector<gpu::GeneratedText> generate(const Structure& structure) {
  return {{"generated/accumulate.glsl",
           fmt::format("#include \"shaders/flame/chaos/accumulate_{}.glsl\"\n",
                       nameOf(structure.accumulate))},
          {"generated/xforms.glsl", xformsText(structure)}};
}

}  // namespace fathom::flame
