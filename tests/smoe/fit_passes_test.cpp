// SPDX-License-Identifier: BSD-3-Clause
// The passes of a fit against float64: the gradient (and the reference against central differences
// of the error), EM, and the lists that they go by.
#include "app/engine/smoe/fit/adam.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/mixture.h"
#include "app/engine/smoe/fit/regions.h"
#include "app/engine/smoe/fit/relocate.h"
#include "tests/smoe/models.h"
#include "tests/smoe/reference_gradient.h"
#include "tests/support/gpu_test.h"

namespace fathom::smoe {
namespace {

/// All numbers of a record in the layout of shared::FitRecord and FitLead.
std::vector<double*> numbersOf(Record& r, int leading) {
  std::vector<double*> n{&r.center.x, &r.center.y, &r.c,       &r.w11,     &r.w21,
                         &r.w22,      &r.h[0].x,   &r.color.r, &r.color.g, &r.color.b,
                         &r.h[0].y,   &r.h[1].x,   &r.h[1].y,  &r.h[2].x,  &r.h[2].y};
  if (leading == 0) return n;
  n.insert(n.end(), {&r.leadCenter.x, &r.leadW11, &r.m[0].x, &r.m[1].x, &r.leadH[0].x,
                     &r.leadH[1].x, &r.leadH[2].x});
  if (leading == 1) return n;
  n.insert(n.end(), {&r.leadCenter.y, &r.leadW21, &r.leadW22, &r.m[0].y, &r.m[1].y, &r.leadH[0].y,
                     &r.leadH[1].y, &r.leadH[2].y});
  return n;
}

/// Where fit_adam.comp has the same numbers.
std::vector<std::size_t> placesOf(int leading) {
  std::vector<std::size_t> places{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  if (leading > 0) places.insert(places.end(), {16, 18, 21, 23, 25, 27, 29});
  if (leading > 1) places.insert(places.end(), {17, 19, 20, 22, 24, 26, 28, 30});
  return places;
}

std::vector<Record> recordsIn(const Model& model) {
  std::vector<Record> records;
  for (const Component& c : model.components) records.push_back(exact(c, model));
  return records;
}

/// A model's components on the device beside a picture whose lists hold what weighs e^-tau.
struct Passes {
  Passes(gpu::Context& context, const Model& model, const Image& picture, double tau)
      : passes(context, model.components.size(), model.leading(), model.centerFractionBits),
        region(context, picture, {{0, 0}, {picture.width, picture.height}}, {0, 0}) {
    passes.upload(model.components);
    region.setLists(buildComponentLists(reference::recordsOf(model, {}),
                                        {{0, 0}, {picture.width, picture.height}}, tau));
  }
  FitPasses passes;
  FitRegion region;
};

class GradientOf : public test::GpuTest, public ::testing::WithParamInterface<int> {};

TEST_P(GradientOf, ReferenceIsThatOfCentralDifferences) {
  const int dims = GetParam(), leading = dims - 2;
  const Image picture = discs({19, 13});
  const reference::Target target{&picture, {0.75, dims == 4 ? -1.5 : 0.0}};
  std::vector<Record> records = recordsIn(randomModel(5, dims, 6, {19, 13}));
  std::vector<Record> gradient = reference::gradientOf(records, leading, target);
  for (std::size_t j = 0; j < records.size(); ++j) {
    const auto numbers = numbersOf(records[j], leading), found = numbersOf(gradient[j], leading);
    double largest = 0;
    for (const double* g : found) largest = std::max(largest, std::abs(*g));
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double at = *numbers[k], step = 1e-5 * std::max(1.0, std::abs(at));
      *numbers[k] = at + step;
      const double more = reference::errorOf(records, leading, target);
      *numbers[k] = at - step;
      const double less = reference::errorOf(records, leading, target);
      *numbers[k] = at;
      EXPECT_NEAR(*found[k], (more - less) / (2 * step), 1e-5 * largest + 1e-8)
          << "component " << j << " number " << k;
    }
  }
}

TEST_P(GradientOf, PassesFindWhatTheReferenceFinds) {
  const int dims = GetParam(), leading = dims - 2;
  const glm::ivec2 size{37, 21};
  const Image picture = discs(size), other = noise(size, 4);
  const Model model = randomModel(6, dims, 24, size);
  std::vector<Record> records = recordsIn(model);
  FitPasses passes(context(), records.size(), leading, model.centerFractionBits);
  passes.upload(model.components);
  FitAdam adam(passes, size);
  const ViewCoordinates views[] = {{0.75, dims == 4 ? -1.5 : 0.0}, {-1.25, dims == 4 ? 2.0 : 0.0}};
  std::vector<Record> expected(records.size());
  for (int k = 0; k < (leading ? 2 : 1); ++k) {
    FitRegion region(context(), k ? other : picture, {{0, 0}, size}, views[k]);
    std::vector<Record> sliced;
    for (const Record& r : records) sliced.push_back(slice(r, leading, views[k]));
    region.setLists(buildComponentLists(sliced, {{0, 0}, size}, 40));
    adam.add(region);
    std::vector<Record> part =
        reference::gradientOf(records, leading, {k ? &other : &picture, views[k]});
    for (std::size_t j = 0; j < part.size(); ++j) {
      const auto to = numbersOf(expected[j], leading), from = numbersOf(part[j], leading);
      for (std::size_t n = 0; n < to.size(); ++n) *to[n] = *from[n] + (k ? *to[n] : 0.0);
    }
  }
  // Rounding: float32 sums of up to 777 terms; gradients along W reach 1e4 where slivers cross
  // edges.
  std::vector<float> found(records.size() * (leading ? 32 : 16));
  adam.gradient().read(found.data(), std::int64_t(found.size() * sizeof(float)));
  const std::vector<std::size_t> places = placesOf(leading);
  const std::size_t stride = found.size() / records.size();
  for (std::size_t j = 0; j < records.size(); ++j) {
    const auto numbers = numbersOf(expected[j], leading);
    double largest = 0;
    for (const double* g : numbers) largest = std::max(largest, std::abs(*g));
    for (std::size_t k = 0; k < numbers.size(); ++k)
      EXPECT_NEAR(double(found[j * stride + places[k]]), *numbers[k], 1e-4 * largest + 1e-4)
          << "component " << j << " number " << k;
  }
}

TEST_P(GradientOf, StepsAgainstItLowerTheError) {
  const glm::ivec2 size{32, 32};
  Passes on(context(), randomModel(8, GetParam(), 40, size), discs(size), 11);
  FitAdam adam(on.passes, size);
  on.passes.decode(on.region, FitPasses::Keep::Products);
  const double before = on.passes.squaredError();
  for (int i = 0; i < 20; ++i) {
    adam.add(on.region);
    adam.measure();
    adam.step({0.5, 0.5, 1});
  }
  on.passes.decode(on.region, FitPasses::Keep::Products);
  EXPECT_LT(on.passes.squaredError(), 0.7 * before);
}

/// Adam on a picture's components, which can be put back to where they began.
class AdamTest : public test::GpuTest {
 protected:
  void step(FitAdam& adam, int count) {
    for (int i = 0; i < count; ++i) {
      adam.add(region_);
      adam.measure();
      adam.step({0.5, 0.5});
    }
  }
  /// The components after these steps from where they began.
  std::vector<Component> after(FitAdam& adam, int count) {
    passes_.upload(model_.components);
    step(adam, count);
    return passes_.download();
  }
  static constexpr glm::ivec2 kSize{32, 32};
  const Model model_ = randomModel(8, 2, 40, kSize);
  Passes on_{context(), model_, discs(kSize), 11};
  FitPasses& passes_ = on_.passes;
  FitRegion& region_ = on_.region;
};

TEST_F(AdamTest, WhatHasJustMovedStepsAsAtTheBeginning) {
  FitAdam fresh(passes_, kSize), old(passes_, kSize);
  const std::vector<Component> expected = after(fresh, 3);
  step(old, 30);
  std::vector<std::uint32_t> all(40);
  std::iota(all.begin(), all.end(), 0u);
  old.forget(all);
  EXPECT_EQ(after(old, 3), expected);
}

TEST_F(AdamTest, AMemoryWithoutAgesIsAsOldAsTheFit) {
  FitAdam whole(passes_, kSize), other(passes_, kSize);
  step(whole, 5);
  AdamState state = whole.state();
  for (std::size_t j = 0; j < 40; ++j) {
    EXPECT_EQ(state.moments[j * 8].w, 5) << j;
    state.moments[j * 8].w = 0;
  }
  other.restore(state);
  const std::vector<Component> expected = after(whole, 1);
  EXPECT_EQ(after(other, 1), expected);
}

TEST_F(AdamTest, GatesAndExpertsEachGoAtTheirOwnPace) {
  const auto gateOf = [](Component c) {
    std::fill(c.color, c.color + 3, 0.0f);
    for (auto& row : c.h) row[0] = row[1] = 0;
    return c;
  };
  const auto stepped = [&](const FitPace& pace) {
    passes_.upload(model_.components);
    FitAdam adam(passes_, kSize);
    adam.add(region_);
    adam.measure();
    adam.step(pace);
    return passes_.download();
  };
  const std::vector<Component> both = stepped({0.5, 0.25}), gates = stepped({0.5, 0}),
                               experts = stepped({0, 0.25});
  for (std::size_t j = 0; j < 40; ++j) {
    const Component& before = model_.components[j];
    EXPECT_EQ(gateOf(gates[j]), gateOf(both[j])) << j;
    EXPECT_NE(gateOf(gates[j]), gateOf(before)) << j;
    EXPECT_EQ(gateOf(experts[j]), gateOf(before)) << j;
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(gates[j].color[k], before.color[k]) << j;
      EXPECT_EQ(experts[j].color[k], both[j].color[k]) << j;
      EXPECT_EQ(gates[j].h[k][1], before.h[k][1]) << j;
      EXPECT_EQ(experts[j].h[k][1], both[j].h[k][1]) << j;
    }
  }
}

TEST(FitSchedule, ExpertsFollowTheErrorAndLongFitsRememberMore) {
  const FitSchedule whole(2000, false, true), brief(100, false, true), views(2000, true, true);
  const FitPace middle = whole.pace(0.1, 30, true);
  EXPECT_DOUBLE_EQ(middle.experts, middle.gates);
  EXPECT_DOUBLE_EQ(middle.gates, whole.rate(0.1));
  // Half of the error, half of the step; within limits, which are narrow where the fit is short.
  EXPECT_NEAR(whole.pace(0.1, 30 + 20 * std::log10(2), true).experts, middle.experts / 2, 1e-12);
  EXPECT_DOUBLE_EQ(whole.pace(0.1, 60, true).experts, middle.experts / 4);
  EXPECT_DOUBLE_EQ(whole.pace(0.1, 10, true).experts, 2 * middle.experts);
  EXPECT_NEAR(brief.pace(0.1, 10, true).experts, 1.1 * brief.rate(0.1), 1e-12);
  EXPECT_DOUBLE_EQ(whole.pace(0.9, 30, true).momentum, 0.95);
  EXPECT_DOUBLE_EQ(whole.pace(0.9, 36, true).momentum, 0.9);
  EXPECT_NEAR(brief.pace(0.9, 30, true).momentum, 0.905, 1e-12);
  const FitPace crowded = whole.pace(0.1, 20, false);
  EXPECT_DOUBLE_EQ(crowded.experts, middle.gates);
  EXPECT_DOUBLE_EQ(crowded.momentum, 0.9);
  EXPECT_DOUBLE_EQ(views.pace(0.1, 40, true).experts, 2.5 * views.rate(0.1));
  EXPECT_DOUBLE_EQ(views.pace(0.1, 40, true).leads, 2 * views.rate(0.1));
  EXPECT_DOUBLE_EQ(views.pace(0.1, 40, true).momentum, 0.9);
  EXPECT_DOUBLE_EQ(views.pace(0.1, 40, true).widening, 0.4 / 2000);
  EXPECT_DOUBLE_EQ(whole.pace(0.1, 40, true).widening, 0);
}

class FitPassesTest : public test::GpuTest {
 protected:
  /// The gradient's numbers and the squared error, from these parts of one picture.
  static std::vector<float> found(const Model& model, const Image& picture,
                                  const std::vector<PixelBox>& boxes, FitPasses::Row row) {
    FitPasses passes(context(), model.components.size(), 0, model.centerFractionBits, row);
    passes.upload(model.components);
    const std::vector<Record> records = recordsIn(model);
    double error = 0;
    bool add = false;
    for (const PixelBox& box : boxes) {
      FitRegion region(context(), picture, box, {0, 0});
      region.setLists(buildComponentLists(records, box, 30));
      passes.decode(region, FitPasses::Keep::Products);
      error += passes.squaredError();
      passes.gradient(region, add);
      add = true;
    }
    std::vector<float> numbers{float(error)};
    for (const auto& sum : passes.downloadSums<FIT_ROWS_GRADIENT>())
      numbers.insert(numbers.end(), sum.begin(), sum.end());
    return numbers;
  }
  /// Rounding: the same sums cut differently.
  static void expectAlike(const std::vector<float>& a, const std::vector<float>& b) {
    ASSERT_EQ(a.size(), b.size());
    float largest = 0;
    for (const float value : a) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5f * largest) << i;
  }
};

