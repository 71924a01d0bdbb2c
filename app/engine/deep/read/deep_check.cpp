// SPDX-License-Identifier: BSD-3-Clause
// Rows on all cores, each pixel by itself; a finding keeps how many there are and the first of
// them.
#include "app/engine/deep/read/deep_check.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/operations/sample_list.h"
#include "app/engine/io/exr/exr_attributes.h"

#include <half.h>

namespace fathom::deep {
namespace {

constexpr int kThinEveryRow = 16;
constexpr std::size_t kCostliest = 5;
constexpr std::size_t kFragmentsAtOnce = 1 << 22;

/// What is counted per fragment or pixel, in the order of the table below.
enum Fault : std::size_t {
  kNanColor,
  kNanDepth,
  kAlphaOutside,
  kNegativeColor,
  kBelowNear,
  kBackInFront,
  kUnsorted,
  kOverlapping,
  kCoincident,
  kHidden,
  kNothing,
  kTwice,
  kUnnamed,
  kFaultCount
};

struct FaultText {
  Severity severity;
  const char *code, *text;
};
constexpr FaultText kFaults[kFaultCount] = {
    {Severity::Error, "nan-color", "fragments with NaN or infinite color or alpha"},
    {Severity::Error, "nan-depth", "fragments with NaN depth"},
    {Severity::Error, "alpha-range", "fragments with alpha outside 0..1"},
    {Severity::Warning, "negative-color", "fragments with negative color"},
    {Severity::Warning, "below-near", "fragments in front of the near plane"},
    {Severity::Error, "back-in-front", "fragments whose ZBack is in front of their Z"},
    {Severity::Warning, "unsorted", "pixels whose fragments do not ascend in depth"},
    {Severity::Note, "overlapping", "pixels with volumes that overlap, or points inside of them"},
    {Severity::Note, "coincident", "pixels with several fragments in one place"},
    {Severity::Warning, "hidden", "fragments behind an opaque one; --drop-hidden 1 drops them"},
    {Severity::Warning, "empty-fragment", "fragments with neither alpha nor color"},
    {Severity::Warning, "duplicate",
     "fragments that repeat the one in front of them in every value"},
    {Severity::Warning, "unnamed-id", "fragments whose ID is not in the manifest"},
};

struct Counted {
  std::uint64_t count = 0;
  int x = 0, y = 0;
  void add(int atX, int atY) {
    if (count++ == 0 || std::tie(atY, atX) < std::tie(y, x)) x = atX, y = atY;
  }
  void add(const Counted& other) {
    if (other.count > 0 && (count == 0 || std::tie(other.y, other.x) < std::tie(y, x)))
      x = other.x, y = other.y;
    count += other.count;
  }
};

struct Tally {
  Counted faults[kFaultCount];
  std::vector<CheckedPart::Pixel> costliest;
  void keepCostliest() {
    std::sort(costliest.begin(), costliest.end(), [](const auto& a, const auto& b) {
      return std::tie(b.count, a.y, a.x) < std::tie(a.count, b.y, b.x);
    });
    if (costliest.size() > kCostliest) costliest.resize(kCostliest);
  }
};

/// The values of fragments as the file has them, by what they mean.
class StoredValues {
 public:
  StoredValues(const DeepImage& image, const std::vector<IdNames>& manifest) : image_(image) {
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
      const std::string& name = image.channels[c].name;
      const std::string base = name.substr(name.rfind('.') + 1);
      if (image.channels[c].type == ChannelType::Uint) {
        if (const IdNames* names = namesFor(manifest, name)) ids_.emplace_back(c, names);
      } else if (isColorName(base)) {
        colors_.push_back(c);
      } else if (isAlphaName(base)) {
        alphas_.push_back(c);
      }
      if (name == "A") alpha_ = c;
    }
  }

