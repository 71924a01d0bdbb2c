// SPDX-License-Identifier: BSD-3-Clause
// The paper's Table 2 and Figure 11: one block of pixels from the components that are given for it,
// all of them in every pixel. Side by side: the paper's decoder with matrices on one core, a plain
// loop over records on one core, and the GPU with the same work. The last rows let the GPU choose
// among the components, as it does for pictures.
#include "app/lab/smoe/accuracy.h"
#include "app/lab/smoe/baseline.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/models.h"
#include "app/lab/smoe/paper.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom::smoe {
namespace {

using baseline::Solver;

constexpr int kEverything = 1 << 20;  // px: a border that takes every component
constexpr std::int64_t kEigenBytes = std::int64_t(4) << 30;

const BenchData kLena{"Lena-like", 64, 524, "Lena"};
const BenchData kCar{"Car-like", 16, 1087, "Car"};
const BenchData kBikes{"Bikes-like", 32, 1216, "Bikes"};
const BenchData kFriends{"Friends-like", 32, 1216, "Friends"};

/// One block of one model, `side` pixels along each side.
class BlockRows {
 public:
  BlockRows(BenchRun& run, const BenchData& data, const Model& whole, int side)
      : run_(run), data_(data), side_(side), decoder_(run.gpu()) {
    // As many components as the paper's block of 128 has, in proportion to the picture's size;
    // for other sides as many as a border of the same width leaves.
    const glm::dvec2 size(whole.width, whole.height);
    const double share = double(data.blockCount) / fullCount(data);
    const double scale = (side + 2 * border()) / (kPaperBlock + 2.0 * data.border) *
                         (512.0 / std::min(size.x, size.y));
    const auto count =
        std::size_t(std::clamp(share * scale * scale * double(whole.components.size()), 1.0,
                               double(whole.components.size())));
    const glm::dvec2 middle = size / 2.0;
    model_ = restricted(whole, nearestTo(whole, middle, count));
    window_.size = glm::ivec2(side);
    window_.corner = middle - side / 2.0;
    records_ = reference::recordsOf(model_, {});
    mixture_ = mixtureOf(model_);
    truth_ = reference::decode(records_, gridOf(window_));
    decoder_.setModel(model_);
    picture_ = gpu::Texture(run.gpu(), "bench block", gpu::TextureFormat::Rgba32f, side, side);
  }

  void measure() {
    eigen("Eigen fast", Solver::Fast, cells("C++", kEigenRow));
    eigen("Eigen slow", Solver::Slow, {});
    loop();
    DecodeOptions all;
    all.relevance = Relevance::Window;
    all.windowBorder = kEverything;
    gpu("GPU, all components", all, cells("OpenCL", kGpuRow), 1e-4);
    DecodeOptions bounded;
    bounded.bits = 8;
    gpu("GPU, bounded 8 bits", bounded, cells("ours: GPU, bounded 8 bits", "GPU, bounded 8 bits"),
        std::exp2(-9));
  }

 private:
  /// The paper's K; its light fields have about as many components per pixel as ours.
  static double fullCount(const BenchData& data) {
    return data.name == kLena.name    ? 2095
           : data.name == kCar.name   ? 21'802
           : data.name == kBikes.name ? 8960
                                      : 10'080;
  }
  double border() const { return data_.border; }

  BenchCase row(const std::string& label) const {
    BenchCase c;
    c.workload = fmt::format("{} {}x{} p={} K={}", data_.name, side_, side_, model_.dims,
                             model_.components.size());
    c.label = label;
    c.size = window_.size;
    c.work = double(side_) * side_ * double(model_.components.size());
    return c;
  }
  /// Where an implementation is listed in table 2, if the block is the paper's (or the only one),
  /// and in the figures.
  std::vector<PaperCell> cells(const char* column, const char* curve) const {
    const std::string side = fmt::format("{}", side_), series = data_.paperName + ": " + curve;
    std::vector<PaperCell> list{{kFigure11Block, series, side, {}},
                                {kFigure11Pixel, series, side, {}}};
    if (side_ == int(kPaperBlock)) list.push_back({kTable2, data_.paperName, column, {}});
    if (run_.scale() == BenchScale::Quick)
      list.push_back(
          {kTable2, fmt::format("{}, {} x {}", data_.paperName, side_, side_), column, {}});
    if (data_.paperName == kCar.paperName) list.push_back({kFigure12, curve, side, {}});
    return list;
  }
  CheckResult checked(std::span<const glm::dvec3> colors, double bound) const {
    const double worst = accuracyOf(colors, truth_).max;
    return {worst <= bound, fmt::format("max {}", shortNumber(worst)),
            fmt::format("differs by {}, more than {}", worst, bound)};
  }

  void eigen(const std::string& label, Solver solver, const std::vector<PaperCell>& paper) {
    if (std::int64_t(32) * side_ * side_ * std::int64_t(mixture_.size()) > kEigenBytes) return;
    std::vector<glm::dvec3> colors;
    BenchCase c = row(label);
    c.paper = paper;
    c.trial = [&] {
      colors = baseline::decodeBlock(mixture_, model_.dims, gridOf(window_), {}, solver);
    };
    c.check = [&] { return checked(colors, 1e-8); };
    run_.measure(c);
  }

  void loop() {
    std::vector<std::uint32_t> list(records_.size());
    std::iota(list.begin(), list.end(), 0u);
    std::vector<glm::vec3> colors;
    BenchCase c = row("record loop");
    c.paper = cells("ours: record loop, one core", "record loop, one core");
    c.trial = [&] { colors = baseline::decodeRecords(records_, gridOf(window_), {list}, side_); };
    c.check = [&] { return checked(std::vector<glm::dvec3>(colors.begin(), colors.end()), 1e-4); };
    run_.measure(c);
  }

  void gpu(const std::string& label, const DecodeOptions& options,
           const std::vector<PaperCell>& paper, double bound) {
    buildAll(decoder_, window_, options);
    BenchCase c = row(label);
    c.paper = paper;
    c.work = decoder_.facts().kpb * side_ * side_;
    c.trial = [&] { decodeAll(decoder_, window_, options, picture_); };
    c.check = [&] { return checked(rawColors(decoder_, window_), bound); };
    run_.measure(c);
  }

  BenchRun& run_;
  const BenchData& data_;
  int side_;
  Decoder decoder_;
  Model model_;
  ViewWindow window_;
  std::vector<Record> records_;
  std::vector<Gaussian> mixture_;
  std::vector<glm::dvec3> truth_;
  gpu::Texture picture_;
};

void runBlock(BenchRun& run) {
  const auto forSides = [&](const BenchData& data, const Model& model) {
    std::vector<int> sides{16, 32, 64, 128, 256};
    if (run.scale() == BenchScale::Quick) sides = {32};
    for (const int side : sides)
      if (side <= std::min(model.width, model.height)) BlockRows(run, data, model, side).measure();
  };
  forSides(kLena, lenaLike(run));
  forSides(kCar, carLike(run));
  forSides(kBikes, bikesLike(run));
  forSides(kFriends, friendsLike(run));
}

}  // namespace

Bench blockBench() {
  return {"smoe.block",
          "One block from given components: GPU, record loop and Eigen.",
          "Avramelos, table 2, figures 11 and 12",
          "evaluations",
          {},
          runBlock,
          {table2(), figure11Block(), figure11Pixel(), figure12()}};
}

}  // namespace fathom::smoe
