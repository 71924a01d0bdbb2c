// SPDX-License-Identifier: BSD-3-Clause
// Depth of field as a whole: pictures with bad values, translucent and hidden fragments with known
// answers, operators against lens samples, focus by a click.
#include "app/engine/core/compare.h"
#include "app/engine/dof/engine.h"
#include "app/engine/dof/splats/list_reader.h"
#include "app/engine/gpu/timings.h"
#include "app/engine/inspect.h"
#include "app/engine/io/picture.h"
#include "app/lab/dof/quality.h"
#include "tests/dof/pictures.h"
#include "tests/support/gpu_test.h"

namespace fathom::dof {
namespace {

class DofTechniqueTest : public test::GpuTest {
 protected:
  /// rgb and Z of a picture as a file with a Z channel.
  void openFlat(const Image& colorAndZ) {
    auto flat = std::make_shared<FlatPicture>();
    flat->image = colorAndZ;
    for (glm::vec4& p : flat->image.pixels) flat->depth.push_back(p.a), p.a = 1;
    flat->displayWindow = {0, 0, 1280, colorAndZ.height};
    flat->name = "test.exr";
    auto input = std::make_unique<Input>();
    input->names = {"test.exr"};
    input->flat = flat;
    technique_.adopt(std::move(input));
  }
  void openScene(const std::string& scene, int width, int height) {
    Progress progress;
    technique_.setSize(width, height);
    technique_.adopt(read({scene}, progress));
  }
  /// The same list of fragments (straight color, alpha, Z) in every pixel that `lists` gives.
  template <class Lists>
  void openDeep(int width, int height, const Lists& lists, float pixelAspect = 1,
                std::shared_ptr<const DeepImage> held = nullptr) {
    auto input = std::make_unique<Input>();
    input->names = {"deep.exr"};
    input->deep = deepOf(width, height, lists, pixelAspect);
    input->held = std::move(held);
    technique_.adopt(std::move(input));
  }
  template <class Lists>
  static std::shared_ptr<DeepImage> deepOf(int width, int height, const Lists& lists,
                                           float pixelAspect = 1) {
    auto deep = std::make_shared<DeepImage>();
    deep->pixelAspect = pixelAspect;
    deep->dataWindow = deep->displayWindow = {0, 0, width, height};
    for (const char* name : {"A", "B", "G", "R"})
      deep->channels.push_back({name, ChannelType::Half, {}});
    deep->channels.push_back({"Z", ChannelType::Float, {}});
    deep->channels.push_back({"ZBack", ChannelType::Float, {}});
    deep->hasZBack = true;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        for (const Fragment& f : lists(x, y))
          deep->words.insert(
              deep->words.end(),
              {glm::packHalf2x16({f.r * f.a, f.g * f.a}), glm::packHalf2x16({f.b * f.a, f.a}),
               glm::floatBitsToUint(f.z), glm::floatBitsToUint(f.zBack)});
        deep->fragmentOffsets.push_back(deep->words.size() / 4);
      }
    return deep;
  }
  /// Radius at infinity in pixels, in focus at `focus`.
  void lens(double farRadius, float focus) {
    Settings& s = settings();
    s.focusDistance = focus;
    s.fNumber = 1;
    s.fNumber = float(technique_.lens().farRadius() / farRadius);
  }
  Image picture(bool anew = true) {
    if (anew) technique_.restart();
    EXPECT_FALSE(technique_.step(context(), TimeBudget::kUnlimited).partial);
    return technique_.frame().picture->downloadImage();
  }
  Settings& settings() { return technique_.settingsStruct(); }

