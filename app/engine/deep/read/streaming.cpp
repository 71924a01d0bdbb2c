// SPDX-License-Identifier: BSD-3-Clause
// Readers that stay open: count tables at first, then a band of rows from every file.
#include "app/engine/deep/read/streaming.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {
namespace {

/// Of an input that is FILE or FILE#PART; rows are counted where they are merged.
DeepExrReader openInput(const std::string& input, DeepReadOptions options) {
  const auto [path, part] = splitPart(input);
  if (!part.empty()) options.part = part;
  options.progress = nullptr;
  return DeepExrReader(path, options);
}

class RowsOfFile final : public DeepRows {
 public:
  RowsOfFile(DeepExrReader reader, const Rect& within)
      : reader_(std::move(reader)), window_(reader_.part().dataWindow) {
    if (within.empty()) return;
    const Rect kept = intersect(window_, within);
    window_ = kept.empty() ? Rect{window_.x, window_.y, window_.width, 0} : kept;
    counts_ = reader_.rowCounts(window_);
  }
  DeepImage header() const override {
    DeepImage header = reader_.emptyImage();
    header.dataWindow = window_;
    return header;
  }
  const std::vector<std::uint64_t>& rowCounts() override {
    return window_ == reader_.part().dataWindow ? reader_.rowCounts() : counts_;
  }
  int rowStep() const override { return reader_.rowStep(); }
  DeepImage read(int first, int last) override {
    DeepImage rows = reader_.readRows(first, last);
    const Rect wanted{window_.x, first, window_.width, last - first};
    if (wanted.empty() || wanted == rows.dataWindow) return rows;
    DeepImage columns = mergeEdited(withEdits(std::span(&rows, 1)), {}, nullptr, wanted);
    columns.tidy = rows.tidy, columns.attributes = rows.attributes, columns.repairs = rows.repairs;
    return columns;
  }

 private:
  DeepExrReader reader_;
  Rect window_;
  std::vector<std::uint64_t> counts_;  // where they are not those of the whole file
};

constexpr int kStrip = 8;  // rows: what one group of 32 pixels is high

/// The first cut of the grid behind `row`.
int nextCut(RowGrid grid, int row) {
  const int phase = grid.phase % grid.step;
  return (row - phase + grid.step) / grid.step * grid.step + phase;
}

}  // namespace

std::vector<Rows> planBands(std::span<const double> load, RowGrid grid) {
  FATHOM_CHECK(grid.step > 0);
  const int height = int(load.size());
  const auto sum = [&](int first, int last) {
    return std::accumulate(load.begin() + first, load.begin() + last, 0.0);
  };
  std::vector<Rows> bands;
  for (int first = 0; first < height;) {
    int last = first;
    double carried = 0;
    for (RowGrid cuts = grid;;) {
      const int cut = std::min(height, nextCut(cuts, last));
      const double more = sum(last, cut);
      if (carried + more <= 1) {
        carried += more;
        last = cut;
        if (last == height) break;
      } else if (last == first && cuts.step > kStrip) {
        cuts = {kStrip, first % kStrip};  // a step too large by itself
      } else {
        if (last == first) last = cut;
        break;
      }
    }
    bands.push_back({first, last});
    first = last;
  }
  return bands;
}

std::uint64_t countThrough(std::vector<DeepImage>& images, const std::vector<std::string>& names) {
  std::uint64_t base = 0;
  for (DeepImage& image : images) {
    if (image.format == FragmentFormat::Indexed) {
      if (base + image.fragmentCount() > UINT32_MAX)
        fail("{}: expected at most 2^32 fragments with extra channels in all inputs, found {}",
             names.empty() ? "deep" : names[0], base + image.fragmentCount());
      for (std::size_t i = 0; i < image.words.size(); i += 4) image.words[i] += std::uint32_t(base);
    }
    base += image.fragmentCount();
  }
  return base;
}

std::vector<std::uint64_t> rowCounts(std::span<const DeepImage> images, const Rect& window) {
  std::vector<std::uint64_t> counts(std::size_t(window.height));
  for (const DeepImage& image : images)
    for (int y = image.dataWindow.y; y < image.dataWindow.bottom(); ++y) {
      const std::size_t* row = &image.fragmentOffsets[image.pixelIndex(image.dataWindow.x, y)];
      counts[std::size_t(y - window.y)] += row[image.dataWindow.width] - row[0];
    }
  return counts;
}

std::vector<std::unique_ptr<DeepRows>> openRows(const std::vector<std::string>& files,
                                                const DeepReadOptions& options,
                                                const Rect& within) {
  std::vector<std::unique_ptr<DeepRows>> images;
  for (const std::string& file : files)
    images.push_back(std::make_unique<RowsOfFile>(openInput(file, options), within));
  return images;
}

