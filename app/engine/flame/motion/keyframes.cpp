// SPDX-License-Identifier: BSD-3-Clause
// Keyframes as flam3 has them: genomes are brought into one shape, mixed by weights, chosen by
// time, and turned into curves of time.
#include "app/engine/flame/motion/keyframes.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/fields.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
namespace {

constexpr int kFirstWithParameters = 23;  // blob; those before have none

int named(std::string_view name) {
  const int index = variationNamed(name);
  FATHOM_CHECK_OP(index, >=, 0);
  return index;
}

bool old(MatrixInterpolation how) {
  return how == MatrixInterpolation::Old || how == MatrixInterpolation::Older;
}

/// Turning these inside out is smoother than fading them in from nothing.
bool turnsInsideOut(const Xform& xform) {
  static const std::array<int, 7> kinds{named("spherical"),  named("ngon"),  named("julian"),
                                        named("juliascope"), named("polar"), named("wedge_sph"),
                                        named("wedge_julia")};
  return std::ranges::any_of(kinds, [&](int kind) { return weightIn(xform, kind) > 0; });
}

/// The parameters with which a variation leaves points where they are.
struct Identity {
  std::string_view variation;
  std::vector<std::pair<std::string_view, double>> parameters;
};

void setParameters(VariationUse& use, const Identity& identity) {
  const auto& known = variations()[std::size_t(use.index)].parameters;
  for (const auto& [name, value] : identity.parameters) {
    const auto at = std::ranges::find(known, name, &ParameterInfo::name);
    FATHOM_CHECK(at != known.end());
    use.parameters[std::size_t(at - known.begin())] = value;
  }
}

/// True when a partner uses some of these variations; the padding then has them.
bool padWith(Xform& padding, std::span<const Xform* const> partners,
             const std::vector<Identity>& identities) {
  int found = 0;
  for (const Identity& identity : identities) {
    const int index = named(identity.variation);
    const bool used = std::ranges::any_of(
        partners, [&](const Xform* partner) { return weightIn(*partner, index) > 0; });
    if (!used) continue;
    VariationUse& use = variationIn(padding, index);
    use.weight = 1;
    setParameters(use, identity);
    ++found;
  }
  for (VariationUse& use : padding.variations) use.weight /= std::max(found, 1);
  return found > 0;
}

/// Stands in for an xform whose partners in the genomes beside are these.
void pad(Xform& padding, std::span<const Xform* const> partners, MatrixInterpolation matrices) {
  static const std::vector<Identity> identities = {
      {"rectangles", {{"x", 0}, {"y", 0}}},
      {"rings2", {{"val", 0}}},
      {"fan2", {{"x", 0}, {"y", 0}}},
      {"blob", {{"low", 1}, {"high", 1}, {"waves", 1}}},
      {"perspective", {{"angle", 0}}},
      {"curl", {{"c1", 0}, {"c2", 0}}},
      {"super_shape", {{"n1", 2}, {"n2", 2}, {"n3", 2}, {"rnd", 0}, {"holes", 0}}},
  };
  static const std::vector<Identity> whenTurned = {{"fan", {}}, {"rings", {}}};
  const auto plain = [&] { variationIn(padding, kLinear).weight = 1; };
  if (old(matrices)) return plain();
  const auto turns = [](const Xform* partner) { return turnsInsideOut(*partner); };
  if (matrices == MatrixInterpolation::Log && std::ranges::any_of(partners, turns)) {
    variationIn(padding, kLinear).weight = -1;
    padding.coefs = {-1, 0, 0, -1, 0, 0};
  } else if (!padWith(padding, partners, identities)) {
    if (!padWith(padding, partners, whenTurned)) return plain();
    padding.coefs = {0, 1, 1, 0, 0, 0};
  }
}

/// Parameters of what only the neighbor uses; of flower the petals alone, as flam3 does (its holes
/// are 0 then).
void copyParameters(Xform& to, const Xform& from) {
  static const int flower = named("flower");
  for (const VariationUse& use : from.variations) {
    if (use.index < kFirstWithParameters || use.weight == 0) continue;
    if (weightIn(to, use.index) != 0) continue;
    std::array<double, kMaxParameters>& copied = variationIn(to, use.index).parameters;
    copied = use.parameters;
    if (use.index == flower) copied[1] = 0;
  }
}

/// Xform i of a genome; the final one for i = count.
Xform* xformAt(Genome& genome, std::size_t i) {
  if (i < genome.xforms.size()) return &genome.xforms[i];
  return genome.finalXform ? &*genome.finalXform : nullptr;
}

}  // namespace

