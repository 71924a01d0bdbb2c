// SPDX-License-Identifier: BSD-3-Clause
// Every fault that fathom deep check names, planted in a file of its own, is found; an image
// without faults has no finding.
#include "app/engine/deep/read/deep_check.h"

#include "app/engine/core/bytes.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "tests/deep/deep_images.h"

#include <half.h>

namespace fathom::deep {
namespace {

constexpr Rect kWindow{0, 0, 3, 2};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Six pixels of two points with float channels A, B, G, R, Z and ZBack.
DeepImage sound() {
  std::vector<std::vector<Fragment>> lists;
  for (int p = 0; p < 6; ++p)
    lists.push_back({{0.25f, 0.25f, 0.25f, 0.5f, 1, 1}, {0.125f, 0.25f, 0.25f, 0.5f, 2, 2}});
  DeepImage image = test::deepImage(kWindow, lists);
  image.hasZBack = true;
  image.channels.push_back({"ZBack", ChannelType::Float, {}});
  makeIndexed(image);
  for (DeepChannel& channel : image.channels) {
    if (channel.type != ChannelType::Half) continue;
    std::vector<std::byte> floats(channel.values.size() * 2);
    for (std::size_t i = 0; i < channel.values.size() / 2; ++i) {
      half value;
      value.setBits(load<std::uint16_t>(channel.values.data() + 2 * i));
      store(floats.data() + 4 * i, float(value));
    }
    channel = {channel.name, ChannelType::Float, floats};
  }
  return image;
}

DeepChannel& channel(DeepImage& image, const std::string& name) {
  for (DeepChannel& c : image.channels)
    if (c.name == name) return c;
  ADD_FAILURE() << name;
  return image.channels[0];
}
/// Fragment i of pixel 2: files number them 4 and 5.
void set(DeepImage& image, const std::string& name, int i, float value) {
  store(channel(image, name).values.data() + 4 * std::size_t(4 + i), value);
}
void place(DeepImage& image, int i, float z, float zBack) {
  set(image, "Z", i, z), set(image, "ZBack", i, zBack);
}
void addIds(DeepImage& image, std::uint32_t id, bool named) {
  DeepChannel ids{"id", ChannelType::Uint, std::vector<std::byte>(12 * 4)};
  for (std::size_t i = 0; i < 12; ++i) store(ids.values.data() + 4 * i, std::uint32_t(7));
  store(ids.values.data() + 4 * 4, id);
  image.channels.push_back(ids);
  std::ranges::sort(image.channels, {}, &DeepChannel::name);
  std::vector<IdNames> names(1);
  names[0].channels = {"id"};
  names[0].names = {{7, {"seven"}}};
  if (named) names[0].names[id] = {"it"};
  image.attributes = std::make_shared<const Attributes>(Attributes{idManifestAttribute(names)});
}

struct Planted {
  std::string code;
  std::function<void(DeepImage&, DeepWriteOptions&)> plant;
};

std::vector<Planted> allFaults() {
  using I = DeepImage;
  using O = DeepWriteOptions;
  std::vector<Planted> all{
      {"alpha-range", [](I& i, O&) { set(i, "A", 0, 1.5f); }},
      {"alpha-range", [](I& i, O&) { set(i, "A", 1, -0.5f); }},
      {"nan-color", [](I& i, O&) { set(i, "A", 0, kNan); }},
      {"nan-color", [](I& i, O&) { set(i, "A", 0, INFINITY); }},
      {"nan-depth", [](I& i, O&) { set(i, "Z", 1, kNan); }},
      {"nan-depth", [](I& i, O&) { set(i, "ZBack", 1, kNan); }},
      {"below-near", [](I& i, O&) { place(i, 0, -1, -1); }},
      {"back-in-front", [](I& i, O&) { place(i, 0, 1, 0.5f); }},
      {"back-in-front", [](I& i, O&) { place(i, 1, 2, 1.5f); }},
      {"unsorted", [](I& i, O&) { i.sorted = false, place(i, 0, 3, 3); }},
      {"unsorted", [](I& i, O&) { i.sorted = false, place(i, 0, 2, 4), place(i, 1, 2, 3); }},
      {"wrong-state", [](I& i, O&) { place(i, 0, 3, 3); }},
      {"wrong-state", [](I& i, O&) { i.tidy = true, place(i, 0, 1, 3); }},
      {"overlapping", [](I& i, O&) { place(i, 0, 1, 3), place(i, 1, 2, 4); }},
      {"overlapping", [](I& i, O&) { place(i, 0, 1, 3); }},
      {"coincident", [](I& i, O&) { place(i, 1, 1, 1); }},
      {"hidden", [](I& i, O&) { set(i, "A", 0, 1); }},
      {"empty-fragment",
       [](I& i, O&) {
         for (const char* name : {"A", "R", "G", "B"}) set(i, name, 0, 0);
       }},
      {"duplicate", [](I& i, O&) { place(i, 1, 1, 1), set(i, "R", 1, 0.25f); }},
      {"unnamed-id", [](I& i, O&) { addIds(i, 9, false); }},
      {"tiled", [](I&, O& o) { o.tiled = true; }},
      {"no-alpha",
       [](I& i, O&) { std::erase_if(i.channels, [](auto& c) { return c.name == "A"; }); }},
      {"misspelled-zback", [](I& i, O&) { channel(i, "ZBack").name = "Zback"; }},
      {"half-depth",
       [](I& i, O&) {
         DeepChannel& z = channel(i, "Z");
         z = {"Z", ChannelType::Half, std::vector<std::byte>(24, std::byte(0x3c))};
         std::erase_if(i.channels, [](auto& c) { return c.name == "ZBack"; });
         i.hasZBack = false;
       }},
      {"compression", [](I&, O& o) { o.compression = DeepCompression::Rle; }},
      {"out-of-frame",
       [](I& i, O&) {
         i.displayWindow = {100, 100, 5, 5};
       }},
      {"no-fragments", [](I& i, O&) {
         i.fragmentOffsets.assign(7, 0), i.words.clear();
         for (DeepChannel& c : i.channels) c.values.clear();
       }}};
  for (const char* name : {"R", "G", "B"}) {
    all.push_back({"nan-color", [name](I& i, O&) { set(i, name, 0, kNan); }});
    all.push_back({"negative-color", [name](I& i, O&) { set(i, name, 1, -0.25f); }});
  }
  return all;
}

bool hasCode(const CheckedPart& part, const std::string& code) {
  return std::ranges::count(part.findings, code, &Finding::code) > 0;
}

TEST(DeepCheck, EveryPlantedFaultIsFound) {
  const TempFolder folder;
  const std::vector<Planted> faults = allFaults();
  EXPECT_GE(faults.size(), 30u);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    DeepImage image = sound();
    DeepWriteOptions options;
    faults[i].plant(image, options);
    const auto file = folder / fmt::format("{}.exr", i);
    writeDeepExr(file, image, options);
    const std::vector<CheckedPart> parts = checkDeepExr(file);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_TRUE(hasCode(parts[0], faults[i].code)) << i << " " << faults[i].code;
    for (const Finding& finding : parts[0].findings) {
      if (finding.count > 0 && finding.code == faults[i].code) {
        EXPECT_EQ((std::pair(finding.x, finding.y)), (std::pair(2, 0)));
      }
    }
  }
}

TEST(DeepCheck, ASoundImageHasNoFinding) {
  const TempFolder folder;
  DeepImage image = sound();
  writeDeepExr(folder / "a.exr", image);
  EXPECT_TRUE(checkDeepExr(folder / "a.exr").at(0).findings.empty());
  addIds(image, 9, true);
  writeDeepExr(folder / "b.exr", image);
  const CheckedPart part = checkDeepExr(folder / "b.exr").at(0);
  EXPECT_TRUE(part.findings.empty());
  EXPECT_EQ(part.fragments, 12u);
  ASSERT_EQ(part.channels.size(), 7u);
  EXPECT_EQ(part.channels[0].bytes, 48u);
  ASSERT_FALSE(part.costliest.empty());
  EXPECT_EQ(part.costliest[0].count, 2u);
}

TEST(DeepCheck, DenseListsThatShowLittleAreNamed) {
  const TempFolder folder;
  std::vector<Fragment> list;
  for (int i = 0; i < 400; ++i)
    list.push_back({0.001f, 0.001f, 0.001f, 0.001f, 1 + i * 1e-3f, 1 + i * 1e-3f});
  const Rect window{0, 0, 2, 20};
  writeDeepExr(folder / "a.exr",
               test::deepImage(window, std::vector<std::vector<Fragment>>(40, list)));
  const CheckedPart part = checkDeepExr(folder / "a.exr").at(0);
  EXPECT_TRUE(hasCode(part, "dense"));
  EXPECT_LT(part.thinned, 0.25);
}

}  // namespace
}  // namespace fathom::deep