TEST_F(FitPassesTest, RowsOfOneAndOfEightPixelsAgree) {
  const Model model = randomModel(12, 2, 30, {45, 27});
  const Image picture = discs({45, 27});
  const std::vector<PixelBox> all{{{0, 0}, {45, 27}}};
  expectAlike(found(model, picture, all, FitPasses::Row::One),
              found(model, picture, all, FitPasses::Row::Eight));
}

TEST_F(FitPassesTest, RegionsOfAPictureAddUpToTheWhole) {
  const Model model = randomModel(13, 2, 30, {45, 44});
  const Image picture = discs({45, 44});
  const std::vector<PixelBox> parts = regionsOf({45, 44}, 12);
  EXPECT_EQ(parts.size(), 3u);
  expectAlike(found(model, picture, parts, FitPasses::Row::Auto),
              found(model, picture, {{{0, 0}, {45, 44}}}, FitPasses::Row::Auto));
}

TEST_F(FitPassesTest, RemovalIsWhatTheErrorGrowsByAndBlameSharesItOut) {
  const glm::ivec2 size{33, 22};
  const Model model = randomModel(14, 2, 12, size);
  const Image picture = discs(size);
  const std::vector<Record> records = recordsIn(model);
  Passes on(context(), model, picture, 50);
  on.passes.decode(on.region, FitPasses::Keep::Colors);
  on.passes.measure(on.region);
  std::vector<ComponentWorth> worth;
  addWorth(on.passes, worth);

  const reference::Target target{&picture, {0, 0}};
  const double error = 2 * reference::errorOf(records, 0, target);
  double blame = 0;
  int compared = 0;
  for (std::size_t j = 0; j < records.size(); ++j) {
    blame += worth[j].blame;
    std::vector<Record> others = records;
    others.erase(others.begin() + std::ptrdiff_t(j));
    const double growth = 2 * reference::errorOf(others, 0, target) - error;
    // New errors beyond 1, from experts far outside their gates, count as 1.
    EXPECT_LE(worth[j].removal, growth + 1e-3 * error) << j;
    if (growth > 0.1 * error) continue;
    EXPECT_NEAR(worth[j].removal, growth, 0.02 * error) << j;
    ++compared;
  }
  EXPECT_GT(compared, 3);
  EXPECT_NEAR(blame, error, 1e-4 * error);
}

