// SPDX-License-Identifier: BSD-3-Clause
// fathom compare A B: one line per measure; flat pictures pixel by pixel, deep ones fragment by
// fragment, the parts of EXR files in pairs.
#include "app/engine/core/compare.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"

#include <fmt/ranges.h>

namespace fathom::commands {
namespace {

struct CompareFlags {
  std::string a, b, frames;
  std::optional<double> failPsnrBelow, failMaxAbove;
  bool allValues = false;

  bool bounded() const { return failPsnrBelow || failMaxAbove; }
};

/// One of the two that are compared: a part of an EXR file, or a picture of another format.
struct Side {
  fs::path file;
  std::optional<ExrPartInfo> part;
  int partCount = 1;  // of the file

  bool deep() const { return part && part->deep; }
  std::string shown() const {
    return partCount > 1 ? fmt::format("{}#{}", file.string(), partName()) : file.string();
  }
  std::string partName() const { return part ? part->label() : ""; }
  bool hasColor() const {
    const auto has = [this](const char* name) { return part->has(name); };
    return !part || has("R") || has("G") || has("B") || has("Y");
  }
};

/// Of "FILE#PART" that part, of an EXR file all of its parts.
std::vector<Side> sidesOf(const std::string& input) {
  const auto [file, wish] = splitPart(input);
  const FileKind kind = kindOf(file);  // or an Error that names the file
  if (kind != FileKind::FlatExr && kind != FileKind::DeepExr) return {{input, {}}};
  const std::vector<ExrPartInfo> parts = exrParts(file);
  std::vector<Side> sides;
  for (const ExrPartInfo& part : parts)
    if (wish.empty() || part.is(wish)) sides.push_back({file, part, int(parts.size())});
  if (sides.empty())
    fail("{}: expected a part \"{}\", found {} parts without it", file, wish, parts.size());
  return sides;
}

/// Prints a measure and puts it into the record. Infinity has no JSON number and becomes null
/// there.
class Lines {
 public:
  Lines(RunRecord& record, bool silent) : record_(record), silent_(silent) {}
  template <class T>
  void add(const std::string& name, const T& value, const char* unit = "") {
    record_.set(prefix + name, value);
    if constexpr (std::is_same_v<T, bool>)
      note(fmt::format("{}{} {}", prefix, name, value ? "yes" : "no"));
    else if constexpr (std::is_integral_v<T>)
      note(fmt::format("{}{} {}", prefix, name, value));
    else
      note(fmt::format("{}{} {:.6g}{}", prefix, name, value, unit));
  }
  void note(const std::string& line) {
    if (!silent_) fmt::print("{}\n", line);
  }
  std::string prefix;  // of the frame, and of the part

