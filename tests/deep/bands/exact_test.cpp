// SPDX-License-Identifier: BSD-3-Clause
// Merging, holding out, holding in and flattening beside sums in double that share no code with
// them: a pixel of 2,000 nested volumes, one of 100,000 points, and an empty one between, on the
// device, on the processor and from files; and a tenth of that, which a software device finishes.
#include "app/engine/core/deep_image.h"
#include "app/engine/deep/engine.h"
#include "app/engine/deep/reference.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/gpu_test.h"

#include <half.h>

#include <random>

namespace fathom::deep {
namespace {

using List = std::vector<Fragment>;
constexpr Rect kWindow{0, 0, 3, 1};

/// What a pixel shows of the fragments of `main` among those of `matte` (OpenEXR, "Interpreting
/// Deep Pixels"), from one depth to the next in double.
glm::dvec4 shown(const List& main, const List& matte) {
  struct Part {
    const Fragment* f;
    bool isMain;
  };
  std::vector<Part> waiting, live;
  std::vector<double> places;
  for (const List* list : {&main, &matte})
    for (const Fragment& f : *list) {
      waiting.push_back({&f, list == &main});
      places.push_back(f.z), places.push_back(f.zBack);
    }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  // A matte's point is in front of one at its depth.
  std::ranges::stable_sort(waiting, {}, [](const Part& p) { return std::pair(p.f->z, p.isMain); });
  glm::dvec4 sum(0);
  double passing = 1;
  std::size_t next = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::erase_if(live, [&](const Part& p) { return p.f->zBack <= places[i]; });
    for (; next < waiting.size() && waiting[next].f->z == places[i]; ++next) {
      const Fragment& f = *waiting[next].f;
      if (f.zBack > f.z) {
        live.push_back(waiting[next]);
        continue;
      }
      if (waiting[next].isMain) sum += passing * glm::dvec4(f.r, f.g, f.b, f.a);
      passing *= 1 - double(f.a);
    }
    // Between two depths each volume absorbs and shines evenly.
    double depth = 0;
    glm::dvec4 light(0);
    for (const Part& p : live) {
      const double part = (places[i + 1] - places[i]) / (double(p.f->zBack) - p.f->z);
      const double own = -std::log1p(-double(p.f->a)) * part;
      depth += own;
      if (p.isMain) light += glm::dvec4(p.f->r, p.f->g, p.f->b, p.f->a) * (own / p.f->a);
    }
    if (depth > 0) sum += passing * light * (-std::expm1(-depth) / depth);
    passing *= std::exp(-depth);
  }
  return sum;
}

/// Values that a half holds, so that every way starts from the same.
Fragment madeOf(std::mt19937& random, double mean, float z, float zBack) {
  const auto unit = [&] { return double(random()) / 4294967296.0; };
  const auto rounded = [](double v) { return float(half(float(v))); };
  const float a = rounded(mean * (0.5 + unit()));
  return {rounded(a * unit()), rounded(a * unit()), rounded(a * unit()), a, z, zBack};
}

/// The first or second half of what is in the pixel of volumes and of that of points: a tenth of
/// the 2,000 and 100,000, of ten times the alpha, where they are few.
std::vector<List> inputOf(int which, bool few) {
  const int part = few ? 10 : 1;
  std::mt19937 random{std::uint32_t(7 + which)};
  List volumes, points;
  for (int i = which; i < 2000 / part; i += 2)
    volumes.push_back(madeOf(random, part / 1500.0, float(1 + i), float(10000 - i)));
  for (int i = which; i < 100000 / part; i += 2) {
    const float z = 1 + float(i) * 0.5f;
    points.push_back(madeOf(random, part / 40000.0, z, z));
  }
  return {volumes, {}, points};
}

enum class Way { Device, Processor, Files };

/// What inputs flatten and merge to.
class DeepBands : public test::GpuTest {
 protected:
  Image flattened() {
    Image flat;
    technique_.bandMerger(context()).flatten(progress_, [&](Image&& rows) { flat = rows; });
    return flat;
  }
  DeepImage merged() {
    DeepImage all;
    BandMerger merger = technique_.bandMerger(context());
    merger.merge(progress_, [&](DeepImage&& band) { all = band; });
    report_ = merger.facts().thinned;
    return all;
  }
  Progress progress_;
  DeepEngine technique_;
  ThinReport report_;  // of the last merged()
};

class DeepExact : public DeepBands, public testing::WithParamInterface<std::pair<Way, bool>> {
 protected:
  void SetUp() override {
    test::GpuTest::SetUp();
    const bool isFloat = GetParam().first == Way::Processor;
    std::vector<DeepImage> images;
    std::vector<std::string> names;
    for (const int which : {0, 1}) {
      lists_.push_back(inputOf(which, GetParam().second));
      DeepImage& image = images.emplace_back(isFloat ? test::floatImage(kWindow, lists_.back())
                                                     : test::deepImage(kWindow, lists_.back()));
      image.hasZBack = true;
      if (!isFloat) image.channels.push_back({"ZBack", ChannelType::Float, {}});
      names.push_back(folder_.file(fmt::format("{}.exr", which)));
      if (GetParam().first == Way::Files) writeDeepExr(names.back(), image);
    }
    if (GetParam().first == Way::Files)
      technique_.adopt(loaded(std::make_shared<StreamedFiles>(names, DeepReadOptions{})));
    else
      technique_.adopt(loaded(std::move(images), names));
  }
  /// `expected` of the lists of each pixel.
  void expectPicture(const Image& flat, glm::dvec4 (*expected)(const List&, const List&)) {
    double worst = 0;
    for (std::size_t p = 0; p < 3; ++p) {
      // The same for every way.
      static std::map<std::tuple<bool, std::size_t, decltype(expected)>, glm::dvec4> known;
      const auto [place, isNew] = known.try_emplace({GetParam().second, p, expected});
      if (isNew) place->second = expected(lists_[0][p], lists_[1][p]);
      const glm::dvec4 exact = place->second;
      for (int c = 0; c < 4; ++c) {
        worst = std::max(worst, std::abs(double(flat.pixels[p][c]) - exact[c]));
        EXPECT_NEAR(flat.pixels[p][c], exact[c], 1e-6) << "pixel " << p << " channel " << c;
      }
    }
    RecordProperty("worst", std::to_string(worst));
  }
  static glm::dvec4 both(const List& a, const List& b) {
    return shown(a, b) + shown(b, a);  // no two share a depth
  }
  static glm::dvec4 heldIn(const List& a, const List& b) { return shown(a, {}) - shown(a, b); }

