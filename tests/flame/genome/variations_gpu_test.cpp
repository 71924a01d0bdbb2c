// SPDX-License-Identifier: BSD-3-Clause
// The GLSL of every variation on the GPU beside its reference in double precision: the same GLSL
// compiled as C++.
//
// A float result cannot be better than the exact function at an input that is off by rounding, so
// the tolerance of a result is how much the definition itself moves when point, weight and
// parameters move by a few units in the last place (which also covers jumps: fan, rings, tiles and
// poles), plus rounding of the result.
#include "app/engine/core/random.h"
#include "app/engine/gpu/pass.h"
#include "tests/flame/genome/variation_vectors.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

constexpr int kValues = 1 + kMaxPacked;  // weight, packed values
constexpr int kBatch = 20;               // variations per shader: compilers like small ones

/// As in apply_variations.comp.
class CountedDraws : public Draws {
 public:
  CountedDraws(unsigned first, unsigned step) : drawn_(first), step_(step) {}
  double unit() override { return next() / 1024.0; }
  int bit() override { return int(next() >> 9); }

 private:
  unsigned next() { return drawn_ = (drawn_ + step_) & 1023; }
  unsigned drawn_, step_;
};

struct Case {
  glm::dvec2 point{0};
  unsigned firstDraw = 0, drawStep = 389;
  Affine coefs;
  VariationUse use;
};

struct Start {  // as in apply_variations.comp
  glm::vec2 xy;
  std::uint32_t firstDraw, drawStep;
};

/// Pre-blur contributes nothing; what is looked at here is by how much it moves the point before.
glm::dvec2 preBlurred(const Case& c, Draws& draws) {
  const double radius = c.use.weight * draws.gauss(), angle = 2 * std::numbers::pi * draws.unit();
  return radius * glm::dvec2(std::cos(angle), std::sin(angle));
}

/// As in apply_variations.comp.
double depthOf(glm::dvec2 point) { return 0.5 * point.y - 0.25 * point.x; }

/// The point, and what it shows: its color (-1: none was set) and 100 more if it is hidden.
glm::dvec4 expected(const Case& c) {
  CountedDraws draws(c.firstDraw, c.drawStep);
  if (c.use.index == kPreBlur) return {preBlurred(c, draws), 0, -1};
  draws.setOrbit(c.point);
  const glm::dvec3 q = variations()[std::size_t(c.use.index)].evaluate3(
      {c.point.x, c.point.y, c.use.weight, c.use.parameters.data(), &c.coefs, depthOf(c.point)},
      draws);
  const double hidden = draws.isHidden() ? 100 : 0;
  const auto full = draws.takeFullColor();
  const double color = full ? glm::dot(glm::dvec3(*full), glm::dvec3(0.5, 0.3, 0.2)) : -1;
  return {q, draws.takeColor(color) + hidden};
}

/// `drawn = ...; results[...] = ...` for variations [first, last).
std::string batchText(int first, int last) {
  std::string includes, body;
  for (int i = first; i < last; ++i) {
    const VariationInfo& info = variations()[std::size_t(i)];
    includes += fmt::format("#include \"shaders/flame/variations/{}.glsl\"\n", info.name);
    std::string arguments = "values[at]";
    for (int k = 1; k <= info.packedCount; ++k) arguments += fmt::format(", values[at + {}u]", k);
    body += fmt::format(
        "  drawn = firstDraw;\n  ownColor = -1.0;\n  hiddenPoint = false;\n  orbitPlace = "
        "point.xy;\n"
        "  at = ({0}u * count + index) * {1}u;\n"
        "  q = {5}(variation_{2}(point, {3}){4}{6});\n"
        "  results[{0}u * count + index] = vec4(q.xy, isBad(q.xy) ? 10 : "
        "ownColor + (hiddenPoint ? 100 : 0), q.z);\n",
        i - first, kValues, info.function, arguments,
        i == kPreBlur ? " + preBlurOffset(values[at])" : "", "vec3",
        info.depth == kFlat ? ", 0.0" : "");
  }
  return includes +
         "void applyVariations(Point point, uint firstDraw, uint index, uint count) {\n" +
         "  uint at;\n  vec3 q;\n" + body + "}\n";
}

