// SPDX-License-Identifier: BSD-3-Clause
// The paper's Table 4: whole frames of 1920 x 1080 and 3840 x 2160 from a tiled model, as the paper
// has them. Its printed list lengths belong to about 11,400 components per 512 x 512, its printed
// totals to 21,802: there is a set of rows for each. Rows come with lists ready, as in the paper,
// and with lists built in every frame.
#include "app/lab/smoe/accuracy.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/models.h"
#include "app/lab/smoe/paper.h"

#include <algorithm>
#include <cmath>

namespace fathom::smoe {
namespace {

constexpr const char* kEqualKpb = "equal kpb";

struct FrameRow {
  std::string label;
  DecodeOptions options;
  int paperBlock = 0;  // px, of the paper's blocks; 0: the paper does not have it
};

std::vector<FrameRow> frameRows() {
  std::vector<FrameRow> rows;
  DecodeOptions window;
  window.relevance = Relevance::Window, window.windowBorder = 16, window.masks = false;
  rows.push_back({"window 16, tiles of 16", window, 16});
  window.tilePixels = 32;
  rows.push_back({"window 16, tiles of 32", window, 32});
  for (const int bits : {8, 10, 12, 14}) {
    DecodeOptions bounded;
    bounded.bits = bits;
    rows.push_back({fmt::format("bounded {} bits", bits), bounded});
  }
  return rows;
}

class Frame {
 public:
  Frame(BenchRun& run, const std::string& set, const Model& tile, glm::ivec2 size)
      : run_(run), set_(set), model_(tiled(tile, size.x, size.y)), decoder_(run.gpu()) {
    workload_ = fmt::format("{} {}x{} K = {}", set, size.x, size.y, model_.components.size());
    window_.size = size;
    records_ = reference::recordsOf(model_, {});
    picture_ = gpu::Texture(run.gpu(), "bench frame", gpu::TextureFormat::Rgba32f, size.x, size.y);
    decoder_.setModel(model_);
  }

  void measure() {
    for (const FrameRow& row : frameRows()) {
      measure(row, false);
      if (row.options.relevance == Relevance::Bounded) measure(row, true);
    }
  }

 private:
  /// The paper's rows are those of the set whose lists are as long as the printed ones.
  std::vector<PaperCell> cells(const FrameRow& row, const std::string& label) const {
    std::vector<std::string> rows{set_ + ": " + label};
    if (set_ == kEqualKpb && row.paperBlock > 0)
      rows = {fmt::format("Titan X: block {}", row.paperBlock),
              fmt::format("GTX 960M: block {}", row.paperBlock)};
    std::vector<PaperCell> list;
    for (const std::string& name : rows) {
      list.push_back({kTable4, name, kKpbValue, kKpbValue});
      list.push_back({kTable4, name, fmt::format("{} x {}", window_.size.x, window_.size.y), {}});
    }
    return list;
  }

  void measure(const FrameRow& row, bool listsToo) {
    buildAll(decoder_, window_, row.options);
    BenchCase c;
    c.workload = workload_;
    c.label = row.label + (listsToo ? ", lists too" : "");
    c.size = window_.size;
    c.work = double(window_.size.x) * window_.size.y;
    c.paper = cells(row, c.label);
    if (listsToo) c.reset = [&] { decoder_.setModel(model_); };
    c.trial = [&] { decodeAll(decoder_, window_, row.options, picture_); };
    c.check = [&] { return check(row.options); };
    run_.measure(c);
  }

  CheckResult check(const DecodeOptions& options) {
    // The window rule has no bound: it may err by up to one.
    const bool bounded = options.relevance == Relevance::Bounded;
    CheckResult checked =
        spotCheck(decoder_, records_, window_, bounded ? std::exp2(-(options.bits + 1)) : 1.0);
    const ListFacts& facts = decoder_.facts();
    checked.how = fmt::format("kpb {:.1f}, {:.1f} evaluations, {}", facts.kpb,
                              facts.evaluationsPerSample, checked.how);
    checked.values = {{kKpbValue, facts.kpb},
                      {"evaluations per pixel", facts.evaluationsPerSample}};
    return checked;
  }

  BenchRun& run_;
  std::string set_;
  Model model_;
  Decoder decoder_;
  std::string workload_;
  ViewWindow window_;
  std::vector<Record> records_;
  gpu::Texture picture_;
};

void runFrame(BenchRun& run) {
  std::vector<glm::ivec2> sizes{run.size({160, 96}, {1920, 1080}, {1920, 1080})};
  if (run.scale() == BenchScale::Paper) sizes.push_back(run.size({}, {}, {3840, 2160}));
  const bool quick = run.scale() == BenchScale::Quick;
  const Model equalK = carLike(run);
  const int side = quick ? 128 : 512;
  const Model equalKpb =
      fitPicture(run, benchPicture({side, side}, 0.8f, 5), quick ? 712 : 11'400, 100);
  for (const glm::ivec2 size : sizes) {
    Frame(run, kEqualKpb, equalKpb, size).measure();
    Frame(run, "equal K", equalK, size).measure();
  }
}

}  // namespace

Bench frameBench() {
  return {"smoe.frame",
          "Whole frames of a tiled model, without and with list building.",
          "Avramelos, table 4",
          "pixels",
          {},
          runFrame,
          {table4()}};
}

}  // namespace fathom::smoe
