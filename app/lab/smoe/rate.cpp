// SPDX-License-Identifier: BSD-3-Clause
// What a model is worth as a file: quality over bytes of pictures that are given, or made here,
// each beside other codecs at no more bytes. All numbers are those of files, decoded and rounded to
// 8 bits. Only the model's decoding is timed in trials; encoding takes what it takes.
#include "app/lab/smoe/rate.h"

#include "app/engine/core/compare.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/picture.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/settings.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/workloads.h"
#include "app/system/machine.h"
#include "app/system/process.h"

#include <stdlib.h>

namespace fathom::smoe {
// Other codecs. Programs are searched in the path and run without a shell, so names may hold
// anything.
// -------------------------------------------------------------------------------------------------

namespace {

namespace fs = std::filesystem;

/// The exit status; 127 when there is no such program.
int runQuietly(const Codec::Line& line) { return system::run(line).value_or(127); }

Codec jpeg() {
  Codec codec{"JPEG 4:2:0", ".jpg", "cjpeg -optimize -progressive -sample 2x2", 1, 99};
  codec.encode = [](const std::string& picture, int quality, const std::string& out) {
    return Codec::Line{"cjpeg",     "-quality",     fmt::format("{}", quality),
                       "-optimize", "-progressive", "-sample",
                       "2x2",       "-outfile",     out,
                       picture};
  };
  codec.takesPpm = true;
  return codec;
}

Codec webp() {
  Codec codec{"WebP", ".webp", "cwebp -m 6", 0, 99};
  codec.encode = [](const std::string& picture, int quality, const std::string& out) {
    return Codec::Line{"cwebp", "-quiet", "-m", "6", "-q", fmt::format("{}", quality),
                       picture, "-o",     out};
  };
  return codec;
}

Codec avif() {
  Codec codec{"AVIF", ".avif", "avifenc -s 6 --yuv 420", 0, 63};
  codec.encode = [](const std::string& picture, int quality, const std::string& out) {
    const std::string quantizer = fmt::format("{}", 63 - quality);
    return Codec::Line{"avifenc", "-s",    "6",       "--yuv", "420", "--min",
                       quantizer, "--max", quantizer, picture, out};
  };
  codec.decode = [](const std::string& file, const std::string& png) {
    return Codec::Line{"avifdec", file, png};
  };
  return codec;
}

}  // namespace

std::vector<Codec> installedCodecs() {
  std::vector<Codec> found;
  for (Codec& codec : std::vector<Codec>{jpeg(), webp(), avif()}) {
    const std::string program = codec.encode("", codec.lowest, "")[0];
    if (runQuietly({program, "-version"}) != 127) found.push_back(std::move(codec));
  }
  return found;
}

CodecResult encodeWithin(const Codec& codec, const std::string& picture, std::uint64_t bytes,
                         const fs::path& folder) {
  const auto fileAt = [&](int quality) {
    return (folder / fmt::format("q{}{}", quality, codec.ending)).string();
  };
  const auto sizeAt = [&](int quality) -> std::uint64_t {
    const std::string file = fileAt(quality);
    std::error_code missing;
    if (const auto size = fs::file_size(file, missing); !missing) return size;
    const Codec::Line line = codec.encode(picture, quality, file);
    if (const int status = runQuietly(line); status != 0)
      fail("{}: expected {} to encode it, found exit status {}", picture, line[0], status);
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
    const Codec::Line line = codec.decode(fileAt(low), result.decoded);
    if (const int status = runQuietly(line); status != 0)
      fail("{}: expected {} to decode it, found exit status {}", fileAt(low), line[0], status);
  }
  return result;
}

namespace {

// MS-SSIM
// -------------------------------------------------------------------------------------------------

constexpr int kWindowRadius = 5;
constexpr double kWindowSigma = 1.5, kLuminanceC = 1e-4, kContrastC = 9e-4;
constexpr std::array<double, 5> kScaleWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

struct Plane {
  int width = 0, height = 0;
  std::vector<double> values;
  double at(int x, int y) const {
    return values[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
};

Plane planeOf(const Image& image, int channel) {
  Plane plane{image.width, image.height, {}};
  for (const glm::vec4& pixel : image.pixels)
    plane.values.push_back(std::clamp(double(pixel[channel]), 0.0, 1.0));
  return plane;
}

Plane halved(const Plane& plane) {
  Plane half{plane.width / 2, plane.height / 2, {}};
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x)
      half.values.push_back((plane.at(2 * x, 2 * y) + plane.at(2 * x + 1, 2 * y) +
                             plane.at(2 * x, 2 * y + 1) + plane.at(2 * x + 1, 2 * y + 1)) /
                            4);
  return half;
}

Plane product(const Plane& a, const Plane& b) {
  Plane result = a;
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] *= b.values[i];
  return result;
}

/// Means over the window, where it lies inside.
Plane windowed(const Plane& plane) {
  std::array<double, 2 * kWindowRadius + 1> weights{};
  double sum = 0;
  for (int i = -kWindowRadius; i <= kWindowRadius; ++i)
    sum += weights[std::size_t(i + kWindowRadius)] =
        std::exp(-i * i / (2 * kWindowSigma * kWindowSigma));
  for (double& weight : weights) weight /= sum;
  Plane across{plane.width - 2 * kWindowRadius, plane.height, {}};
  for (int y = 0; y < across.height; ++y)
    for (int x = 0; x < across.width; ++x) {
      double value = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        value += weights[i] * plane.at(x + int(i), y);
      across.values.push_back(value);
    }
  Plane result{across.width, plane.height - 2 * kWindowRadius, {}};
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x) {
      double value = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        value += weights[i] * across.at(x, y + int(i));
      result.values.push_back(value);
    }
  return result;
}

/// Mean of contrast and structure, and of them with luminance.
struct Similarity {
  double structure = 0, whole = 0;
};

Similarity similarityOf(const Plane& a, const Plane& b) {
  const Plane ma = windowed(a), mb = windowed(b);
  const Plane aa = windowed(product(a, a)), bb = windowed(product(b, b)),
              ab = windowed(product(a, b));
  Similarity sum;
  for (std::size_t i = 0; i < ma.values.size(); ++i) {
    const double x = ma.values[i], y = mb.values[i];
    const double structure = (2 * (ab.values[i] - x * y) + kContrastC) /
                             (aa.values[i] - x * x + bb.values[i] - y * y + kContrastC);
    sum.structure += structure;
    sum.whole += structure * (2 * x * y + kLuminanceC) / (x * x + y * y + kLuminanceC);
  }
  const auto count = double(ma.values.size());
  return {sum.structure / count, sum.whole / count};
}

double msSsimOf(Plane a, Plane b) {
  int scales = 0;
  for (int side = std::min(a.width, a.height); scales < 5 && side > 2 * kWindowRadius; side /= 2)
    ++scales;
  FATHOM_CHECK_OP(scales, >, 0);
  double weightSum = 0;
  for (int i = 0; i < scales; ++i) weightSum += kScaleWeights[std::size_t(i)];
  double result = 1;
  for (int i = 0; i < scales; ++i) {
    const Similarity similarity = similarityOf(a, b);
    const double value = i + 1 == scales ? similarity.whole : similarity.structure;
    result *= std::pow(std::max(value, 0.0), kScaleWeights[std::size_t(i)] / weightSum);
    if (i + 1 < scales) a = halved(a), b = halved(b);
  }
  return result;
}

// Curves
// -------------------------------------------------------------------------------------------------

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
  /// The mean from `low` to `high`, by Simpson's rule on short pieces.
  double mean(double low, double high) const {
    constexpr int kPieces = 200;
    double sum = 0;
    for (int i = 0; i <= 2 * kPieces; ++i)
      sum += (i == 0 || i == 2 * kPieces ? 1
              : i % 2                    ? 4
                                         : 2) *
             at(low + (high - low) * i / (2.0 * kPieces));
    return sum / (6.0 * kPieces);
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

Curve curveOf(const std::vector<RatePoint>& points, bool rateOverPsnr) {
  std::vector<std::pair<double, double>> pairs;
  for (const RatePoint& p : points)
    pairs.push_back(rateOverPsnr ? std::pair(p.psnr, std::log(p.bitsPerPixel))
                                 : std::pair(std::log(p.bitsPerPixel), p.psnr));
  return Curve(std::move(pairs));
}

}  // namespace

double msSsim(const Image& a, const Image& b) {
  FATHOM_CHECK(a.width == b.width && a.height == b.height);
  double sum = 0;
  for (int channel = 0; channel < 3; ++channel)
    sum += msSsimOf(planeOf(a, channel), planeOf(b, channel));
  return sum / 3;
}

Bjontegaard bjontegaard(std::vector<RatePoint> anchor, std::vector<RatePoint> tested) {
  Bjontegaard result;
  double logRate = 0;
  result.known = meanDifference(curveOf(anchor, true), curveOf(tested, true), logRate) &&
                 meanDifference(curveOf(anchor, false), curveOf(tested, false), result.psnr);
  result.rate = std::exp(logRate) - 1;
  return result;
}

// The bench
// -------------------------------------------------------------------------------------------------

namespace {

/// A folder that goes when the bench ends.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code failure;
    path_ = system::newTemporaryFolder("fathom-rate", failure);
    if (failure) fail("temporary files: expected room for a folder, found: {}", failure.message());
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  fs::path folder(const std::string& name) const {
    fs::create_directories(path_ / name);
    return path_ / name;
  }

