// SPDX-License-Identifier: BSD-3-Clause
// The paper's tables 1, 2 and 4 and its figures, measured: how exact each way of decoding is, one
// block of pixels, and whole frames of a tiled model.
#include "app/engine/core/random.h"
#include "app/engine/smoe/decode/processor.h"
#include "app/lab/smoe/baseline.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/workloads.h"

namespace fathom::smoe {
// ---- How exact: table 1. The truth is a model in float64 decoded in float64 from all its
// components. The error is taken apart: culling is what the lists leave out, parameters what
// rounding the model costs (whitened records: float32 and fixed point; the paper's form: mean and
// covariance in float32), arithmetic what computing in float32 adds.

namespace {

/// A model in float64 that rounds to this one: as if it had not been rounded yet. Each number moves
/// by less than half a step.
std::vector<Record> unrounded(const Model& model, std::uint64_t seed) {
  Random random(seed);
  const auto nudge = [&](double& value) {
    const float rounded = float(value);
    const double step = double(std::nextafter(rounded, INFINITY)) - double(rounded);
    value += 0.49 * step * double(random.uniform(-1, 1));
  };
  std::vector<Record> records;
  const double step = std::ldexp(0.49, -model.centerFractionBits);
  for (const Component& component : model.components) {
    Record r = exact(component, model);
    for (int k = 0; k < 2; ++k) r.center[k] += step * double(random.uniform(-1, 1));
    for (double* value : {&r.c, &r.w11, &r.w21, &r.w22}) nudge(*value);
    for (int i = 0; i < 3; ++i) {
      nudge(r.color[i]);
      for (int k = 0; k < 2; ++k) nudge(r.h[i][k]);
    }
    records.push_back(r);
  }
  return records;
}

/// What the paper's form makes of them: mean and covariance in float32, factored in float64.
std::vector<Record> throughFloatCovariances(const std::vector<Record>& records) {
  std::vector<Record> result;
  for (const Record& record : records) {
    Gaussian g = unwhiten(record, 2);
    // The prior's scale is not the question.
    const double logPrior = std::log(g.prior);
    g.prior = 1;
    for (double& value : g.mean) value = double(float(value));
    for (auto& row : g.covariance)
      for (double& value : row) value = double(float(value));
    Record r = whiten(g, 2, "a component");
    r.c += double(float(logPrior));
    result.push_back(r);
  }
  return result;
}

struct PrecisionRow {
  std::string label;
  Mode mode;
  std::string paperRow;  // of Table 1; "record" is ours
};

const std::vector<PrecisionRow> kRows{{"record", Mode::Record, "record"},
                                      {"paper fast", Mode::PaperFast, "fast"},
                                      {"paper slow", Mode::PaperSlow, "slow"}};

class Precision {
 public:
  Precision(BenchRun& run, const Model& model)
      : run_(run), model_(model), decoder_(run.gpu()), truthRecords_(unrounded(model, run.seed())) {
    window_.size = {model.width, model.height};
    truth_ = reference::decode(truthRecords_, gridOf(window_));
    picture_ = gpu::Texture(run.gpu(), "bench image", gpu::TextureFormat::Rgba32f, window_.size.x,
                            window_.size.y);
    decoder_.setModel(model_);
  }

  void measure(const std::string& workload, DecodeOptions options) {
    for (const PrecisionRow& row : kRows) {
      options.mode = row.mode;
      BenchCase c = pictureCase(workload, row.label, window_.size);
      const bool paperRule = options.relevance == Relevance::Window;
      for (const char* value : {kMseValue, kMaxValue, kBitsValue, kStrictBitsValue})
        c.paper.push_back(
            {kTable1, row.paperRow + (paperRule ? "" : ", bounded 14 bits"), value, value});
      c.trial = [&] { decodeAll(decoder_, window_, options, picture_); };
      c.check = [&] { return check(row, options); };
      run_.measure(c);
    }
  }

 private:
  CheckResult check(const PrecisionRow& row, const DecodeOptions& options) {
    const auto lists = downloadLists(decoder_, window_, options.tilePixels);
    const auto decodeListed = [&](const std::vector<Record>& records) {
      return reference::decode(records, gridOf(window_), lists, options.tilePixels);
    };
    const auto found = rawColors(decoder_, window_);
    const std::vector<Record> parameters = row.mode == Mode::Record
                                               ? reference::recordsOf(model_, {})
                                               : throughFloatCovariances(truthRecords_);
    const auto culled = decodeListed(truthRecords_), parametric = decodeListed(parameters);
    const Accuracy total = accuracyOf(found, truth_);
    const std::string how = fmt::format("{}: culling {} parameters {} arithmetic {}", total.text(),
                                        shortNumber(accuracyOf(culled, truth_).max),
                                        shortNumber(accuracyOf(parametric, culled).max),
                                        shortNumber(accuracyOf(found, parametric).max));
    // The window rule can err by anything; what is computed from its lists must not.
    const double arithmetic = accuracyOf(found, culled).max;
    return {arithmetic < 5e-3,
            how,
            fmt::format("differs from float64 with the same lists by {}", arithmetic),
            {{kMseValue, total.luminanceMse},
             {kMaxValue, total.maxPixelMse},
             {kBitsValue, double(total.paperBits())},
             {kStrictBitsValue, double(total.strictBits())}}};
  }

