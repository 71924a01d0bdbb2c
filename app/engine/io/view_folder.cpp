// SPDX-License-Identifier: BSD-3-Clause
// Names are matched to places in the grid or in time first; only a complete folder is accepted.
#include "app/engine/io/view_folder.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"
#include "app/engine/io/picture.h"

#include <fmt/ranges.h>
#include <regex>

namespace fathom {
namespace {

constexpr const char* kIndexName = "views.json";
constexpr std::uint64_t kMaxIndexBytes = 1 << 20;

bool isPictureName(const fs::path& file) {
  const std::vector<std::string>& known = pictureEndings();
  return std::find(known.begin(), known.end(), endingOf(file)) != known.end();
}

std::vector<fs::path> picturesIn(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (isPictureName(it->path())) files.push_back(it->path());
  if (error) fail("{}: expected a readable folder, found: {}", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  if (files.empty())
    fail("{}: expected images ({}), found none", folder.string(),
         fmt::join(pictureEndings(), ", "));
  return files;
}

/// The numbers in a file's name without its ending, which `form` has groups for; none when the name
/// is not of that form.
std::vector<int> numbersOf(const fs::path& file, const std::regex& form) {
  const std::string stem = file.stem().string();
  std::smatch found;
  std::vector<int> numbers;
  if (std::regex_match(stem, found, form))
    for (std::size_t i = 1; i < found.size(); ++i) numbers.push_back(std::stoi(found.str(i)));
  return numbers;
}

// ---- The index

OrderedJson readIndex(const fs::path& file) {
  OrderedJson index = parseOrderedJson(readFile(file, kMaxIndexBytes), file.string(), "JSON");
  if (!index.is_object())
    fail("{}: expected a JSON object, found {}", file.string(), index.type_name());
  return index;
}

int gridSide(const fs::path& file, const OrderedJson& index, const char* key) {
  const auto at = index.find(key);
  if (at == index.end()) fail("{}: expected \"{}\", found none", file.string(), key);
  if (!at->is_number_integer() || *at < 1 || *at > kMaxViews)
    fail("{}: expected \"{}\" as a whole number from 1 to {}, found {}", file.string(), key,
         kMaxViews, at->dump());
  return at->get<int>();
}

glm::dvec2 originIn(const fs::path& file, const OrderedJson& index, glm::ivec2 grid) {
  const auto at = index.find("origin");
  if (at == index.end()) return glm::dvec2(grid - 1) / 2.0;
  const auto holds = [&](std::size_t i) {
    return (*at)[i].is_number() && (*at)[i] >= 0 && (*at)[i] <= grid[int(i)] - 1;
  };
  if (!at->is_array() || at->size() != 2 || !holds(0) || !holds(1))
    fail("{}: expected \"origin\" as column and row within the grid, found {}", file.string(),
         at->dump());
  return {(*at)[0].get<double>(), (*at)[1].get<double>()};
}

// ---- Files in their places

void placeViews(ViewFolder& found, const fs::path& folder, const std::vector<fs::path>& files) {
  const glm::ivec2 grid = found.grid;
  found.files.resize(std::size_t(grid.x) * std::size_t(grid.y));
  const std::regex form(R"((?:.*\D)?(\d{1,9})[^\dA-Za-z](\d{1,9}))");
  for (const fs::path& file : files) {
    const std::vector<int> place = numbersOf(file, form);
    if (place.empty() || place[0] >= grid.y || place[1] >= grid.x)
      fail("{}: expected a name that ends in _ROW_COLUMN, rows 0..{}, columns 0..{}", file.string(),
           grid.y - 1, grid.x - 1);
    fs::path& slot = found.files[std::size_t(place[1] * grid.y + place[0])];
    if (!slot.empty())
      fail("{}: expected one view of row {}, column {}, found {} too", file.string(), place[0],
           place[1], slot.filename().string());
    slot = file;
  }
  for (int column = 0; column < grid.x; ++column)
    for (int row = 0; row < grid.y; ++row)
      if (found.files[std::size_t(column * grid.y + row)].empty())
        fail("{}: expected a view of row {}, column {} (of {} rows, {} columns), found none",
             (folder / viewFileName(column, row)).string(), row, column, grid.y, grid.x);
}

/// HCI 4D Light Field Benchmark: input_Cam000 .. input_Cam080, row by row from the upper left.
bool placeHciViews(ViewFolder& found, const std::vector<fs::path>& files) {
  const auto side = int(std::lround(std::sqrt(double(files.size()))));
  if (side < 2 || side > kMaxViews || std::size_t(side) * std::size_t(side) != files.size())
    return false;
  std::vector<fs::path> places(files.size());
  const std::regex form(R"(input_Cam(\d{1,9}))");
  for (const fs::path& file : files) {
    const std::vector<int> number = numbersOf(file, form);
    if (number.empty() || std::size_t(number[0]) >= files.size()) return false;
    fs::path& slot = places[std::size_t(number[0] % side * side + number[0] / side)];
    if (!slot.empty()) return false;
    slot = file;
  }
  found.files = std::move(places), found.grid = {side, side}, found.naming = "HCI light field";
  return true;
}

/// The (New) Stanford Light Field Archive: out_ROW_COLUMN_, then where the camera stood.
bool placeStanfordViews(ViewFolder& found, const std::vector<fs::path>& files) {
  std::map<std::pair<int, int>, fs::path> places;  // by column, then row
  glm::ivec2 grid(0);
  const std::regex form(R"(out_(\d{1,2})_(\d{1,2})_.*)");
  for (const fs::path& file : files) {
    const std::vector<int> place = numbersOf(file, form);
    if (place.empty() || place[0] >= kMaxViews || place[1] >= kMaxViews) return false;
    grid = glm::max(grid, glm::ivec2(place[1] + 1, place[0] + 1));
    if (!places.emplace(std::pair(place[1], place[0]), file).second) return false;
  }
  if (places.size() != std::size_t(grid.x) * std::size_t(grid.y)) return false;
  for (const auto& [place, file] : places) found.files.push_back(file);
  found.grid = grid, found.naming = "Stanford light field";
  return true;
}

void placeFrames(ViewFolder& found, const std::vector<fs::path>& files) {
  std::map<int, fs::path> byNumber;
  const std::regex form(R"((?:.*\D)?(\d{1,9}))");
  for (const fs::path& file : files) {
    const std::vector<int> number = numbersOf(file, form);
    if (number.empty())
      fail(
          "{}: expected a name that ends in the frame's number (or views.json in the folder, for "
          "views)",
          file.string());
    const auto [at, isNew] = byNumber.emplace(number[0], file);
    if (!isNew)
      fail(
          "{}: expected one image per frame (or views.json in the folder, for views), found {} "
          "too",
          file.string(), at->second.filename().string());
  }
  if (byNumber.size() > std::size_t(kMaxFrames))
    fail("{}: expected at most {} frames, found {}", files[0].parent_path().string(), kMaxFrames,
         byNumber.size());
  for (const auto& [number, file] : byNumber) {
    const int expected = byNumber.begin()->first + int(found.files.size());
    if (number != expected)
      fail("{}: expected frame {} before it, found none", file.string(), expected);
    found.files.push_back(file);
  }
}

}  // namespace

ViewFolder readViewFolder(const fs::path& folder) {
  const std::vector<fs::path> files = picturesIn(folder);
  const fs::path indexFile = folder / kIndexName;
  ViewFolder found;
  std::error_code error;
  if (fs::exists(indexFile, error)) {
    const OrderedJson index = readIndex(indexFile);
    found.views = !index.contains("frames");
    if (found.views) {
      found.grid = {gridSide(indexFile, index, "columns"), gridSide(indexFile, index, "rows")};
      found.origin = originIn(indexFile, index, found.grid);
    }
  }
  if (!fs::exists(indexFile, error) &&
      (placeHciViews(found, files) || placeStanfordViews(found, files))) {
    found.views = true;
    found.origin = glm::dvec2(found.grid - 1) / 2.0;
  } else if (found.views)
    placeViews(found, folder, files);
  else
    placeFrames(found, files);
  return found;
}

bool holdsPictures(const fs::path& folder) {
  std::error_code error;
  int count = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (isPictureName(it->path()) && ++count == 2) return true;
  return false;
}

std::string viewFileName(int column, int row) {
  return fmt::format("view_{:02}_{:02}.png", row, column);
}

void writeViewIndex(const fs::path& folder, glm::ivec2 grid, glm::dvec2 origin,
                    const std::string& source,
                    const std::vector<std::pair<std::string, double>>& facts) {
  OrderedJson index = {
      {"columns", grid.x}, {"rows", grid.y}, {"origin", {origin.x, origin.y}}, {"source", source}};
  for (const auto& [name, value] : facts) index[name] = value;
  writeFile(folder / kIndexName, documentText(index));
}

}  // namespace fathom