struct Result {
  glm::dvec4 q;  // as expected()
  bool isBad;
};

/// With the device's sines, and with polynomials in their place.
class VariationsOnGpu : public test::GpuTest, public ::testing::WithParamInterface<int> {
 protected:
  /// cases[i] holds the cases of variation i, equally many, with the same points and draws.
  static std::vector<std::vector<Result>> evaluated(const std::vector<std::vector<Case>>& cases) {
    std::vector<std::vector<Result>> results;
    const int count = int(cases.size());
    for (int first = 0; first < count; first += kBatch) {
      const int last = std::min(first + kBatch, count);
      for (auto& of : batch(cases, first, last)) results.push_back(std::move(of));
    }
    return results;
  }

 private:
  static std::vector<std::vector<Result>> batch(const std::vector<std::vector<Case>>& cases,
                                                int first, int last) {
    const std::size_t count = cases[0].size(), total = count * std::size_t(last - first);
    std::vector<Start> starts;
    for (const Case& c : cases[0]) starts.push_back({c.point, c.firstDraw, c.drawStep});
    std::vector<float> values;
    for (int i = first; i < last; ++i)
      for (const Case& c : cases[std::size_t(i)]) {
        double packed[kMaxPacked] = {};
        packVariation(c.use, c.coefs, packed);
        values.push_back(float(c.use.weight));
        values.insert(values.end(), packed, packed + kMaxPacked);
      }
    const gpu::Buffer<Start> points(context(), "points", std::span<const Start>(starts));
    const gpu::Buffer<float> packed(context(), "values", std::span<const float>(values));
    gpu::Buffer<glm::vec4> out(context(), "results", total);
    gpu::Pass& pass = context().pass({fmt::format("apply variations {}", first),
                                      "tests/flame/data/apply_variations.comp",
                                      {{"FLAME_POLYNOMIAL_SINES", GetParam()}},
                                      {{"generated/variations.glsl", batchText(first, last)}}});
    pass.storage(0, points).storage(1, packed).storage(2, out);
    pass.dispatch(count, {});
    const std::vector<glm::vec4> flat = out.download();
    std::vector<std::vector<Result>> results(std::size_t(last - first));
    for (std::size_t i = 0; i < total; ++i)
      results[i / count].push_back({{flat[i].x, flat[i].y, flat[i].w, flat[i].z}, flat[i].z == 10});
    return results;
  }
};

/// How far a float result may lie from the definition: see above.
glm::dvec4 tolerance(const Case& c, glm::dvec4 q) {
  glm::dvec4 moved(0);
  const auto compare = [&](const Case& other) {
    const glm::dvec4 near = expected(other);
    for (int axis = 0; axis < 4; ++axis)  // where it turns bad nearby, it may be anything here
      moved[axis] = isBad(near[axis]) ? std::numeric_limits<double>::infinity()
                                      : std::max(moved[axis], std::abs(near[axis] - q[axis]));
  };
  for (const double units : {4.0, 16.0})
    for (const double sign : {-1.0, 1.0}) {
      const double factor = 1 + sign * units * double(std::numeric_limits<float>::epsilon());
      Case other = c;
      other.point.x *= factor;
      compare(other);
      other = c;
      other.point.y *= factor;
      compare(other);
      other = c;
      other.use.weight *= factor;
      compare(other);
      for (std::size_t i = 0; i < variations()[std::size_t(c.use.index)].parameters.size(); ++i) {
        other = c;
        other.use.parameters[i] *= factor;
        compare(other);
      }
      other = c;
      other.coefs.c *= factor;
      other.coefs.f *= factor;
      compare(other);
    }
  const double size =
      std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z)}) + std::abs(c.use.weight);
  const double reach = std::max(std::abs(c.point.x), std::abs(c.point.y));  // terms that cancel
  // A formula of many steps, such as synth's, rounds more often than its inputs are moved here.
  const glm::dvec4 bound = 3.0 * moved + glm::dvec4(glm::dvec3(2e-6 * size + 3e-7 * reach), 2e-6);
  // Images have 256 levels; where they iterate maps, rounding takes a color over a few of them, and
  // to another number of steps where dc_mandbrot's folds have spread points before they escape.
  const VariationInfo& info = variations()[std::size_t(c.use.index)];
  const double levels = info.name == "dc_mandbrot" ? 0.25 : info.fullColors ? 4 / 255.0 : 0;
  return bound + glm::dvec4(0, 0, 2 * levels, levels);
}