  float z(std::size_t i) const { return std::bit_cast<float>(image_.words[i * 4 + 2]); }
  float zBack(std::size_t i) const { return std::bit_cast<float>(image_.words[i * 4 + 3]); }
  float alpha(std::size_t i) const {
    return alpha_ ? value(*alpha_, i) : colors_.empty() ? 0.0f : 1.0f;
  }
  float value(std::size_t channel, std::size_t i) const {
    const DeepChannel& c = image_.channels[channel];
    if (image_.format == FragmentFormat::Indexed) return float(channelValue(c, i));
    const int slot = c.name == "R" ? 0 : c.name == "G" ? 1 : c.name == "B" ? 2 : 3;
    half value;
    value.setBits(std::uint16_t(image_.words[i * 4 + std::size_t(slot / 2)] >> (16 * (slot % 2))));
    return value;
  }
  bool isUnnamed(std::size_t i) const {
    for (const auto& [channel, names] : ids_) {
      const auto id = load<std::uint32_t>(image_.channels[channel].values.data() + 4 * i);
      if (id != 0 && !names->names.contains(id)) return true;
    }
    return false;
  }
  bool isTwice(std::size_t i, std::size_t j) const {
    return sameFragment(image_, &image_.words[4 * i], image_, &image_.words[4 * j]);
  }
  const std::vector<std::size_t>& colors() const { return colors_; }
  const std::vector<std::size_t>& alphas() const { return alphas_; }

