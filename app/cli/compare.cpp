// SPDX-License-Identifier: BSD-3-Clause
// fathom compare A B: one line per measure; flat pictures pixel by pixel, deep ones fragment by
// fragment.
#include "app/engine/core/compare.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"

namespace fathom::commands {
namespace {

struct CompareFlags {
  std::string a, b;
  std::optional<double> failPsnrBelow, failMaxAbove;
};

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
  std::string prefix;  // of the frame

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

/// True when the pictures are within the bounds that the flags set.
bool comparePictures(const CompareFlags& flags, const CommonOptions& common, Lines& lines,
                     RunRecord& record) {
  Picture a = readPictureAsStored(flags.a), b = readPictureAsStored(flags.b);
  if (!sameSize(a, b))
    fail("{}: expected the size of {}, {}x{}, found {}x{}", flags.b, flags.a, a.image.width,
         a.image.height, b.image.width, b.image.height);
  const bool overBlack = placeOverBlack(a, b);
  if (overBlack)
    lines.note(fmt::format("colors compared over black, in linear light, since only {} has alpha",
                           a.hasAlpha ? flags.a : flags.b));
  if (a.encoding != b.encoding) {
    for (Picture* picture : {&a, &b}) storeAsSrgb(*picture, overBlack);
    lines.note("compared as sRGB, since one of them is");
  }
  placeInOneWindow(a, b);
  std::size_t unseen = 0;  // both images are of one size
  for (std::size_t i = 0; i < a.image.pixels.size(); ++i) {
    const glm::vec4 &p = a.image.pixels[i], &q = b.image.pixels[i];
    unseen += p.a == 0 && q.a == 0 && p != q;
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
  record.size = {a.image.width, a.image.height};
  if (!common.output.empty()) writePicture(common.output, differencePicture(a.image, b.image));
  return !(flags.failPsnrBelow && difference.psnr < *flags.failPsnrBelow) &&
         !(flags.failMaxAbove &&
           std::max(difference.max, difference.alphaMax) > *flags.failMaxAbove);
}

bool compareDeepFiles(const CompareFlags& flags, const CommonOptions& common, Lines& lines,
                      RunRecord& record) {
  if (flags.failPsnrBelow)
    throw UsageError("--fail-psnr-below: expected flat images, found deep ones");
  if (!common.output.empty()) throw UsageError("--output: expected flat images, found deep ones");
  DeepImage a = readDeepExr(flags.a), b = readDeepExr(flags.b);
  record.size = {a.dataWindow.width, a.dataWindow.height};
  const DeepDifference difference = compareDeep(std::move(a), std::move(b), {flags.a, flags.b});
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

bool compareFiles(const CompareFlags& flags, const CommonOptions& common, Lines& lines,
                  RunRecord& record) {
  const FileKind kindA = kindOf(flags.a), kindB = kindOf(flags.b);
  if ((kindA == FileKind::DeepExr) != (kindB == FileKind::DeepExr))
    fail("{}: expected a {} image as {} is one, found a {} one", flags.b,
         kindA == FileKind::DeepExr ? "deep" : "flat", flags.a,
         kindB == FileKind::DeepExr ? "deep" : "flat");
  return kindA == FileKind::DeepExr ? compareDeepFiles(flags, common, lines, record)
                                    : comparePictures(flags, common, lines, record);
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
  bool within = a || b || compareFiles(flags, common, lines, record);
  const bool byB = b && (!a || (b->listsFrames() && !a->listsFrames()));
  for (const int frame : byB ? b->frames() : a ? a->frames() : std::vector<int>()) {
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
  table.operand("A", flags->a, "One image or sequence: PNG, EXR or deep EXR");
  table.operand("B", flags->b, "Image or sequence to compare it with");
  table.add("--fail-psnr-below", flags->failPsnrBelow, "DB", "Exit code 3 when PSNR is lower");
  table.add("--fail-max-above", flags->failMaxAbove, "VALUE",
            "Exit code 3 when any value (alpha and depth too) differs by more");
  return [flags, &common] { return runCompare(*flags, common); };
}

}  // namespace fathom::commands
