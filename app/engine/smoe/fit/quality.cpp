// SPDX-License-Identifier: BSD-3-Clause
// Squared errors of decoded views against what they should be, and the search for the loss at which
// a packed model takes no more bytes.
#include "app/engine/smoe/fit/quality.h"

#include "app/engine/core/compare.h"
#include "app/engine/core/error.h"
#include "app/engine/smoe/fit/experts.h"
#include "app/engine/smoe/fit/fitter.h"

namespace fathom::smoe {
namespace {

/// As they are, and with what was found rounded to 8 bits.
glm::dvec2 meanSquaredErrors(std::span<const glm::vec4> found, const Image& expected) {
  FATHOM_CHECK_OP(found.size(), ==, expected.pixels.size());
  glm::dvec2 sum(0);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double value = std::clamp(double(found[i][c]), 0.0, 1.0);
      const glm::dvec2 error = glm::dvec2(value, std::round(255 * value) / 255) -
                               std::clamp(double(expected.pixels[i][c]), 0.0, 1.0);
      sum += error * error;
    }
  return sum / (3 * double(found.size()));
}

}  // namespace

double decibels(double meanSquaredError) {
  return -10 * std::log10(std::max(meanSquaredError, 1e-12));
}

double psnr(const Image& a, const Image& b) {
  FATHOM_CHECK(a.width == b.width && a.height == b.height && !a.pixels.empty());
  return decibels(meanSquaredErrors(a.pixels, b).x);
}

std::vector<JudgedView> viewsOf(const TrainingSet& training,
                                const std::vector<std::size_t>& which) {
  std::vector<JudgedView> views;
  for (const std::size_t i : which)
    views.push_back({training.coordinatesOf(i), &training.pictures[i]});
  return views;
}

ModelQuality qualityOf(gpu::Context& gpu, const Model& model, const TrainingSet& training) {
  Decoder decoder(gpu);
  decoder.setModel(model);
  ModelQuality quality;
  Image most;
  if (model.alpha && training.alpha) {
    Decoder ofAlpha(gpu);
    ofAlpha.setModel(*model.alpha);
    const JudgedView view{ViewCoordinates(0), &training.alpha->pictures[0]};
    Judgment alpha = judged(ofAlpha, {&view, 1});
    quality.alphaPsnr = alpha.psnr;
    for (glm::vec4& p : alpha.last.pixels) p = glm::clamp(p, 0.0f, 1.0f) * float(model.peak);
    most = encoded(alpha.last, model.coding());
  }
  quality.fitted = judged(decoder, viewsOf(training, training.fitted()), most);
  if (training.dims == 2)
    quality.msSsim = msSsim(std::exchange(quality.fitted.last, {}), training.pictures[0]);
  if (!training.heldOut.empty())
    quality.heldOut = judged(decoder, viewsOf(training, training.heldOut)).psnr;
  return quality;
}

Judgment judged(Decoder& decoder, std::span<const JudgedView> views, const Image& most) {
  FATHOM_CHECK(!views.empty());
  Judgment judgment;
  glm::dvec2 sum(0);
  for (const JudgedView& view : views) {
    const ViewWindow window{.size = {view.picture->width, view.picture->height}, .at = view.at};
    decoder.build(window, DecodeOptions{}, std::numeric_limits<double>::infinity());
    judgment.last = Image(window.size.x, window.size.y);
    judgment.last.pixels = decoder.downloadRaw(window);
    for (std::size_t i = 0; i < most.pixels.size(); ++i)
      judgment.last.pixels[i] = glm::min(judgment.last.pixels[i], most.pixels[i]);
    const glm::dvec2 error = meanSquaredErrors(judgment.last.pixels, *view.picture);
    sum += error;
    judgment.views.push_back(decibels(error.x));
  }
  judgment.psnr = decibels(sum.x / double(views.size()));
  judgment.psnr8 = decibels(sum.y / double(views.size()));
  return judgment;
}

// ---- Files: which loss takes no more bytes than there is room for, and how many components