  DofEngine technique_;
};

TEST_F(DofTechniqueTest, EveryOperatorIsThatOfTheReference) {
  const auto compare = [&](std::initializer_list<Operator> operators) {
    for (const Operator op : operators) {
      SCOPED_TRACE(int(op));
      settings().op = op;
      const Image found = picture();
      // Splats stop where less than 1 % shows; taps of gather round to a pixel.
      const float bound = op == Operator::Gather ? 0.05f : 0.0125f;
      EXPECT_TRUE(test::rounding(found, technique_.reference(), bound));
    }
  };
  openFlat(test::discPicture(75, 53));
  lens(7, 5);
  compare(
      {Operator::Over, Operator::Coverage, Operator::Slabs, Operator::LensCells, Operator::Gather});
  // Of a scene, with what is hidden from the middle of the lens.
  openScene("planes:count=1,spheres=40,alpha=1", 61, 45);
  settings().maxRadius = MaxRadius::R8;
  lens(6, 20);
  compare({Operator::Coverage, Operator::LensCells});
  const SplatList splats = ListReader(*technique_.lists()).splats();
  EXPECT_TRUE(std::ranges::any_of(splats.splats, [](const Splat& s) { return s.hidden; }));
  // Light that is cut is made up for in each channel by itself.
  settings().blades = Blades::Five, settings().catsEye = 0.6f, settings().axialColor = 2;
  compare({Operator::Coverage, Operator::LensCells});
}

/// llvmpipe ends loops after 65,535 rounds in all: such lists are gone through in parts. All layers
/// count, so faint are they; behind some there is an opaque one, and what that hides.
TEST_F(DofTechniqueTest, ListsOfMoreThan65535EntriesAreThoseOfTheReference) {
  settings().edges = Edges::Renormalize;
  openDeep(20, 16, [](int x, int y) {
    std::vector<Fragment> list;
    for (int i = 0; i < 300; ++i)
      list.push_back({i % 2 ? 1.0f : 0.2f, float(i) / 300, float(x + y) / 36,
                      i == 200 && x > 9 ? 1 : 0.006f, 20.0f + i, 20.0f + i});
    return list;
  });
  lens(0.5, 160);  // up to 3.5 px
  settings().epsilon = 0;
  for (const auto& [op, faults] : {std::pair(Operator::Over, false),
                                   {Operator::Coverage, false},
                                   {Operator::Slabs, false},
                                   {Operator::LensCells, false},
                                   {Operator::Coverage, true}}) {
    SCOPED_TRACE(fmt::format("operator {}, faults {}", int(op), faults));
    settings().op = op;
    settings().catsEye = faults ? 0.4f : 0, settings().axialColor = faults ? 2.0f : 0;
    const Image found = picture();
    EXPECT_GT(technique_.totals().longest, 65'535u);
    // Sums of 100,000 products in single precision.
    EXPECT_TRUE(test::rounding(found, technique_.reference(), 4e-3f));
  }
  settings().catsEye = settings().axialColor = 0;
  for (const char* variant : {"block.peel.a.copy.block.direct.compute.ftb.float",
                              "warp.check.a.copy.none.direct.compute.btf.float"}) {
    SCOPED_TRACE(variant);
    settings().op = Operator::Over, settings().variant = variant;
    const Image found = picture();
    EXPECT_GT(technique_.totals().longest, 65'535u);
    EXPECT_TRUE(test::rounding(found, technique_.reference(), 4e-3f));
  }
}

/// Captured back to front; the shader that sorts them would not come to an end on llvmpipe.
TEST_F(DofTechniqueTest, APixelOfThousandsOfFragmentsIsSorted) {
  settings().edges = Edges::Renormalize;
  openScene("planes:count=4090,spheres=0,alpha=0.001", 12, 8);
  lens(0.3, 8);
  const Image found = picture();
  const SplatList splats = ListReader(*technique_.lists()).splats();
  std::array<float, 96> before{};
  for (const Splat& s : splats.splats) {
    if (s.opacity <= 0) continue;
    float& last = before[std::size_t(s.pixel.y * 12 + s.pixel.x)];
    ASSERT_GE(s.z, last);
    last = s.z;
  }
  EXPECT_GT(splats.splats.size(), 96u * 1000);
  EXPECT_TRUE(test::rounding(found, technique_.reference(), 0.0125f));
}

/// Spots on a plane out of focus: their light, and nowhere more than in the brightest of them. With
/// "over" the first splats of a surface weigh e times the last, so only spots that hold all places
/// of a tile alike keep theirs.
TEST_F(DofTechniqueTest, EveryOperatorKeepsLightAndAddsNone) {
  for (const Operator op : {Operator::Over, Operator::Coverage, Operator::Slabs,
                            Operator::LensCells, Operator::Gather}) {
    Image image(64, 64, glm::vec4(0, 0, 0, 10));
    const int side = op == Operator::Over ? DOF_TILE : 24;
    const Image spots = test::planePicture(24, 24, 10);
    double sum = 0, brightest = 0;
    for (int i = 0; i < side * side; ++i) {
      glm::vec4& spot = image.at(20 + i % side, 20 + i / side);
      spot = op == Operator::Over ? glm::vec4(0.7f, 0.7f, 0.7f, 10) : spots.pixels[std::size_t(i)];
      sum += double(spot.g), brightest = std::max(brightest, double(spot.g));
    }
    openFlat(image);
    settings().op = op;
    for (const double r : {0.3, 0.6, -1.79, 4.3, -7.4}) {
      lens(r > 0 ? 2 * r : -r, r > 0 ? 5 : 20);  // K (1 - S / 10)
      double found = 0, most = 0;
      for (const glm::vec4& p : picture(false).pixels)
        found += double(p.g), most = std::max(most, double(p.g));
      EXPECT_NEAR(found / sum, 1, 1e-3) << "operator " << int(op) << " at " << r;
      EXPECT_LE(most, 1.0001 * brightest) << "operator " << int(op) << " at " << r;
    }
  }
}

/// A volume over the left half, a point and an opaque one over the right.
std::vector<Fragment> matteAt(int x) {
  if (x < 37) return {{0, 0, 0, 0.75f, 4, 12}};
  return {{0, 0, 0, 0.5f, 6, 6}, {0, 0, 0, 1, 9, 9}};
}

/// What passes in front of 3, 8 and 20. Of the volume, half lies in front of 8: (1 - 0.75)^0.5;
/// behind the opaque point is nothing.
float matteLets(int x, float z) {
  if (x < 37) return z < 4 ? 1 : z < 12 ? 0.5f : 0.25f;
  return z < 6 ? 1 : z < 9 ? 0.5f : 0;
}

/// Surfaces of one channel each, at 3, 8 and 20.
std::vector<Fragment> surfacesAt(const Image& discs, int x, int y) {
  std::vector<Fragment> list{{0, 0, discs.at(x, y).b, 1, 20, 20}};
  if (discs.at(x, y).a < 12) list.insert(list.begin(), {0, discs.at(x, y).g, 0, 0.7f, 8, 8});
  if (discs.at(x, y).a < 6) list.insert(list.begin(), {discs.at(x, y).r, 0, 0, 1, 3, 3});
  return list;
}

/// What passes in front of a depth multiplies its channel, pixel by pixel and whatever is blurred.
TEST_F(DofTechniqueTest, HoldOutsStaySharp) {
  const Image discs = test::discPicture(75, 53);
  const auto lists = [&](int x, int y) { return surfacesAt(discs, x, y); };
  const auto matte = deepOf(75, 53, [](int x, int) { return matteAt(x); });
  for (const auto& [op, blades] : {std::pair(Operator::Over, Blades::Round),
                                   {Operator::Coverage, Blades::Six},
                                   {Operator::Slabs, Blades::Round},
                                   {Operator::LensCells, Blades::Round}}) {
    SCOPED_TRACE(fmt::format("operator {}, {} blades", int(op), int(blades)));
    settings().op = op, settings().blades = blades;
    settings().epsilon = 0;  // held out, cells go another way through lists and stop elsewhere
    openDeep(75, 53, lists);
    lens(9, 5);
    const Image whole = picture();
    openDeep(75, 53, lists, 1, matte);
    const Image held = picture();
    double blurred = 0;
    for (int y = 0; y < 53; ++y)
      for (int x = 0; x < 75; ++x) {
        const glm::vec3 passes(matteLets(x, 3), matteLets(x, 8), matteLets(x, 20));
        for (int c = 0; c < 3; ++c)
          ASSERT_NEAR(held.at(x, y)[c], passes[c] * whole.at(x, y)[c], 2e-6f) << x << " " << y;
        blurred += std::abs(whole.at(x, y).r - (discs.at(x, y).a < 6 ? discs.at(x, y).r : 0));
      }
    EXPECT_GT(blurred, 20);
  }
  settings().op = Operator::Gather;
  EXPECT_THROW(picture(), Error);
}

/// Alpha is held out as color is, and samples of a pixel all by the hold-out of that.
TEST_F(DofTechniqueTest, HoldOutsOfScenesTakeAlphaToo) {
  Progress progress;
  settings().supersample = Supersample::S2;
  technique_.setSize(40, 24);
  const auto open = [&](std::shared_ptr<const DeepImage> held) {
    auto loaded = read({"planes:count=1,spheres=8,alpha=1"}, progress);
    ownInputs<Input>(*loaded).held = std::move(held);
    technique_.adopt(std::move(loaded));
    return picture();
  };
  const Image whole = open(nullptr),
              held = open(deepOf(40, 24, [](int x, int) {
                return std::vector<Fragment>{{0, 0, 0, x % 2 ? 1 : 0.25f, 1e-3f, 1e-3f}};
              }));
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 40; ++x)
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(held.at(x, y)[c], (x % 2 ? 0 : 0.75f) * whole.at(x, y)[c], 2e-6f);
}

/// Points over each other, front to back; of each, what `lets` lets pass at (x, z).
template <class Lets>
Image flattened(const DeepImage& deep, const Lets& lets) {
  Image picture(deep.dataWindow.width, deep.dataWindow.height);
  for (std::size_t p = 0; p < deep.pixelCount(); ++p) {
    glm::dvec4 sum(0);
    double left = 1;
    for (std::size_t i = deep.fragmentOffsets[p]; i < deep.fragmentOffsets[p + 1]; ++i) {
      const Fragment f = decodeFragment(deep, i);
      sum += left * double(lets(int(p) % picture.width, f.z)) * glm::dvec4(f.r, f.g, f.b, f.a);
      left *= 1 - f.a;
    }
    picture.pixels[p] = glm::vec4(sum);
  }
  return picture;
}
Image flattened(const DeepImage& deep) {
  return flattened(deep, [](int, float) { return 1.0f; });
}

/// Held out of the deep picture is held out of the picture, for what lies in slices of its own.
TEST_F(DofTechniqueTest, DeepPicturesAreHeldOutByDepth) {
  const Image discs = test::discPicture(75, 53);
  const auto lists = [&](int x, int y) { return surfacesAt(discs, x, y); };
  settings().epsilon = 0;
  for (const Operator op : {Operator::Over, Operator::Coverage, Operator::LensCells}) {
    settings().op = op;
    openDeep(75, 53, lists);
    lens(9, 5);
    std::vector<DeepImage> bands;
    technique_.makeDeep(16, [&](DeepImage&& rows) { bands.push_back(std::move(rows)); });
    const Image whole = picture();
    technique_.makeDeep(0, nullptr);
    openDeep(75, 53, lists, 1, deepOf(75, 53, [](int x, int) { return matteAt(x); }));
    const Image held = picture();
    const DeepImage deep = together(std::move(bands), technique_.deepHeader().dataWindow);
    EXPECT_TRUE(test::rounding(flattened(deep, matteLets), held, 2e-5f)) << int(op);
    EXPECT_FALSE(test::rounding(whole, held, 0.1f));
  }
}

/// What is held out blurred hides what lies behind it and shows nothing: two, each held out of the
/// other, add up to both. Volumes of one overlap with volumes of the other.
TEST_F(DofTechniqueTest, TwoHeldOutBlurredAddUpToBoth) {
  const Image discs = test::discPicture(75, 53);
  const TempFolder folder;
  const std::string a = folder.file("a.exr"), b = folder.file("b.exr");
  writeDeepExr(a, *deepOf(75, 53, [&](int x, int y) {
                 std::vector<Fragment> list = surfacesAt(discs, x, y);
                 list.pop_back();
                 if (x < 30) list.push_back({1, 0.5f, 0, 0.6f, 9, 15});
                 return list;
               }));
  writeDeepExr(b, *deepOf(75, 53, [&](int x, int y) {
                 std::vector<Fragment> list{{0.1f, 0.2f, 0.9f, 1, 21, 21}};
                 if (y < 30) list.insert(list.begin(), {0, 0.3f, 1, 0.8f, 6, 12});
                 if ((x / 8 + y / 8) % 2) list.insert(list.begin(), {1, 1, 0, 1, 4, 4});
                 return list;
               }));
  Progress progress;
  settings().epsilon = 0;
  for (const Operator op :
       {Operator::Over, Operator::Coverage, Operator::Slabs, Operator::LensCells}) {
    settings().op = op;
    const auto blurred = [&](const std::string& first, const std::string& second,
                             const std::string& roles) {
      technique_.adopt(read({first, second}, progress, roles));
      lens(9, 5);
      return picture();
    };
    const Image both = blurred(a, b, "");
    Image sum = blurred(a, b, "add,blurred-hold-out");
    EXPECT_FALSE(test::rounding(sum, both, 0.5f)) << int(op);
    const Image rest = blurred(b, a, "add,blurred-hold-out");
    for (std::size_t i = 0; i < sum.pixels.size(); ++i) sum.pixels[i] += rest.pixels[i];
    EXPECT_TRUE(test::rounding(sum, both, 2e-5f)) << int(op);
  }
}

/// Translucent discs before a plane, of which `part` is made: 1 the discs, 2 the plane, 3 both.
std::vector<Fragment> discsBefore(const Image& discs, int x, int y, int part) {
  const glm::vec4& p = discs.at(x, y);
  std::vector<Fragment> list;
  if (part & 1 && p.a < 20) list.push_back({p.r, p.g, p.b, 0.8f, p.a, p.a});
  if (part & 2) list.push_back({x % 9 / 9.0f, y % 7 / 7.0f, 0.3f, 1, 22, 22});
  return list;
}

/// Flattened it is the picture, whatever the operator, the bands and the aperture, held out or not.
TEST_F(DofTechniqueTest, ADeepPictureFlattensToThePicture) {
  const Image discs = test::discPicture(75, 53);
  const auto lists = [&](int x, int y) { return discsBefore(discs, x, y, 3); };
  const auto compare = [&](const char* what, int most) {
    SCOPED_TRACE(what);
    std::vector<DeepImage> bands;
    technique_.makeDeep(most, [&](DeepImage&& rows) { bands.push_back(std::move(rows)); });
    const Image whole = picture();
    technique_.makeDeep(0, nullptr);
    const DeepImage deep = together(std::move(bands), technique_.deepHeader().dataWindow);
    EXPECT_TRUE(test::rounding(flattened(deep), whole, 2e-5f));
    for (std::size_t p = 0; p < deep.pixelCount(); ++p) {
      ASSERT_LE(deep.fragmentOffsets[p + 1] - deep.fragmentOffsets[p], std::size_t(most));
      for (std::size_t i = deep.fragmentOffsets[p] + 1; i < deep.fragmentOffsets[p + 1]; ++i)
        ASSERT_LT(decodeFragment(deep, i - 1).z, decodeFragment(deep, i).z);
    }
    EXPECT_GT(deep.fragmentCount(), deep.pixelCount());
  };
  for (const Operator op : {Operator::Over, Operator::Coverage, Operator::LensCells}) {
    settings().op = op;
    openDeep(75, 53, lists);
    lens(9, 5);
    compare("lists", 16);
  }
  settings().op = Operator::Coverage;
  compare("few points", 2);
  settings().blades = Blades::Five, settings().axialColor = 2;
  compare("colored", 16);
  openDeep(75, 53, lists, 1, deepOf(75, 53, [](int x, int) { return matteAt(x); }));
  compare("held out", 16);
  settings().axialColor = 0;
  openDeep(32, 32, [](int x, int y) {  // two rounds for each are more than llvmpipe takes
    std::vector<Fragment> list;
    for (int i = 0; i < 130; ++i)
      list.push_back({x / 32.0f, y / 32.0f, 1, 0.01f, 20.0f + i, 20.0f + i});
    return list;
  });
  compare("long lists", 16);
  openDeep(16, 16, [](int x, int y) {
    std::vector<Fragment> list;
    for (int i = 0; i < 270; ++i)
      list.push_back({x / 16.0f, y / 16.0f, 1, 0.01f, 20.0f + i, 20.0f + i});
    return list;
  });
  compare("longer lists", 16);
  openFlat(discs);
  compare("a flat picture", 16);
  settings().supersample = Supersample::S2;
  openScene("planes:count=2,spheres=8", 40, 24);
  compare("samples", 16);
  settings().op = Operator::Slabs;
  technique_.makeDeep(16, [](DeepImage&&) {});
  EXPECT_THROW(picture(), Error);
}

/// Two that are blurred, merged, are near to what is blurred at once.
TEST_F(DofTechniqueTest, DeepPicturesMerge) {
  const Image discs = test::discPicture(75, 53);
  const auto blurred = [&](int part, std::vector<DeepImage>* deep) {
    openDeep(75, 53, [&](int x, int y) { return discsBefore(discs, x, y, part); });
    lens(9, 5);
    if (deep) technique_.makeDeep(16, [&](DeepImage&& rows) { deep->push_back(std::move(rows)); });
    const Image whole = picture();
    technique_.makeDeep(0, nullptr);
    return whole;
  };
  std::vector<DeepImage> parts;
  blurred(1, &parts), blurred(2, &parts);
  DeepImage merged = together(std::move(parts), {0, 0, 75, 53});
  sortLists(merged);
  EXPECT_GT(compare(flattened(merged), blurred(3, nullptr)).psnr, 38);
}

/// The parts of a scene, blurred each and then merged, against one blur of the scene.
TEST_F(DofTechniqueTest, DeepPicturesOfPartsMerge) {
  const glm::ivec2 size(120, 68);
  Progress progress;
  for (const auto& [name, parts] :
       {std::pair("planes:count=1,spheres=30,alpha=1", std::vector{"planes", "spheres"}),
        {"hairball:strands=80,spheres=20,alpha=1", {"hair", "spheres"}},
        {"forest", {"leaves", "trunks", "ground"}}}) {
    QualityScene scene(context(), name, size, progress);
    Settings& whole = scene.technique().settingsStruct();
    whole.maxRadius = MaxRadius::R8;
    for (const Focus focus : {Focus::Far, Focus::Mid, Focus::Near}) {
      scene.focus(focus);
      whole.mmPerUnit = float(scene.technique().shot().mmPerUnit());
      std::vector<DeepImage> blurred;
      for (const char* part : parts) {
        openScene(fmt::format("{}#{}", name, part), size.x, size.y);
        settings() = whole;
        technique_.makeDeep(16, [&](DeepImage&& rows) { blurred.push_back(std::move(rows)); });
        picture();
      }
      DeepImage merged = together(std::move(blurred), {0, 0, size.x, size.y});
      sortLists(merged);
      const double psnr = compare(flattened(merged), scene.picture()).psnr;
      RecordProperty(fmt::format("{} {}", name, nameOf(focus)), fmt::format("{:.2f}", psnr));
      EXPECT_GT(psnr, 38) << name << " " << nameOf(focus);
    }
  }
}

/// A mask from 0 on the left to 1 on the right: on pictures and on lists, discs with a map too.
TEST_F(DofTechniqueTest, AFocusMaskIsThatOfTheReference) {
  Image ramp(75, 53);
  for (int i = 0; i < 75 * 53; ++i) ramp.pixels[std::size_t(i)] = glm::vec4(float(i % 75) / 74);
  const TempFolder folder;
  writeFlatExr(folder.file("ramp.exr"), ramp, {.asFloat = true});
  const auto compare = [&](const char* what) {
    SCOPED_TRACE(what);
    settings().mask = "";
    const Image plain = picture(false);
    settings().mask = folder.file("ramp.exr");
    const Image found = picture(false);
    const float bound = settings().op == Operator::Gather ? 0.05f : 0.0125f;
    EXPECT_TRUE(test::rounding(found, technique_.reference(), bound));
    const Image sharp = technique_.sharp()->downloadImage();
    const int margin = technique_.margin();
    double left = 0, right = 0, apart = 0;  // from the sharp picture, from the unmasked one
    for (int y = 0; y < 53; ++y) {
      left += glm::length(glm::vec3(found.at(1, y) - sharp.at(1 + margin, y + margin)));
      right += glm::length(glm::vec3(found.at(70, y) - plain.at(70, y)));
      for (int x = 5; x < 40; ++x) apart += glm::length(glm::vec3(found.at(x, y) - plain.at(x, y)));
    }
    EXPECT_LT(left / 53, 0.03);
    EXPECT_LT(right / 53, 0.03);
    EXPECT_GT(apart / (53 * 35), 0.005);
  };
  openFlat(test::discPicture(75, 53));
  lens(7, 5);
  compare("picture");
  settings().blades = Blades::Five;
  compare("blades");
  settings().blades = Blades::Round;
  settings().op = Operator::Over, settings().variant = "tuned";
  compare("the paper's");
  settings().op = Operator::Gather;
  compare("gather");
  settings().op = Operator::Coverage, settings().variant = "auto";
  openDeep(75, 53, [](int x, int y) {
    const float check = (x / 4 + y / 4) % 2 == 0 ? 1.0f : 0.2f;
    std::vector<Fragment> list{{0, check, 0, 1, 12, 12}};
    if (x % 20 < 8) list.insert(list.begin(), {check, 0, 0, 1, 3, 3});
    return list;
  });
  lens(7, 5);
  compare("lists");
  openDeep(20, 53, [](int, int) { return std::vector<Fragment>{}; });
  EXPECT_THROW(picture(), Error);  // of another size
}

/// What lies behind is uncovered by blur: none where the mask takes it away. The mask of a scene
/// lies over its frame.
TEST_F(DofTechniqueTest, AFocusMaskLeavesWhatIsHiddenHidden) {
  openScene("planes:count=1,spheres=30,alpha=1", 64, 48);
  const TempFolder folder;
  writePicture(folder.file("black.png"), Image(8, 6, glm::vec4(0, 0, 0, 1)));
  lens(7, 20);
  picture();
  const std::uint64_t all = technique_.totals().splats;
  settings().mask = folder.file("black.png");
  const Image out = picture(false), sharp = technique_.sharp()->downloadImage();
  EXPECT_LT(technique_.totals().splats, all);
  const int margin = technique_.margin();
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x)
      ASSERT_NEAR(out.at(x, y).g, sharp.at(x + margin, y + margin).g, 2e-3f) << x << " " << y;
  settings().show = Show::FocalPlane;  // all of it is sharp
  const Image shown = picture(false);
  for (const glm::vec4& p : shown.pixels) ASSERT_GT(p.g, 0.4f);
}

TEST_F(DofTechniqueTest, ANanPixelStaysAlone) {
  Image image(40, 40, glm::vec4(0.5f, 0.5f, 0.5f, 20));
  image.at(20, 20) = {NAN, NAN, NAN, 20};
  image.at(10, 10).a = NAN;
  openFlat(image);
  lens(8, 10);
  for (const Operator op :
       {Operator::Over, Operator::Coverage, Operator::LensCells, Operator::Gather}) {
    settings().op = op;
    const Image out = picture();
    for (const glm::vec4& p : out.pixels) ASSERT_TRUE(p.g >= 0 && p.g <= 0.51f) << p.g;
    EXPECT_GT(out.at(20, 20).g, 0.3f);  // of its neighbors' light
  }
}

/// A spot of 1000 on black: early out may not lose it.
TEST_F(DofTechniqueTest, AnHdrSpotIsNotLost) {
  Image image(48, 48, glm::vec4(0, 0, 0, 20));
  image.at(24, 24) = {1000, 1000, 1e9f, 20};
  openFlat(image);
  lens(8, 10);
  settings().variant = "block.peel.a.copy.each.direct.compute.ftb.float";
  for (const Operator op : {Operator::Over, Operator::Coverage}) {
    settings().op = op;
    const Image out = picture(), expected = technique_.reference();
    EXPECT_NEAR(out.at(24, 24).g, expected.at(24, 24).g, 0.05f);
    EXPECT_LT(out.at(24, 24).b, 65504);
  }
}

TEST_F(DofTechniqueTest, WithoutAnyDepthTheFocusIsInfinity) {
  Image image = test::discPicture(40, 24);
  for (glm::vec4& p : image.pixels) p.a = INFINITY;
  openFlat(image);
  const Image out = picture();
  for (std::size_t i = 0; i < out.pixels.size(); ++i)
    ASSERT_NEAR(out.pixels[i].g, image.pixels[i].g, 1e-3f);
  lens(6, 1);  // in focus at 1: all of it is blurred alike
  picture();
  EXPECT_NEAR(technique_.lens().cocRadius(INFINITY), 6, 1e-3);
}

/// Red on the left, nothing on the right; and over a background it is what is blurred with that.
TEST_F(DofTechniqueTest, AlphaIsBlurredAsColorIs) {
  const auto open = [&](bool background) {
    openDeep(64, 48, [&](int x, int) {
      std::vector<Fragment> list;
      if (x < 32) list.push_back({1, 0, 0, 1, 12, 12});
      if (background) list.push_back({0, 0.5f, 1, 1, 1e8f, 1e8f});
      return list;
    });
  };
  for (const char* variant : {"auto", "tuned"}) {
    SCOPED_TRACE(variant);
    settings().variant = variant;
    for (const Operator op : {Operator::Coverage, Operator::Over, Operator::Slabs,
                              Operator::LensCells, Operator::Gather}) {
      SCOPED_TRACE(int(op));
      settings().op = op;
      open(false);
      lens(9, 12);  // sharp
      Image out = picture();
      EXPECT_EQ(out.at(31, 24), glm::vec4(1, 0, 0, 1));
      EXPECT_EQ(out.at(32, 24), glm::vec4(0));
      lens(9, 6);
      out = picture();
      for (int x = 0; x < 64; ++x) ASSERT_NEAR(out.at(x, 24).a, out.at(x, 24).r, 2e-3f) << x;
      if (op != Operator::Gather) {
        EXPECT_GT(out.at(30, 24).a, 0.5f);
      }
      EXPECT_EQ(out.at(60, 24).a, 0);
      if (op == Operator::Gather) continue;  // knows no fragments behind others
      open(true), lens(9, 6);
      const Image whole = picture();
      for (int x = 0; x < 64; ++x)
        for (int c = 0; c < 4; ++c) {
          const glm::vec4 behind = (1 - out.at(x, 24).a) * glm::vec4(0, 0.5f, 1, 1);
          ASSERT_NEAR(whole.at(x, 24)[c], out.at(x, 24)[c] + behind[c], 2e-3f) << x;
        }
    }
  }
}

/// The mean of a blurred gray plane, to the corners: scenes are drawn beyond them, files go on.
TEST_F(DofTechniqueTest, EdgesAreNoDarker) {
  const auto lists = [](int, int) { return std::vector<Fragment>{{0.5f, 0.5f, 0.5f, 1, 12, 12}}; };
  openDeep(48, 40, lists);
  lens(16, 6);
  for (const Edges edges : {Edges::Extend, Edges::Mirror, Edges::Renormalize}) {
    settings().edges = edges;
    const Image out = picture();
    for (const glm::vec4& p : out.pixels) {
      ASSERT_NEAR(p.g, 0.5f, 1e-4f);
      ASSERT_NEAR(p.a, 1, 1e-4f);
    }
  }
}

TEST_F(DofTechniqueTest, ScenesAreDrawnBeyondTheBorder) {
  openScene("planes:count=1,spheres=30,alpha=1", 64, 48);
  settings().maxRadius = MaxRadius::R32;
  lens(6, 20);  // no radius is cut, which the sampled lens would not do
  const Image wide = picture();
  settings().op = Operator::Lens, settings().lensPoints = LensPoints::P256;
  const Image truth = picture();
  settings().op = Operator::Coverage, settings().edges = Edges::Renormalize;
  const Image narrow = picture();
  double withMargin = 0, without = 0;
  for (int x = 0; x < 64; ++x)
    for (const int y : {0, 47}) {
      withMargin += glm::length(glm::vec3(wide.at(x, y) - truth.at(x, y)));
      without += glm::length(glm::vec3(narrow.at(x, y) - truth.at(x, y)));
    }
  EXPECT_LT(withMargin, 0.7 * without);
}

/// Fog from 3 to 30, in focus at 6: its near end is blurred much, its middle not at all.
TEST_F(DofTechniqueTest, VolumesAreBlurredSliceBySlice) {
  openDeep(48, 48, [](int x, int y) {
    const float green = x == 24 && y == 24 ? 1 : 0;
    return std::vector<Fragment>{{1, green, 0, 0.75f, 3, 30}};
  });
  lens(12, 6);
  const Image out = picture();
  const float middle = out.at(24, 24).g, beside = out.at(27, 24).g;
  EXPECT_GT(middle, 0.02f);  // the slices around the focus
  EXPECT_GT(beside, 1e-4f);  // the others
  EXPECT_LT(beside, 0.2f * middle);
  EXPECT_NEAR(out.at(24, 24).a, 0.75f, 3e-3f);  // early out leaves away 0.002
  settings().fNumber = 1e6f;                    // unblurred, all slices together are the volume
  EXPECT_NEAR(picture().at(24, 24).a, 0.75f, 1e-6f);
}

/// A pull of focus of 100 steps over a spot of light: no pixel changes by more in one step than 1.5
/// times what any would of which each part of the disc were drawn exactly.
TEST_F(DofTechniqueTest, APullHasNoSteps) {
  constexpr int kReach = 6;
  Image image(2 * kReach + 9, 2 * kReach + 9, glm::vec4(0, 0, 0, 10));
  image.at(kReach + 4, kReach + 4) = {100, 100, 100, 10};
  openFlat(image);
  lens(9, 5);
  std::vector<double> now, exact, before, exactBefore;
  double largest = 0, allowed = 0;
  for (int i = 0; i <= 100; ++i) {
    settings().focusDistance = 9.4f - 0.045f * float(i);
    const Image out = picture(false);
    const double r = technique_.lens().cocRadius(10);
    now.clear(), exact.clear();
    for (int y = 0; y <= kReach; ++y)
      for (int x = 0; x <= y; ++x) {
        now.push_back(double(out.at(kReach + 4 + x, kReach + 4 + y).g) / 100);
        exact.push_back(test::discInPixel(r, x, y, 200) / (3.14159265358979 * r * r));
      }
    for (std::size_t p = 0; i > 0 && p < now.size(); ++p) {
      largest = std::max(largest, std::abs(now[p] - before[p]));
      allowed = std::max(allowed, 1.5 * std::abs(exact[p] - exactBefore[p]));
    }
    before = now, exactBefore = exact;
  }
  RecordProperty("largest, allowed", fmt::format("{:.4f} {:.4f}", largest, allowed));
  EXPECT_GT(technique_.lens().cocRadius(10), 4);
  EXPECT_LE(largest, allowed);
}

/// Once buffers have their size, a pull asks for no memory and waits for nothing. Of a scene, it
/// captures once for the first lens, and once for all others.
TEST_F(DofTechniqueTest, APullAllocatesAndAwaitsNothing) {
  openScene("planes:count=1,spheres=30,alpha=1", 64, 48);
  settings().sort = Sort::Bitonic;  // as on hardware
  lens(6, 20);
  const auto pull = [&](float focus) {
    settings().focusDistance = focus;
    const gpu::WorkCounts before = gpu::workCounts();
    while (technique_.step(context(), 1000).partial) {  // as the window, slice by slice
    }
    return gpu::workCounts() - before;
  };
  for (const float focus : {21.0f, 14.0f, 30.0f}) pull(focus);
  for (const float focus : {29.0f, 22.0f, 16.0f}) {
    const gpu::WorkCounts counts = pull(focus);
    EXPECT_EQ(counts.allocations, 0u) << focus;
    EXPECT_EQ(counts.synchronizations(), 0u) << focus;
  }
}

/// Lists of files and of scenes, brought for some columns and rows of tiles at a time, and what the
/// reference is given of them.
TEST_F(DofTechniqueTest, SomeTilesAtATimeGiveTheSamePicture) {
  const auto compare = [&](std::int64_t limit) {
    lens(6, 9);
    const Image expected = picture();
    EXPECT_EQ(technique_.lists()->bands().size(), 1u);
    context().memory().setBlockLimit(limit);
    technique_.restartBlur();
    const Image found = picture(false);
    bool columns = false, rows = false;
    for (const TileArea& band : technique_.lists()->bands())
      columns |= band.columns.first > 0, rows |= band.rows.first > 0;
    EXPECT_TRUE(columns && rows) << technique_.lists()->bands().size();
    EXPECT_TRUE(test::rounding(found, expected, 0));
    EXPECT_TRUE(test::rounding(found, technique_.reference(), 0.0125f));
    context().memory().setBlockLimit(context().limits().storageBlockBytes);
  };
  settings().maxRadius = MaxRadius::R8;
  openScene("planes:count=1,spheres=40,alpha=1", 112, 80);
  compare(400000);
  openDeep(70, 53, [](int x, int y) {
    const float check = (x / 4 + y / 4) % 2 == 0 ? 1.0f : 0.2f;
    std::vector<Fragment> list{{0, check, 0, 1, 12, 12}};
    if (x % 20 < 8) list.insert(list.begin(), {check, 0, 0, 0.5f, 3, 3});
    return list;
  });
  compare(300000);
}

/// Accumulation is one dispatch of seconds on the processor, and is left in its middle.
TEST_F(DofTechniqueTest, WholePicturesCanBeStopped) {
  if (!context().device().software) GTEST_SKIP() << "a device of its own";
  openFlat(test::discPicture(33, 21));
  settings().maxRadius = MaxRadius::R64;
  lens(60, 5);
  const Image before = picture();
  EXPECT_TRUE(test::rounding(before, technique_.reference(), 0.0125f));
  openFlat(test::discPicture(512, 384));
  int calls = 0;
  const auto stop = [&] {
    if (++calls == 3) throw Cancelled();
  };
  EXPECT_THROW(makeWholePicture(context(), technique_, stop), Cancelled);
  EXPECT_FALSE(technique_.complete());
  openFlat(test::discPicture(33, 21));
  EXPECT_TRUE(test::rounding(picture(), before, 0));
}

/// What is left out of a capture is what no lens sees: the picture is that of all fragments.
TEST_F(DofTechniqueTest, HiddenFragmentsLeftOutDoNotShow) {
  openScene("planes:count=1,spheres=40,alpha=1", 80, 60);
  for (const float focus : {8.0f, 25.0f}) {
    lens(7, focus);
    const Image forThisLens = picture();
    const std::uint64_t few = technique_.totals().splats;
    settings().focusDistance = 1.01f * focus;  // another lens: what any of them sees is captured
    picture(false);
    settings().focusDistance = focus;
    const Image forAny = picture(false);
    EXPECT_LT(few, technique_.totals().splats);
    double sum = 0;
    for (std::size_t i = 0; i < forAny.pixels.size(); ++i)
      sum += glm::length(glm::vec3(forAny.pixels[i] - forThisLens.pixels[i]));
    EXPECT_LT(sum / double(forAny.pixels.size()), 1e-3) << focus;
  }
}

/// Every fault, in the lens and in the splats.
TEST_F(DofTechniqueTest, FaultsAreThoseOfTheSampledLens) {
  Progress progress;
  QualityScene scene(context(), "planes:count=1,spheres=40,alpha=1", {96, 54}, progress);
  scene.technique().settingsStruct().maxRadius = MaxRadius::R8;
  scene.focus(Focus::Mid);
  Settings& s = scene.technique().settingsStruct();
  const auto compare = [&](const char* name) {
    SCOPED_TRACE(name);
    const Image truth = scene.truth(LensPoints::P64);
    scene.choose({"", Operator::Coverage, Layers::All});
    const double psnr = scene.psnr(scene.picture(), truth);
    RecordProperty(name, fmt::format("{:.2f}", psnr));
    EXPECT_GT(psnr, 30);
  };
  s.catsEye = 0.6f, s.swirl = 0.3f;
  compare("cats-eye");
  s.catsEye = 0, s.swirl = 0, s.squeeze = 1.8f, s.sphericalAberration = 0.7f;
  compare("squeeze");
  s.squeeze = 1, s.sphericalAberration = 0, s.axialColor = 1, s.lateralColor = 5;
  compare("color");
}

TEST_F(DofTechniqueTest, ATranslucentPlaneLetsItsShareThrough) {
  openDeep(64, 64, [](int, int) {
    return std::vector<Fragment>{{1, 0, 0, 0.25f, 3, 3}, {0, 1, 0, 1, 12, 12}};
  });
  lens(9, 6);
  const Image out = picture();
  // 1/(pi r2) adds up to N / (pi r2) over a disc of N pixels, within 2 % of 1.
  EXPECT_NEAR(out.at(32, 32).r, 0.25f, 0.02f);
  EXPECT_NEAR(out.at(32, 32).g, 0.75f, 0.02f);
}

/// "Over" multiplies transmittances itself: what lies behind is not thinned once more.
TEST_F(DofTechniqueTest, OverTakesFragmentsWithTheirOwnOpacity) {
  openDeep(32, 32, [](int, int) {
    return std::vector<Fragment>{{1, 0, 0, 0.25f, 3, 3}, {0, 1, 0, 1, 12, 12}};
  });
  settings().op = Operator::Over;
  settings().fNumber = 1e6f;  // all is sharp
  const Image out = picture();
  EXPECT_NEAR(out.at(16, 16).r, 0.25f, 2e-3f);
  EXPECT_NEAR(out.at(16, 16).g, 0.75f, 2e-3f);
}

/// Behind the blurred edge of a near half plane lies a sharp one: on the edge, half of the lens
/// sees it, on both sides of the edge. One layer knows nothing of it inside.
TEST_F(DofTechniqueTest, ABlurredEdgeUncoversWhatIsHidden) {
  const auto lists = [](int x, int) {
    std::vector<Fragment> list;
    if (x < 32) list.push_back({1, 0, 0, 1, 3, 3});
    list.push_back({0, 1, 0, 1, 6, 6});
    return list;
  };
  openDeep(64, 48, lists);
  lens(10, 6);  // r = -10 at 3
  const Image all = picture();
  // The share of a disc of radius 10 beyond a line at distance 4.5: 0.225.
  EXPECT_NEAR(all.at(27, 24).g, 0.225f, 0.04f);
  EXPECT_NEAR(all.at(36, 24).r, 0.225f, 0.04f);
  settings().layers = Layers::First;
  EXPECT_LT(picture().at(27, 24).g, 0.01f);
}

/// The spec's table in small: coverage on all fragments against the paper's operator.
TEST_F(DofTechniqueTest, CoverageOnAllFragmentsGainsFourDecibels) {
  Progress progress;
  QualityScene scene(context(), "planes:count=1,spheres=40,alpha=1", {160, 90}, progress);
  int gained = 0;
  for (const Focus focus : {Focus::Far, Focus::Mid, Focus::Near}) {
    scene.focus(focus);
    const Image truth = scene.truth(LensPoints::P64);
    scene.choose({"", Operator::Over, Layers::First});
    const double paper = scene.psnr(scene.picture(), truth);
    scene.choose({"", Operator::Coverage, Layers::All});
    const double ours = scene.psnr(scene.picture(), truth);
    RecordProperty(nameOf(focus), fmt::format("{:.2f} {:.2f}", paper, ours));
    gained += ours >= paper + 4;
  }
  EXPECT_GE(gained, 2);
}

/// Fibers behind fibers: those that are hidden must not take the place of those that are seen,
/// which stand for all points of the lens already.
TEST_F(DofTechniqueTest, HiddenFibersDoNotReplaceWhatIsSeen) {
  Progress progress;
  QualityScene scene(context(), "hairball:strands=40,spheres=10,alpha=1", {80, 45}, progress);
  scene.technique().settingsStruct().maxRadius = MaxRadius::R8;
  scene.technique().settingsStruct().supersample = Supersample::S2;
  scene.focus(Focus::Near);
  const Image truth = scene.truth(LensPoints::P256);
  scene.choose({"", Operator::Coverage, Layers::First});
  const double first = scene.psnr(scene.picture(), truth);
  scene.choose({"", Operator::Coverage, Layers::All});
  const double all = scene.psnr(scene.picture(), truth);
  RecordProperty("dB", fmt::format("{:.2f} {:.2f}", first, all));
  EXPECT_GT(all, first - 2);
}

/// With several samples per pixel the sharp picture is their mean, from splats and from lens
/// points, and the blurred one is nearer to the lens than with one.
TEST_F(DofTechniqueTest, SamplesOfAPixelAreAveraged) {
  openScene("planes:count=1,spheres=20,alpha=1", 48, 32);
  settings().supersample = Supersample::S2, settings().fNumber = 1e6f;
  const Image out = picture(), fine = technique_.sharp()->downloadImage();
  ASSERT_EQ(out.width, 48);
  const int margin = technique_.margin();
  settings().op = Operator::Lens, settings().lensPoints = LensPoints::P256;
  const Image lens = picture();
  double apart = 0;
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      float mean = 0;
      for (int i = 0; i < 4; ++i)
        mean += fine.at(2 * x + i % 2 + margin, 2 * y + i / 2 + margin).g / 4;
      ASSERT_NEAR(out.at(x, y).g, mean, 2e-4f) << x << ", " << y;
      apart += std::abs(lens.at(x, y).g - mean) / double(out.pixels.size());
    }
  EXPECT_LT(apart, 1e-2);
  settings().lensPoints = LensPoints::P64, settings().fNumber = 1, settings().focusDistance = 10;
  settings().focalLength = 85, settings().op = Operator::Coverage;
  const Image blurred = picture();
  EXPECT_TRUE(test::rounding(blurred, technique_.reference(), 0.0125f));
}

