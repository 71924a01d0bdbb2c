// SPDX-License-Identifier: BSD-3-Clause
// Reading and writing model files, and every rule about their values.
#include "app/engine/smoe/model/file.h"

#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/engine/smoe/model/packed.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace fathom::smoe {
namespace {

static_assert(std::endian::native == std::endian::little, "model files are little-endian");

Header headerOf(const Model& model) {
  Header header;
  header.model = model;
  header.model.components.clear();
  header.count = model.components.size();
  return header;
}

Header headerOf(const Model& model, const Quantization& bits) {
  Header header = headerOf(model);
  header.encoding = NumberFormat::Quantized;
  header.model.psnr = 0;
  header.fields = storedFieldsOf(model, bits);
  return header;
}

/// float32 records as arrays, field by field.
std::vector<std::byte> arraysOf(const Model& model) {
  const std::vector<RecordField>& fields = fileFields(model);
  std::vector<std::byte> payload(4 * fields.size() * model.components.size());
  std::byte* at = payload.data();
  for (const RecordField& field : fields)
    for (const Component& component : model.components) {
      store(at, bitsOf(component, field));
      at += 4;
    }
  return payload;
}

void readArrays(std::span<const std::byte> payload, Model& model, Progress& progress) {
  const std::byte* at = payload.data();
  const std::vector<RecordField>& fields = fileFields(model);
  for (const RecordField& field : fields) {
    for (Component& component : model.components) {
      setBits(component, field, load<std::uint32_t>(at));
      at += 4;
    }
    progress.advance(double(model.components.size()) / double(fields.size()));
  }
}

Quantization quantizationOf(Encoding encoding) {
  return encoding == Encoding::Compact ? Quantization::compact() : Quantization::archive();
}

/// Header and payload, then the alpha part, which is a file of its own.
std::vector<std::byte> assembled(Header header, std::span<const std::byte> payload,
                                 std::span<const std::byte> alpha, const std::string& name) {
  header.packedBytes = payload.size(), header.alphaBytes = alpha.size();
  header.crc = crc32(payload);
  std::vector<std::byte> bytes = headerBytes(header);
  if (bytes.size() > std::size_t(limits::kHeaderBytes))
    fail("{}: expected a header of at most {} bytes, found {}: \"source\" or \"fit\" is too long",
         name, limits::kHeaderBytes, bytes.size());
  const std::size_t start = bytes.size();
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  bytes.insert(bytes.end(), alpha.begin(), alpha.end());
  if (header.encoding == NumberFormat::Packed)
    store(bytes.data() + 8,
          crc32(summedUp(bytes, header, {bytes.data() + start, payload.size()}, name)));
  return bytes;
}

std::string alphaName(const std::string& name) { return name + ": alpha"; }

std::size_t arrayBytes(const Model& model, const Quantization* bits) {
  Header header = bits ? headerOf(model, *bits) : headerOf(model);
  if (model.alpha) header.alphaBytes = arrayBytes(*model.alpha, bits);
  return headerBytes(header).size() + payloadBytes(header) + header.alphaBytes;
}

void expectIntact(std::span<const std::byte> bytes, const Header& header,
                  std::span<const std::byte> payload, const std::string& name) {
  if (const std::uint32_t crc = crc32(summedUp(bytes, header, payload, name)); crc != header.crc)
    fail("{}: expected a payload with CRC {:08x}, found {:08x}: it is damaged", name, header.crc,
         crc);
}

/// A part that holds one gray image and nothing else.
std::shared_ptr<const Model> readAlpha(std::span<const std::byte> part, const std::string& name,
                                       Progress& progress) {
  std::span<const std::byte> payload;
  if (parseHeader(part, name, payload).alphaBytes > 0)
    fail("{}: expected no alpha of its own, found some", name);
  if (payload.data() + payload.size() != part.data() + part.size())
    fail("{}: expected nothing behind the components, found the state of a fit", name);
  return std::make_shared<const Model>(readModel(part, name, progress));
}

}  // namespace

bool isModelFile(const fs::path& file) {
  const std::string start = startOf(file, 8);
  return start == std::string_view(kModelMagic, 8) || start == std::string_view(kPackedMagic, 8) ||
         start == std::string_view(kBlocksMagic, 8);
}

Model readModel(const fs::path& file, Progress& progress) {
  const std::string bytes = readFile(file, 2 * limits::kPayloadBytes);
  return readModel(std::as_bytes(std::span(bytes)), file.string(), progress);
}