std::vector<Genome> aligned(std::span<const Genome> genomes) {
  std::vector<Genome> list(genomes.begin(), genomes.end());
  std::size_t count = 0;
  bool final = false;
  for (const Genome& genome : list) {
    count = std::max(count, genome.xforms.size());
    final = final || genome.finalXform;
  }
  // Shape first; which xforms are padding is known from the originals.
  for (Genome& genome : list) {
    while (genome.xforms.size() < count) {
      Xform padding;
      padding.color = double(genome.xforms.size() & 1);
      genome.xforms.push_back(std::move(padding));
    }
    if (final && !genome.finalXform) {
      genome.finalXform.emplace();
      genome.finalXform->color = double(count & 1);
      genome.finalXform->colorSpeed = 0, genome.finalXform->animate = 0;
    }
  }
  for (std::size_t k = 0; k < list.size(); ++k)
    for (std::size_t i = 0; i < count + (final ? 1 : 0); ++i) {
      const auto isPadding = [&](std::size_t genome) {
        return i < count ? i >= genomes[genome].xforms.size() : !genomes[genome].finalXform;
      };
      Xform& xform = *xformAt(list[k], i);
      std::vector<const Xform*> neighbors;
      if (k > 0 && !isPadding(k - 1)) neighbors.push_back(xformAt(list[k - 1], i));
      if (k + 1 < list.size() && !isPadding(k + 1)) neighbors.push_back(xformAt(list[k + 1], i));
      if (isPadding(k)) pad(xform, neighbors, list[k].matrixInterpolation);
      if (list.size() > 1 && !old(list.front().matrixInterpolation))
        copyParameters(xform, *xformAt(list[k > 0 ? k - 1 : 1], i));
    }
  return list;
}

// ---- Mixing

namespace {

/// What turns while it is mixed (edges); nothing otherwise.
struct Turns {
  bool first = false, second = false;
  double radians = 0;
};

using Genomes = std::span<const Genome>;
using Weights = std::span<const double>;

template <class Value>
double sum(std::size_t count, Weights weights, Value&& value) {
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) total += weights[k] * value(k);
  return total;
}

// ---- Matrices

struct Column {
  double x, y;
  double magnitude() const { return std::hypot(x, y); }
  double angle() const { return std::atan2(y, x); }
};

constexpr double kHalfTurnSlack = 1e-10;  // so that half a turn always goes the same way
constexpr double kMinLogEntries = -10;    // below, magnitudes are mixed as they are

/// Each angle as near as may be to the one before.
void unwind(std::vector<double>& angles) {
  for (std::size_t k = 1; k < angles.size(); ++k) {
    const double step = angles[k] - angles[k - 1];
    if (step > std::numbers::pi + kHalfTurnSlack)
      angles[k] -= 2 * std::numbers::pi;
    else if (step < -(std::numbers::pi - kHalfTurnSlack))
      angles[k] += 2 * std::numbers::pi;
  }
}

/// The second angle of a pair of which one turns: so that the way from the first one, together with
/// the turn, leads forward.
void windForward(std::vector<double>& angles, bool firstTurns) {
  const double way = angles[1] - angles[0];
  const double turns = firstTurns ? std::floor(way / (2 * std::numbers::pi) + kHalfTurnSlack)
                                  : std::ceil(way / (2 * std::numbers::pi) - kHalfTurnSlack);
  angles[1] -= 2 * std::numbers::pi * turns;
}

