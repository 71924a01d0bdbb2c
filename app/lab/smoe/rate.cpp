// SPDX-License-Identifier: BSD-3-Clause
// What a model is worth as a file: quality of pictures that are given, or made here, at so many
// bits per pixel, beside other codecs at no more bytes. All numbers are those of files, decoded and
// rounded to 8 bits. Only the model's decoding is timed in trials; encoding takes what it takes.
#include "app/lab/smoe/bench.h"

#include "app/engine/core/compare.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/settings.h"
#include "app/lab/smoe/workloads.h"
#include "app/system/machine.h"
#include "app/system/process.h"

namespace fathom::smoe {
// ---- Other codecs. Programs are searched in the path and run without a shell, so names may hold
// anything.

namespace {

using Line = std::vector<std::string>;

/// Command lines stand with IN, OUT, QUALITY and COARSENESS (how far the quality is from the
/// highest) for what they say; the second one decodes to a PNG, none: not needed.
struct Codec {
  const char *name, *ending;  // of its files
  int lowest, highest;        // quality, rising
  const char *encode, *decode = nullptr;

  Line line(const char* command, const std::string& in, const std::string& out,
            int quality = 0) const {
    Line line = splitAt(command, ' ');
    for (std::string& word : line)
      word = word == "IN"           ? in
             : word == "OUT"        ? out
             : word == "QUALITY"    ? std::to_string(quality)
             : word == "COARSENESS" ? std::to_string(highest - quality)
                                    : word;
    return line;
  }
};

constexpr Codec kCodecs[] = {
    {"JPEG 4:2:0", ".jpg", 1, 99,
     "cjpeg -quality QUALITY -optimize -progressive -sample 2x2 -outfile OUT IN"},
    {"WebP", ".webp", 0, 99, "cwebp -quiet -m 6 -q QUALITY IN -o OUT"},
    // Below 5 cjxl 0.7 asks for a distance that it refuses.
    {"JPEG XL", ".jxl", 5, 99, "cjxl IN OUT -e 7 -q QUALITY --quiet", "djxl IN OUT --quiet"},
    {"AVIF", ".avif", 0, 63, "avifenc -s 6 --yuv 444 --min COARSENESS --max COARSENESS IN OUT",
     "avifdec IN OUT"}};

/// Those whose programs are there.
std::vector<Codec> installedCodecs() {
  std::vector<Codec> found(std::begin(kCodecs), std::end(kCodecs));
  std::erase_if(found, [](const Codec& codec) {
    return system::findProgram(splitAt(codec.encode, ' ')[0]).empty();
  });
  return found;
}

/// Throws Error, in which the program is to `action` the file.
void run(const Line& line, const std::string& file, const char* action) {
  if (const int status = system::run(line).value_or(127); status != 0)
    fail("{}: expected {} to {} it, found exit status {}", file, line[0], action, status);
}

/// The file of the best quality that takes at most `bytes`, and what it decodes to, in `folder`;
/// quality -1: even the lowest takes more.
struct CodecResult {
  int quality = -1;
  std::uint64_t bytes = 0;
  std::string decoded;  // a picture file
};
CodecResult encodeWithin(const Codec& codec, const std::string& picture, std::uint64_t bytes,
                         const fs::path& folder) {
  const auto fileAt = [&](int quality) {
    return (folder / fmt::format("q{}{}", quality, codec.ending)).string();
  };
  const auto sizeAt = [&](int quality) -> std::uint64_t {
    const std::string file = fileAt(quality);
    std::error_code missing;
    if (const auto size = fs::file_size(file, missing); !missing) return size;
    run(codec.line(codec.encode, picture, file, quality), picture, "encode");
    return fs::file_size(file);
  };
  CodecResult result;
  int low = codec.lowest - 1, high = codec.highest + 1;  // fits, does not
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (sizeAt(middle) <= bytes ? low : high) = middle;
  }
  if (low < codec.lowest) return result;
  result.quality = low;
  result.bytes = sizeAt(low);
  result.decoded = fileAt(low);
  if (codec.decode) {
    result.decoded += ".png";
    run(codec.line(codec.decode, fileAt(low), result.decoded), fileAt(low), "decode");
  }
  return result;
}

// ---- Curves

/// y over rising x, monotone between its points.
struct Curve {
  std::vector<double> x, y, slope;

