// SPDX-License-Identifier: BSD-3-Clause
// What a model is worth as a file: quality over bytes of pictures that are given, or made here,
// each beside other codecs at no more bytes. All numbers are those of files, decoded and rounded to
// 8 bits. Only the model's decoding is timed in trials; encoding takes what it takes.
#include "app/lab/smoe/rate_quality.h"

#include "app/engine/core/compare.h"
#include "app/engine/core/error.h"
#include "app/engine/core/log.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/io/image_file.h"
#include "app/engine/io/ppm.h"
#include "app/lab/smoe/accuracy.h"
#include "app/lab/smoe/bench.h"
#include "app/lab/smoe/codecs.h"
#include "app/lab/smoe/models.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/settings.h"

#include <stdlib.h>

#include <cmath>
#include <limits>
#include <map>

namespace fathom::smoe {
namespace {

namespace fs = std::filesystem;

/// A folder that goes when the bench ends.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "fathom-rate-XXXXXX").string();
    if (!mkdtemp(name.data())) fail("{}: expected to make this folder, found it impossible", name);
    path_ = name;
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
              "smoe.rate: of cjpeg, cwebp and avifenc, those that are installed are compared with");
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
      "Quality over bytes of pictures (FILES), beside JPEG, WebP and AVIF at no more bytes.",
      "",
      "pixels",
      {{"components", {"1000", "2500", "9000"}, {"30", "60"}}},
      runRate};
  bench.takesFiles = true;
  return bench;
}

}  // namespace fathom::smoe