/// A column, (a, d) or (b, e), of several matrices: their angles in radians, each near the one
/// before, and their magnitudes, as natural logarithms unless one of them all but vanishes.
struct PolarColumn {
  std::vector<double> angles, sizes;
  bool logarithms = true;
};
struct PolarColumns {
  PolarColumn first, second;
};
PolarColumn polarColumn(const std::vector<Column>& columns, std::vector<double> angles,
                        const Turns& turns) {
  if (turns.first != turns.second)
    windForward(angles, turns.first);
  else
    unwind(angles);
  if (turns.first) angles[0] += turns.radians;
  if (turns.second) angles[1] += turns.radians;
  PolarColumn polar{std::move(angles), {}, true};
  for (const Column& column : columns)
    if (std::log(column.magnitude()) < kMinLogEntries) polar.logarithms = false;
  for (const Column& column : columns) {
    const double magnitude = column.magnitude();
    polar.sizes.push_back(polar.logarithms ? std::log(magnitude) : magnitude);
  }
  return polar;
}

PolarColumns polarColumnsOf(std::span<const Affine> matrices, const Turns& turns = {}) {
  std::vector<Column> first, second;
  std::vector<double> firstAngles, secondAngles;
  for (const Affine& m : matrices) {
    const Column a{m.a, m.d}, b{m.b, m.e};
    first.push_back(a), second.push_back(b);
    firstAngles.push_back(a.angle()), secondAngles.push_back(b.angle());
    // A column of no length has no direction: it takes the other's.
    if (a.magnitude() == 0 && b.magnitude() != 0)
      firstAngles.back() = secondAngles.back();
    else if (b.magnitude() == 0 && a.magnitude() != 0)
      secondAngles.back() = firstAngles.back();
  }
  return {polarColumn(first, firstAngles, turns), polarColumn(second, secondAngles, turns)};
}

Column mixColumn(const PolarColumn& polar, Weights weights) {
  const auto total = [&](const std::vector<double>& list) {
    return sum(list.size(), weights, [&](std::size_t k) { return list[k]; });
  };
  const double angle = total(polar.angles);
  double magnitude = total(polar.sizes);
  if (polar.logarithms) magnitude = std::exp(magnitude);
  return {magnitude * std::cos(angle), magnitude * std::sin(angle)};
}

Affine mixLinear(const std::vector<Affine>& list, Weights weights) {
  Affine out;
  for (double Affine::*member :
       {&Affine::a, &Affine::d, &Affine::b, &Affine::e, &Affine::c, &Affine::f})
    out.*member = sum(list.size(), weights, [&](std::size_t k) { return list[k].*member; });
  return out;
}

Affine mixPolar(const std::vector<Affine>& list, Weights weights, const Turns& turns) {
  const PolarColumns polar = polarColumnsOf(list, turns);
  Affine out = mixLinear(list, weights);
  const Column a = mixColumn(polar.first, weights), b = mixColumn(polar.second, weights);
  out.a = a.x, out.d = a.y, out.b = b.x, out.e = b.y;
  return out;
}

Affine mix(std::vector<Affine> list, Weights weights, MatrixInterpolation how,
           const Turns& turns = {}) {
  if (how == MatrixInterpolation::Log) return mixPolar(list, weights, turns);
  if (turns.first) list[0] = turned(list[0], turns.radians);
  if (turns.second) list[1] = turned(list[1], turns.radians);
  return mixLinear(list, weights);
}

/// True when all are the identity, which then stays: of post-affines.
bool allPlain(std::span<const Affine> matrices) {
  return std::ranges::all_of(matrices, [](const Affine& m) { return m == Affine{}; });
}

// ---- Xforms

/// Xform i of each genome; the final ones for i = count. The genomes are aligned().
std::vector<const Xform*> xformsAt(Genomes genomes, std::size_t i) {
  std::vector<const Xform*> list;
  for (const Genome& genome : genomes)
    list.push_back(i < genome.xforms.size() ? &genome.xforms[i] : &*genome.finalXform);
  return list;
}

/// A use for each variation of any of the xforms, ascending; weight 0, default parameters.
std::vector<VariationUse> unitedVariations(std::span<const Xform* const> xforms) {
  Xform united;
  for (const Xform* xform : xforms)
    for (const VariationUse& use : xform->variations)
      variationIn(united, use.index).place = use.place;
  return united.variations;
}

/// The one of this index, else `fallback`.
const VariationUse& useIn(const Xform& xform, const VariationUse& fallback) {
  const auto at = std::ranges::find(xform.variations, fallback.index, &VariationUse::index);
  return at == xform.variations.end() ? fallback : *at;
}