void expectNear(const Case& c, const Result& found) {
  const glm::dvec4 q = expected(c), bound = tolerance(c, q);
  if (isBad(q.x) || isBad(q.y)) return;  // the whole point is
  const auto name = variations()[std::size_t(c.use.index)].name;
  for (int axis = 0; axis < 4; ++axis) {
    if (isBad(q[axis])) continue;
    EXPECT_LE(std::abs(found.q[axis] - q[axis]), bound[axis])
        << name << " at " << c.point.x << ", " << c.point.y << " weight " << c.use.weight
        << ": expected " << q[axis] << ", found " << found.q[axis] << " on axis " << axis;
  }
}

/// Within 2e-5 of the answers' size. Only popcorn2's lies beside a pole (of the tangent), where
/// rounding of the point alone moves it further.
TEST_P(VariationsOnGpu, MeetTheKnownAnswers) {
  std::vector<std::vector<Case>> cases;
  for (int i = 0; i < kFlam3Variations; ++i)
    cases.push_back({{test::kVectorPoint, 960, 0, test::kVectorCoefs, test::vectorUse(i)}});
  const auto results = evaluated(cases);
  for (int i = 0; i < kFlam3Variations; ++i) {
    const test::VariationVector& known = test::kVariationVectors[i];
    glm::dvec2 q(known.x, known.y), found(results[std::size_t(i)][0].q);
    if (i == kPreBlur) q = glm::dvec2(2.15511, -1.002726) - test::kVectorPoint;
    glm::dvec2 bound(2e-5 * std::max(1.0, std::max(std::abs(q.x), std::abs(q.y))));
    if (known.name == "popcorn2")
      bound = glm::dvec2(tolerance(cases[std::size_t(i)][0], {q, 0, -1}));
    EXPECT_NEAR(found.x, q.x, bound.x) << known.name;
    EXPECT_NEAR(found.y, q.y, bound.y) << known.name;
  }
}

/// The same points for every variation; weight and parameters are its own.
std::vector<std::vector<Case>> randomCases(int count, int variationsTested) {
  std::vector<Case> points;
  Random random(7);
  const auto uniform = [&](double low, double high) {
    return double(random.uniform(float(low), float(high)));
  };
  for (int i = 0; i < count; ++i) {
    const double reach = i % 4 == 0 ? 20 : i % 4 == 1 ? 0.2 : 2;
    Case c;
    c.point = {uniform(-reach, reach), uniform(-reach, reach)};
    c.firstDraw = random.next() & 1023;
    for (double* v : {&c.coefs.a, &c.coefs.b, &c.coefs.c, &c.coefs.d, &c.coefs.e, &c.coefs.f})
      *v = uniform(-1.5, 1.5);
    points.push_back(c);
  }
  std::vector<std::vector<Case>> cases;
  for (int i = 0; i < variationsTested; ++i) {
    for (Case& c : points) {
      c.use = {i, uniform(-1.5, 1.5), {}};
      const auto& parameters = variations()[std::size_t(i)].parameters;
      for (std::size_t k = 0; k < parameters.size(); ++k)
        c.use.parameters[k] = uniform(parameters[k].low, parameters[k].high);
    }
    cases.push_back(points);
  }
  return cases;
}

