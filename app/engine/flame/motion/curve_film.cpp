// SPDX-License-Identifier: BSD-3-Clause
// A flame of JWildfire that moves by its motion curves, as a film of its frames: each moment is
// read anew from the text of the flame.
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/motion.h"
#include "app/engine/io/atomic_file.h"

namespace fathom::flame {
namespace {

class CurveFilm : public Motion {
 public:
  CurveFilm(const fs::path& file, const GenomeFile& read, std::uint64_t seed, glm::ivec2 size)
      : name_(file.string()),
        text_(readFile(file, kMaxGenomeFileBytes)),
        seed_(seed),
        size_(size),
        frames_(read.frames),
        palette_(read.genomes.front().palette) {}

  Genome shapeAt(double time) const override {
    Genome genome = parseGenomes(text_, name_, seed_, 0, time).genomes.front();
    genome.time = time;
    return size_.x > 0 ? framed(genome, size_) : genome;
  }
  Palette paletteAt(double) const override { return palette_; }
  Genome extent(double first, double last) const override {
    constexpr int kSteps = 16;
    Genome sum = shapeAt(first);
    for (int step = 1; step <= kSteps && last > first; ++step)
      extend(sum, shapeAt(first + step * (last - first) / kSteps));
    return sum;
  }
  /// The shutter of a frame is open around its middle.
  double firstTime() const override { return 0.5; }
  double lastTime() const override { return frames_ + 0.5; }
  bool moves() const override { return true; }
  std::vector<MovingGenome> curves(double, double) const override { return {}; }

 private:
  std::string name_, text_;
  std::uint64_t seed_;
  glm::ivec2 size_;
  int frames_;
  Palette palette_;
};

}  // namespace

std::shared_ptr<const Motion> curveFilm(const fs::path& file, const GenomeFile& read,
                                        std::uint64_t seed, glm::ivec2 size) {
  return std::make_shared<const CurveFilm>(file, read, seed, size);
}

}  // namespace fathom::flame