/// True when no factor of any xform differs from 1: there is no xaos then.
bool allChaosPlain(std::span<const Xform* const> xforms) {
  return std::all_of(xforms.begin(), xforms.end(), [](const Xform* x) {
    return std::all_of(x->chaos.begin(), x->chaos.end(), [](double c) { return c == 1; });
  });
}

/// All of an xform but its matrices: `how` makes the values of a number in these xforms one, a
/// mixture or a curve of time.
template <class How, class Out>
void combine(const How& how, const std::vector<const Xform*>& list, std::size_t xformCount,
             Out& out) {
  const auto number = [&](double Xform::*member, CurveLimit limit) {
    return how.through([&](std::size_t k) { return list[k]->*member; }, limit);
  };
  out.weight = number(&Xform::weight, CurveLimit::NotNegative);
  out.color = number(&Xform::color, CurveLimit::ZeroToOne);
  out.colorSpeed = number(&Xform::colorSpeed, CurveLimit::ZeroToOne);
  out.opacity = number(&Xform::opacity, CurveLimit::None);
  out.chaos.clear();
  const std::size_t factors = allChaosPlain(list) ? 0 : xformCount;
  for (std::size_t to = 0; to < factors; ++to)
    out.chaos.push_back(
        how.through([&](std::size_t k) { return list[k]->chaosTo(to); }, CurveLimit::NotNegative));
  out.variations.clear();
  for (const VariationUse& fallback : unitedVariations(list)) {
    std::vector<const VariationUse*> uses;
    for (const Xform* xform : list) uses.push_back(&useIn(*xform, fallback));
    auto& variation = out.variations.emplace_back();
    variation.index = fallback.index;
    if constexpr (requires { variation.place; }) variation.place = fallback.place;
    variation.weight = how.through([&](std::size_t k) { return uses[k]->weight; });
    for (std::size_t p = 0; p < variation.parameters.size(); ++p)
      variation.parameters[p] = how.through([&](std::size_t k) { return uses[k]->parameters[p]; });
  }
}

/// By weights.
struct Mixture {
  Weights weights;
  template <class Value>
  double through(Value&& value, CurveLimit limit = CurveLimit::None) const {
    return limited(sum(weights.size(), weights, value), limit);
  }
};

Xform mixXform(const std::vector<const Xform*>& list, Weights weights, MatrixInterpolation how,
               std::size_t xformCount, const Turns& turns = {}) {
  Xform out = *list.front();
  const Mixture mixture{weights};
  combine(mixture, list, xformCount, out);
  out.animate = mixture.through([&](std::size_t k) { return list[k]->animate; });
  std::vector<Affine> coefs, post;
  for (const Xform* xform : list) coefs.push_back(xform->coefs), post.push_back(xform->post);
  out.coefs = mix(coefs, weights, how, turns);
  out.post = allPlain(post) ? Affine{} : mix(post, weights, how);
  return out;
}

// ---- Palettes

/// Files hold bytes. Between complementary hues rounding decides which way around is shorter: to go
/// the way that flam3 goes, bytes are multiplied by 1 / 255 in double precision, not divided.
glm::dvec3 exactColor(const glm::vec4& entry) {
  glm::dvec3 color;
  for (int channel = 0; channel < 3; ++channel) {
    const double value = double(entry[channel]) * 255, whole = std::round(value);
    color[channel] = (std::abs(value - whole) < 1e-4 ? whole : value) * (1.0 / 255);
  }
  return color;
}

glm::dvec3 mixByHue(Genomes genomes, Weights weights, std::size_t entry, bool circular) {
  glm::dvec3 mixed(0);
  const std::size_t count = genomes.size();
  const double second = count > 1 ? hsvFromRgb(exactColor(genomes[1].palette[entry])).x : 0;
  for (std::size_t k = 0; k < count; ++k) {
    glm::dvec3 hsv = hsvFromRgb(exactColor(genomes[k].palette[entry]));
    if (k == 0 && count == 2 && circular) {
      if (second - hsv.x > 3)
        hsv.x += 6;
      else if (second - hsv.x < -3)
        hsv.x -= 6;
    }
    mixed += weights[k] * hsv;
  }
  return rgbFromHsv(mixed);
}

}  // namespace

Affine turned(const Affine& m, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return {m.a * c - m.d * s, m.a * s + m.d * c, m.b * c - m.e * s, m.b * s + m.e * c, m.c, m.f};
}