// ---- SSIM in the loss

double bell(int d) {
  static const std::vector<double> weights = [] {
    std::vector<double> values;
    for (int i = 0; i <= 5; ++i) values.push_back(std::exp(-i * i / 4.5));
    return values;
  }();
  return weights[std::size_t(std::abs(d))];
}

/// SSIM of the luminance of one window, by its definition.
double windowSsim(std::span<const glm::dvec3> y, const Image& target, glm::ivec2 middle) {
  const glm::dvec3 luminance{0.299, 0.587, 0.114};
  double n = 0, my = 0, mt = 0, yy = 0, tt = 0, yt = 0;
  for (int dy = -5; dy <= 5; ++dy)
    for (int dx = -5; dx <= 5; ++dx) {
      const glm::ivec2 at = middle + glm::ivec2(dx, dy);
      const double w = bell(dx) * bell(dy);
      const double a = glm::dot(luminance, y[std::size_t(at.y * target.width + at.x)]);
      const double b = glm::dot(luminance, glm::dvec3(target.at(at.x, at.y)));
      n += w, my += w * a, mt += w * b, yy += w * a * a, tt += w * b * b, yt += w * a * b;
    }
  my /= n, mt /= n;
  const double vy = yy / n - my * my, vt = tt / n - mt * mt, covariance = yt / n - my * mt;
  return (2 * my * mt + 1e-4) * (2 * covariance + 9e-4) /
         ((my * my + mt * mt + 1e-4) * (vy + vt + 9e-4));
}