  TempFolder folder_;
  std::vector<std::vector<List>> lists_;  // per input and pixel
};

TEST_P(DeepExact, Flattened) { expectPicture(flattened(), both); }

TEST_P(DeepExact, HeldOut) {
  technique_.settingsStruct().roles = "add,hold-out";
  expectPicture(flattened(), shown);
}

TEST_P(DeepExact, HeldIn) {
  technique_.settingsStruct().roles = "add,hold-in";
  expectPicture(flattened(), heldIn);
}

TEST_P(DeepExact, MergedListsHoldEveryFragment) {
  const DeepImage all = merged();
  for (std::size_t p = 0; p < 3; ++p) {
    List exact = lists_[0][p];
    exact.insert(exact.end(), lists_[1][p].begin(), lists_[1][p].end());
    std::ranges::sort(exact, {}, &Fragment::z);
    ASSERT_EQ(all.fragmentOffsets[p + 1] - all.fragmentOffsets[p], exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const Fragment f = decodeFragment(all, all.fragmentOffsets[p] + i);
      ASSERT_EQ(
          std::tie(f.r, f.g, f.b, f.a, f.z, f.zBack),
          std::tie(exact[i].r, exact[i].g, exact[i].b, exact[i].a, exact[i].z, exact[i].zBack))
          << p << " " << i;
    }
  }
}

std::string wayName(const testing::TestParamInfo<std::pair<Way, bool>>& way) {
  static const char* const names[] = {"Device", "Processor", "Files"};
  return std::string(names[int(way.param.first)]) + (way.param.second ? "Few" : "Many");
}

INSTANTIATE_TEST_SUITE_P(Ways, DeepExact,
                         testing::Values(std::pair(Way::Device, false),
                                         std::pair(Way::Device, true),
                                         std::pair(Way::Processor, false),
                                         std::pair(Way::Files, false), std::pair(Way::Files, true)),
                         wayName);

/// Volumes that touch and overlap, points inside of them and at the same depths.
class DeepThinned : public DeepBands {
 protected:
  void open(DeepImage image) {
    technique_.settingsStruct() = {};
    technique_.adopt(loaded({std::move(image)}, {"a.exr"}));
  }
  static double largest(const Image& a, const Image& b) {
    double most = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
      for (int c = 0; c < 4; ++c)
        most = std::max(most, std::abs(double(a.pixels[p][c]) - double(b.pixels[p][c])));
    return most;
  }
  static DeepImage image(bool volumes) {
    std::vector<List> lists = test::mixedLists(900, 21);
    for (List& list : lists)
      for (Fragment& f : list)
        if (!volumes) f.zBack = f.z;
    DeepImage made = test::floatImage({0, 0, 30, 30}, lists);
    made.hasZBack = volumes;
    if (!volumes)
      std::erase_if(made.channels, [](const DeepChannel& c) { return c.name == "ZBack"; });
    return made;
  }
};

TEST_F(DeepThinned, ToACountKeepsThePicture) {
  for (const bool volumes : {true, false}) {
    open(image(volumes));
    const Image whole = flattened();
    for (const int most : {1, 2, 3, 8}) {
      open(image(volumes));
      technique_.settingsStruct().thin = most;
      DeepImage thin = merged();
      for (std::size_t p = 0; p < thin.pixelCount(); ++p)
        ASSERT_LE(thin.fragmentOffsets[p + 1] - thin.fragmentOffsets[p], std::size_t(most));
      open(std::move(thin));
      EXPECT_LE(largest(flattened(), whole), 1e-6) << most << (volumes ? ", volumes" : ", points");
    }
  }
}

TEST_F(DeepThinned, WithinABoundIsWhatTheCertificateSays) {
  for (const bool volumes : {true, false}) {
    open(image(volumes));
    const Image whole = flattened();
    for (const char* bound : {"1/16", "1/128"}) {
      open(image(volumes));
      technique_.settingsStruct().thinError = bound;
      DeepImage thin = merged();
      EXPECT_GT(report_.error, 0);
      EXPECT_LE(report_.flatError, report_.error);
      open(std::move(thin));
      EXPECT_LE(largest(flattened(), whole), report_.flatError + 1e-6)
          << bound << (volumes ? ", volumes" : ", points");
    }
  }
}

}  // namespace
}  // namespace fathom::deep