Genome blendShapes(Genomes genomes, Weights weights) {
  FATHOM_CHECK_OP(genomes.size(), ==, weights.size());
  const Genome& first = genomes.front();
  Genome out = first;
  std::vector<double> total;
  for (std::size_t k = 0; k < genomes.size(); ++k) {
    const std::vector<double> numbers = numbersOf(genomes[k], kBlends);
    total.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) total[i] += weights[k] * numbers[i];
  }
  setNumbers(out, kBlends, total);
  for (std::size_t i = 0; i < out.xforms.size(); ++i)
    out.xforms[i] =
        mixXform(xformsAt(genomes, i), weights, first.matrixInterpolation, out.xforms.size());
  if (out.finalXform)
    out.finalXform = mixXform(xformsAt(genomes, out.xforms.size()), weights,
                              first.matrixInterpolation, out.xforms.size());
  return out;
}

Palette blendPalettes(Genomes genomes, Weights weights) {
  const Genome& first = genomes.front();
  Palette out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (first.paletteInterpolation == PaletteInterpolation::Sweep) {
      out[i] = genomes[double(i) < 256 * weights[0] ? 0 : 1].palette[i];
      continue;
    }
    glm::dvec4 rgb(0);
    for (std::size_t k = 0; k < genomes.size(); ++k)
      rgb += weights[k] * glm::dvec4(genomes[k].palette[i]);
    if (first.paletteInterpolation != PaletteInterpolation::Rgb) {
      const bool circular = first.paletteInterpolation == PaletteInterpolation::HsvCircular;
      const glm::dvec3 byHue = mixByHue(genomes, weights, i, circular);
      const double share = circular ? first.hsvRgbPaletteBlend : 0;
      rgb = {byHue * (1 - share) + glm::dvec3(rgb) * share, rgb.a};
    }
    out[i] = glm::vec4(glm::clamp(rgb, glm::dvec4(0), glm::dvec4(1)));
  }
  return out;
}

Genome blendEdge(Genomes pair, double phase, std::span<const EdgeXform> xforms, double weight) {
  FATHOM_CHECK_OP(pair.size(), ==, 2u);
  const std::array<double, 2> weights{1 - weight, weight};
  Genome out = blendShapes(pair, weights);
  out.palette = blendPalettes(pair, weights);
  out.paletteNumber = -1;
  FATHOM_CHECK_OP(xforms.size(), ==, out.xforms.size());
  for (std::size_t i = 0; i < xforms.size(); ++i) {
    const std::array<double, 2> own{1 - xforms[i].weight, xforms[i].weight};
    out.xforms[i] =
        mixXform(xformsAt(pair, i), own, pair[0].matrixInterpolation, out.xforms.size(),
                 {xforms[i].firstTurns, xforms[i].secondTurns, 2 * std::numbers::pi * phase});
  }
  return out;
}

// ---- Genomes at given times

namespace {

bool padsAndTurns(const Genome& genome) {
  return genome.matrixInterpolation == MatrixInterpolation::Log ||
         genome.matrixInterpolation == MatrixInterpolation::Linear;
}

/// Weights of the keyframes before, at the start, at the end and after a segment.
std::array<double, 4> catmullRomWeights(double t) {
  const double t2 = t * t, t3 = t2 * t;
  return {(2 * t2 - t - t3) / 2, (3 * t3 - 5 * t2 + 2) / 2, (4 * t2 - 3 * t3 + t) / 2,
          (t3 - t2) / 2};
}

}  // namespace

Keyframes::Keyframes(std::vector<Genome> genomes) : genomes_(std::move(genomes)) {
  FATHOM_CHECK(!genomes_.empty());
  for (std::size_t i = 1; i < genomes_.size(); ++i) {
    const double before = genomes_[i - 1].time;
    Genome& genome = genomes_[i];
    if (!(genome.time > before))
      fail("flame {}: expected a time after that of the flame before ({}), found {}",
           genome.name.empty() ? std::to_string(i) : genome.name, before, genome.time);
    if (!padsAndTurns(genomes_[i - 1])) continue;
    const double turns = std::round((genomes_[i - 1].rotate - genome.rotate) / 360);
    genome.rotate += 360 * turns;
  }
}