 private:
  fs::path path_;
};

/// A picture, as values in sRGB of 8 bits, and its files for the other codecs.
struct RatePicture {
  std::string name;
  std::shared_ptr<const TrainingSet> training;
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
  if (training.dims != 2) fail("{}: expected a picture, found a folder", name);
  RatePicture picture;
  picture.name = fs::path(name).filename().string();
  training.pictures[0] = inEightBits(std::move(training.pictures[0]));
  picture.target = training.pictures[0];
  picture.training = std::make_shared<const TrainingSet>(std::move(training));
  picture.folder = folder;
  picture.ppm = (folder / "picture.ppm").string(), picture.png = (folder / "picture.png").string();
  std::vector<std::uint8_t> bytes;
  for (const glm::vec4& pixel : picture.target.pixels)
    for (int c = 0; c < 3; ++c) bytes.push_back(std::uint8_t(std::lround(pixel[c] * 255)));
  writePpm(picture.ppm, picture.target.width, picture.target.height, bytes);
  // The same bytes: the PPM is read as light and written as sRGB.
  writePicture(picture.png, readPicture(picture.ppm).image);
  return picture;
}

std::vector<RatePicture> ratePictures(BenchRun& run, const WorkFolder& work) {
  std::vector<RatePicture> pictures;
  for (const std::string& file : run.files()) {
    const fs::path folder = work.folder(fmt::format("{}", pictures.size()));
    pictures.push_back(
        ratePicture(file, readTraining(file, ColorSpace::Srgb, run.progress()), folder));
  }
  if (!pictures.empty()) return pictures;
  const glm::ivec2 size = run.size({64, 48}, {512, 384}, {768, 512});
  for (const float grain : {0.0f, 0.5f}) {
    const std::string name = grain > 0 ? "made, with texture" : "made, smooth";
    pictures.push_back(ratePicture(name, benchPicture(size, grain, 3),
                                   work.folder(fmt::format("{}", pictures.size()))));
    if (run.scale() == BenchScale::Quick) break;
  }
  return pictures;
}

using Values = std::vector<std::pair<std::string, double>>;

Values qualityOf(const Image& found, const RatePicture& picture, double bytes) {
  const PictureDifference difference = compare(found, picture.target);
  return {{"bits per pixel", 8 * bytes / picture.pixels()},
          {"PSNR dB", difference.psnr},
          {"SSIM", difference.ssim},
          {"MS-SSIM", msSsim(found, picture.target)}};
}

/// Rows of values: what `with` says, and nothing timed.
void state(BenchRun& run, const RatePicture* picture, const std::string& workload,
           const std::string& label, const std::string& how, Values values, double bytes = 0) {
  BenchCase c;
  c.workload = workload, c.label = label;
  if (picture) c.size = {picture->target.width, picture->target.height};
  c.work = picture ? picture->pixels() : 1;
  c.memoryBytes = std::int64_t(bytes);
  c.check = [&] { return CheckResult{true, how, "", values}; };
  run.measure(c);
}

/// By picture and codec.
using Curves = std::map<std::string, std::map<std::string, std::vector<RatePoint>>>;
constexpr const char* kOwnCodec = "SMoE";

struct FittedModel {
  Model model;
  double seconds = 0;
};

FittedModel fittedFor(BenchRun& run, const RatePicture& picture, const Settings& settings) {
  FitRequest request;
  request.components = settings.components;
  request.steps = settings.steps;
  request.structure = settings.ssim;
  request.seed = run.seed();
  const Stopwatch watch;
  Fitter fitter(run.gpu(), picture.training, request);
  Progress progress;
  while (!fitter.step(200, progress)) run.progress().throwIfCancelled();
  run.gpu().finish();
  return {fitter.model(), watch.seconds()};
}

/// "K = 2500", and the loss of packed files behind it.
std::string labelOf(const Settings& settings) {
  const std::string label = fmt::format("K = {}", settings.components);
  if (settings.encoding != Encoding::Packed) return label;
  return fmt::format("{}, {:g} dB", label, settings.packingLoss);
}

/// The model as its file decodes; what it is worth is added to the curves. Returns its bytes.
std::uint64_t measureOwn(BenchRun& run, const RatePicture& picture, const Settings& settings,
                         const FittedModel& fitted, Curves& curves) {
  const Model& model = fitted.model;
  const double loss = double(settings.packingLoss);
  const EncodedModel saved =
      settings.encoding == Encoding::Packed
          ? encodePacked(Packer(model), loss, "model", refitterFor(run.gpu(), picture.training))
          : encode(model, settings.encoding, loss);
  const fs::path file = picture.folder / "model.smoe";
  writeEncoded(file, saved);
  Decoder decoder(run.gpu());
  decoder.setModel(readModel(file, run.progress()));
  ViewWindow window;
  window.size = {picture.target.width, picture.target.height};
  buildAll(decoder, window, DecodeOptions{});
  Image found(window.size.x, window.size.y);
  found.pixels = decoder.downloadRaw(window);
  const std::uint64_t bytes = fs::file_size(file);
  Values values = qualityOf(inEightBits(std::move(found)), picture, double(bytes));
  curves[picture.name][kOwnCodec].push_back({values[0].second, values[1].second});
  values.push_back({"fit s", fitted.seconds});
  values.push_back({"unpacked dB", model.psnr});

  BenchCase c;
  c.workload = picture.name;
  c.label = fmt::format("{} {}", kOwnCodec, labelOf(settings));
  c.size = window.size;
  c.work = picture.pixels();
  c.memoryBytes = std::int64_t(bytes);
  Settings stated = settings;
  c.settings = valuesOf([&](FieldVisitor& field) { describe(stated, field); });
  const gpu::Texture decoded(run.gpu(), "rate picture", gpu::TextureFormat::Rgba32f, window.size.x,
                             window.size.y);
  c.reset = [&] { decoder.setModel(saved.model); };  // lists are made anew
  c.trial = [&] { decodeAll(decoder, window, DecodeOptions{}, decoded); };
  c.check = [&] {
    return CheckResult{values[1].second > 5, fmt::format("{:.2f} dB", values[1].second),
                       "expected a picture like the one that was fitted", values};
  };
  run.measure(c);
  return bytes;
}

void measureOthers(BenchRun& run, const RatePicture& picture, const std::vector<Codec>& codecs,
                   std::uint64_t bytes, const std::string& within, Curves& curves) {
  for (const Codec& codec : codecs) {
    const CodecResult result =
        encodeWithin(codec, codec.takesPpm ? picture.ppm : picture.png, bytes, picture.folder);
    if (result.quality < 0) continue;  // not even its worst is as small
    const Values values =
        qualityOf(readPictureAsStored(result.decoded).image, picture, double(result.bytes));
    curves[picture.name][codec.name].push_back({values[0].second, values[1].second});
    state(run, &picture, picture.name, fmt::format("{} within {}", codec.name, within),
          fmt::format("{}, quality {}", codec.settings, result.quality), values,
          double(result.bytes));
  }
}

/// Means over the pictures, of the model against each codec.
void stateDifferences(BenchRun& run, const Curves& curves, const std::vector<Codec>& codecs) {
  for (const Codec& codec : codecs) {
    double rate = 0, psnr = 0;
    int count = 0;
    for (const auto& [name, of] : curves) {
      if (!of.contains(codec.name)) continue;
      const Bjontegaard found = bjontegaard(of.at(codec.name), of.at(kOwnCodec));
      if (!found.known) continue;
      rate += found.rate, psnr += found.psnr, ++count;
    }
    if (count == 0) continue;
    state(run, nullptr, "all pictures", fmt::format("{} against {}", kOwnCodec, codec.name),
          fmt::format("Bjontegaard, mean of {}", count),
          {{"BD-rate %", 100 * rate / count}, {"BD-PSNR dB", psnr / count}});
  }
}

/// One fit gives two files: rounded as the settings say, and coarsely, where curves of many coarse
/// components meet those of few fine ones.
std::vector<float> lossesOf(const Settings& settings) {
  constexpr float kCoarse = 1;
  if (settings.encoding != Encoding::Packed || settings.packingLoss >= kCoarse)
    return {settings.packingLoss};
  return {settings.packingLoss, kCoarse};
}

void runRate(BenchRun& run) {
  const WorkFolder work;
  const std::vector<RatePicture> pictures = ratePictures(run, work);
  const std::vector<Codec> codecs = installedCodecs();
  if (codecs.size() < 3)
    log::line(log::Level::Normal,
              "smoe.rate: compares with the installed ones of cjpeg, cwebp and avifenc");
  Curves curves;
  Settings settings;
  settings.encoding = Encoding::Packed;
  if (run.scale() == BenchScale::Quick) settings.steps = 60;
  run.sweep([&](FieldVisitor& field) { describe(settings, field); },
            [&] {
              for (const RatePicture& picture : pictures) {
                const FittedModel fitted = fittedFor(run, picture, settings);
                Settings saved = settings;
                for (const float loss : lossesOf(settings)) {
                  saved.packingLoss = loss;
                  const std::uint64_t bytes = measureOwn(run, picture, saved, fitted, curves);
                  measureOthers(run, picture, codecs, bytes, labelOf(saved), curves);
                }
              }
            });
  stateDifferences(run, curves, codecs);
}

}  // namespace

Bench rateBench() {
  Bench bench{
      "smoe.rate",
      "Quality over bytes of pictures (FILES), next to JPEG, WebP and AVIF at no more bytes.",
      "",
      "pixels",
      {{"components", {"1000", "2500", "9000"}, {"30", "60"}}},
      runRate};
  bench.takesFiles = true;
  return bench;
}

}  // namespace fathom::smoe
