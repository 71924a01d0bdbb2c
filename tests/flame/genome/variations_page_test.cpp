// SPDX-License-Identifier: BSD-3-Clause
// docs/reference/variations.md lists every variation with its parameters, and its sheets have a
// picture of each: what docs/make_variation_pictures.sh draws, in the order of the page.
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
namespace {

constexpr int kSide = 10, kTileWidth = 100, kTileHeight = 116;  // of a sheet

const std::filesystem::path kDocs = FATHOM_DOCS;

std::string textOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Alphabetically, whatever their capitals.
std::vector<int> inOrder() {
  std::vector<std::pair<std::string, int>> keys;
  for (int i = 0; i < variationCount(); ++i) {
    std::string key(variations()[std::size_t(i)].name);
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    keys.emplace_back(key, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order;
  for (const auto& [key, index] : keys) order.push_back(index);
  return order;
}

std::string parametersText(const VariationInfo& info) {
  std::string text;
  bool hasCode = false;
  for (const ParameterInfo& p : info.parameters)
    if (p.low < p.high)
      text += fmt::format("{}`{}` {:g} ({:g} to {:g})", text.empty() ? "" : ", ", p.name,
                          p.fallback, p.low, p.high);
    else
      hasCode = true;
  return text + (hasCode ? ", and what its formula says" : "");
}

std::string depthText(const VariationInfo& info) {
  std::string text;
  const auto add = [&](unsigned use, const char* word) {
    if (info.depth & use) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(kMakesZ, "makes");
  add(kReadsZ, "reads");
  add(kPassesZ, "passes on");
  if (info.fullColors) text += (text.empty() ? "" : ", ") + std::string("full color");
  if (info.colors) text += (text.empty() ? "" : ", ") + std::string("sets color");
  if (info.hides) text += (text.empty() ? "" : ", ") + std::string("hides");
  return text;
}

std::string expectedTable() {
  std::string text =
      "| Variation | Parameters: default (range of the slider) | z, color | Of flam3 | Sheet: row, "
      "column "
      "|\n|---|---|---|---|---|\n";
  int place = 0;
  for (const int index : inOrder()) {
    const VariationInfo& info = variations()[std::size_t(index)];
    text += fmt::format("| `{}` | {} | {} | {} | {}: {}, {} |\n", info.name, parametersText(info),
                        depthText(info), index < kFlam3Variations ? "yes" : "",
                        place / (kSide * kSide) + 1, place / kSide % kSide + 1, place % kSide + 1);
    ++place;
  }
  return text;
}

/// Width and height as a PNG's first chunk says them.
std::array<int, 2> pngSize(const std::filesystem::path& file) {
  const std::string bytes = textOf(file);
  std::array<int, 2> size{};
  for (std::size_t i = 0; i < 8 && bytes.size() >= 24; ++i)
    size[i / 4] = size[i / 4] << 8 | static_cast<unsigned char>(bytes[16 + i]);
  return size;
}

TEST(VariationsPage, ListsEveryVariationAndItsParameters) {
  const std::filesystem::path page = kDocs / "reference" / "variations.md";
  std::string text = textOf(page);
  const std::string begin = "<!-- variations -->\n", end = "<!-- end -->";
  const std::size_t mark = text.find(begin);
  ASSERT_NE(mark, std::string::npos);
  const std::size_t first = mark + begin.size(), length = text.find(end, first) - first;
  const std::string expected = expectedTable();
  EXPECT_EQ(text.substr(first, length), expected)
      << "FATHOM_WRITE_DOCS=1 with this test brings the page up to date";
  if (!std::getenv("FATHOM_WRITE_DOCS")) return;
  std::ofstream(page, std::ios::binary) << text.replace(first, length, expected);
}

TEST(VariationsPage, HasAPictureOfEach) {
  const int count = variationCount(), perSheet = kSide * kSide;
  const std::string page = textOf(kDocs / "reference" / "variations.md");
  for (int sheet = 0; sheet * perSheet < count; ++sheet) {
    const std::string name = fmt::format("pictures/variations-{}.png", sheet + 1);
    EXPECT_THAT(page, HasSubstr(name)) << name;
    const int rows = (std::min(perSheet, count - sheet * perSheet) + kSide - 1) / kSide;
    EXPECT_EQ(pngSize(kDocs / name), (std::array{kSide * kTileWidth, rows * kTileHeight}))
        << "docs/make_variation_pictures.sh makes " << name;
  }
}

}  // namespace
}  // namespace fathom::flame
