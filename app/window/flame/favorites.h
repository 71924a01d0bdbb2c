// SPDX-License-Identifier: BSD-3-Clause
// Genomes that the user keeps for later, whatever file they came from: one file of flames in the
// configuration folder, which any command reads too.
#pragma once

#include "app/engine/flame/genome/model.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fathom::flame {

class Favorites {
 public:
  /// Empty: favorites.flame in the configuration folder.
  explicit Favorites(std::filesystem::path file = {}) : file_(std::move(file)) {}

  /// Read at the first call; empty when there is no file, or one that problem() tells of.
  const std::vector<Genome>& list();
  /// Keeps a genome, last, once; writes the file. Throws Error, and then keeps nothing.
  void add(Genome genome);
  void remove(std::size_t index);
  const std::filesystem::path& file();
  const std::string& problem() const { return problem_; }

 private:
  void write(std::vector<Genome> list);

  std::filesystem::path file_;
  bool read_ = false;
  std::vector<Genome> list_;
  std::string problem_;
};

}  // namespace fathom::flame