  explicit Curve(std::vector<std::pair<double, double>> points) {
    std::sort(points.begin(), points.end());
    for (const auto& [px, py] : points) {
      if (!x.empty() && !(px > x.back())) continue;
      x.push_back(px), y.push_back(py);
    }
    const std::size_t n = x.size();
    slope.assign(n, 0);
    if (n < 2) return;
    std::vector<double> secant;
    for (std::size_t i = 0; i + 1 < n; ++i) secant.push_back((y[i + 1] - y[i]) / (x[i + 1] - x[i]));
    slope.front() = secant.front(), slope.back() = secant.back();
    for (std::size_t i = 1; i + 1 < n; ++i)
      if (secant[i - 1] * secant[i] > 0)  // the harmonic mean keeps it monotone
        slope[i] = 2 * secant[i - 1] * secant[i] / (secant[i - 1] + secant[i]);
  }
  double at(double where) const {
    const auto next = std::upper_bound(x.begin(), x.end(), where) - x.begin();
    const auto i =
        std::size_t(std::clamp<std::ptrdiff_t>(next - 1, 0, std::ptrdiff_t(x.size()) - 2));
    const double h = x[i + 1] - x[i], t = (where - x[i]) / h;
    return y[i] * (1 + 2 * t) * (1 - t) * (1 - t) + y[i + 1] * t * t * (3 - 2 * t) +
           h * slope[i] * t * (1 - t) * (1 - t) - h * slope[i + 1] * t * t * (1 - t);
  }
  /// The mean from `low` to `high`, over the middles of short pieces.
  double mean(double low, double high) const {
    constexpr int kPieces = 1000;
    double sum = 0;
    for (int i = 0; i < kPieces; ++i) sum += at(low + (high - low) * (i + 0.5) / kPieces);
    return sum / kPieces;
  }
};

/// Mean of tested - anchor where both are; false when they share nothing.
bool meanDifference(const Curve& anchor, const Curve& tested, double& mean) {
  if (anchor.x.size() < 2 || tested.x.size() < 2) return false;
  const double low = std::max(anchor.x.front(), tested.x.front());
  const double high = std::min(anchor.x.back(), tested.x.back());
  if (!(low < high)) return false;
  mean = tested.mean(low, high) - anchor.mean(low, high);
  return true;
}

Curve curveOf(const std::vector<RatePoint>& points, bool rateOverQuality) {
  std::vector<std::pair<double, double>> pairs;
  for (const RatePoint& p : points)
    pairs.push_back(rateOverQuality ? std::pair(p.dB, std::log(p.bitsPerPixel))
                                    : std::pair(std::log(p.bitsPerPixel), p.dB));
  return Curve(std::move(pairs));
}

}  // namespace

Bjontegaard bjontegaard(const std::vector<RatePoint>& anchor,
                        const std::vector<RatePoint>& tested) {
  Bjontegaard result;
  double logRate = 0;
  result.known = meanDifference(curveOf(anchor, true), curveOf(tested, true), logRate) &&
                 meanDifference(curveOf(anchor, false), curveOf(tested, false), result.dB);
  result.rate = std::exp(logRate) - 1;
  return result;
}

// ---- The bench