 private:
  RunRecord& record_;
  bool silent_;
};

/// Pictures whose data windows differ are compared where either has pixels; outside of its own a
/// picture is 0, as every reader of EXR shows it.
void placeInOneWindow(Picture& a, Picture& b) {
  if (a.dataWindow == b.dataWindow) return;
  const Rect window = unite(a.dataWindow, b.dataWindow);
  for (Picture* picture : {&a, &b}) {
    Image placed(window.width, window.height, glm::vec4(0));
    const Rect& own = picture->dataWindow;
    for (int y = 0; y < own.height; ++y)
      for (int x = 0; x < own.width; ++x)
        placed.at(x + own.x - window.x, y + own.y - window.y) = picture->image.at(x, y);
    picture->image = std::move(placed);
    picture->dataWindow = window;
  }
}

/// Linear light as a PNG would hold it: straight alpha or over black, sRGB, 0 to 1.
void storeAsSrgb(Picture& picture, bool overBlack) {
  if (picture.encoding != Encoding::Linear) return;
  for (glm::vec4& pixel : picture.image.pixels) {
    pixel.a = std::clamp(pixel.a, 0.0f, 1.0f);
    const float alpha = overBlack ? 1 : pixel.a;
    for (int k = 0; k < 3; ++k) pixel[k] = alpha > 0 ? srgbFromLinear(pixel[k] / alpha) : 0.0f;
  }
}

/// A picture without alpha can only be over black: then so is the other. False: none needs to be.
bool placeOverBlack(Picture& a, Picture& b) {
  Picture& with = a.hasAlpha ? a : b;
  if (a.hasAlpha == b.hasAlpha ||
      std::ranges::all_of(with.image.pixels, [](const glm::vec4& pixel) { return pixel.a == 1; }))
    return false;
  if (with.encoding != Encoding::Linear)
    for (glm::vec4& pixel : with.image.pixels)
      for (int k = 0; k < 3; ++k) pixel[k] = srgbFromLinear(linearFromSrgb(pixel[k]) * pixel.a);
  return true;
}

/// Same frame, so that windows in it may differ; or the same number of pixels.
bool sameSize(const Picture& a, const Picture& b) {
  if (a.encoding == Encoding::Linear && b.encoding == Encoding::Linear &&
      a.displayWindow == b.displayWindow)
    return true;
  return a.image.width == b.image.width && a.image.height == b.image.height;
}

/// Not clipped; infinite between a NaN and a number.
double apart(double p, double q) {
  if (p == q || (std::isnan(p) && std::isnan(q))) return 0;
  return std::isnan(p) || std::isnan(q) ? INFINITY : std::abs(p - q);
}

/// Largest difference of a channel over both data windows, outside of which it is 0. Infinite
/// between numbers of IDs that differ.
double largestDifference(const Side& a, const Side& b, const std::string& channel) {
  const bool isId = std::ranges::any_of(a.part->channels, [&](const ExrPartInfo::Channel& each) {
    return each.name == channel && each.type == ChannelType::Uint;
  });
  const Rect windows[] = {a.part->dataWindow, b.part->dataWindow};
  const std::vector<float> values[] = {loadExrChannel(a.file, a.part->index, channel, isId),
                                       loadExrChannel(b.file, b.part->index, channel, isId)};
  const auto at = [&](int side, int x, int y) {
    const Rect& own = windows[side];
    return own.contains(x, y)
               ? values[side]
                       [std::size_t(y - own.y) * std::size_t(own.width) + std::size_t(x - own.x)]
               : 0.0f;
  };
  double largest = 0;
  for (const Rect& window : windows)
    for (int y = window.y; y < window.bottom(); ++y)
      for (int x = window.x; x < window.right(); ++x) {
        const float p = at(0, x, y), q = at(1, x, y);
        const bool sameBits = std::bit_cast<std::uint32_t>(p) == std::bit_cast<std::uint32_t>(q);
        if (!sameBits) largest = std::max(largest, isId ? INFINITY : apart(p, q));
      }
  return largest;
}

/// Depth and the other channels of two flat parts: their largest difference; infinite where one has
/// a channel that the other lacks, which is said.
double compareChannels(const Side& a, const Side& b, Lines& lines) {
  static const std::set<std::string> kColors{"R", "G", "B", "A", "Y", "RY", "BY"};
  std::map<std::string, double> largest;  // by measure
  double all = 0;
  for (const Side* side : {&a, &b}) {
    const Side& other = side == &a ? b : a;
    std::vector<std::string> alone;
    for (const ExrPartInfo::Channel& channel : side->part->channels) {
      if (a.hasColor() && kColors.contains(channel.name)) continue;  // compared as a picture
      if (!other.part->has(channel.name))
        alone.push_back(channel.name);
      else if (side == &a) {
        double& most = largest[channel.name == "Z" ? "max-depth" : "max-other"];
        most = std::max(most, largestDifference(a, b, channel.name));
      }
    }
    if (alone.empty()) continue;
    lines.note(fmt::format("only in {}: {}", side->shown(), fmt::join(alone, ", ")));
    all = INFINITY;
  }
  for (const auto& [measure, value] : largest) {
    lines.add(measure, value);
    all = std::max(all, value);
  }
  return all;
}

/// True when the pictures are within the bounds that the flags set.
bool comparePictures(const Side& sideA, const Side& sideB, const CompareFlags& flags,
                     const CommonOptions& common, Lines& lines, RunRecord& record) {
  const double beyond = sideA.part && sideB.part ? compareChannels(sideA, sideB, lines) : 0;
  const bool within = !(flags.failMaxAbove && flags.allValues && beyond > *flags.failMaxAbove);
  if (!sideA.hasColor() && !sideB.hasColor()) return within;
  const auto read = [](const Side& side) {
    if (!side.part) return readPictureAsStored(side.file);
    return loadFlatExr(side.file, std::to_string(side.part->index)).value();
  };
  Picture a = read(sideA), b = read(sideB);
  if (!sameSize(a, b))
    fail("{}: expected the size of {}, {}x{}, found {}x{}", sideB.shown(), sideA.shown(),
         a.image.width, a.image.height, b.image.width, b.image.height);
  const bool overBlack = placeOverBlack(a, b);
  if (overBlack)
    lines.note(fmt::format("colors compared over black, in linear light, since only {} has alpha",
                           (a.hasAlpha ? sideA : sideB).shown()));
  const bool bothLinear = a.encoding == Encoding::Linear && b.encoding == Encoding::Linear;
  if (a.encoding != b.encoding) {
    for (Picture* picture : {&a, &b}) storeAsSrgb(*picture, overBlack);
    lines.note("compared as sRGB, since one of them is");
  }
  placeInOneWindow(a, b);
  std::size_t unseen = 0;  // both images are of one size
  double unclipped = 0;
  for (std::size_t i = 0; i < a.image.pixels.size(); ++i) {
    const glm::vec4 &p = a.image.pixels[i], &q = b.image.pixels[i];
    unseen += p.a == 0 && q.a == 0 && p != q;
    for (int k = 0; bothLinear && k < 3; ++k) unclipped = std::max(unclipped, apart(p[k], q[k]));
  }
  if (unseen > 0)
    lines.note(
        fmt::format("{} pixels differ in color where both have alpha 0; they count", unseen));
  const PictureDifference difference = compare(a.image, b.image);
  lines.add("psnr", difference.psnr, " dB");
  lines.add("mae", difference.mae);
  lines.add("max", difference.max);
  lines.add("ssim", difference.ssim);
  if (a.hasAlpha || b.hasAlpha) {
    lines.add("alpha-mae", difference.alphaMae);
    lines.add("alpha-max", difference.alphaMax);
  }
  if (unclipped > difference.max) lines.add("max-unclipped", unclipped);
  record.size = {a.image.width, a.image.height};
  if (!common.output.empty()) writePicture(common.output, differencePicture(a.image, b.image));
  const double most =
      std::max({difference.max, difference.alphaMax, flags.allValues ? unclipped : 0});
  return within && !(flags.failPsnrBelow && difference.psnr < *flags.failPsnrBelow) &&
         !(flags.failMaxAbove && most > *flags.failMaxAbove);
}

bool compareDeepParts(const Side& sideA, const Side& sideB, const CompareFlags& flags,
                      const CommonOptions& common, Lines& lines, RunRecord& record) {
  if (flags.failPsnrBelow)
    throw UsageError("--fail-psnr-below: expected flat images, found deep ones");
  if (!common.output.empty()) throw UsageError("--output: expected flat images, found deep ones");
  const auto read = [](const Side& side) {
    return readDeepExr(side.file, {.part = std::to_string(side.part->index)});
  };
  DeepImage a = read(sideA), b = read(sideB);
  record.size = {a.dataWindow.width, a.dataWindow.height};
  const DeepDifference difference =
      compareDeep(std::move(a), std::move(b), {sideA.shown(), sideB.shown()});
  lines.add("fragments-a", difference.fragmentsA);
  lines.add("fragments-b", difference.fragmentsB);
  lines.add("pixels-with-other-count", difference.pixelsWithOtherCount);
  lines.add("different-fragments", difference.fragmentsThatDiffer);
  lines.add("max-color", difference.maxColor);
  lines.add("max-depth", difference.maxDepth);
  if (difference.maxOther > 0) lines.add("max-other", difference.maxOther);
  lines.add("identical", difference.equal());
  return !flags.failMaxAbove ||
         (difference.pixelsWithOtherCount == 0 && difference.channels.empty() &&
          std::max({difference.maxColor, difference.maxDepth, difference.maxOther}) <=
              *flags.failMaxAbove);
}

bool compareSides(const Side& a, const Side& b, const CompareFlags& flags,
                  const CommonOptions& common, Lines& lines, RunRecord& record) {
  if (a.deep() != b.deep())
    fail("{}: expected a {} image as {} is one, found a {} one", b.shown(),
         a.deep() ? "deep" : "flat", a.shown(), b.deep() ? "deep" : "flat");
  if (a.hasColor() != b.hasColor() && !a.deep())
    fail("{}: expected colors like those of {}, found {}", (a.hasColor() ? b : a).shown(),
         (a.hasColor() ? a : b).shown(), (a.hasColor() ? b : a).part->channelNames());
  return a.deep() ? compareDeepParts(a, b, flags, common, lines, record)
                  : comparePictures(a, b, flags, common, lines, record);
}

/// Parts of one name in pairs, and the only one of a file without names with the first of the
/// other; one that the other file lacks is beyond every bound.
bool compareFiles(const CompareFlags& flags, const CommonOptions& common, Lines& lines,
                  RunRecord& record) {
  std::vector<Side> a = sidesOf(flags.a), b = sidesOf(flags.b);
  const auto withColor = [](std::vector<Side>& sides) {  // what a picture without parts stands for
    const auto first = std::ranges::find_if(sides, &Side::hasColor);
    if (sides.size() > 1 && first != sides.end()) sides = {*first};
  };
  if (!a[0].part) withColor(b);
  if (!b[0].part) withColor(a);
  if (a.size() == 1 && b.size() == 1) return compareSides(a[0], b[0], flags, common, lines, record);
  if (!common.output.empty())
    throw UsageError("--output: expected two images, found several parts");
  const std::string frame = lines.prefix;
  bool within = true;
  const auto lacks = [&](const Side& side) {
    lines.note(fmt::format("{}only in {}: part {}", frame, side.file.string(), side.partName()));
    within = within && !flags.bounded();
  };
  const auto isNameless = [](const std::vector<Side>& sides) {
    return sides.size() == 1 && sides[0].part->name.empty() && sides[0].part->view.empty();
  };
  const bool inOrder = isNameless(a) || isNameless(b);
  for (const Side& side : a) {
    auto found = std::ranges::find(b, side.partName(), &Side::partName);
    if (inOrder) found = b.begin();
    if (found == b.end()) {
      lacks(side);
      continue;
    }
    lines.prefix = fmt::format("{}part {} ", frame, side.partName());
    within = compareSides(side, *found, flags, common, lines, record) && within;
    b.erase(found);
  }
  for (const Side& side : b) lacks(side);
  lines.prefix = frame;
  return within;
}

/// Those that --frames or a name lists, else all that either of the sequences has.
std::vector<int> framesOf(const CompareFlags& flags, const std::optional<FramePattern>& a,
                          const std::optional<FramePattern>& b) {
  if (!flags.frames.empty()) return parseFrames(flags.frames);
  std::set<int> all;
  for (const auto* pattern : {&a, &b}) {
    if (!*pattern) continue;
    if ((*pattern)->listsFrames()) return (*pattern)->frames();
    const std::vector<int> found = (*pattern)->found();
    all.insert(found.begin(), found.end());
  }
  return {all.begin(), all.end()};
}

int runCompare(const CompareFlags& flags, const CommonOptions& common) {
  Reporting reporting(common);
  checkOutput(common.output, {".png", ".exr"});
  refuseInput("--output", common.output, {flags.a, flags.b});
  RunRecord record;
  record.command = "compare";
  Lines lines(record, common.jsonToStandardOutput());
  const auto a = FramePattern::of(flags.a), b = FramePattern::of(flags.b);
  if ((a || b) && !common.output.empty())
    throw UsageError("--output: expected two images, found a sequence");
  if (!(a || b) && !flags.frames.empty())
    throw UsageError("--frames: expected a sequence, found two images");
  if (flags.allValues && !flags.failMaxAbove)
    throw UsageError("--all-values: expected --fail-max-above beside it, found none");
  bool within = a || b || compareFiles(flags, common, lines, record);
  for (const int frame : a || b ? framesOf(flags, a, b) : std::vector<int>()) {
    CompareFlags one = flags;
    one.a = a ? a->at(frame) : flags.a, one.b = b ? b->at(frame) : flags.b;
    lines.prefix = fmt::format("frame {} ", frame);
    within = compareFiles(one, common, lines, record) && within;
  }
  if ((a || b) && lines.prefix.empty())
    fail("{}: expected files of a sequence, found none", a ? flags.a : flags.b);
  reporting.finish(record, nullptr);
  return within ? 0 : 3;
}

}  // namespace

Action declareCompare(FlagTable& table, const CommonOptions& common) {
  const auto flags = std::make_shared<CompareFlags>();
  table.operand("A", flags->a, "One image or sequence: PNG, EXR or deep EXR; FILE#PART one part");
  table.operand("B", flags->b, "Image or sequence to compare it with");
  table.add("--fail-psnr-below", flags->failPsnrBelow, "DB", "Exit code 3 when PSNR is lower");
  table.add("--fail-max-above", flags->failMaxAbove, "VALUE",
            "Exit code 3 when a color (from 0 to 1), alpha or anything deep differs by more");
  table.add("--all-values", flags->allValues,
            "--fail-max-above bounds Z, other channels and colors beyond 0 to 1, too");
  table.add("--frames", flags->frames, "LIST", "Frames of sequences, 1001-1100x2; all otherwise");
  return [flags, &common] { return runCompare(*flags, common); };
}

}  // namespace fathom::commands