TEST_F(DofTechniqueTest, SupersamplingGainsFourDecibels) {
  Progress progress;
  QualityScene scene(context(), "planes:count=1,spheres=40,alpha=1", {96, 54}, progress);
  Settings& s = scene.technique().settingsStruct();
  s.maxRadius = MaxRadius::R8;
  s.focusDistance = 11, s.fNumber = 0.6f;  // cuts no radius: lens samples cut none
  s.supersample = Supersample::S2;
  const Image truth = scene.truth(LensPoints::P256);
  scene.choose({"", Operator::Coverage, Layers::All});
  const double fine = scene.psnr(scene.picture(), truth);
  s.supersample = Supersample::S1;
  const double coarse = scene.psnr(scene.picture(), truth);
  RecordProperty("dB", fmt::format("{:.2f} {:.2f}", coarse, fine));
  EXPECT_GT(fine, coarse + 4);
  s.supersample = Supersample::S4, s.maxRadius = MaxRadius::R256;
  EXPECT_THROW(scene.picture(), Error);
}

TEST_F(DofTechniqueTest, ThroughAPinholeTheLensSeesThePicture) {
  openScene("planes:count=1,spheres=20,alpha=1", 48, 32);
  settings().op = Operator::Lens, settings().lensPoints = LensPoints::P64;
  settings().fNumber = 1e6f;
  const Image out = picture(), sharp = technique_.sharp()->downloadImage();
  for (std::size_t i = 0; i < out.pixels.size(); ++i)
    ASSERT_NEAR(out.pixels[i].g, sharp.pixels[i].g, 1e-3f);
}