namespace {

double bytesOf(const EncodedModel& saved) { return double(saved.bytes.size()); }

/// dB at which the model, rounded without its picture, takes no more bytes.
double lossWithin(const Packer& packer, double maxBytes, const std::string& name) {
  double low = 0.005, high = 12;
  for (int i = 0; i < 10; ++i) {
    const double between = std::sqrt(low * high);
    (bytesOf(encodePacked(packer, between, name)) > maxBytes ? low : high) = between;
  }
  return high;
}

/// The model within so many bytes: the packed encoding gives way, others are what they are.
EncodedModel encodeWithin(const Model& model, const FileGoal& goal, double maxBytes,
                          const std::string& name, const Refitter& refit) {
  if (goal.encoding != Encoding::Packed) return encode(model, goal.encoding, goal.loss, name);
  validate(model, name);
  const Packer packer(model);
  if (maxBytes <= 0) return encodePacked(packer, goal.loss, name, refit);
  double within = lossWithin(packer, maxBytes, name);
  EncodedModel plain = encodePacked(packer, within, name);
  if (!refit) return plain;
  // Numbers that are chosen for the picture take other bytes, mostly fewer: so much more is asked.
  const EncodedModel seen = encodePacked(packer, within, name, refit);
  within = lossWithin(packer, maxBytes * maxBytes / bytesOf(seen), name);
  for (int tries = 0; tries < 8; ++tries, within *= 1.05 + 0.05 * tries) {
    EncodedModel saved = encodePacked(packer, within, name, refit);
    if (bytesOf(saved) <= maxBytes) return saved;
  }
  return bytesOf(seen) <= maxBytes ? seen : plain;
}

}  // namespace

bool FittedFile::reaches(double psnr) const {
  return std::min(saved.model.psnr, saved.model.alpha ? saved.model.alpha->psnr : 1e3) >= psnr;
}

double pixelsOf(const TrainingSet& training) {
  return double(training.size.x) * training.size.y * double(training.pictures.size());
}

int componentsFor(const FileGoal& goal, const TrainingSet& training) {
  const bool packed = goal.encoding == Encoding::Packed;
  const int numbers = isGray(training.colorSpace) ? 9
                      : training.dims == 2        ? 15
                      : training.dims == 3        ? 22
                                                  : 30;
  const double perNumber = goal.encoding == Encoding::F32       ? 32
                           : goal.encoding == Encoding::Archive ? 16
                           : goal.encoding == Encoding::Compact ? 12.3
                           : training.dims == 2                 ? 3.4
                                                                : 6;
  const double header = 8 * (packed ? 160 : 2000);
  const double bits = std::max(0.0, goal.bitsPerPixel * pixelsOf(training) - header);
  return std::clamp(int(bits / (numbers * perNumber)), 1, kMaxComponents);
}

int componentsByTrial(gpu::Context& gpu, const SharedTraining& training, FitRequest request,
                      const FileGoal& goal, Progress& progress) {
  constexpr int kShorter = 8;
  const int usual = componentsFor(goal, *training);
  request.steps /= kShorter;
  request.snapshots = false;
  int best = usual;
  double highest = 0;
  for (const double factor : {0.75, 1.0, 1.3}) {
    request.components = std::max(1, int(factor * usual));
    Fitter fitter(gpu, training, request);
    while (!fitter.step(200, progress)) progress.throwIfCancelled();
    const double found =
        fittedFile(gpu, fitter.model(), training, goal, "trial").quality.fitted.psnr;
    if (found > highest) highest = found, best = request.components;
  }
  return best;
}