  BenchRun& run_;
  const Model& model_;
  Decoder decoder_;
  std::vector<Record> truthRecords_;
  ViewWindow window_;
  std::vector<glm::dvec3> truth_;
  gpu::Texture picture_;
};

// ---- One block: table 2 and figure 11. A block of pixels from the components that are given for
// it, all of them in every pixel. Side by side: the paper's decoder with matrices on one core, a
// plain loop over records on one core, and the GPU with the same work. The last rows let the GPU
// choose among the components, as it does for pictures.

constexpr int kEverything = 1 << 20;  // px: a border that takes every component
constexpr std::int64_t kEigenBytes = std::int64_t(4) << 30;

/// Stands for one of the paper's data sets.
struct BenchData {
  std::string name;       // "Lena-like"
  double border;          // px, of the paper's window rule for it
  double blockCount;      // components that its block of 128 x 128 takes from a whole model
  double fullCount;       // the paper's K; its light fields have about as many per pixel as ours
  std::string paperName;  // "Lena"
};
const BenchData kLena{"Lena-like", 64, 524, 2095, "Lena"};
const BenchData kCar{"Car-like", 16, 1087, 21'802, "Car"};
const BenchData kBikes{"Bikes-like", 32, 1216, 8960, "Bikes"};
const BenchData kFriends{"Friends-like", 32, 1216, 10'080, "Friends"};
constexpr double kPaperBlock = 128;  // px

/// One block of one model, `side` pixels along each side.
class BlockRows {
 public:
  BlockRows(BenchRun& run, const BenchData& data, const Model& whole, int side)
      : run_(run), data_(data), side_(side), decoder_(run.gpu()) {
    // As many components as the paper's block of 128 has, in proportion to the picture's size;
    // for other sides as many as a border of the same width leaves.
    const glm::dvec2 size(whole.width, whole.height);
    const double share = data.blockCount / data.fullCount;
    const double scale = (side + 2 * data.border) / (kPaperBlock + 2 * data.border) *
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
    eigen();
    loop();
    const DecodeOptions all{.relevance = Relevance::Window, .windowBorder = kEverything};
    gpu("GPU, all components", all, cells("OpenCL", kGpuRow), 1e-4);
    const DecodeOptions bounded{.bits = 8};
    gpu("GPU, bounded 8 bits", bounded, cells("ours: GPU, bounded 8 bits", "GPU, bounded 8 bits"),
        std::exp2(-9));
  }

 private:
  BenchCase row(const std::string& label) const {
    const std::size_t count = model_.components.size();
    return makeCase(fmt::format("{} {}x{} p={} K={}", data_.name, side_, side_, model_.dims, count),
                    label, double(side_) * side_ * double(count), window_.size);
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

  void eigen() {
    if (std::int64_t(32) * side_ * side_ * std::int64_t(mixture_.size()) > kEigenBytes) return;
    std::vector<glm::dvec3> colors;
    BenchCase c = row("Eigen fast");
    c.paper = cells("C++", kEigenRow);
    c.trial = [&] { colors = baseline::decodeBlock(mixture_, model_.dims, gridOf(window_), {}); };
    c.check = [&] { return checked(colors, 1e-8); };
    run_.measure(c);
  }

  void loop() {
    std::vector<std::uint32_t> list(records_.size());
    std::iota(list.begin(), list.end(), 0u);
    std::vector<glm::vec4> colors(truth_.size());
    BenchCase c = row("record loop");
    c.paper = cells("ours: record loop, one core", "record loop, one core");
    c.trial = [&] { decodeTile(records_, list, gridOf(window_), {{0, 0}, window_.size}, colors); };
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

// ---- Whole frames: table 4. 1920 x 1080 and 3840 x 2160 from a tiled model, as the paper has
// them. Its printed list lengths belong to about 11,400 components per 512 x 512, its printed
// totals to 21,802: there is a set of rows for each. Rows come with lists ready, as in the paper,
// and with lists built in every frame.

constexpr const char* kEqualKpb = "equal kpb";

struct FrameRow {
  std::string label;
  DecodeOptions options;
  int paperBlock = 0;  // px, of the paper's blocks; 0: the paper does not have it
};

std::vector<FrameRow> frameRows() {
  std::vector<FrameRow> rows;
  DecodeOptions window{.relevance = Relevance::Window, .masks = false, .windowBorder = 16};
  rows.push_back({"window 16, tiles of 16", window, 16});
  window.tilePixels = 32;
  rows.push_back({"window 16, tiles of 32", window, 32});
  for (const int bits : {8, 10, 12, 14}) {
    const DecodeOptions bounded{.bits = bits};
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
    BenchCase c = pictureCase(workload_, row.label + (listsToo ? ", lists too" : ""), window_.size);
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

}  // namespace

void runPrecision(BenchRun& run) {
  const Model model = carLike(run);
  Precision precision(run, model);
  const DecodeOptions window{
      .relevance = Relevance::Window, .tilePixels = 32, .masks = false, .windowBorder = 16};
  precision.measure("Car-like, window 16", window);
  const DecodeOptions bounded{.bits = 14};
  precision.measure("Car-like, bounded 14 bits", bounded);
}

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

}  // namespace fathom::smoe