 private:
  const DeepImage& image_;
  std::vector<std::size_t> colors_, alphas_;
  std::optional<std::size_t> alpha_;
  std::vector<std::pair<std::size_t, const IdNames*>> ids_;
};

/// The values of one fragment.
void checkFragment(const StoredValues& values, std::size_t i, double nearest, int x, int y,
                   Tally& tally) {
  const auto found = [&](Fault fault) { tally.faults[fault].add(x, y); };
  bool bad = false, negative = false, shows = false, outside = false;
  for (const std::size_t c : values.colors()) {
    const float v = values.value(c, i);
    bad = bad || !std::isfinite(v), negative = negative || v < 0, shows = shows || v != 0;
  }
  for (const std::size_t c : values.alphas()) {
    const float v = values.value(c, i);
    bad = bad || !std::isfinite(v), outside = outside || v < 0 || v > 1, shows = shows || v != 0;
  }
  if (values.alphas().empty()) shows = true;
  const float z = values.z(i), back = values.zBack(i);
  if (bad) found(kNanColor);
  if (outside && !bad) found(kAlphaOutside);
  if (negative) found(kNegativeColor);
  if (!shows) found(kNothing);
  if (std::isnan(z) || std::isnan(back))
    found(kNanDepth);
  else if (double(z) < nearest)
    found(kBelowNear);
  if (back < z) found(kBackInFront);
  if (values.isUnnamed(i)) found(kUnnamed);
}

/// The fragments of one pixel beside each other.
void checkList(const StoredValues& values, std::size_t first, std::size_t last, int x, int y,
               Tally& tally) {
  bool unsorted = false, overlapping = false, coincident = false;
  float passing = 1, end = -INFINITY;
  for (std::size_t i = first; i < last; ++i) {
    if (passing <= 0) tally.faults[kHidden].add(x, y);
    passing *= 1 - values.alpha(i);
    const float z = values.z(i), back = std::max(z, values.zBack(i));
    if (i > first) {
      const float before = values.z(i - 1), beforeBack = std::max(before, values.zBack(i - 1));
      unsorted = unsorted || z < before || (z == before && back < beforeBack);
      const bool samePlace = z == before && back == beforeBack;
      coincident = coincident || samePlace;
      overlapping = overlapping || (z < end && !samePlace && z >= before);
      if (values.isTwice(i - 1, i)) tally.faults[kTwice].add(x, y);
    }
    end = std::max(end, back);
  }
  if (unsorted) tally.faults[kUnsorted].add(x, y);
  if (overlapping) tally.faults[kOverlapping].add(x, y);
  if (coincident) tally.faults[kCoincident].add(x, y);
}

void checkRows(const DeepImage& image, const std::vector<IdNames>& manifest, double nearest,
               Tally& all) {
  const StoredValues values(image, manifest);
  const Rect& w = image.dataWindow;
  std::mutex mutex;
  parallelFor(std::size_t(w.height), 4, [&](std::size_t from, std::size_t to) {
    Tally tally;
    for (int row = int(from); row < int(to); ++row)
      for (int x = w.x; x < w.right(); ++x) {
        const std::size_t p = image.pixelIndex(x, w.y + row);
        const std::size_t first = image.fragmentOffsets[p], last = image.fragmentOffsets[p + 1];
        if (first == last) continue;
        for (std::size_t i = first; i < last; ++i)
          checkFragment(values, i, nearest, x, w.y + row, tally);
        if (last - first > 1) checkList(values, first, last, x, w.y + row, tally);
        tally.costliest.push_back({x, w.y + row, std::uint32_t(last - first)});
        if (tally.costliest.size() > 64) tally.keepCostliest();
      }
    const std::lock_guard lock(mutex);
    for (std::size_t f = 0; f < kFaultCount; ++f) all.faults[f].add(tally.faults[f]);
    all.costliest.insert(all.costliest.end(), tally.costliest.begin(), tally.costliest.end());
    all.keepCostliest();
  });
}

/// What the header alone tells, beside what the fragments were found to be.
void checkHeader(const ExrPartInfo& part, const Tally& tally, CheckedPart& checked) {
  const auto add = [&](Severity severity, const char* code, std::string text) {
    checked.findings.push_back({severity, code, 0, std::move(text), 0, 0});
  };
  const bool sorted = part.state == "sorted" || part.state == "tidy";
  const bool apart = part.state == "non-overlapping" || part.state == "tidy";
  if ((sorted && tally.faults[kUnsorted].count > 0) ||
      (apart && tally.faults[kOverlapping].count > 0))
    add(Severity::Error, "wrong-state",
        fmt::format("deepImageState says {}, the fragments are not", part.state));
  if (part.tiled)
    add(Severity::Warning, "tiled",
        "stored in tiles: Nuke reads deep scanlines only; fathom deep merge writes them");
  if (part.levelCount > 1)
    add(Severity::Warning, "levels",
        fmt::format("{} levels; deep programs read the first", part.levelCount));
  if (!part.has("A") && !part.has("AR"))
    add(Severity::Warning, "no-alpha",
        fmt::format("no A channel: every fragment counts as {}",
                    part.has("R") || part.has("G") || part.has("B") || part.has("Y")
                        ? "opaque"
                        : "transparent"));
  for (const ExrPartInfo::Channel& channel : part.channels) {
    if (lowered(channel.name) == "zback" && channel.name != "ZBack")
      add(Severity::Error, "misspelled-zback",
          fmt::format("\"{}\" is read by nobody as the back of volumes, \"ZBack\" is",
                      channel.name));
    if (channel.name == "Z" && channel.type == ChannelType::Half)
      add(Severity::Warning, "half-depth", "Z is stored as half: three digits");
  }
  if (part.compression == "none" || part.compression == "rle")
    add(Severity::Note, "compression",
        fmt::format("compressed by {}; zips is smaller", part.compression));
  if (intersect(part.dataWindow, part.displayWindow).empty())
    add(Severity::Warning, "out-of-frame", "the data window lies outside of the display window");
  if (checked.fragments == 0) add(Severity::Warning, "no-fragments", "no pixel has a fragment");
}

/// Renderers take fragments together that differ by less than a tolerance; where most of them could
/// be, it was not set.
void judgeDensity(CheckedPart& checked) {
  const double occupied = double(std::max<std::uint64_t>(1, checked.pixels - checked.emptyPixels));
  const double perPixel = double(checked.fragments) / occupied;
  if (perPixel >= 8 && checked.thinned < 0.25)
    checked.findings.push_back(
        {Severity::Warning, "dense", 0,
         fmt::format(
             "{:.1f} fragments per pixel; {:.0f} % suffice within 1/512: raise the renderer's "
             "tolerance for deep samples",
             perPixel, 100 * checked.thinned),
         0, 0});
}

/// Fragments in rows that were thinned, before and after.
struct ThinnedRows {
  std::uint64_t before = 0, after = 0;
};

void thinRow(DeepExrReader& repaired, int y, ThinnedRows& rows) {
  const DeepImage row = repaired.readRows(y, y + 1);
  rows.before += row.fragmentCount();
  rows.after +=
      mergeEdited(withEdits(std::span(&row, 1)), {.thinError = 1.0 / 512}).fragmentCount();
}

CheckedPart checkPart(const fs::path& file, const ExrPartInfo& part, const CheckOptions& options) {
  DeepReadOptions read{.part = std::to_string(part.index), .asStored = true};
  DeepExrReader reader(file, read);
  read.asStored = false;
  DeepExrReader repaired(file, read);
  const DeepTotals totals = reader.totals();
  const Rect& w = part.dataWindow;
  CheckedPart checked;
  checked.name = part.name.empty() ? std::to_string(part.index) : part.name;
  checked.fragments = totals.fragmentCount;
  checked.pixels = std::uint64_t(w.area()), checked.emptyPixels = totals.emptyPixels;
  for (const ExrPartInfo::Channel& channel : part.channels)
    checked.channels.push_back({channel.name, totals.fragmentCount * bytesPerValue(channel.type)});

  const std::vector<IdNames> manifest =
      part.attributes ? idManifestOf(*part.attributes) : std::vector<IdNames>();
  Tally tally;
  ThinnedRows thinned;
  const std::vector<std::uint64_t>& counts = reader.rowCounts();
  if (options.progress) options.progress->begin("check " + file.filename().string(), w.height);
  for (int first = 0; first < w.height;) {
    std::uint64_t sum = counts[std::size_t(first)];
    int last = first + 1;
    while (last < w.height && ((last - first) % reader.rowStep() != 0 ||
                               sum + counts[std::size_t(last)] <= kFragmentsAtOnce))
      sum += counts[std::size_t(last++)];
    checkRows(reader.readRows(w.y + first, w.y + last), manifest, options.nearest, tally);
    for (int row = first; row < last; ++row)
      if (row % kThinEveryRow == kThinEveryRow / 2 && counts[std::size_t(row)] > 0)
        thinRow(repaired, w.y + row, thinned);
    if (options.progress) options.progress->advance(last - first);
    first = last;
  }
  checked.hidden = tally.faults[kHidden].count;
  checked.costliest = tally.costliest;
  if (thinned.before > 0) checked.thinned = double(thinned.after) / double(thinned.before);
  for (std::size_t f = 0; f < kFaultCount; ++f)
    if (const Counted& c = tally.faults[f]; c.count > 0)
      checked.findings.push_back({kFaults[f].severity, kFaults[f].code, c.count,
                                  fmt::format("{} {}", c.count, kFaults[f].text), c.x, c.y});
  checkHeader(part, tally, checked);
  judgeDensity(checked);
  std::ranges::stable_sort(checked.findings, {}, &Finding::severity);
  return checked;
}

}  // namespace

const char* nameOf(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

bool CheckedPart::has(Severity severity) const {
  return std::ranges::find(findings, severity, &Finding::severity) != findings.end();
}

std::vector<CheckedPart> checkDeepExr(const fs::path& file, const CheckOptions& options) {
  std::vector<CheckedPart> all;
  for (const ExrPartInfo& part : exrParts(file))
    if (part.deep) all.push_back(checkPart(file, part, options));
  if (all.empty()) DeepExrReader{file};  // says why not
  return all;
}

}  // namespace fathom::deep