std::size_t Keyframes::segmentAt(double time) const {
  if (genomes_.size() == 1) return 0;
  const auto next = std::find_if(genomes_.begin() + 1, genomes_.end() - 1,
                                 [&](const Genome& genome) { return genome.time >= time; });
  return std::size_t(next - genomes_.begin()) - 1;
}

Keyframes::Mix Keyframes::mixOf(std::size_t segment) const {
  if (genomes_.size() == 1) return {0, 1, {1}};
  const bool inner = segment > 0 && segment + 2 < genomes_.size();
  if (genomes_[segment].interpolation == Interpolation::Smooth && inner)
    return {segment - 1, 4, {}};
  return {segment, 2, {}};
}

Keyframes::Mix Keyframes::mixAt(double time) const {
  const std::size_t segment = segmentAt(time);
  Mix mix = mixOf(segment);
  if (mix.count == 1) return mix;
  const double start = genomes_[segment].time;
  const double t = (time - start) / (genomes_[segment + 1].time - start);
  mix.weights = mix.count == 4 ? catmullRomWeights(t) : std::array{1 - t, t, 0.0, 0.0};
  return mix;
}

Keyframes::Aligned Keyframes::alignedFor(const Mix& mix) const {
  const std::lock_guard lock(mutex_);
  if (!cached_ || cachedFirst_ != mix.first || cached_->size() != mix.count) {
    cached_ = std::make_shared<const std::vector<Genome>>(
        aligned(std::span(genomes_).subspan(mix.first, mix.count)));
    cachedFirst_ = mix.first;
  }
  return cached_;
}

Genome Keyframes::shapeAt(double time) const {
  const Mix mix = mixAt(time);
  Genome genome = blendShapes(*alignedFor(mix), mix.used());
  genome.time = time;
  return genome;
}

Palette Keyframes::paletteAt(double time) const {
  const Mix mix = mixAt(time);
  return blendPalettes(*alignedFor(mix), mix.used());
}

Genome Keyframes::extent(double first, double last) const {
  std::vector<Aligned> mixes;
  for (std::size_t s = segmentAt(first); s <= segmentAt(last); ++s)
    mixes.push_back(alignedFor(mixOf(s)));
  Genome out = mixes.front()->front();
  for (const Aligned& mix : mixes)
    for (const Genome& genome : *mix) {
      for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
        if (i == out.xforms.size()) out.xforms.push_back(genome.xforms[i]);
        extend(out.xforms[i], genome.xforms[i]);
      }
      // Where it appears or vanishes it is applied with a probability, which may be 0.
      const bool both = out.finalXform && genome.finalXform;
      if (!both && (out.finalXform || genome.finalXform)) {
        if (!out.finalXform) out.finalXform = genome.finalXform;
        out.finalXform->opacity = kAny;
      }
      if (both) extend(*out.finalXform, *genome.finalXform);
    }
  return out;
}

std::vector<ShutterMoment> shutterMoments(TemporalFilter filter, double width, double exponent,
                                          int count) {
  FATHOM_CHECK_OP(count, >=, 1);
  if (count == 1) return {{0, 1}};
  std::vector<ShutterMoment> moments;
  const double half = count / 2.0;
  for (int i = 0; i < count; ++i) {
    double weight = 1;
    if (filter == TemporalFilter::Gaussian) {
      // Off center by half a step, as in flam3.
      const double u = 1.5 * std::abs(i - half) / half;
      weight = std::exp(-2 * u * u);
    } else if (filter == TemporalFilter::Exp) {
      const double slope = exponent >= 0 ? double(i + 1) / count : double(count - i) / count;
      weight = std::pow(slope, std::abs(exponent));
    }
    moments.push_back({(double(i) / (count - 1) - 0.5) * width, weight});
  }
  const double largest = std::ranges::max_element(moments, {}, &ShutterMoment::weight)->weight;
  for (ShutterMoment& moment : moments) moment.weight /= largest;
  return moments;
}

// ---- Curves of time

namespace {

/// A segment between keyframes: two that are mixed linearly, or four smoothly.
struct Segment {
  double from, length;
  std::size_t count;  // of the keyframes mixed; 1: nothing moves