double ssimSum(std::span<const Record> records, const Image& target) {
  const auto y = reference::decode(records, {{target.width, target.height}, {0, 0}, 1});
  double sum = 0;
  for (int j = 5; j < target.height - 5; ++j)
    for (int i = 5; i < target.width - 5; ++i) sum += windowSsim(y, target, {i, j});
  return sum;
}

/// (1 - W) MSE + W kStructure (1 - SSIM), times 3/2 of the pixels, as E is.
double lossOf(std::span<const Record> records, const Image& target, double share) {
  const double pixels = double(target.width) * target.height;
  const double windows = (target.width - 10.0) * (target.height - 10.0);
  return (1 - share) * reference::errorOf(records, 0, {&target, {0, 0}}) +
         1.5 * pixels * share * kStructure * (1 - ssimSum(records, target) / windows);
}

class StructureTest : public FitPassesTest {
 protected:
  const glm::ivec2 size_{21, 17};
  const Image picture_ = discs(size_);
  const Model model_ = randomModel(15, 2, 3, size_);
  std::vector<Record> records_ = recordsIn(model_);
  /// The gradient's numbers in the layout of FitRecord, and the sum of SSIM.
  std::vector<RowSums<FIT_ROWS_GRADIENT>> gradient(double share, double& ssim) {
    Passes on(context(), model_, picture_, 50);
    on.passes.decode(on.region, FitPasses::Keep::Colors);
    on.passes.structure(on.region, share);
    ssim = on.passes.structureSum(on.region);
    on.passes.gradient(on.region, false);
    return on.passes.downloadSums<FIT_ROWS_GRADIENT>();
  }
};

