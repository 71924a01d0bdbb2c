// SPDX-License-Identifier: BSD-3-Clause
// One run side by side: a whole picture on the GPU; the paper's decoder on its block of 128 x 128
// pixels with 1087 components; a plain loop over records with the GPU's lists. The last row gives
// both ratios, per pixel. The first alone would flatter the GPU: most of it comes from the lists.
#include "app/engine/core/stopwatch.h"
#include "app/lab/smoe/accuracy.h"
#include "app/lab/smoe/baseline.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/models.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace fathom::smoe {
namespace {

using baseline::Solver;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// How long the trials of a row took, for the ratios: by the clock, and on all cores together.
struct RowTimes {
  std::vector<double> ms, coreMs;
  template <class Work>
  void time(const Work& work) {
    const Stopwatch watch;
    const std::clock_t coreStart = std::clock();
    work();
    coreMs.push_back(1e3 * double(std::clock() - coreStart) / CLOCKS_PER_SEC);
    ms.push_back(watch.ms());
  }
};

/// Times per pixel of the rows, in the order ready, built, loop, Eigen.
std::string ratioText(const std::array<double, 4>& times) {
  const auto [ready, built, loop, eigen] = times;
  return fmt::format("Eigen {:.0f} x, record loop {:.2f} x; lists built too {:.0f} x, {:.2f} x",
                     eigen / ready, loop / ready, eigen / built, loop / built);
}

class Whole {
 public:
  explicit Whole(BenchRun& run) : run_(run), decoder_(run.gpu()) {
    const bool quick = run.scale() == BenchScale::Quick;
    const int side = quick ? 128 : 512;
    model_ = fitPicture(run, benchPicture({side, side}, 0.8f, 5), quick ? 1250 : 20'000, 0);
    records_ = reference::recordsOf(model_, {});
    window_.size = {side, side};
    blockSide_ = quick ? 32 : 128;
    const glm::dvec2 middle(side / 2.0);
    block_ = {glm::ivec2(blockSide_), middle - blockSide_ / 2.0};
    mixture_ = mixtureOf(restricted(model_, nearestTo(model_, middle, quick ? 68 : 1087)));
    picture_ = gpu::Texture(run.gpu(), "bench picture", gpu::TextureFormat::Rgba32f, side, side);
    decoder_.setModel(model_);
  }

  void measure() {
    gpu("GPU, lists ready", false, ready_);
    gpu("GPU, lists built too", true, built_);
    loop();
    eigen("Eigen fast, one block", Solver::Fast, fast_);
    eigen("Eigen slow, one block", Solver::Slow, slow_);
    ratios();
  }

 private:
  BenchCase row(const std::string& label, double pixels) const {
    BenchCase c;
    c.workload = fmt::format("K = {}", model_.components.size());
    c.label = label;
    c.size = window_.size;
    c.work = pixels;
    return c;
  }
  double pixels() const { return double(window_.size.x) * window_.size.y; }
  double blockPixels() const { return double(blockSide_) * blockSide_; }

  void gpu(const std::string& label, bool lists, RowTimes& watch) {
    buildAll(decoder_, window_, options_);
    BenchCase c = row(label, pixels());
    if (lists) c.reset = [&] { decoder_.setModel(model_); };
    c.trial = [&] {
      watch.time([&] {
        decodeAll(decoder_, window_, options_, picture_);
        run_.gpu().finish();
      });
    };
    c.check = [&] { return spotCheck(decoder_, records_, window_, bound_); };
    run_.measure(c);
  }

  void loop() {
    const auto lists = downloadLists(decoder_, window_, options_.tilePixels);
    std::vector<glm::vec3> colors;
    BenchCase c = row("record loop, same lists", pixels());
    c.trial = [&] {
      loop_.time([&] {
        colors = baseline::decodeRecords(records_, gridOf(window_), lists, options_.tilePixels);
      });
    };
    c.check = [&] {
      const double worst = accuracyOf(std::vector<glm::dvec3>(colors.begin(), colors.end()),
                                      rawColors(decoder_, window_))
                               .max;
      return CheckResult{worst <= 1e-4, fmt::format("GPU +- {}", shortNumber(worst)),
                         fmt::format("differs from the GPU by {}", worst)};
    };
    run_.measure(c);
  }

  void eigen(const std::string& label, Solver solver, RowTimes& watch) {
    std::vector<glm::dvec3> colors;
    BenchCase c = row(label, blockPixels());
    c.size = block_.size;
    c.trial = [&] {
      watch.time([&] { colors = baseline::decodeBlock(mixture_, 2, block_, {}, solver); });
    };
    c.check = [&] {
      const double worst =
          accuracyOf(colors, reference::decodeMixture(mixture_, 2, block_, {})).max;
      return CheckResult{worst <= 1e-9, fmt::format("rounding {}", shortNumber(worst)),
                         fmt::format("differs by {}", worst)};
    };
    run_.measure(c);
  }

  /// Not timed: what the rows above say about each other.
  void ratios() {
    const auto perPixel = [&](std::vector<double> RowTimes::*ms) {
      const double eigen = std::min(median(fast_.*ms), median(slow_.*ms)) / blockPixels();
      return std::array{median(ready_.*ms) / pixels(), median(built_.*ms) / pixels(),
                        median(loop_.*ms) / pixels(), eigen};
    };
    std::string text = ratioText(perPixel(&RowTimes::ms));
    // A software renderer takes more than one core, and shares them with what else runs.
    if (run_.gpu().device().software)
      text += fmt::format(" (core time: {})", ratioText(perPixel(&RowTimes::coreMs)));
    BenchCase c = row("GPU, per pixel: faster than", 0);
    c.memoryBytes = 0;
    c.check = [text] { return CheckResult{true, text, ""}; };
    run_.measure(c);
  }

  BenchRun& run_;
  Decoder decoder_;
  Model model_;
  std::vector<Record> records_;
  ViewWindow window_;
  DecodeOptions options_;
  double bound_ = std::exp2(-11);  // the strict test of the options' ten bits
  int blockSide_ = 0;
  reference::Grid block_;
  std::vector<Gaussian> mixture_;
  gpu::Texture picture_;
  RowTimes ready_, built_, loop_, fast_, slow_;
};

void runWhole(BenchRun& run) { Whole(run).measure(); }

}  // namespace

Bench wholeBench() {
  return {"smoe.whole",
          "A whole picture on the GPU beside two decoders on one core.",
          "Avramelos, table 2",
          "pixels",
          {},
          runWhole};
}

}  // namespace fathom::smoe