  /// Through the values that the keyframes have.
  template <class Value>
  Curve through(Value&& value, CurveLimit limit = CurveLimit::None,
                CurveDomain domain = CurveDomain::Plain) const {
    std::array<double, 4> v{};
    for (std::size_t k = 0; k < count; ++k) v[k] = value(k);
    Curve curve(v[0]);
    curve.domain = domain, curve.limit = limit;
    if (std::all_of(v.begin(), v.begin() + std::ptrdiff_t(count),
                    [&](double same) { return same == v[0]; }))
      return curve;
    if (count == 2) v = {2 * v[0] - v[1], v[0], v[1], 2 * v[1] - v[0]};
    const double to = from + length;
    curve.knots = {{from - length, v[0]}, {from, v[1]}, {to, v[2]}, {to + length, v[3]}};
    return curve;
  }
};

MovingAffine movingAffine(const Segment& segment, const std::vector<Affine>& list, bool polar) {
  MovingAffine out;
  constexpr std::array kMembers{&Affine::a, &Affine::d, &Affine::b,
                                &Affine::e, &Affine::c, &Affine::f};
  for (std::size_t i = 0; i < kMembers.size(); ++i)
    out.curves[i] = segment.through([&](std::size_t k) { return list[k].*kMembers[i]; });
  if (!polar) return out;
  out.form = MovingAffine::Form::Columns;
  const PolarColumns columns = polarColumnsOf(list);
  const auto fill = [&](std::size_t first, const PolarColumn& column) {
    out.curves[first] = segment.through([&](std::size_t k) { return column.angles[k]; });
    out.curves[first + 1] =
        segment.through([&](std::size_t k) { return column.sizes[k]; }, CurveLimit::None,
                        column.logarithms ? CurveDomain::Logarithm : CurveDomain::Plain);
  };
  fill(0, columns.first), fill(2, columns.second);
  return out;
}

MovingXform movingXform(const Segment& segment, const std::vector<const Xform*>& list, bool polar,
                        std::size_t xformCount) {
  MovingXform out;
  combine(segment, list, xformCount, out);
  std::vector<Affine> coefs, post;
  for (const Xform* xform : list) coefs.push_back(xform->coefs), post.push_back(xform->post);
  out.coefs = movingAffine(segment, coefs, polar);
  if (!allPlain(post)) out.post = movingAffine(segment, post, polar);
  return out;
}

MovingGenome movingGenome(const Segment& segment, const std::vector<Genome>& list) {
  const auto curveOf = [&](double Genome::*member) {
    return segment.through([&](std::size_t k) { return list[k].*member; });
  };
  MovingGenome out;
  out.fixed = list.front();
  out.centerX = segment.through([&](std::size_t k) { return list[k].center.x; });
  out.centerY = segment.through([&](std::size_t k) { return list[k].center.y; });
  out.scale = curveOf(&Genome::scale), out.zoom = curveOf(&Genome::zoom);
  out.rotate = curveOf(&Genome::rotate), out.filter = curveOf(&Genome::filter);
  const bool polar = list.front().matrixInterpolation == MatrixInterpolation::Log;
  const std::size_t count = list.front().xforms.size();
  for (std::size_t i = 0; i < count; ++i)
    out.xforms.push_back(movingXform(segment, xformsAt(list, i), polar, count));
  if (list.front().finalXform)
    out.finalXform = movingXform(segment, xformsAt(list, count), polar, count);
  return out;
}

}  // namespace

std::vector<MovingGenome> Keyframes::curves(double first, double last) const {
  for (const Genome& genome : genomes_)
    if (genome.size != genomes_[0].size) return {};
  std::vector<MovingGenome> pieces;
  for (std::size_t s = segmentAt(first); s <= segmentAt(last); ++s) {
    const Mix mix = mixOf(s);
    const double length = mix.count == 1 ? 1 : genomes_[s + 1].time - genomes_[s].time;
    pieces.push_back(movingGenome({genomes_[s].time, length, mix.count}, *alignedFor(mix)));
    pieces.back().begin = pieces.size() == 1 ? first : genomes_[s].time;
    if (pieces.size() > 1) pieces[pieces.size() - 2].end = genomes_[s].time;
  }
  pieces.back().end = last;
  return pieces;
}

}  // namespace fathom::flame