namespace {

/// A picture, as values in sRGB of 8 bits, and its files for the other codecs.
struct RatePicture {
  std::string name;
  SharedTraining training;
  Image target;
  fs::path folder;  // of its files
  std::string ppm, png;
  double pixels() const { return double(target.width) * target.height; }
};

Image inEightBits(Image image) {
  for (glm::vec4& pixel : image.pixels)
    for (int c = 0; c < 3; ++c) pixel[c] = std::round(std::clamp(pixel[c], 0.0f, 1.0f) * 255) / 255;
  return image;
}

RatePicture ratePicture(const std::string& name, TrainingSet training, const fs::path& folder) {
  if (training.dims != 2) fail("{}: expected an image, found a folder", name);
  RatePicture picture;
  picture.name = fs::path(name).filename().string();
  training.pictures[0] = inEightBits(std::move(training.pictures[0]));
  picture.target = training.pictures[0];
  picture.training = std::make_shared<const TrainingSet>(std::move(training));
  picture.folder = folder;
  fs::create_directory(folder);
  picture.ppm = (folder / "picture.ppm").string(), picture.png = (folder / "picture.png").string();
  std::vector<std::uint8_t> bytes;
  for (const glm::vec4& pixel : picture.target.pixels)
    for (int c = 0; c < 3; ++c) bytes.push_back(std::uint8_t(std::lround(pixel[c] * 255)));
  writePpm(picture.ppm, picture.target.width, picture.target.height, bytes);
  // The same bytes: the PPM is read as light and written as sRGB.
  writePicture(picture.png, readPicture(picture.ppm).image);
  return picture;
}

std::vector<RatePicture> ratePictures(BenchRun& run, const fs::path& work) {
  std::vector<RatePicture> pictures;
  for (const std::string& file : run.files()) {
    const fs::path folder = work / fmt::format("{}", pictures.size());
    pictures.push_back(
        ratePicture(file, readTraining(file, ColorSpace::Srgb, run.progress()), folder));
  }
  if (!pictures.empty()) return pictures;
  const glm::ivec2 size = run.size({64, 48}, {512, 384}, {768, 512});
  for (const float grain : {0.0f, 0.5f}) {
    const std::string name = grain > 0 ? "made, with texture" : "made, smooth";
    pictures.push_back(
        ratePicture(name, benchPicture(size, grain, 3), work / fmt::format("{}", pictures.size())));
    if (run.scale() == BenchScale::Quick) break;
  }
  return pictures;
}

using Values = std::vector<std::pair<std::string, double>>;

/// By codec and picture; of MS-SSIM as decibels of what it lacks.
struct Curves {
  std::map<std::string, std::map<std::string, std::vector<RatePoint>>> psnr, msSsim;
};
constexpr const char* kOwnCodec = "SMoE";

/// What a decoded file is worth; added to the curves.
Values judge(Image found, const RatePicture& picture, const std::string& codec, double bytes,
             Curves& curves) {
  const PictureDifference difference = compare(found, picture.target);
  const double rate = 8 * bytes / picture.pixels();
  const double similarity = msSsim(std::move(found), picture.target);
  curves.psnr[codec][picture.name].push_back({rate, difference.psnr});
  curves.msSsim[codec][picture.name].push_back({rate, decibels(1 - similarity)});
  return {{"bits per pixel", rate}, {"PSNR dB", difference.psnr}, {"MS-SSIM", similarity}};
}

/// A row of values, and nothing timed.
void state(BenchRun& run, const std::string& workload, const std::string& label,
           const std::string& how, const Values& values, double pixels = 1, double bytes = 0) {
  BenchCase c = makeCase(workload, label, pixels);
  c.memoryBytes = std::int64_t(bytes);
  c.check = [&] { return CheckResult{true, how, "", values}; };
  run.measure(c);
}

struct RateSettings {
  Settings fit;
  float bitsPerPixel = 0.35f;
  RateSettings() { fit.encoding = Encoding::Packed; }
};

void describe(RateSettings& settings, FieldVisitor& field) {
  field(settings.bitsPerPixel, range("bpp", 0.01f, 100.0f, "Bits per pixel that files may take."));
  describe(settings.fit, field);
}

/// The model as its file decodes. Returns the bytes of the file.
std::uint64_t measureOwn(BenchRun& run, const RatePicture& picture, const RateSettings& settings,
                         Curves& curves) {
  const FileGoal goal{settings.fit.encoding, double(settings.fit.packingLoss), 0,
                      double(settings.bitsPerPixel)};
  const FitRequest request{.components = componentsFor(goal, *picture.training),
                           .steps = settings.fit.steps,
                           .seed = run.seed(),
                           .structure = settings.fit.ssim};
  const Stopwatch watch;
  Fitter fitter(run.gpu(), picture.training, request);
  Progress progress;
  while (!fitter.step(200, progress)) run.progress().throwIfCancelled();
  const FittedFile fitted =
      fittedFile(run.gpu(), fitter.model(), picture.training, goal, picture.name);
  const double seconds = watch.seconds();
  const fs::path file = picture.folder / "model.smoe";
  writeFile(file, fitted.saved.bytes);
  const Model model = readModel(file, run.progress());
  Decoder decoder(run.gpu());
  decoder.setModel(model);
  const ViewWindow window{{picture.target.width, picture.target.height}};
  buildAll(decoder, window, DecodeOptions{});
  Image found(window.size.x, window.size.y);
  found.pixels = decoder.downloadRaw(window);
  const std::uint64_t bytes = fs::file_size(file);
  Values values = judge(inEightBits(std::move(found)), picture, kOwnCodec, double(bytes), curves);
  const double psnr = values[1].second;
  values.push_back({"components", double(model.components.size())});
  values.push_back({"fit s", seconds});

  BenchCase c = pictureCase(
      picture.name, fmt::format("{} at {:g}", kOwnCodec, settings.bitsPerPixel), window.size);
  c.memoryBytes = std::int64_t(bytes);
  RateSettings stated = settings;
  c.settings = valuesOf(describing(stated));
  const gpu::Texture decoded(run.gpu(), "rate image", gpu::TextureFormat::Rgba32f, window.size.x,
                             window.size.y);
  c.reset = [&] { decoder.setModel(model); };  // lists are made anew
  c.trial = [&] { decodeAll(decoder, window, DecodeOptions{}, decoded); };
  c.check = [&] {
    return CheckResult{psnr > 5, fmt::format("{:.2f} dB", psnr),
                       "expected an image like the one that was fitted", values};
  };
  run.measure(c);
  return bytes;
}

void measureOthers(BenchRun& run, const RatePicture& picture, const std::vector<Codec>& codecs,
                   std::uint64_t bytes, const std::string& rate, Curves& curves) {
  for (const Codec& codec : codecs) {
    const std::string& source = codec.decode ? picture.png : picture.ppm;
    const CodecResult result = encodeWithin(codec, source, bytes, picture.folder);
    if (result.quality < 0) continue;  // not even its worst is as small
    const Values values = judge(readPictureAsStored(result.decoded).image, picture, codec.name,
                                double(result.bytes), curves);
    const Line line = codec.line(codec.encode, "IN", "OUT", result.quality);
    state(run, picture.name, fmt::format("{} at {}", codec.name, rate),
          fmt::format("{}", fmt::join(line, " ")), values, picture.pixels(), double(result.bytes));
  }
}

/// Means over the pictures, of the model against each codec.
void stateDifferences(BenchRun& run, const Curves& curves, const std::vector<Codec>& codecs) {
  for (const auto& [measure, all] :
       {std::pair("PSNR", &curves.psnr), std::pair("MS-SSIM", &curves.msSsim)})
    for (const Codec& codec : codecs) {
      double rate = 0, dB = 0;
      int count = 0;
      for (const auto& [name, own] : all->at(kOwnCodec)) {
        const auto of = all->find(codec.name);
        if (of == all->end() || !of->second.contains(name)) continue;
        const Bjontegaard found = bjontegaard(of->second.at(name), own);
        if (found.known) rate += found.rate, dB += found.dB, ++count;
      }
      if (count > 0)
        state(run, "all images", fmt::format("{} against {}", kOwnCodec, codec.name),
              fmt::format("Bjontegaard by {}, mean of {}", measure, count),
              {{"BD-rate %", 100 * rate / count}, {"BD dB", dB / count}});
    }
}

}  // namespace

void runRate(BenchRun& run) {
  const TemporaryFolder work("fathom-rate");
  const std::vector<RatePicture> pictures = ratePictures(run, work.path());
  const std::vector<Codec> codecs = installedCodecs();
  if (codecs.size() < std::size(kCodecs))
    log::line(log::Level::Normal,
              "smoe.rate: compares with the installed ones of cjpeg, cwebp, cjxl and avifenc");
  Curves curves;
  RateSettings settings;
  if (run.scale() == BenchScale::Quick) settings.fit.steps = 60;
  run.sweep(describing(settings), [&] {
    for (const RatePicture& picture : pictures)
      measureOthers(run, picture, codecs, measureOwn(run, picture, settings, curves),
                    fmt::format("{:g}", settings.bitsPerPixel), curves);
  });
  if (!curves.psnr.empty()) stateDifferences(run, curves, codecs);
}

}  // namespace fathom::smoe