Model readModel(std::span<const std::byte> bytes, const std::string& name, Progress& progress) {
  std::span<const std::byte> payload;
  const Header header = parseHeader(bytes, name, payload);
  expectIntact(bytes, header, payload, name);
  Model model = header.model;
  model.components.resize(header.count);
  progress.begin("reading", double(header.count));
  if (header.form == Form::Mixture)
    readMixture(payload, header, model, name, progress);
  else if (header.encoding == NumberFormat::Packed)
    unpack(payload, model, name, progress, header.firstPacked);
  else if (header.encoding == NumberFormat::Quantized)
    dequantize(payload, header.fields, model, name, progress);
  else
    readArrays(payload, model, progress);
  if (isGray(model.colorSpace)) model = asGray(std::move(model));
  if (header.alphaBytes > 0)
    model.alpha =
        readAlpha({payload.data() + payload.size(), header.alphaBytes}, alphaName(name), progress);
  validate(model, name);
  return model;
}

std::optional<Model> readPart(const fs::path& file, const PartWindow& windowOf, double tau) {
  constexpr std::size_t kHead = 1 << 16;  // where tables of a million components have ended
  const std::string name = file.string(), head = startOf(file, kHead);
  if (!head.starts_with(std::string_view(kBlocksMagic, 8))) return std::nullopt;
  const std::uint64_t size = fs::file_size(file);
  if (size > limits::kPayloadBytes) return std::nullopt;
  // What nothing is read into takes no memory.
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(size);
  std::memcpy(bytes.get(), head.data(), std::min<std::uint64_t>(head.size(), size));
  std::span<const std::byte> payload;
  const Header header = parseHeader({bytes.get(), size}, name, payload);
  if (header.model.dims != 2 || header.alphaBytes > 0 || header.count > std::size_t(kMaxComponents))
    return std::nullopt;
  expectIntact({bytes.get(), size}, header, payload, name);
  std::vector<PackedBlock> left = packedBlocks(payload, 2, header.count, name);
  Model part = header.model;
  const std::optional<ViewWindow> window = windowOf(part);
  if (!window) return std::nullopt;
  const reference::SampleBox box{window->corner,
                                 window->corner + glm::dvec2(window->size) * window->step};
  double bar = -std::numeric_limits<double>::infinity(), alone = bar;
  for (const PackedBlock& block : left) bar = std::max(bar, block.upperBound(box));
  std::ifstream in = openFile(file);
  const auto take = [&](const PackedBlock& block) {
    if (block.upperBound(box) < bar - tau) return false;
    const std::ptrdiff_t at = payload.data() - bytes.get() + std::ptrdiff_t(block.begin);
    in.seekg(at);
    if (!in.read(reinterpret_cast<char*>(bytes.get()) + at, std::streamsize(block.bytes)))
      fail("{}: expected {} bytes from byte {} on, found fewer", name, block.bytes, at);
    // Everywhere in the window there is at least what one component alone weighs there.
    const PackedPart wanted{box, alone - tau};
    for (const Component& c : unpackBlock(payload, block, header.model, name, false, &wanted)) {
      const Record r = exact(c, part);
      alone = std::max(alone, reference::lowerBound(r, box));
      if (reference::upperBound(r, box) >= alone - tau) part.components.push_back(c);
    }
    return true;
  };
  // What was read first tells how much less the others may weigh, and what of itself does not.
  while (std::erase_if(left, take) > 0) {
    bar = lowestBar(reference::recordsIn(part, *window), {{0, 0}, window->size * window->samples});
    std::erase_if(part.components, [&](const Component& c) {
      return reference::upperBound(exact(c, part), box) < bar - tau;
    });
  }
  if (isGray(part.colorSpace)) part = asGray(std::move(part));
  validate(part, name);
  return part;
}

std::span<const std::byte> behindModel(std::span<const std::byte> bytes, const std::string& name) {
  std::span<const std::byte> payload;
  const Header header = parseHeader(bytes, name, payload);
  const auto used = std::size_t(payload.data() + payload.size() - bytes.data());
  return bytes.subspan(used + header.alphaBytes);
}

std::size_t fileBytes(const Model& model, Encoding encoding) {
  FATHOM_CHECK(encoding != Encoding::Packed);
  const Quantization bits = quantizationOf(encoding);
  return arrayBytes(model, encoding == Encoding::F32 ? nullptr : &bits);
}

EncodedModel encodeArrays(const Model& model, const Quantization* bits, const std::string& name) {
  EncodedModel alpha;
  if (model.alpha) alpha = encodeArrays(*model.alpha, bits, alphaName(name));
  const Header header = bits ? headerOf(model, *bits) : headerOf(model);
  const std::vector<std::byte> payload = bits ? quantize(model, header.fields) : arraysOf(model);
  EncodedModel result{assembled(header, payload, alpha.bytes, name), model};
  if (!bits) return result;
  Progress progress;
  dequantize(payload, header.fields, result.model, name, progress);
  if (isGray(model.colorSpace)) result.model = asGray(std::move(result.model));
  if (model.alpha) result.model.alpha = std::make_shared<const Model>(std::move(alpha.model));
  result.model.psnr = 0;
  return result;
}

