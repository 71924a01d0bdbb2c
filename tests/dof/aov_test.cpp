// SPDX-License-Identifier: BSD-3-Clause
// AOVs and mattes of IDs beside the color: by the weights of alpha, whatever the operator and lens.
#include "app/engine/core/bytes.h"
#include "app/engine/core/random.h"
#include "app/engine/dof/engine.h"
#include "tests/dof/pictures.h"
#include "tests/support/gpu_test.h"
#include "tests/support/tolerance.h"

namespace fathom::dof {
namespace {

class DofAovTest : public test::GpuTest {
 protected:
  static DeepChannel plane(const std::string& name, std::span<const float> values) {
    const auto bytes = std::as_bytes(values);
    return {name, ChannelType::Float, {bytes.begin(), bytes.end()}};
  }
  /// Random premultiplied color with alpha over two depths, and a hole in the middle.
  static std::shared_ptr<FlatPicture> element(int width, int height) {
    Random random(5);
    auto flat = std::make_shared<FlatPicture>();
    flat->image = Image(width, height);
    flat->hasAlpha = true;
    flat->name = "test.exr";
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool hole = glm::length(glm::vec2(x - width / 2, y - height / 2)) < 6;
        const float a = hole ? 0 : x % 9 < 2 ? 0.5f : 1;
        const glm::vec3 color(random.uniform(), random.uniform(), 7 * random.uniform());
        flat->image.at(x, y) = glm::vec4(a * color, a);
        flat->depth.push_back(hole ? 0 : (x / 11 + y / 7) % 2 ? 3.0f : 12.0f);
      }
    return flat;
  }
  void open(std::shared_ptr<const FlatPicture> flat, std::shared_ptr<Aovs> aovs,
            std::vector<Aov::Kind> kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i)
      aovs->averaged.push_back({kinds[i], &aovs->planes[i]});
    auto input = std::make_unique<Input>();
    input->names = {"test.exr"};
    input->flat = std::move(flat), input->aovs = std::move(aovs);
    technique_.adopt(std::move(input));
    lens();
  }
  /// Two fragments of the same color and AOV in each pixel, volumes that overlap, and their IDs.
  /// Or 300 faint ones: lists that software renderers go through in parts.
  void openDeep(bool volumes, bool longLists = false) {
    auto deep = std::make_shared<DeepImage>();
    const int width = longLists ? 16 : 24, height = longLists ? 16 : 20;
    deep->dataWindow = deep->displayWindow = {0, 0, width, height};
    deep->format = FragmentFormat::Indexed;
    deep->hasZBack = volumes;
    Random random(3);
    std::vector<float> values[8];  // A, B, G, R, the same again
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < width * height; ++i) {
      for (int k = 0; k < (longLists ? 300 : 1 + i % 3); ++k) {
        const float z = 2 + 3 * float(k) + random.uniform(),
                    a = longLists ? 0.01f
                        : k == 2  ? 1
                                  : 0.3f + 0.5f * random.uniform();
        values[0].push_back(a);
        for (int c = 1; c < 4; ++c) values[c].push_back(a * random.uniform());
        for (int c = 0; c < 4; ++c) values[4 + c].push_back(values[c].back());
        ids.push_back(std::uint32_t(i / 24 + 50 * (k % 4)));
        const auto word = std::uint32_t(deep->words.size() / 4);
        deep->words.insert(deep->words.end(), {word, 0u, std::bit_cast<std::uint32_t>(z),
                                               std::bit_cast<std::uint32_t>(volumes ? z + 4 : z)});
      }
      deep->fragmentOffsets.push_back(deep->words.size() / 4);
    }
    const char* const names[] = {"A", "B", "G", "R", "copy.A", "copy.B", "copy.G", "copy.R"};
    for (int c = 0; c < 8; ++c) deep->channels.push_back(plane(names[c], values[c]));
    const auto bytes = std::as_bytes(std::span(ids));
    deep->channels.push_back({"id", ChannelType::Uint, {bytes.begin(), bytes.end()}});
    auto input = std::make_unique<Input>();
    input->names = {"deep.exr"};
    input->aovs = aovsOf(*deep, "deep.exr", {"all", ""});
    input->deep = std::move(deep);
    technique_.adopt(std::move(input));
    lens();
  }
  void lens() {
    Settings& s = settings();
    s.focusDistance = 6, s.fNumber = 1;
    s.fNumber = float(technique_.lens().farRadius() / 6);
    s.maxRadius = MaxRadius::R8;
  }
  Image picture() {
    technique_.restart();
    EXPECT_FALSE(technique_.step(context(), TimeBudget::kUnlimited).partial);
    return technique_.frame().picture->downloadImage();
  }
  Settings& settings() { return technique_.settingsStruct(); }
  std::span<const float> averaged(std::size_t i) {
    const std::vector<std::byte>& bytes = technique_.aovs()->averaged[i].values;
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / 4};
  }
  /// Calls check() with each operator, through a round lens and through faults of all kinds.
  template <class Check>
  void withEach(const Check& check) {
    for (const bool faults : {false, true})
      for (const Operator op :
           {Operator::Over, Operator::Coverage, Operator::Slabs, Operator::LensCells}) {
        SCOPED_TRACE(fmt::format("operator {}, faults {}", int(op), faults));
        settings().op = op;
        settings().blades = faults ? Blades::Five : Blades::Round;
        settings().catsEye = faults ? 0.5f : 0, settings().axialColor = faults ? 3.0f : 0;
        settings().lateralColor = faults ? 2.0f : 0;
        check(faults);
      }
  }
  DofEngine technique_;
};