/// Half of what one sees through planes of alpha 0.05 lies in the first 14 of 256 from 2 to 20.
TEST_F(DofTechniqueTest, TranslucentSurfacesAreFocusedOn) {
  openScene("planes:spheres=0", 61, 45);
  settings().focusDistance = 0;
  picture();
  EXPECT_NEAR(technique_.lens().focus, 2.95, 0.25);
  EXPECT_NEAR(technique_.focusAt(30, 22), technique_.lens().focus, 1e-3);
  EXPECT_GT(technique_.focusAt(1, 22), 100);  // beside them
}

/// The depth to focus on is the median of 5 x 5 pixels.
TEST_F(DofTechniqueTest, FocusIsFoundAtAPixel) {
  openFlat(test::twoDepths(4, 9));
  lens(6, 4);
  picture();
  EXPECT_EQ(technique_.focusAt(24, 16), 9.0f);
  EXPECT_EQ(technique_.focusAt(15, 16), 4.0f);  // 15 of 25 pixels
}

/// Pixels that are not square: of the input, as its file says.
TEST_F(DofTechniqueTest, PixelsHaveTheAspectOfTheInput) {
  EXPECT_EQ(technique_.frame().pixelAspect, 1);
  const TempFolder folder;
  const std::vector<float> depth(8 * 6, 5.0f);
  writeFlatExr(folder.file("anamorphic.exr"), Image(8, 6, glm::vec4(0.5f)),
               {.pixelAspect = 2, .depth = depth});
  Progress progress;
  technique_.adopt(read({folder.file("anamorphic.exr")}, progress));
  EXPECT_EQ(technique_.frame().pixelAspect, 2);
  openDeep(
      8, 6,
      [](int, int) {
        return std::vector<Fragment>{{1, 1, 1, 1, 4, 4}};
      },
      2);
  EXPECT_EQ(technique_.frame().pixelAspect, 2);
  technique_.adopt(read({"planes:count=1,spheres=1"}, progress));
  EXPECT_EQ(technique_.frame().pixelAspect, 1);
}

TEST_F(DofTechniqueTest, InspectListsTheSplatsThatCoverAPixel) {
  openFlat(test::discPicture(48, 48));
  lens(6, 5);
  picture();
  const std::optional<PixelReport> report = technique_.inspect(20, 20);
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->rows.empty());
  for (std::size_t i = 1; i < report->marks.size(); ++i)
    EXPECT_LE(report->marks[i - 1].z, report->marks[i].z);
  EXPECT_FALSE(technique_.inspect(48, 0));
}

TEST_F(DofTechniqueTest, OverlaysAndReadOuts) {
  openFlat(test::discPicture(32, 32));
  lens(6, 5);
  for (const Show show : {Show::Circles, Show::FocalPlane, Show::Difference}) {
    settings().show = show;
    picture();
    EXPECT_FALSE(technique_.legend().empty());
  }
  EXPECT_GT(technique_.facts().size(), 8u);
}

}  // namespace
}  // namespace fathom::dof