EncodedModel encode(const Model& model, Encoding encoding, double loss, const std::string& name) {
  validate(model, name);
  if (encoding == Encoding::Packed) return encodePacked(Packer(model), loss, name);
  const Quantization bits = quantizationOf(encoding);
  return encodeArrays(model, encoding == Encoding::F32 ? nullptr : &bits, name);
}

EncodedModel encodePacked(const Packer& packer, double loss, const std::string& name,
                          const Refitter& refit) {
  EncodedModel alpha;
  if (packer.alpha()) alpha = encodePacked(*packer.alpha(), loss, alphaName(name), refit);
  // Rounding may carry a value over a limit: one that suits the picture where the picture says
  // nothing of it (a flat one), others that were close to it. Then numbers are rounded by
  // themselves, and then with finer steps.
  for (int tries = 0;; ++tries) {
    if (tries > 1) loss /= 16;
    Header header = headerOf(packer.model());
    header.encoding = NumberFormat::Packed;
    header.model.source.clear(), header.model.fit.clear();
    header.model.psnr = 0;
    const std::vector<std::byte> payload = packer.pack(loss, tries == 0 ? refit : Refitter{});
    EncodedModel result{assembled(header, payload, alpha.bytes, name), header.model};
    result.model.components.resize(header.count);
    Progress progress;
    unpack(payload, result.model, name, progress);
    if (isGray(result.model.colorSpace)) result.model = asGray(std::move(result.model));
    if (packer.alpha()) result.model.alpha = std::make_shared<const Model>(alpha.model);
    try {
      validate(result.model, name);
      return result;
    } catch (const Error&) {
      if (tries == 3) throw;
    }
  }
}

void statePsnr(EncodedModel& file, double psnr, double alphaPsnr, const std::string& name) {
  std::span<const std::byte> payload;
  Header header = parseHeader(file.bytes, name, payload);
  EncodedModel alpha;
  if (header.alphaBytes > 0) {
    const std::byte* begin = payload.data() + payload.size();
    alpha = {{begin, begin + header.alphaBytes}, *file.model.alpha};
    statePsnr(alpha, alphaPsnr, 0, alphaName(name));
    file.model.alpha = std::make_shared<const Model>(alpha.model);
  }
  file.model.psnr = header.model.psnr = std::round(psnr * 1000) / 1000;
  file.bytes = assembled(std::move(header), payload, alpha.bytes, name);
}

void save(const std::string& file, const Model& model, Encoding encoding, double loss) {
  writeFile(file, encode(model, encoding, loss, file).bytes);
}

// ---- Rules about values

namespace {

constexpr double kMinSigma = 0.05;     // px
constexpr double kMaxSigma = 4;        // image diagonals
constexpr double kMaxCondition = 1e8;  // of R_XX
constexpr double kMaxC = 200;          // from the median
constexpr double kMinColor = -4, kMaxColor = 5;
constexpr double kMaxSlope = 16;   // |H| per color
constexpr double kMaxMotion = 64;  // |M|, px per view step

constexpr const char* kColorNames[] = {"muY1", "muY2", "muY3"};
constexpr const char* kSlopeNames[] = {"|H1|", "|H2|", "|H3|"};
constexpr const char* kTimeSlopeNames[] = {"|Ht1|", "|Ht2|", "|Ht3|"};
constexpr const char* kViewSlopeNames[] = {"|Ha1|", "|Ha2|", "|Ha3|"};
constexpr const char* kMotionNames[2][2] = {{"M11", "M12"}, {"M21", "M22"}};

/// Largest over smallest eigenvalue of R_XX.
double conditionOf(const Record& r, int dims) {
  if (dims == 2) {
    const Axes axes(r);
    return axes.major / axes.minor * (axes.major / axes.minor);
  }
  // One size for both: the diagonal's first entry lies between the eigenvalues.
  const Gaussian g = unwhiten(r, dims);
  Eigen::Matrix4d rxx = Eigen::Matrix4d::Identity() * g.covariance[0][0];
  for (int i = 0; i < dims; ++i)
    for (int j = 0; j < dims; ++j) rxx(i, j) = g.covariance[i][j];
  if (!rxx.allFinite()) return std::numeric_limits<double>::infinity();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(rxx, Eigen::EigenvaluesOnly);
  const double smallest = solver.eigenvalues()[0], largest = solver.eigenvalues()[3];
  return smallest > 0 ? largest / smallest : std::numeric_limits<double>::infinity();
}

class Validation {
 public:
  Validation(const Model& model, const std::string& name) : model_(model), name_(name) {}