FittedFile fittedFile(gpu::Context& gpu, const Model& model, const SharedTraining& training,
                      const FileGoal& goal, const std::string& name) {
  constexpr int kTries = 4;
  constexpr double kAbove = 0.1, kAim = 0.04;  // dB
  const double headers = kStatedBytes * (model.alpha ? 2 : 1);
  const double room = goal.bitsPerPixel * pixelsOf(*training) / 8 - headers;
  FileGoal within = goal;
  std::optional<FittedFile> enough;  // for the goal
  double low = 0, high = 0;          // losses that keep to it, and do not; 0: unknown
  for (int tries = 1;; ++tries) {
    FittedFile file{encodeWithin(model, within, goal.bitsPerPixel > 0 ? std::max(room, 1.0) : 0,
                                 name, refitterFor(gpu, training)),
                    {}};
    file.quality = qualityOf(gpu, file.saved.model, *training);
    statePsnr(file.saved, file.quality.fitted.psnr, file.quality.alphaPsnr, name);
    if (goal.psnr <= 0 || goal.encoding != Encoding::Packed || model.psnr < goal.psnr) return file;
    const bool reaches = file.reaches(goal.psnr);
    (reaches ? low : high) = within.loss;
    const bool ends = tries == kTries || (reaches && file.quality.fitted.psnr < goal.psnr + kAbove);
    // The squared error that there is room for is added to what rounding is asked to cost.
    const auto error = [](double dB) { return std::pow(10, -dB / 10); };
    const double added = error(goal.psnr + kAim) - error(file.quality.fitted.psnr);
    within.loss = low == 0   ? high / 2
                  : high > 0 ? std::sqrt(low * high)
                             : 10 * std::log10(std::pow(10, low / 10) + added / error(model.psnr));
    if (reaches || !enough) enough = std::move(file);
    if (ends) return std::move(*enough);
  }
}

// ---- Alpha: how hard a picture is, by least squares of planes in its squares, and what follows

namespace {

constexpr int kSquare = 4, kStride = 2;  // px; they overlap, so that no edge lies between them

/// Root of the mean square of what is left of a square when its plane is taken off: over a grid,
/// the slopes along x and y are independent of each other and of the mean.
double roughness(const Image& picture, glm::ivec2 low, glm::ivec2 high) {
  const glm::dvec2 middle = glm::dvec2(low + high - 1) / 2.0;
  glm::dvec3 sum(0), squares(0), alongX(0), alongY(0);
  glm::dvec2 spread(0);
  for (int y = low.y; y < high.y; ++y)
    for (int x = low.x; x < high.x; ++x) {
      const glm::dvec3 value(picture.at(x, y));
      const glm::dvec2 d = glm::dvec2(x, y) - middle;
      sum += value, squares += value * value;
      alongX += d.x * value, alongY += d.y * value;
      spread += d * d;
    }
  const glm::ivec2 size = high - low;
  const double count = double(size.x) * size.y;
  glm::dvec3 left = squares - sum * sum / count;
  if (spread.x > 0) left -= alongX * alongX / spread.x;
  if (spread.y > 0) left -= alongY * alongY / spread.y;
  return std::sqrt(std::max(0.0, (left.x + left.y + left.z) / (3 * count)));
}

double roughness(const Image& picture) {
  constexpr double kNone = 1.0 / 512;  // half a step of 8 bits
  double total = 0;
  for (int y = 0; y < picture.height; y += kStride)
    for (int x = 0; x < picture.width; x += kStride) {
      const glm::ivec2 low(x, y);
      const double one = roughness(
          picture, low, glm::min(low + kSquare, glm::ivec2(picture.width, picture.height)));
      if (one > kNone) total += one;
    }
  return total;
}

}  // namespace

int alphaComponents(const TrainingSet& training, int components) {
  if (!training.alpha) return 0;
  const double alpha = roughness(training.alpha->pictures[0]);
  const double colors = roughness(training.pictures[0]);
  const double share = alpha > 0 ? alpha / (alpha + colors) : 0;
  return std::clamp(int(std::lround(share * components)), 1, std::max(1, components / 2));
}

DividedRequest divided(const TrainingSet& training, const FitRequest& whole) {
  DividedRequest result{whole, whole};
  const int alpha = alphaComponents(training, whole.components);
  const double share = double(alpha) / std::max(1, whole.components);
  result.alpha.components = alpha;
  result.alpha.maxSeconds = share * whole.maxSeconds;
  result.colors.components = std::max(1, whole.components - alpha);
  result.colors.maxSeconds = whole.maxSeconds - result.alpha.maxSeconds;
  return result;
}

}  // namespace fathom::smoe
