// SPDX-License-Identifier: BSD-3-Clause
// The file is written as a whole with every change; one that cannot be read is left alone.
#include "app/window/flame/favorites.h"

#include "app/engine/core/error.h"
#include "app/engine/io/config_paths.h"
#include "app/engine/flame/genome/io.h"

#include <algorithm>

namespace fathom::flame {
namespace {

constexpr std::size_t kMaxFavorites = 200;

}  // namespace

const std::filesystem::path& Favorites::file() {
  if (file_.empty()) file_ = configFolder() / "favorites.flame";
  return file_;
}

const std::vector<Genome>& Favorites::list() {
  if (std::exchange(read_, true)) return list_;
  std::error_code none;
  if (!std::filesystem::exists(file(), none)) return list_;
  try {
    list_ = readGenomes(file()).genomes;
  } catch (const Error& error) {
    problem_ = error.what();
  }
  return list_;
}

void Favorites::add(Genome genome) {
  std::vector<Genome> next = list();
  if (std::find(next.begin(), next.end(), genome) != next.end()) return;
  if (next.size() >= kMaxFavorites)
    fail("{}: expected at most {} favorites, found more", file().string(), kMaxFavorites);
  next.push_back(std::move(genome));
  write(std::move(next));
}

void Favorites::remove(std::size_t index) {
  std::vector<Genome> next = list();
  if (index >= next.size()) return;
  next.erase(next.begin() + std::ptrdiff_t(index));
  write(std::move(next));
}

void Favorites::write(std::vector<Genome> next) {
  if (!problem_.empty()) fail("{}", problem_);  // what is in there may be worth more
  std::error_code none;
  if (next.empty()) {
    std::filesystem::remove(file(), none);
  } else {
    std::filesystem::create_directories(file().parent_path(), none);
    writeGenomes(file(), next);
  }
  list_ = std::move(next);
}

}  // namespace fathom::flame
