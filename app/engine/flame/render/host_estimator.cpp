// SPDX-License-Identifier: BSD-3-Clause
// Bands of pixel rows, each by one thread: across a row of buckets into lines of pixels, lines into
// pixel rows, wide classes into cells; then the cells are blurred, row by row.
#include "app/engine/flame/render/host_estimator.h"

#include "app/engine/core/jobs.h"

namespace fathom::flame {
namespace {

constexpr int kBandRows = 64;                     // pixel rows; those around it are read twice
constexpr std::size_t kBandsTogether = 8;         // where rows are let go between them
constexpr std::uint32_t kNoKernel = 0xffff;       // of a bucket that flam3 leaves out
constexpr std::uint32_t kCountedHits = 50000000;  // as in measure_density.comp
constexpr std::size_t kTabled = 1 << 14;          // counts with an entry in tables

int floorDiv(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// Sums of one wide class, with a margin around the picture.
struct Cells {
  int scale = 1;  // pixels per cell along each axis
  glm::ivec2 size{0};
  ZeroedSums sums;
  Float4* row(int y) { return sums.data() + std::size_t(y) * std::size_t(size.x); }
  const Float4* row(int y) const { return sums.data() + std::size_t(y) * std::size_t(size.x); }
};

/// flam3's kernel: the weight of (i, j) is line[i] * line[j] inside a disc, else 0.
struct Kernel {
  int reach = 0;
  std::vector<float> line = {};  // from -reach to reach
  std::vector<int> ends = {};    // per row: how far the disc reaches
};

/// What all bands share; each writes its own rows of picture and cells.
struct Estimation {
  Estimation(const HistogramRows& histogram, const EstimatorTable& kernels,
             const EstimatorClasses& of, const LogScale& logScale);

  const HistogramRows& rows;
  const EstimatorTable& table;
  const EstimatorClasses& classes;
  LogScale scale;
  CountWindow window = countWindow(rows.shape.supersample);
  glm::ivec2 buckets = rows.shape.buckets(), pixels = rows.shape.size;
  int side = rows.shape.supersample, gutter = rows.shape.gutter, words = rows.shape.words();
  int half = classes.blocks / 2;
  float colorShare = float(scale.colorShare);  // of the log scale
  double hitsPerCount = rows.shape.hasAlpha ? 1.0 / 255 : 1;
  std::vector<float> lights;               // per count of hits: the factor of log scaling
  std::vector<std::uint16_t> kernels;      // per sum of a window: the class coordinate in 1/1024
  std::vector<std::vector<float>> across;  // [class * side + phase][pixel], left to right
  std::vector<Cells> cells;
  std::vector<Kernel> exact;  // per kernel of the table, where there are no classes
  ZeroedSums picture;

  std::size_t narrow() const { return classes.narrow.size(); }
  float lightOf(double alpha) const { return float(scale.factor(alpha)); }
  std::uint32_t coordinateOf(std::uint64_t found) const {
    // On an edge between two kernels as kernelFor() of buckets.glsl: whole counts are not rounded
    // up, whole powers not down.
    const double count = double(found) * window.scale * hitsPerCount;
    const double nudged = count <= 100 ? count * (1 - 1e-12) : count + 2e-6 * (count - 100);
    const double c = classes.coordinates[std::size_t(table.kernelFor(nudged))];
    return std::uint32_t(std::lround(c * (classes.exact ? 1 : 1024)));
  }
};

Estimation::Estimation(const HistogramRows& histogram, const EstimatorTable& estimator,
                       const EstimatorClasses& of, const LogScale& logScale)
    : rows(histogram), table(estimator), classes(of), scale(logScale) {
  lights.assign(kTabled, 0);
  for (std::size_t n = 1; n < kTabled && words == 4; ++n) lights[n] = lightOf(255.0 * double(n));
  kernels.assign(kTabled, kNoKernel);
  for (std::size_t n = 1; n < kTabled && !table.empty(); ++n)
    kernels[n] = std::uint16_t(coordinateOf(n));
  for (const std::vector<double>& taps : classes.narrow)
    for (int phase = 0; phase < side; ++phase) {
      std::vector<float>& line = across.emplace_back();
      for (int a = classes.blocks; a-- > 0;)
        line.push_back(float(taps[std::size_t(a * side + phase)]));
    }
  for (const EstimatorClasses::Wide& wide : classes.wide) {
    Cells& c = cells.emplace_back();
    c.scale = wide.cellScale;
    c.size = (pixels + 2 * classes.margin + c.scale - 1) / c.scale;
    c.sums = ZeroedSums(std::size_t(c.size.x) * std::size_t(c.size.y));
  }
  const std::vector<double> widths = table.empty() ? std::vector{0.5} : table.widths;
  for (std::size_t k = 0; classes.exact && k < widths.size(); ++k) {
    const std::vector<double> square = estimatorKernel(widths[k], widths.front());
    const int reach = exact.emplace_back(Kernel{int(widths[k])}).reach;
    const double* const middle = &square[square.size() / 2];
    for (int i = -reach; i <= reach; ++i) {
      exact[k].line.push_back(float(middle[i] / std::sqrt(*middle)));
      exact[k].ends.push_back(int(std::sqrt(widths[k] * widths[k] - i * i)));
    }
  }
  picture = ZeroedSums(std::size_t(pixels.x) * std::size_t(pixels.y));
}

/// Hits around the buckets of a row: sums of the window's columns, kept while rows go by.
class Window {
 public:
  Window(const Estimation& all, int firstRow)
      : all_(all),
        reach_(all.window.reach),
        counts_(std::size_t(2 * reach_ + 1),
                std::vector<std::uint32_t>(std::size_t(all.buckets.x))),
        sums_(std::size_t(all.buckets.x + 2 * reach_)) {
    for (int y = firstRow - reach_; y < firstRow + reach_; ++y) take(y);
  }

  /// Goes on to the next row; true when it holds hits.
  bool goTo(int row) {
    take(row + reach_);
    current_ = &countsOf(row);
    return std::any_of(current_->begin(), current_->end(), [](std::uint32_t n) { return n != 0; });
  }
  const std::vector<std::uint32_t>& counts() const { return *current_; }
  std::uint64_t around(int x) const {
    std::uint64_t sum = 0;
    for (int i = 0; i <= 2 * reach_; ++i) sum += sums_[std::size_t(x + i)];
    return sum;
  }

 private:
  std::vector<std::uint32_t>& countsOf(int row) {
    return counts_[std::size_t((row + reach_) % (2 * reach_ + 1))];
  }

  /// Row `row` comes in where the one that is as many rows back goes out.
  void take(int row) {
    if (row < -reach_) return;
    std::vector<std::uint32_t>& counts = countsOf(row);
    std::uint32_t* const sums = sums_.data() + reach_;
    const auto width = std::size_t(all_.buckets.x), words = std::size_t(all_.words);
    if (row < 0 || row >= all_.buckets.y) {
      for (std::size_t x = 0; x < width; ++x) sums[x] -= std::exchange(counts[x], 0);
      return;
    }
    const std::uint32_t* const found = all_.rows.at(row) + 3;
    for (std::size_t x = 0; x < width; ++x) {
      const std::uint32_t n = std::min(found[x * words], kCountedHits);
      sums[x] += n - counts[x];
      counts[x] = n;
    }
  }

  const Estimation& all_;
  int reach_;
  std::vector<std::vector<std::uint32_t>> counts_;  // of the window's rows
  std::vector<std::uint32_t> sums_;  // down the columns; `reach` columns of none on both sides
  std::vector<std::uint32_t>* current_ = nullptr;
};

/// Pixel rows [first, last), which may lie in the margin.
class Band {
 public:
  Band(Estimation& all, int first, int last)
      : all_(all), first_(first), last_(last), lines_(all.narrow()) {
    for (Line& line : lines_) line.sums.resize(std::size_t(all.pixels.x + 2 * pad_));
    if (!all.classes.exact) return;
    spreadFirst_ = all.side * first + all.gutter - all.classes.exact->gutter;
    spreadLast_ =
        spreadFirst_ + all.side * (last - first - 1) + int(all.classes.exact->taps.size());
    spread_.resize(std::size_t(spreadLast_ - spreadFirst_) * std::size_t(width_));
  }

  void run() {
    const int around = narrowFirst_ < narrowLast_ ? all_.half : 0;
    const int from = std::max(0, all_.side * (first_ - around) + all_.gutter);
    const int to = std::min(all_.buckets.y, all_.side * (last_ + around) + all_.gutter);
    if (from >= to) return;
    Window window(all_, from);
    for (int y = from; y < to; ++y)
      if (window.goTo(y)) addRow(window, y);
    for (int row = first_; row < last_ && all_.classes.exact; ++row) filterRow(row);
  }

 private:
  /// A row of buckets in pixels, for one narrow class.
  struct Line {
    std::vector<Float4> sums;
    int low = 0, high = 0;  // those that are not 0, the padding included
  };

  void addRow(const Window& window, int y) {
    row_ = floorDiv(y - all_.gutter, all_.side);
    isOwn_ = row_ >= first_ && row_ < last_;
    const std::uint32_t* const words = all_.rows.at(y);
    const std::uint32_t* const counts = window.counts().data();
    const int margin = all_.table.empty() ? 0 : std::max(0, all_.side - 1);
    if (y < margin) return;
    for (int x = margin; x < all_.buckets.x - margin; ++x)
      if (counts[x] != 0) addBucket(window, x, y, words + std::size_t(x) * std::size_t(all_.words));
    const int phase = y - all_.gutter - row_ * all_.side;
    for (std::size_t j = 0; j < lines_.size(); ++j) addLine(j, phase);
  }

  void addBucket(const Window& window, int x, int y, const std::uint32_t* words) {
    std::uint32_t coordinate = 0;
    if (!all_.table.empty()) {
      const std::uint64_t around = window.around(x);
      coordinate = around < kTabled ? all_.kernels[around] : all_.coordinateOf(around);
    }
    Float4 color = colorOf(words);
    if (all_.classes.exact) return spread(color, all_.exact[coordinate], x, y);
    if (coordinate == 0) color = color * float(all_.classes.narrowestSum);
    const int column = floorDiv(x - all_.gutter, all_.side);
    const int phase = x - all_.gutter - column * all_.side;
    const std::size_t lower = coordinate >> 10;
    const float share = float(coordinate & 1023) / 1024;
    give(lower, color * (1 - share), column, phase);
    if (share > 0) give(lower + 1, color * share, column, phase);
  }

  Float4 colorOf(const std::uint32_t* words) const {
    Float4 color;
    for (int i = 0; i < 3; ++i) color.v[i] = float(words[i]) * all_.colorShare;
    if (all_.words == 4) {
      color.v[3] = 255.0f * float(words[3]);
      return color * (words[3] < kTabled ? all_.lights[words[3]] : all_.lightOf(255.0 * words[3]));
    }
    color.v[3] = float(words[4]);
    return words[4] == 0 ? Float4{} : color * all_.lightOf(words[4]);
  }

  void spread(Float4 color, const Kernel& kernel, int x, int y) {
    const float* const line = kernel.line.data() + kernel.reach;
    const int* const ends = kernel.ends.data() + kernel.reach;
    const int last = std::min(kernel.reach, spreadLast_ - 1 - y);
    for (int j = std::max(-kernel.reach, spreadFirst_ - y); j <= last; ++j) {
      const Float4 part = color * line[j];
      Float4* const out = spreadRow(y + j) + x;
      for (int i = -ends[j]; i <= ends[j]; ++i) out[i] += part * line[i];
    }
  }

  /// From spread buckets to a row of pixels.
  void filterRow(int row) {
    const auto& [taps, reach] = *all_.classes.exact;
    const int from = all_.side * row + all_.gutter - reach;
    std::vector<Float4> down(std::size_t(all_.buckets.x));
    for (std::size_t a = 0; a < taps.size(); ++a)
      for (std::size_t x = 0; x < down.size(); ++x)
        down[x] += spreadRow(from + int(a))[x] * float(taps[a]);
    Float4* const out = all_.picture.data() + std::size_t(row) * std::size_t(all_.pixels.x);
    const Float4* in = down.data() + all_.gutter - reach;
    for (int x = 0; x < all_.pixels.x; ++x, in += all_.side)
      for (std::size_t i = 0; i < taps.size(); ++i) out[x] += in[i] * float(taps[i]);
  }

  Float4* spreadRow(int y) {
    return spread_.data() + std::size_t(y - spreadFirst_) * std::size_t(width_) + pad_;
  }

  void give(std::size_t of, Float4 part, int column, int phase) {
    if (of >= all_.narrow()) return giveWide(of - all_.narrow(), part, column);
    const std::vector<float>& taps = all_.across[of * std::size_t(all_.side) + std::size_t(phase)];
    Line& line = lines_[of];
    const int low = column - all_.half + pad_, high = low + int(taps.size());
    Float4* const sums = line.sums.data() + low;
    for (std::size_t i = 0; i < taps.size(); ++i) sums[i] += part * taps[i];
    if (line.high == 0) line.low = low;
    line.high = high;
  }

  void giveWide(std::size_t of, Float4 part, int column) {
    if (!isOwn_ || of >= all_.cells.size()) return;
    Cells& cells = all_.cells[of];
    const int x = column + all_.classes.margin, y = row_ + all_.classes.margin;
    if (x < 0 || y < 0 || x / cells.scale >= cells.size.x || y / cells.scale >= cells.size.y)
      return;
    cells.row(y / cells.scale)[x / cells.scale] += part * (1 / float(all_.side * all_.side));
  }

  /// Into the pixel rows that its taps reach; then it is empty.
  void addLine(std::size_t of, int phase) {
    Line& line = lines_[of];
    if (line.high == 0) return;
    const std::vector<double>& taps = all_.classes.narrow[of];
    const int low = std::max(0, line.low - pad_), high = std::min(all_.pixels.x, line.high - pad_);
    for (int a = 0; a < all_.classes.blocks; ++a) {
      const int row = row_ + all_.half - a;
      const float tap = float(taps[std::size_t(a * all_.side + phase)]);
      if (row < narrowFirst_ || row >= narrowLast_ || tap == 0) continue;
      Float4* const out = all_.picture.data() + std::size_t(row) * std::size_t(all_.pixels.x);
      for (int x = low; x < high; ++x) out[x] += line.sums[std::size_t(x + pad_)] * tap;
    }
    std::fill(line.sums.begin() + line.low, line.sums.begin() + line.high, Float4{});
    line.low = line.high = 0;
  }

  Estimation& all_;
  int first_, last_;
  int narrowFirst_ = std::clamp(first_, 0, all_.pixels.y);
  int narrowLast_ = std::clamp(last_, 0, all_.pixels.y);
  int pad_ = all_.classes.exact ? all_.table.reach() : all_.half + all_.gutter / all_.side + 2;
  std::vector<Line> lines_;
  std::vector<Float4> spread_;  // bucket rows that the band's pixels look at
  int spreadFirst_ = 0, spreadLast_ = 0;
  int width_ = all_.buckets.x + 2 * pad_;
  int row_ = 0;         // of pixels, of the current bucket row
  bool isOwn_ = false;  // not one of the rows around the band
};

/// Blurs cells along both axes and adds what the wider classes have come to, as blur_cells.comp.
class CellBlur {
 public:
  CellBlur(const Cells& cells, double variance, int margin, const Cells* wider)
      : cells_(cells), blur_(blurOf(variance)), margin_(margin), wider_(wider) {
    for (int d = 0; d <= blur_.reach; ++d) {
      const double a = d * blur_.inverseWidth, outer = std::max(0.0, 1.5 - a);
      weights_.push_back(float(blur_.scale * (a < 0.5 ? 0.75 - a * a : 0.5 * outer * outer)));
    }
  }

  /// Row y of the result; `scratch` and `out` have the width of the cells.
  void row(int y, std::vector<Float4>& scratch, Float4* out) const {
    const int width = cells_.size.x;
    down(y, scratch.data());
    for (int x = 0; x < width; ++x) {
      Float4 sum = scratch[std::size_t(x)] * weights_[0];
      for (int d = 1; d <= blur_.reach; ++d) {
        const float weight = weights_[std::size_t(d)];
        if (x >= d) sum += scratch[std::size_t(x - d)] * weight;
        if (x + d < width) sum += scratch[std::size_t(x + d)] * weight;
      }
      out[x] = wider_ ? sum + fromWider(x, y) : sum;
    }
  }

 private:
  void down(int y, Float4* out) const {
    std::fill_n(out, cells_.size.x, Float4{});
    for (int d = -blur_.reach; d <= blur_.reach; ++d) {
      if (y + d < 0 || y + d >= cells_.size.y) continue;
      const float weight = weights_[std::size_t(std::abs(d))];
      const Float4* const from = cells_.row(y + d);
      for (int x = 0; x < cells_.size.x; ++x) out[x] += from[x] * weight;
    }
  }

  /// A cell of the wider classes has the same size, or covers 2 x 2 of these: linear in between.
  Float4 fromWider(int x, int y) const {
    if (wider_->scale == cells_.scale) return wider_->row(y)[x];
    const int shift = 2 * (margin_ / wider_->scale) - margin_ / cells_.scale;
    const auto places = [shift](int at, int size) {
      const int place = at + shift, near = place >> 1;
      return std::pair(std::clamp(near, 0, size - 1),
                       std::clamp(near + (place & 1) * 2 - 1, 0, size - 1));
    };
    const auto [nearX, farX] = places(x, wider_->size.x);
    const auto [nearY, farY] = places(y, wider_->size.y);
    const Float4 *near = wider_->row(nearY), *far = wider_->row(farY);
    return (near[nearX] * 9 + (near[farX] + far[nearX]) * 3 + far[farX]) * (1.0f / 64);
  }

  const Cells& cells_;
  SplineBlur blur_;
  int margin_;
  const Cells* wider_;
  std::vector<float> weights_;
};

/// From the widest class to the narrowest, which ends in the picture.
void addWide(Estimation& all) {
  const Cells* wider = nullptr;
  for (std::size_t i = all.cells.size(); i-- > 0;) {
    Cells& cells = all.cells[i];
    const int margin = all.classes.margin;
    const CellBlur blur(cells, all.classes.wide[i].blur, margin, wider);
    ZeroedSums result(i > 0 ? cells.sums.size() : 0);
    const auto width = std::size_t(cells.size.x);
    const int first = i > 0 ? 0 : margin, count = i > 0 ? cells.size.y : all.pixels.y;
    parallelFor(std::size_t(count), 16, [&](std::size_t from, std::size_t to) {
      std::vector<Float4> scratch(width), line(width);
      for (std::size_t y = from; y < to; ++y) {
        blur.row(first + int(y), scratch, i > 0 ? result.data() + y * width : line.data());
        if (i > 0) continue;
        Float4* const out = all.picture.data() + y * std::size_t(all.pixels.x);
        for (int x = 0; x < all.pixels.x; ++x) out[x] += line[std::size_t(x + margin)];
      }
    });
    if (i == 0) break;
    cells.sums = std::move(result);
    wider = &cells;
  }
}

}  // namespace

ZeroedSums::ZeroedSums(std::size_t count) : size_(count) {
  if (count == 0) return;
  data_.reset(static_cast<Float4*>(std::calloc(count, sizeof(Float4))));
  if (!data_) throw std::bad_alloc();
}

ZeroedSums estimatedByHost(const HistogramRows& rows, const EstimatorTable& table,
                           const EstimatorClasses& classes, const LogScale& scale,
                           const RowsRead& read) {
  Estimation all(rows, table, classes, scale);
  const int cell = classes.largestCell, step = (kBandRows + cell - 1) / cell * cell;
  const int last = all.pixels.y + classes.margin;
  const auto count = std::size_t((last + classes.margin + step - 1) / step);
  const auto firstRow = [&](std::size_t band) { return int(band) * step - classes.margin; };
  // All bands at once, or so many that every thread has one.
  const std::size_t together = read ? std::max<std::size_t>(kBandsTogether, threadCount()) : count;
  for (std::size_t done = 0; done < count; done += together) {
    parallelForEach(std::min(together, count - done), 1, [&](std::size_t i) {
      const int first = firstRow(done + i);
      Band(all, first, std::min(first + step, last)).run();
    });
    if (read)
      read(all.side * (firstRow(done + together) - all.half) + all.gutter - all.window.reach);
  }
  addWide(all);
  return std::move(all.picture);
}

}  // namespace fathom::flame