TEST_P(VariationsOnGpu, EqualTheDefinitionAtRandomPointsAndParameters) {
  auto cases = randomCases(256, GetParam() ? variationCount() : kFlam3Variations);
  // Powers that make other waves: of Jacobi and of Bessel.
  for (std::size_t k = 0; GetParam() && k < cases[0].size(); k += 3)
    for (const int axis : {0, 1})
      cases[std::size_t(variationNamed("waves2b"))][k].use.parameters[std::size_t(2 + axis)] =
          axis == int(k % 2) ? 0 : -1e-5;
  const auto results = evaluated(cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (std::size_t k = 0; k < cases[i].size(); ++k) expectNear(cases[i][k], results[i][k]);
}

/// These points for each of `count` variations, with the defaults of its parameters.
std::vector<std::vector<Case>> defaultCases(int count, const std::vector<glm::dvec2>& points) {
  std::vector<std::vector<Case>> cases(std::size_t(count), std::vector<Case>(points.size()));
  for (int i = 0; i < count; ++i)
    for (std::size_t at = 0; at < points.size(); ++at) {
      Case& c = cases[std::size_t(i)][at];
      c.point = points[at];
      c.firstDraw = 100;
      c.use = {i, 1, {}};
      const auto& parameters = variations()[std::size_t(i)].parameters;
      for (std::size_t k = 0; k < parameters.size(); ++k)
        c.use.parameters[k] = parameters[k].fallback;
    }
  return cases;
}

void expectBadWhereTheDefinitionIs(const std::vector<Case>& cases,
                                   const std::vector<Result>& results) {
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const glm::dvec4 q = expected(c);
    EXPECT_EQ(results[k].isBad, isBad(q.x) || isBad(q.y))
        << variations()[std::size_t(c.use.index)].name << " at " << c.point.x << ", " << c.point.y
        << ": expected " << q.x << ", " << q.y << " found " << results[k].q.x << ", "
        << results[k].q.y;
  }
}

/// Where directions, logarithms and quotients have no value, and far away.
TEST_P(VariationsOnGpu, AreBadWhereTheDefinitionIs) {
  const auto cases = defaultCases(
      kFlam3Variations,
      {{0, 0},   {1, 0},   {-1, 0},   {0, 1},      {0, -1},     {0.5, 0}, {-0.5, 0}, {2, 0},
       {-3, 0},  {1, 1},   {60, 0.5}, {0.5, 60},   {-60, -60},  {200, 1}, {1, -200}, {400, 1},
       {1, 400}, {800, 1}, {1, -800}, {-800, 800}, {3e4, -2e4}, {1e6, 1}, {1, 1e9},  {-1e5, 1e5}});
  const auto results = evaluated(cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    expectBadWhereTheDefinitionIs(cases[i], results[i]);
}

/// At poles and the origin those that flam3 lacks are bad, or finite, where their definitions are.
TEST_P(VariationsOnGpu, OfOtherProgramsAreBadWhereTheDefinitionIs) {
  if (!GetParam()) return;  // the same code
  const auto cases = defaultCases(
      variationCount(),
      {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {0.5, 0}, {-3, 0.25}, {6, 0.5}, {-6, -6}});
  const auto results = evaluated(cases);
  for (std::size_t i = kFlam3Variations; i < cases.size(); ++i)
    expectBadWhereTheDefinitionIs(cases[i], results[i]);
}

INSTANTIATE_TEST_SUITE_P(Sines, VariationsOnGpu, ::testing::Values(0, 1),
                         [](const auto& test) { return test.param ? "Polynomials" : "BuiltIn"; });

}  // namespace
}  // namespace fathom::flame