TEST_F(StructureTest, ItsGradientIsThatOfCentralDifferences) {
  for (const double share : {0.4, 1.0}) {
    double ssim = 0;
    const auto found = gradient(share, ssim);
    EXPECT_NEAR(ssim, ssimSum(records_, picture_), 1e-4 * std::abs(ssim) + 1e-4);
    const std::vector<std::size_t> places = placesOf(0);
    for (std::size_t j = 0; j < records_.size(); ++j) {
      const auto numbers = numbersOf(records_[j], 0);
      std::vector<double> expected;
      double largest = 0;
      for (double* number : numbers) {
        const double at = *number, step = 1e-5 * std::max(1.0, std::abs(at));
        *number = at + step;
        const double more = lossOf(records_, picture_, share);
        *number = at - step;
        expected.push_back((more - lossOf(records_, picture_, share)) / (2 * step));
        *number = at;
        largest = std::max(largest, std::abs(expected.back()));
      }
      for (std::size_t k = 0; k < numbers.size(); ++k)
        EXPECT_NEAR(double(found[j][places[k]]), expected[k], 1e-3 * largest + 1e-5)
            << "share " << share << " component " << j << " number " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dims, GradientOf, ::testing::Values(2, 3, 4));

class FitEmTest : public test::GpuTest {
 protected:
  /// One iteration over all pictures with lists that hold nearly everything.
  static void iterate(FitEm& em, const TrainingSet& training, double tau) {
    em.begin();
    for (std::size_t i = 0; i < training.pictures.size(); ++i) {
      const PixelBox box{{0, 0}, training.size};
      FitRegion region(context(), training.pictures[i], box, training.coordinatesOf(i));
      std::vector<Record> sliced;
      for (const Record& r : em.records())
        sliced.push_back(slice(r, training.dims - 2, training.coordinatesOf(i)));
      region.setLists(buildComponentLists(sliced, box, tau));
      em.add(region);
    }
    em.finish();
  }

  static void expectReference(const TrainingSet& training, int count) {
    const std::vector<Gaussian> start = startMixture(training, count);
    Model frame;
    frame.dims = training.dims;
    frame.centerFractionBits = 20;
    FitPasses passes(context(), start.size(), frame.leading(), 20);
    FitEm em(passes, frame, start);
    iterate(em, training, 60);
    em.begin();
    std::vector<reference::Target> targets;
    for (std::size_t i = 0; i < training.pictures.size(); ++i)
      targets.push_back({&training.pictures[i], training.coordinatesOf(i)});
    const auto expected = reference::emIteration(start, training.dims, targets);
    for (std::size_t j = 0; j < start.size(); ++j) {
      const Record r = whiten(expected[j], training.dims, "expected"), found = em.records()[j];
      EXPECT_NEAR(found.center.x, r.center.x, 2e-3) << j;
      EXPECT_NEAR(found.w11, r.w11, 2e-3 * r.w11) << j;
      EXPECT_NEAR(found.w21, r.w21, 2e-3 * std::sqrt(r.w11 * r.w22)) << j;
      EXPECT_NEAR(found.c, r.c, 5e-3) << j;
      EXPECT_NEAR(found.color.g, r.color.g, 1e-4) << j;
      EXPECT_NEAR(found.h[2].x, r.h[2].x, 1e-4) << j;
      EXPECT_NEAR(found.m[0].x, r.m[0].x, 1e-3) << j;
      EXPECT_NEAR(found.leadH[1].y, r.leadH[1].y, 1e-4) << j;
      EXPECT_NEAR(found.leadW22, r.leadW22, 1e-3 * r.leadW22) << j;
    }
  }
};

TEST_F(FitEmTest, IterationIsThatOfTheReferenceForImages) {
  expectReference(*trainingOf(discs({29, 18})), 12);
}

TEST_F(FitEmTest, IterationIsThatOfTheReferenceForViews) {
  expectReference(*trainingOfViews({3, 2}, {21, 14}), 8);
}

TEST_F(FitEmTest, LikelihoodRises) {
  const auto training = trainingOf(discs({48, 40}));
  Model frame;
  frame.centerFractionBits = 20;
  FitPasses passes(context(), 40, 0, 20);
  FitEm em(passes, frame, startMixture(*training, 40));
  double before = -1e300;
  for (int i = 0; i < 6; ++i) {
    iterate(em, *training, 12);
    EXPECT_GT(em.logLikelihood(), before - 1e-4) << i;
    before = em.logLikelihood();
  }
}

TEST_F(FitEmTest, RefitFindsExpertsThatExplainThePicture) {
  // What a model decodes to, fitted with its own gates and gray experts: the colors come back.
  const glm::ivec2 size{40, 32};
  Model model = randomModel(11, 2, 12, size);
  Image picture(size.x, size.y);
  const auto colors = reference::decode(reference::recordsOf(model, {}), {size, {0, 0}, 1});
  for (std::size_t i = 0; i < colors.size(); ++i)
    picture.pixels[i] = glm::vec4(glm::vec3(colors[i]), 1);
  for (Component& c : model.components) {
    for (float& color : c.color) color = 0.5f;
    for (auto& row : c.h) row[0] = row[1] = 0;
  }
  Passes on(context(), model, picture, 11);
  on.passes.decode(on.region, FitPasses::Keep::Products);
  const double before = on.passes.squaredError();
  FitRegion* regions[] = {&on.region};
  ExpertSolver refit(on.passes, regions, model.components);
  for (int i = 0; i < 60 && refit.step(); ++i) {
  }
  refit.finish();
  on.passes.decode(on.region, FitPasses::Keep::Products);
  EXPECT_LT(on.passes.squaredError(), 1e-4 * before);
}

constexpr double kApart = 0.03;  // nats: twice what float32 bounds are widened by

struct HostLists {
  std::vector<std::uint32_t> starts, components, slotTiles, ends, slots, order, bounds;
  std::vector<float> offsets;
  bool operator==(const HostLists&) const = default;
};

HostLists downloaded(const FitRegion& region, std::size_t components) {
  const FitRegion::DeviceLists& lists = region.lists();
  const std::size_t slots = region.slotCount();
  return {lists.starts.download(0, region.tileCount() + 1),
          lists.components.download(0, slots),
          lists.slotTiles.download(0, slots),
          lists.ends.download(0, components + 1),
          lists.slots.download(0, slots),
          lists.order.download(0, components),
          lists.bounds.download(0, (components + FIT_GROUP - 1) / FIT_GROUP),
          lists.offsets.download(0, region.tileCount())};
}

class ListMakerTest : public test::GpuTest {
 protected:
  struct Case {
    int dims, count;
    glm::ivec2 size;
    PixelBox box;
  };
  /// Every tile lists what the host lists at tau, and nothing that it does not list at a little
  /// more; the rest says the same by component.
  void compare(const Case& c, double tau) {
    const Model model = randomModel(11, c.dims, c.count, c.size);
    const int leading = c.dims - 2;
    FitPasses passes(context(), model.components.size(), leading, model.centerFractionBits);
    passes.upload(model.components);
    const ViewCoordinates view{leading ? 1.25 : 0.0, leading == 2 ? -0.5 : 0.0};
    FitRegion region(context(), noise(c.size, 3), c.box, view);
    FitListMaker maker(context());
    maker.make(passes, region, tau);
    const HostLists found = downloaded(region, model.components.size());
    const auto records = reference::recordsOf(model, view);
    isBetween(found, buildComponentLists(records, c.box, tau),
              buildComponentLists(records, c.box, tau + kApart));
    isTurnedRound(found);
    // Again, with the room of the first ones: the same bytes.
    maker.make(passes, region, tau);
    EXPECT_EQ(downloaded(region, model.components.size()), found);
  }
  static std::vector<std::uint32_t> listOf(const std::vector<std::uint32_t>& starts,
                                           const std::vector<std::uint32_t>& components,
                                           std::size_t tile) {
    return {components.begin() + starts[tile], components.begin() + starts[tile + 1]};
  }
  static void isBetween(const HostLists& found, const ComponentLists& few,
                        const ComponentLists& more) {
    ASSERT_EQ(found.starts.size(), few.tileStarts.size());
    ASSERT_EQ(found.starts.back(), found.components.size());
    for (std::size_t tile = 0; tile + 1 < found.starts.size(); ++tile) {
      const auto list = listOf(found.starts, found.components, tile);
      const auto low = listOf(few.tileStarts, few.components, tile);
      const auto high = listOf(more.tileStarts, more.components, tile);
      EXPECT_TRUE(std::includes(list.begin(), list.end(), low.begin(), low.end())) << tile;
      EXPECT_TRUE(std::includes(high.begin(), high.end(), list.begin(), list.end())) << tile;
      EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
      for (std::uint32_t slot = found.starts[tile]; slot < found.starts[tile + 1]; ++slot)
        EXPECT_EQ(found.slotTiles[slot], tile);
      // The host's is that of the whole tile, the device's of its cells.
      EXPECT_LE(found.offsets[tile], few.offsets[tile] + kApart);
      EXPECT_GT(found.offsets[tile], few.offsets[tile] - 20);
    }
  }
  static void isTurnedRound(const HostLists& found) {
    const std::size_t count = found.order.size();
    ASSERT_EQ(found.ends[count], found.slots.size());
    for (std::uint32_t j = 0; j < count; ++j)
      for (std::uint32_t k = found.ends[j]; k < found.ends[j + 1]; ++k) {
        EXPECT_EQ(found.components[found.slots[k]], j);
        if (k > found.ends[j]) {
          EXPECT_LT(found.slots[k - 1], found.slots[k]);
        }
      }
    const auto slotsOf = [&](std::uint32_t j) { return found.ends[j + 1] - found.ends[j]; };
    for (std::size_t i = 1; i < count; ++i) {
      const std::uint32_t before = found.order[i - 1], j = found.order[i];
      EXPECT_TRUE(slotsOf(before) > slotsOf(j) || (slotsOf(before) == slotsOf(j) && before < j));
    }
    for (std::size_t g = 0; g < found.bounds.size(); ++g)
      EXPECT_EQ(found.bounds[g], slotsOf(found.order[g * FIT_GROUP]));
  }
};

TEST_F(ListMakerTest, ImagesHoldWhatTheHostHolds) {
  compare({2, 150, {83, 45}, {{0, 0}, {83, 45}}}, 11);
  compare({2, 1, {9, 7}, {{0, 0}, {9, 7}}}, 8);
}

TEST_F(ListMakerTest, BandsOfATallPictureAreJoined) {
  compare({2, 90, {24, 1300}, {{0, 0}, {24, 1300}}}, 8);
}

TEST_F(ListMakerTest, ViewsAndRegionsHoldWhatTheHostHolds) {
  compare({4, 60, {48, 40}, {{0, 0}, {48, 40}}}, 11);
  compare({3, 40, {40, 48}, {{0, 24}, {40, 48}}}, 12);
}

TEST_F(ListMakerTest, WeightsThatOutgrowTheirRoomAreListed) {
  // Small components, then as many large ones: the lists become several times as long.
  Model model = randomModel(12, 2, 200, {96, 96});
  FitPasses passes(context(), model.components.size(), 0, model.centerFractionBits);
  const PixelBox all{{0, 0}, {96, 96}};
  FitRegion region(context(), noise(all.high, 3), all, {0, 0});
  FitListMaker maker(context());
  passes.upload(model.components);
  maker.make(passes, region, 8);
  const std::size_t before = region.slotCount();
  for (Component& c : model.components) c.w11 /= 3, c.w21 /= 3, c.w22 /= 3;
  passes.upload(model.components);
  maker.make(passes, region, 8);
  EXPECT_GT(region.slotCount(), 2 * before);
  const auto records = reference::recordsOf(model, {});
  isBetween(downloaded(region, 200), buildComponentLists(records, all, 8),
            buildComponentLists(records, all, 8 + kApart));
}

/// Of the gradient in the units of the steps, as fit_adam.comp has them.
TEST_F(ListMakerTest, EpsilonsAreAThousandthOfTheMeanGradient) {
  const glm::ivec2 size{40, 32};
  const Model model = randomModel(13, 2, 150, size);
  Passes on(context(), model, discs(size), 11);
  FitAdam adam(on.passes, size);
  adam.add(on.region);
  std::vector<float> gradient(model.components.size() * 16);
  adam.gradient().read(gradient.data(), std::int64_t(gradient.size() * sizeof(float)));
  std::array<double, 16> sums{};
  for (std::size_t j = 0; j < model.components.size(); ++j) {
    const Component& c = model.components[j];
    const double unit = std::sqrt(double(c.w11) * double(c.w22));
    std::array<double, 16> scale;
    scale.fill(1);
    scale[0] = scale[1] = 1 / unit;
    scale[4] = double(c.w11), scale[5] = unit, scale[6] = double(c.w22);
    for (std::size_t k = 0; k < 16; ++k)
      sums[k] += std::abs(double(gradient[16 * j + k]) * scale[k]);
  }
  adam.measure();
  const AdamState state = adam.state();
  for (std::size_t k = 0; k < 16; ++k) {
    const double expected = k == 3 ? 1e-12 : 1e-3 * sums[k] / double(model.components.size());
    EXPECT_NEAR(double(state.epsilons[k / 4][int(k % 4)]), expected, 1e-4 * expected) << k;
  }
}

}  // namespace
}  // namespace fathom::smoe
