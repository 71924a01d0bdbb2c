// SPDX-License-Identifier: BSD-3-Clause
// The state behind a model: 8 bytes, the length of a JSON header, the header, then arrays whose
// sizes follow from it. Everything is checked before it is allocated or believed.
#include "app/engine/smoe/fit/checkpoint.h"

#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/io/json.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/file_format.h"

namespace fathom::smoe {
namespace {

constexpr std::size_t kStatePrefix = 12;  // magic and length
constexpr std::int64_t kMaxStateHeader = 4096, kMaxPoints = 10'000'000;
// Version 2 has the share of SSIM and the best score besides; where SSIM has none, files are of
// version 1.
constexpr std::size_t kScalars = 7, kScalars2 = 9, kEpsilons = 32, kGaussianNumbers = 1 + 7 + 49;
constexpr std::size_t kPointBytes = 24;
const std::vector<std::string> kPointWords = {"start",    "em",   "refit", "adam",
                                              "relocate", "best", "trim"};
const std::vector<std::string> kStageWords = {"mixture", "descent"};

// ---- Writing

void putComponents(ByteWriter& out, const std::vector<Component>& components, int dims) {
  for (const Component& c : components)
    for (const RecordField& field : recordFields(dims)) out.put(bitsOf(c, field));
}

std::vector<std::byte> statePayload(const Checkpoint& checkpoint) {
  const FitSnapshot& fit = checkpoint.fit;
  ByteWriter out;
  for (const double value : {fit.request.maxSeconds, fit.rate, fit.seconds, fit.descentBegan,
                             fit.bestPsnr, fit.model.psnr, checkpoint.search.goal})
    out.put(value);
  if (fit.request.structure > 0) {
    out.put(double(fit.request.structure));
    out.put(fit.bestScore);
  }
  for (const glm::vec4& epsilons : fit.adam.epsilons) out.put(epsilons);
  for (const FitPoint& point : fit.curve) {
    const auto word = std::find(kPointWords.begin(), kPointWords.end(), point.stage);
    out.put(std::int32_t(point.iteration));
    out.put(std::int32_t(word - kPointWords.begin()));
    out.put(point.seconds);
    out.put(point.psnr);
  }
  for (const Gaussian& gaussian : fit.mixture) out.put(gaussian);
  putComponents(out, fit.components, fit.model.dims);
  putComponents(out, fit.best, fit.model.dims);
  for (const glm::vec4& moment : fit.adam.moments) out.put(moment);
  return out.bytes();
}

static_assert(sizeof(Gaussian) == kGaussianNumbers * sizeof(double));

std::string stateHeader(const Checkpoint& checkpoint, std::span<const std::byte> payload) {
  const FitSnapshot& fit = checkpoint.fit;
  OrderedJson json{
      {"format", "smoe-fit"},
      {"version", fit.request.structure > 0 ? 2 : 1},
      {"stage", kStageWords[std::size_t(fit.stage)]},
      {"seed", std::int64_t(fit.request.seed)},
      {"emIterations", fit.request.emIterations},
      {"refitIterations", fit.request.refitIterations},
      {"requested", {fit.request.components, fit.request.steps}},
      {"relocates", int(fit.request.relocate)},
      {"steps", fit.steps},
      {"stepsDone", fit.stageIteration},
      {"iterations", fit.iteration},
      {"growing", {fit.growing, fit.addedPerRound}},
      {"draws", fit.draws},
      {"adamSteps", fit.adam.steps},
      {"points", fit.curve.size()},
      {"search", {checkpoint.search.steps, checkpoint.search.rounds, int(checkpoint.search.last)}}};
  if (checkpoint.whole) json["whole"] = {checkpoint.whole->components, checkpoint.whole->steps};
  json["pictures"] = fmt::format("{:08x}", fit.pictures);
  json["device"] = fit.device;
  json["crc32"] = fmt::format("{:08x}", crc32(payload));
  return headerText(json);
}

// ---- Reading

std::vector<Component> takeComponents(ByteReader& in, std::size_t count, int dims) {
  std::vector<Component> result(count);
  for (Component& c : result)
    for (const RecordField& field : recordFields(dims)) setBits(c, field, in.take<std::uint32_t>());
  return result;
}

/// What the header says; `points` is how long the curve is.
std::uint32_t parseState(const JsonObject& json, Checkpoint& checkpoint, std::size_t& points,
                         const std::string& name) {
  constexpr std::int64_t kMany = std::numeric_limits<int>::max() / 2;
  json.word("format", {"smoe-fit"});
  FitSnapshot& fit = checkpoint.fit;
  fit.request.structure = json.integer("version", 1, 2) == 2 ? 1 : 0;  // how much, the payload says
  fit.stage = FitSnapshot::Stage(json.word("stage", kStageWords));
  fit.request.seed = std::uint64_t(json.integer("seed", std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::max()));
  fit.request.emIterations = int(json.integer("emIterations", 0, kMany));
  fit.request.refitIterations = int(json.integer("refitIterations", 0, kMany));
  const std::vector<std::int64_t> requested = json.integers("requested", 2, 0, kMany);
  fit.request.components = int(requested[0]), fit.request.steps = int(requested[1]);
  fit.request.relocate = json.integer("relocates", 0, 1) == 1;
  fit.request.snapshots = true;
  fit.steps = int(json.integer("steps", 0, kMany));
  fit.stageIteration = int(json.integer("stepsDone", 0, kMany));
  fit.iteration = int(json.integer("iterations", 0, kMany));
  const std::vector<std::int64_t> growing = json.integers("growing", 2, 0, limits::kComponents);
  fit.growing = int(growing[0]), fit.addedPerRound = int(growing[1]);
  fit.draws = int(json.integer("draws", 0, kMany));
  fit.adam.steps = int(json.integer("adamSteps", 0, kMany));
  points = std::size_t(json.integer("points", 1, kMaxPoints));
  const std::vector<std::int64_t> search = json.integers("search", 3, 0, kMany);
  checkpoint.search.steps = int(search[0]), checkpoint.search.rounds = int(search[1]);
  checkpoint.search.last = search[2] != 0;
  if (json.has("whole")) {
    const std::vector<std::int64_t> whole = json.integers("whole", 2, 0, kMany);
    checkpoint.whole = fit.request;
    checkpoint.whole->components = int(whole[0]), checkpoint.whole->steps = int(whole[1]);
  }
  fit.pictures = parseChecksum(json, "pictures", name);
  fit.device = json.text("device");
  const std::uint32_t crc = parseChecksum(json, "crc32", name);
  json.expectNoOther();
  return crc;
}

std::size_t stateBytes(const FitSnapshot& fit, std::size_t points) {
  const std::size_t count = fit.model.components.size();
  const std::size_t record = 4 * recordFields(fit.model.dims).size();
  const std::size_t rows = fit.model.dims > 2 ? 8 : 4;
  const std::size_t each = fit.stage == FitSnapshot::Stage::Mixture
                               ? sizeof(Gaussian)
                               : 2 * record + 2 * rows * sizeof(glm::vec4);
  const std::size_t scalars = fit.request.structure > 0 ? kScalars2 : kScalars;
  return scalars * sizeof(double) + kEpsilons * sizeof(float) + points * kPointBytes + count * each;
}

void readCurve(ByteReader& in, FitSnapshot& fit, std::size_t points, const std::string& name) {
  for (std::size_t i = 0; i < points; ++i) {
    FitPoint& point = fit.curve.emplace_back();
    point.iteration = in.take<std::int32_t>();
    const auto word = std::size_t(in.take<std::uint32_t>());
    if (word >= kPointWords.size())
      fail("{}: expected points of {} kinds, found kind {}", name, kPointWords.size(), word);
    point.stage = kPointWords[word];
    point.seconds = in.take<double>();
    point.psnr = in.take<double>();
  }
}

void expectFinite(double value, const char* what, const std::string& name) {
  if (!std::isfinite(value)) fail("{}: expected finite {}, found {}", name, what, value);
}

void readDescent(ByteReader& in, FitSnapshot& fit, const std::string& name) {
  const std::size_t count = fit.model.components.size(), rows = fit.model.dims > 2 ? 8 : 4;
  Model checked = fit.model;
  for (std::vector<Component>* components : {&fit.components, &fit.best}) {
    checked.components = *components = takeComponents(in, count, fit.model.dims);
    validateNumbers(checked, name);  // a component on its way may be where no file lets it be
  }
  fit.adam.moments.resize(count * rows * 2);
  for (glm::vec4& moment : fit.adam.moments) {
    moment = in.take<glm::vec4>();
    for (int k = 0; k < 4; ++k) expectFinite(double(moment[k]), "moments", name);
  }
}

void readState(std::span<const std::byte> payload, Checkpoint& checkpoint, std::size_t points,
               const std::string& name) {
  FitSnapshot& fit = checkpoint.fit;
  ByteReader in(payload, name);
  for (double* value : {&fit.request.maxSeconds, &fit.rate, &fit.seconds, &fit.descentBegan,
                        &fit.bestPsnr, &fit.model.psnr, &checkpoint.search.goal})
    *value = in.take<double>();
  fit.bestScore = fit.bestPsnr;
  if (fit.request.structure > 0) {
    const auto share = in.take<double>();
    if (!(share > 0 && share <= 1))
      fail("{}: expected a share of SSIM above 0 and up to 1, found {}", name, share);
    fit.request.structure = float(share);
    if (checkpoint.whole) checkpoint.whole->structure = float(share);
    fit.bestScore = in.take<double>();
  }
  for (const double value : {fit.rate, fit.seconds, fit.descentBegan, checkpoint.search.goal})
    expectFinite(value, "times, rate and goal", name);
  for (glm::vec4& epsilons : fit.adam.epsilons) epsilons = in.take<glm::vec4>();
  readCurve(in, fit, points, name);
  if (fit.stage == FitSnapshot::Stage::Descent) return readDescent(in, fit, name);
  for (std::size_t j = 0; j < fit.model.components.size(); ++j) {
    fit.mixture.push_back(in.take<Gaussian>());
    whiten(fit.mixture.back(), fit.model.dims, fmt::format("{}: component {}", name, j));
  }
}

}  // namespace

fs::path checkpointBeside(const fs::path& model) {
  fs::path file = model;
  return file.replace_extension(".checkpoint.smoe");
}

std::vector<std::byte> checkpointBytes(const Checkpoint& checkpoint, const std::string& name) {
  const std::vector<std::byte> bytes = encode(checkpoint.fit.model, Encoding::F32, 0, name).bytes;
  const std::vector<std::byte> payload = statePayload(checkpoint);
  const std::string header = stateHeader(checkpoint, payload);
  ByteWriter out;
  out.append(bytes);
  out.append(std::as_bytes(std::span(kStateMagic, 8)));
  out.put(std::uint32_t(header.size()));
  out.append(std::as_bytes(std::span(header)));
  out.append(payload);
  return out.bytes();
}

void writeCheckpoint(const fs::path& file, const Checkpoint& checkpoint) {
  writeFile(file, checkpointBytes(checkpoint, file.string()));
}

std::optional<Checkpoint> parseCheckpoint(std::span<const std::byte> bytes, const std::string& name,
                                          Progress& progress) {
  Checkpoint checkpoint;
  checkpoint.fit.model = readModel(bytes, name, progress);
  const std::span<const std::byte> state = behindModel(bytes, name);
  if (state.empty()) return std::nullopt;
  const std::string what = name + ": state of the fit";
  const auto length =
      state.size() < kStatePrefix ? 0 : std::int64_t(load<std::uint32_t>(state.data() + 8));
  if (length < 1 || length > kMaxStateHeader || state.size() < kStatePrefix + std::size_t(length))
    fail("{}: expected a header of 1 to {} bytes, found {} in {} bytes", what, kMaxStateHeader,
         length, state.size());
  const char* text = reinterpret_cast<const char*>(state.data()) + kStatePrefix;
  std::size_t points = 0;
  const std::uint32_t crc =
      parseState(JsonObject::parse({text, std::size_t(length)}, what), checkpoint, points, what);
  const std::span<const std::byte> payload = state.subspan(kStatePrefix + std::size_t(length));
  if (const std::size_t expected = stateBytes(checkpoint.fit, points); payload.size() != expected)
    fail("{}: expected {} bytes behind the header, found {}", what, expected, payload.size());
  if (const std::uint32_t found = crc32(payload); found != crc)
    fail("{}: expected CRC {:08x}, found {:08x}: it is damaged", what, crc, found);
  readState(payload, checkpoint, points, what);
  return checkpoint;
}

std::optional<Checkpoint> readCheckpoint(const fs::path& file, Progress& progress) {
  const std::string bytes = readFile(file, std::uint64_t(limits::kPayloadBytes) * 2);
  return parseCheckpoint(std::as_bytes(std::span(bytes)), file.string(), progress);
}

}  // namespace fathom::smoe
