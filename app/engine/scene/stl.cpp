// SPDX-License-Identifier: BSD-3-Clause
// STL files, text and binary; colors of facets as VisCAM and Magics write them. Normals are those
// of the triangles: many programs write none, or wrong ones.
#include "app/engine/core/bytes.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/scene/scene_builder.h"

namespace fathom {
namespace {

constexpr std::size_t kHeader = 84, kFacet = 50;

/// 0xRRGGBB of the two bytes behind a facet (five bits each); white where it has no color.
std::uint32_t colorOf(std::uint16_t bits, bool magics) {
  if ((bits >> 15 == 1) == magics) return 0xFFFFFF;
  const auto channel = [&](int shift) { return std::uint32_t(bits >> shift & 31) * 255 / 31; };
  return channel(magics ? 0 : 10) << 16 | channel(5) << 8 | channel(magics ? 10 : 0);
}

}  // namespace

void readStl(Scene& scene, const fs::path& file, const std::string& part, Progress& progress) {
  const std::string bytes = readFile(file);
  const auto* const data = reinterpret_cast<const std::byte*>(bytes.data());
  const std::uint64_t facets = bytes.size() < kHeader ? 0 : load<std::uint32_t>(data + kHeader - 4);
  SceneBuilder builder(scene, file);
  std::vector<std::uint32_t> colors;
  const auto facet = [&] {  // of the last three positions
    const auto last = std::uint32_t(builder.positions());
    builder.face(std::array{SceneCorner{last - 3}, SceneCorner{last - 2}, SceneCorner{last - 1}});
    if (last % 65536 < 3) progress.throwIfCancelled();
  };
  if (bytes.size() >= kHeader && kHeader + facets * kFacet == bytes.size()) {
    const bool magics = bytes.substr(0, 80).find("COLOR=") != std::string::npos;
    bool colored = false;
    for (std::size_t i = kHeader; i < bytes.size(); i += kFacet) {
      for (std::size_t k = i + 12; k < i + 48; k += 12) builder.position(load<glm::vec3>(data + k));
      const auto bits = load<std::uint16_t>(data + i + 48);
      colors.insert(colors.end(), 3, colorOf(bits, magics));
      colored |= bits >> 15 == 1 || magics;
      facet();
    }
    if (!colored) colors.clear();
  } else if (trimmed(std::string_view(bytes).substr(0, kHeader)).starts_with("solid")) {
    std::istringstream words(bytes);
    glm::vec3 p;
    for (std::string word; words >> word;)
      if (lowered(word) == "vertex") {
        if (!(words >> p.x >> p.y >> p.z))
          fail("{}: expected three numbers behind each vertex, found fewer", file.string());
        builder.position(p);
        if (builder.positions() % 3 == 0) facet();
      }
    if (bytes.find("endsolid") == std::string::npos)
      fail("{}: expected \"endsolid\", found the end of the file", file.string());
  } else {
    fail("{}: expected an STL file of {} bytes, as its header says, or of text, found {}",
         file.string(), kHeader + facets * kFacet, bytes.size());
  }
  builder.finish(part, std::move(colors), progress);
}

}  // namespace fathom
