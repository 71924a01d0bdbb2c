// SPDX-License-Identifier: BSD-3-Clause
// Genomes to pick from: mutations of one, new ones, those of a file, or favorites that the user
// keeps in one file of the configuration folder. They are drawn small by the CPU on another thread:
// each has a shader of its own, and compiling them would hold up the window.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/random.h"
#include "app/engine/gpu/texture.h"

namespace fathom::flame {

class Favorites {
 public:
  /// Empty: favorites.flame in the configuration folder.
  explicit Favorites(fs::path file = {}) : file_(std::move(file)) {}

  /// Read at the first call; empty when there is no file, or one that problem() tells of.
  const std::vector<Genome>& list();
  /// Keeps a genome, last, once; writes the file. Throws Error, and then keeps nothing.
  void add(Genome genome);
  void remove(std::size_t index);
  const fs::path& file();
  const std::string& problem() const { return problem_; }

 private:
  void write(std::vector<Genome> list);

  fs::path file_;
  bool read_ = false;
  std::vector<Genome> list_;
  std::string problem_;
};

/// A genome, and its picture once it is drawn.
struct Thumbnail {
  Genome genome;
  std::string title;
  std::string fileName;  // what a file of it may be called
  gpu::Texture picture;  // as displayed
};

class Thumbnails {
 public:
  enum class Source { Mutations, Random, File, Children, Favorites };

  /// What mutations and crosses are allowed; for the next fill().
  Change& change() { return change_; }

  /// Others from now on; step() has them drawn. Equal seeds give equal ones. `flames`: those of the
  /// file, favorites, or (Children) what `from` is crossed with, each in turn.
  void fill(const Genome& from, std::span<const Genome> flames, Source source, std::uint64_t seed);
  void reset();
  const std::vector<Thumbnail>& list() const { return list_; }
  Source source() const { return source_; }
  std::uint64_t seed() const { return seed_; }

  /// Takes in what was drawn on another thread; true while there is more to come.
  bool step(gpu::Context& gpu);

 private:
  void submit(gpu::Context& gpu);

  std::vector<Thumbnail> list_;
  std::size_t submitted_ = 0;  // of them, to the other thread
  Genome from_;
  std::shared_ptr<const std::vector<Genome>> flames_;
  Source source_ = Source::Mutations;
  Change change_;
  std::uint64_t seed_ = 1;
  JobQueue jobs_;
};

/// The thumbnail at an index, without its picture.
Thumbnail thumbnailOf(const Genome& from, const std::vector<Genome>& flames,
                      Thumbnails::Source source, std::uint64_t seed, std::size_t index,
                      const Change& change = {});

}  // namespace fathom::flame