StreamedFiles::StreamedFiles(std::vector<std::string> names,
                             std::vector<std::unique_ptr<DeepRows>> images)
    : names_(std::move(names)), images_(std::move(images)) {
  std::vector<DeepImage> headers;
  Rect window;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    DeepImage& header = headers.emplace_back(images_[i]->header());
    if (!(header.displayWindow == headers[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", names_[i],
                names_[0]);
    windows_.push_back(header.dataWindow);
    window = unite(window, header.dataWindow);
    header.dataWindow = {};
    attributes_.push_back(header.attributes);
  }
  unify(headers, names_);
  header_ = std::move(headers[0]);
  header_.dataWindow = window;

  rowCounts_.resize(std::size_t(window.height));
  int tallest = 1;
  for (std::size_t image = 0; image < images_.size(); ++image) {
    const Rect& own = windows_[image];
    const std::vector<std::uint64_t>& rows = images_[image]->rowCounts();
    for (std::size_t i = 0; i < rows.size(); ++i)
      rowCounts_[std::size_t(own.y - window.y) + i] += rows[i];
    fragmentCount_ += std::accumulate(rows.begin(), rows.end(), std::uint64_t(0));
    const int step = images_[image]->rowStep();
    if (step <= tallest) continue;
    tallest = step;
    const int strips = (tallest + kStrip - 1) / kStrip;
    grid_ =
        tallest % kStrip == 0 ? RowGrid{tallest, own.y - window.y} : RowGrid{strips * kStrip, 0};
  }
}

std::vector<DeepImage> StreamedFiles::read(Rows rows, const std::vector<bool>& wanted) const {
  const Stopwatch watch;
  const Rect& window = header_.dataWindow;
  std::vector<DeepImage> images;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const Rect& own = windows_[i];
    const int first = std::clamp(window.y + rows.first, own.y, own.bottom());
    const bool skipped = !wanted.empty() && !wanted[i];
    const int last = skipped ? first : std::clamp(window.y + rows.last, first, own.bottom());
    images.push_back(images_[i]->read(first, last));
  }
  {
    const std::lock_guard lock(repairsMutex_);
    repairs_.resize(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) repairs_[i].add(images[i].repairs);
  }
  unify(images);  // the headers have been warned about
  countThrough(images, names_);
  readMs_ += watch.ms();
  return images;
}

std::vector<DeepImage> readRow(const std::vector<std::string>& inputs,
                               const DeepReadOptions& options, glm::ivec2 pixel, Rect& window) {
  const int y = pixel.y;
  std::vector<DeepExrReader> readers;
  window = {};
  for (const std::string& input : inputs) {
    readers.push_back(openInput(input, options));
    const auto& part = readers.back().part();
    window = unite(window, part.dataWindow);
    if (part.displayWindow.contains(pixel.x, pixel.y))  // empty there; frames may be of any size
      window = unite(window, {pixel.x, pixel.y, 1, 1});
  }
  std::vector<DeepImage> rows;
  if (y < window.y || y >= window.bottom()) return rows;
  for (DeepExrReader& reader : readers) {
    const Rect& own = reader.part().dataWindow;
    const int first = std::clamp(y, own.y, own.bottom());
    rows.push_back(reader.readRows(first, std::clamp(y + 1, first, own.bottom())));
  }
  // Pixels that no file has are empty ones of the first.
  DeepImage& one = rows[0];
  const Rect own = one.dataWindow;
  const std::vector<std::size_t> offsets = std::move(one.fragmentOffsets);
  one.dataWindow = {window.x, y, window.width, 1};
  one.fragmentOffsets.assign(std::size_t(window.width) + 1, 0);
  for (int x = 0; x <= window.width && !own.empty(); ++x)
    one.fragmentOffsets[std::size_t(x)] =
        offsets[std::size_t(std::clamp(window.x + x - own.x, 0, own.width))];
  return rows;
}

bool canStream(const std::string& input) { return looksLikeDeepExr(splitPart(input).first); }

void checkMemory(const std::vector<std::string>& files, const DeepReadOptions& options) {
  const std::uint64_t budget = options.memoryBudget > 0 ? options.memoryBudget : deepMemoryBudget();
  std::uint64_t bytes = 0, fragments = 0;
  for (const std::string& file : files) {
    if (!canStream(file)) continue;  // flat, or refused when it is read
    DeepExrReader reader = openInput(file, options);
    bytes += reader.totals().memoryBytes;
    fragments += reader.totals().fragmentCount;
  }
  const auto inGiB = [](std::uint64_t b) { return double(b) / double(1u << 30); };
  if (bytes > budget)
    fail(
        "{}{}: expected deep images of at most {:.2f} GiB, found {} samples that need {:.2f} GiB "
        "(fathom deep merge and flatten --stream need less)",
        files[0], files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : "",
        inGiB(budget), fragments, inGiB(bytes));
}

}  // namespace fathom::deep