/// Faults of color are those of red and blue.
TEST_F(DofAovTest, AnAovEqualToTheColorHasItsBytes) {
  const auto flat = element(45, 37);
  auto aovs = std::make_shared<Aovs>();
  std::vector<float> values[3];
  for (const glm::vec4& p : flat->image.pixels)
    for (int c = 0; c < 3; ++c) values[c].push_back(p[c]);
  for (int c = 0; c < 3; ++c) aovs->planes.push_back(plane("copy", values[c]));
  open(flat, aovs, std::vector(3, Aov::Kind::Premultiplied));
  withEach([&](bool faults) {
    const Image out = picture();
    for (std::size_t i = 0; i < out.pixels.size(); ++i) {
      ASSERT_EQ(averaged(1)[i], out.pixels[i].g) << i;
      if (!faults) {
        ASSERT_EQ(averaged(0)[i], out.pixels[i].r) << i;
        ASSERT_EQ(averaged(2)[i], out.pixels[i].b) << i;
      }
    }
  });
}

TEST_F(DofAovTest, TheSameOfFragmentsAndVolumes) {
  const auto compare = [&](bool faults) {
    const Image out = picture();
    double worst = 0, sums = 0;
    for (std::size_t i = 0; i < out.pixels.size(); ++i) {
      ASSERT_EQ(averaged(2)[i], out.pixels[i].g) << i;  // copy.A, B, G, R
      if (!faults) {
        ASSERT_EQ(averaged(3)[i], out.pixels[i].r) << i;
      }
      worst = std::max(worst, std::abs(double(averaged(0)[i]) - out.pixels[i].a));
      double sum = 0;
      for (const auto& [id, share] : technique_.aovs()->mattes[0][i]) sum += share;
      sums = std::max(sums, std::abs(sum - out.pixels[i].a));
    }
    EXPECT_LT(worst, 1e-5);  // the alpha of a splat is no value, but 1
    EXPECT_LT(sums, 1e-4);   // of up to 60 IDs; each may lack 1e-6
    EXPECT_GT(technique_.aovs()->passes, 1u);
  };
  for (const bool volumes : {false, true}) {
    openDeep(volumes);
    withEach(compare);
  }
  openDeep(false, true);
  settings() = {};
  settings().edges = Edges::Renormalize;
  lens();
  compare(false);
  EXPECT_GT(technique_.totals().longest, 65'535u);
}

/// Values below 0, with all of each list: to rounding.
TEST_F(DofAovTest, AnAovIsWhatTheReferenceMakesOfIt) {
  const auto flat = element(45, 37);
  Random random(9);
  auto aovs = std::make_shared<Aovs>();
  auto asColor = std::make_shared<FlatPicture>(*flat);
  std::vector<float> values[3];
  for (glm::vec4& p : asColor->image.pixels)
    for (int c = 0; c < 3; ++c) values[c].push_back(p[c] = 2 * random.uniform() - 1);
  for (int c = 0; c < 3; ++c) aovs->planes.push_back(plane("N", values[c]));
  settings().epsilon = 0;
  for (const Operator op :
       {Operator::Over, Operator::Coverage, Operator::Slabs, Operator::LensCells}) {
    SCOPED_TRACE(int(op));
    settings().op = op;
    open(flat, std::make_shared<Aovs>(*aovs), std::vector(3, Aov::Kind::Premultiplied));
    Image found = picture();
    for (std::size_t i = 0; i < found.pixels.size(); ++i)
      for (int c = 0; c < 3; ++c) found.pixels[i][c] = averaged(std::size_t(c))[i];
    open(asColor, nullptr, {});
    picture();
    Image expected = technique_.reference();
    EXPECT_EQ(technique_.aovs(), nullptr);
    for (std::size_t i = 0; i < found.pixels.size(); ++i)
      expected.pixels[i].a = found.pixels[i].a = 0;
    EXPECT_TRUE(test::rounding(found, expected, 1e-4f));
  }
}

/// A normal that is the same everywhere stays so wherever there is any of it, a depth too.
TEST_F(DofAovTest, WhatIsNotPremultipliedStaysSo) {
  const auto flat = element(45, 37);
  auto aovs = std::make_shared<Aovs>();
  const std::vector<float> normal(flat->depth.size(), -0.75f);
  std::vector<float> depth;
  for (const float z : flat->depth) depth.push_back(z > 0 ? 5.0f : INFINITY);
  aovs->planes = {plane("Z", depth), plane("N.X", normal)};
  open(flat, aovs, {Aov::Kind::Depth, Aov::Kind::Straight});
  withEach([&](bool) {
    const Image out = picture();
    for (std::size_t i = 0; i < out.pixels.size(); ++i) {
      ASSERT_NEAR(averaged(1)[i], out.pixels[i].a > 0 ? -0.75f : 0.0f, 1e-5f) << i;
      if (out.pixels[i].a > 0) {
        ASSERT_NEAR(averaged(0)[i], 5, 1e-4f) << i;
      }
    }
    settings().fNumber = 64, settings().focalLength = 1;  // sharp
    const Image sharp = picture();
    EXPECT_TRUE(std::isinf(averaged(0)[18 * 45 + 22]));
    settings().focalLength = 85;
    lens();
  });
}

/// A Cryptomatte of two ranks, whose IDs change places; each matte is what its picture becomes.
TEST_F(DofAovTest, AMatteIsBlurredAsItsPicture) {
  const auto flat = element(45, 37);
  auto aovs = std::make_shared<Aovs>();
  std::vector<float> ranks[4], matte;
  for (std::size_t i = 0; i < flat->depth.size(); ++i) {
    const float a = flat->image.pixels[i].a, share = i % 3 ? 0.75f * a : a;
    const std::uint32_t first = 1000 + std::uint32_t(i / 45 / 9), second = i % 2 ? 2000 : 1001;
    ranks[0].push_back(std::bit_cast<float>(first)), ranks[1].push_back(share);
    ranks[2].push_back(std::bit_cast<float>(second)), ranks[3].push_back(a - share);
    matte.push_back((first == 1001 ? share : 0) + (second == 1001 ? a - share : 0));
  }
  for (const auto& rank : ranks) aovs->planes.push_back(plane("crypto", rank));
  aovs->planes.push_back(plane("matte", matte));
  aovs->mattes.push_back(
      {"crypto", "", {{&aovs->planes[0], &aovs->planes[1]}, {&aovs->planes[2], &aovs->planes[3]}}});
  aovs->averaged.push_back({Aov::Kind::Premultiplied, &aovs->planes[4]});
  open(flat, aovs, {});
  withEach([&](bool) {
    const Image out = picture();
    for (std::size_t i = 0; i < out.pixels.size(); ++i) {
      double sum = 0, own = 0;
      float before = 1;
      for (const auto& [id, share] : technique_.aovs()->mattes[0][i]) {
        EXPECT_LE(share, before);
        sum += before = share;
        if (id == 1001) own = share;
      }
      ASSERT_NEAR(sum, out.pixels[i].a, 1e-5) << i;
      ASSERT_NEAR(own, averaged(0)[i], 4e-6) << i;
    }
  });
}

/// In parts of the picture, one after the other; IDs that are numbers cover what alpha does.
TEST_F(DofAovTest, BandsGiveTheSame) {
  const auto flat = element(112, 80);
  auto aovs = std::make_shared<Aovs>();
  std::vector<float> green, ids;
  for (std::size_t i = 0; i < flat->depth.size(); ++i) {
    green.push_back(flat->image.pixels[i].g);
    ids.push_back(std::bit_cast<float>(std::uint32_t(i % 112 / 5 + i / 2240)));
  }
  aovs->planes = {plane("green", green), plane("id", ids)};
  aovs->planes[1].type = ChannelType::Uint;
  aovs->mattes.push_back({"crypto_id", "id", {{&aovs->planes[1], nullptr}}});
  open(flat, aovs, {Aov::Kind::Premultiplied});
  const Image out = picture();
  EXPECT_EQ(technique_.lists()->bands().size(), 1u);
  const std::vector<float> whole(averaged(0).begin(), averaged(0).end());
  const std::vector<Coverage> mattes = technique_.aovs()->mattes[0];
  for (std::size_t i = 0; i < mattes.size(); ++i) {
    double sum = 0;
    for (const auto& [id, share] : mattes[i]) sum += share;
    ASSERT_NEAR(sum, out.pixels[i].a, 1e-4) << i;
  }
  context().memory().setBlockLimit(300000);
  picture();
  EXPECT_GT(technique_.lists()->bands().size(), 1u);
  EXPECT_TRUE(test::exact(averaged(0), whole));
  EXPECT_EQ(technique_.aovs()->mattes[0], mattes);
  context().memory().setBlockLimit(context().limits().storageBlockBytes);
}

}  // namespace
}  // namespace fathom::dof