  void shape() const {
    expectInteger("dims", model_.dims, 2, 4);
    expectInteger("count", std::int64_t(model_.components.size()), 1, limits::kComponents);
    expectInteger("width", model_.width, 1, limits::kSide);
    expectInteger("height", model_.height, 1, limits::kSide);
    expectInteger("centreFracBits", model_.centerFractionBits, 15, 20);
    if (model_.dims == 3) expectInteger("frames", model_.frames, 1, limits::kFrames);
    if (model_.dims < 4) return;
    for (int k = 0; k < 2; ++k) {
      expectInteger("views", model_.views[k], 1, limits::kViews);
      if (!(model_.viewOrigin[k] >= 0 && model_.viewOrigin[k] <= model_.views[k] - 1))
        fail("{}: viewOrigin: expected a place among {} views, found {}", name_, model_.views[k],
             model_.viewOrigin[k]);
    }
  }

  void numbers() {
    for (index_ = 0; index_ < model_.components.size(); ++index_) finite();
  }

  void components() {
    numbers();
    medianC_ = double(medianC(model_.components));
    for (index_ = 0; index_ < model_.components.size(); ++index_) values();
  }

 private:
  void expectInteger(const char* key, std::int64_t value, std::int64_t low,
                     std::int64_t high) const {
    if (value < low || value > high)
      fail("{}: {}: expected an integer from {} to {}, found {}", name_, key, low, high, value);
  }
  void expect(bool holds, std::string_view field, std::string_view expected, double found) const {
    if (!holds)
      fail("{}: component {}: {}: expected {}, found {:.6g}", name_, index_, field, expected,
           found);
  }
  void expectWithin(std::string_view field, double value, double low, double high) const {
    if (!(value >= low && value <= high))
      expect(false, field, fmt::format("a number from {:g} to {:g}", low, high), value);
  }

  void finite() const {
    for (const RecordField& field : recordFields(model_.dims)) {
      const double value = valueOf(model_.components[index_], field, model_);
      if (!std::isfinite(value)) expect(false, field.name, "a finite number", value);
      if (field.map == Map::Log && !(value > 0))
        expect(false, field.name, "a positive number", value);
    }
  }

  void values() const {
    const Record r = exact(model_.components[index_], model_);
    const double width = model_.width, height = model_.height;
    expectWithin("cx", r.center.x, -width, 2 * width);
    expectWithin("cy", r.center.y, -height, 2 * height);
    expectWithin("c, from the median", r.c - medianC_, -kMaxC, kMaxC);

    const Axes axes(r);
    const double largest = kMaxSigma * std::hypot(width, height);
    expectWithin("sigma of W along the short axis", axes.minor, kMinSigma, largest);
    expectWithin("sigma of W along the long axis", axes.major, kMinSigma, largest);
    const double condition = conditionOf(r, model_.dims);
    expect(condition <= kMaxCondition, "condition of R_XX", "at most 1e8", condition);

    for (int i = 0; i < 3; ++i) {
      expectWithin(kColorNames[i], r.color[i], kMinColor, kMaxColor);
      expectWithin(kSlopeNames[i], glm::length(r.h[i]), 0, kMaxSlope);
    }
    if (model_.dims == 3) video(r);
    if (model_.dims == 4) lightField(r);
  }

  void video(const Record& r) const {
    for (int i = 0; i < 3; ++i)
      expectWithin(kTimeSlopeNames[i], std::abs(r.leadH[i].x), 0, kMaxSlope);
    expectWithin("M1", r.m[0].x, -kMaxMotion, kMaxMotion);
    expectWithin("M2", r.m[1].x, -kMaxMotion, kMaxMotion);
  }

  void lightField(const Record& r) const {
    for (int i = 0; i < 3; ++i)
      expectWithin(kViewSlopeNames[i], glm::length(r.leadH[i]), 0, kMaxSlope);
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k)
        expectWithin(kMotionNames[i][k], r.m[i][k], -kMaxMotion, kMaxMotion);
  }

  const Model& model_;
  const std::string& name_;
  std::size_t index_ = 0;
  double medianC_ = 0;
};

}  // namespace

void validate(const Model& model, const std::string& name) {
  Validation validation(model, name);
  validation.shape();
  validation.components();
  if (!model.alpha) return;
  const Model& alpha = *model.alpha;
  if (model.dims != 2 || model.colorSpace == ColorSpace::Gray)
    fail("{}: expected no alpha with gray, views or frames, found some", name);
  if (alpha.dims != 2 || alpha.colorSpace != ColorSpace::Gray || alpha.alpha)
    fail("{}: alpha: expected a gray image, found another model", name);
  if (alpha.width != model.width || alpha.height != model.height)
    fail("{}: alpha: expected {} x {} px as the colors have, found {} x {}", name, model.width,
         model.height, alpha.width, alpha.height);
  validate(alpha, name + ": alpha");
}

void validateNumbers(const Model& model, const std::string& name) {
  Validation validation(model, name);
  validation.shape();
  validation.numbers();
}

}  // namespace fathom::smoe
