// SPDX-License-Identifier: BSD-3-Clause
// Shares of a folder of OBJ files, each file an object. Every rank measures all files in a quick
// pass over their text, so that all agree on bounds and counts, and then reads only its own.
#include "app/engine/core/jobs.h"
#include "app/engine/scene/obj.h"
#include "app/engine/scene/scene_cut.h"
#include "app/engine/active_pixel/share/share_drawer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace fathom::active_pixel {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kChunkBytes = 1 << 20;

bool isObj(const fs::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending == ".obj";
}

struct Measured {
  Box bounds;
  std::uint64_t triangles = 0;
};

/// The next number or word of a line.
std::string_view nextToken(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return line = {};
  const std::size_t end = std::min(line.find_first_of(" \t\r", first), line.size());
  const std::string_view token = line.substr(first, end - first);
  line.remove_prefix(end);
  return token;
}

/// Vertices widen the bounds, faces count by the triangles of their fan. What is wrong with a line
/// is said by the rank that reads the file.
void measureLine(std::string_view line, Measured& measured) {
  const std::string_view word = nextToken(line);
  if (word == "v") {
    glm::vec3 p(0);
    for (int i = 0; i < 3; ++i) {
      std::string_view token = nextToken(line);
      if (!token.empty() && token[0] == '+') token.remove_prefix(1);
      std::from_chars(token.data(), token.data() + token.size(), p[i]);
    }
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) measured.bounds.add(p);
  } else if (word == "f") {
    std::uint64_t corners = 0;
    while (!nextToken(line).empty()) ++corners;
    if (corners > 2) measured.triangles += corners - 2;
  }
}

Measured measure(const fs::path& file, const Progress& progress) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("{}: expected a readable OBJ file, could not open it", file.string());
  Measured measured;
  std::string text;
  for (bool more = true; more;) {
    progress.throwIfCancelled();
    const std::size_t kept = text.size();
    text.resize(kept + kChunkBytes);
    stream.read(text.data() + kept, std::streamsize(kChunkBytes));
    text.resize(kept + std::size_t(stream.gcount()));
    more = bool(stream);
    const std::string_view all(text);
    std::size_t at = 0;
    for (std::size_t end; (end = all.find('\n', at)) != std::string_view::npos; at = end + 1)
      measureLine(all.substr(at, end - at), measured);
    if (!more) measureLine(all.substr(at), measured);
    text.erase(0, at);
  }
  if (stream.bad()) fail("{}: expected a readable OBJ file, reading failed", file.string());
  return measured;
}

struct Folder {
  std::string name;
  std::vector<fs::path> files;  // in the order of their names
  std::vector<Measured> measured;
  Whole whole;
};

/// The share of file `index` that belongs to a rank, as a range of its triangles 0..1.
struct TriangleRange {
  std::size_t file;
  double first, end;
};

std::vector<TriangleRange> rangesOfShare(const Folder& folder, int rank, int ranks, Split split) {
  std::vector<TriangleRange> ranges;
  if (split == Split::Objects) {
    for (std::size_t i = std::size_t(rank); i < folder.files.size(); i += std::size_t(ranks))
      ranges.push_back({i, 0, 1});
    return ranges;
  }
  const double all = double(folder.whole.triangles);
  const double first = all * rank / ranks, end = all * (rank + 1) / ranks;
  double before = 0;
  for (std::size_t i = 0; i < folder.files.size(); ++i) {
    const auto count = double(folder.measured[i].triangles);
    if (count > 0 && before < end && before + count > first)
      ranges.push_back(
          {i, std::max(0.0, (first - before) / count), std::min(1.0, (end - before) / count)});
    before += count;
  }
  return ranges;
}

std::shared_ptr<const Share> takeOf(const Folder& folder, int rank, int ranks, Split split,
                                    Progress& progress) {
  Scene share;
  share.name = folder.name;
  for (const TriangleRange& range : rangesOfShare(folder, rank, ranks, split)) {
    Scene object;
    object.name = folder.files[range.file].string();
    loadObj(object, folder.files[range.file], "all", progress);
    for (ScenePart& part : object.parts) part.name = folder.files[range.file].stem().string();
    const auto count = double(object.triangleCount());
    append(share, cut(object, rangesOf(object, std::uint64_t(range.first * count),
                                       std::uint64_t(range.end * count))));
    share.warnings.insert(share.warnings.end(), object.warnings.begin(), object.warnings.end());
  }
  return std::make_shared<TriangleShare>(folder.whole, std::move(share));
}

class FolderSource : public ShareSource {
 public:
  explicit FolderSource(Folder folder) : folder_(std::move(folder)) {}
  const Whole& whole() const override { return folder_.whole; }
  std::shared_ptr<const Share> take(int rank, int ranks, Split split,
                                    Progress& progress) const override {
    return takeOf(folder_, rank, ranks, split, progress);
  }

 private:
  Folder folder_;
};

}  // namespace

bool isObjFolder(const std::string& input) {
  std::error_code error;
  for (fs::directory_iterator it(input, error), end; !error && it != end; it.increment(error))
    if (isObj(it->path())) return true;
  return false;
}

std::shared_ptr<const ShareSource> openFolder(const std::string& name, Progress& progress) {
  Folder folder;
  folder.name = name;
  std::error_code error;
  for (fs::directory_iterator it(name, error), end; !error && it != end; it.increment(error))
    if (isObj(it->path())) folder.files.push_back(it->path());
  if (folder.files.empty())
    fail("{}: expected a scene, an OBJ file or a folder of OBJ files, found {}", name,
         fs::is_directory(name, error) ? "a folder without them" : "none of these");
  std::sort(folder.files.begin(), folder.files.end());

  folder.measured.resize(folder.files.size());
  progress.begin("measuring files", double(folder.files.size()));
  parallelFor(folder.files.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      folder.measured[i] = measure(folder.files[i], progress);
      progress.advance(1);
    }
  });
  Whole& whole = folder.whole;
  for (const Measured& m : folder.measured) {
    if (!m.bounds.empty()) whole.bounds.add(m.bounds.low), whole.bounds.add(m.bounds.high);
    whole.triangles += m.triangles;
  }
  whole.objects = folder.files.size();
  whole.camera.position = {0.7f, 0.5f, 1.0f};
  whole.camera.target = {0, 0, 0};
  whole.camera.frame(whole.bounds, 16.0f / 9.0f);
  return std::make_shared<FolderSource>(std::move(folder));
}

}  // namespace fathom::active_pixel
