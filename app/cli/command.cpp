// SPDX-License-Identifier: BSD-3-Clause
// What a running command holds, and where it sees a scene from.
#include "app/cli/command.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/exr/deep_exr.h"

#include <future>

namespace fathom {
namespace {

template <class T>
T numberInRange(const std::string& flag, const std::string& text, T low, T high) {
  const std::optional<T> value = numberIn<T>(text);
  if (!value || !(*value >= low && *value <= high))
    failUsage("--{}: expected a number from {} to {}, found \"{}\"", flag, low, high, text);
  return *value;
}

glm::vec3 pointOf(const CommandContext& context, const char* flag, glm::vec3 otherwise) {
  if (!context.given(flag)) return otherwise;
  const std::string& text = context.text(flag);
  glm::vec3 p(0);
  char more = 0;
  if (std::sscanf(text.c_str(), "%f,%f,%f%c", &p.x, &p.y, &p.z, &more) != 3 ||
      !std::isfinite(p.x + p.y + p.z))
    failUsage("--{}: expected three numbers like 1,0.5,-2, found \"{}\"", flag, text);
  return p;
}

}  // namespace

bool isUpToDate(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code error;
  const auto made = fs::last_write_time(output, error);
  if (error || fs::file_size(output, error) == 0) return false;
  return std::all_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
    const auto changed = fs::last_write_time(splitPart(input).first, error);
    return error || changed <= made;
  });
}

CommandHost*& CommandHost::ofThread() {
  thread_local CommandHost* host = nullptr;
  return host;
}

CommandContext::CommandContext(std::unique_ptr<Engine> technique,
                               gpu::ContextOptions contextOptions)
    : contextOptions_(std::move(contextOptions)), technique_(std::move(technique)) {}

CommandContext::~CommandContext() = default;

gpu::Context& CommandContext::gpu() {
  if (!gpu_) {
    const CommandHost* host = CommandHost::ofThread();
    gpu_ = host ? host->context(contextOptions_) : std::make_shared<gpu::Context>(contextOptions_);
    gpu_->timings().beginFrame();
  }
  return *gpu_;
}

void CommandContext::readBesideGpu(const std::function<std::unique_ptr<LoadedInputs>()>& read) {
  const PhaseTimer timer(record, "read");
  std::future<std::unique_ptr<LoadedInputs>> reading = std::async(std::launch::async, read);
  std::exception_ptr noDevice;
  try {
    gpu();
  } catch (...) {
    noDevice = std::current_exception();
  }
  technique_->adopt(reading.get());
  if (Camera* const camera = technique_->camera())
    placeCamera(*this, *camera);
  else if (placesCamera(*this))
    throw UsageError("--eye, --target, --up, --fov: expected a scene, found files");
  if (noDevice) std::rethrow_exception(noDevice);
}

Image CommandContext::download() {
  return timed("download", [&] { return technique_->frame().picture->downloadImage(); });
}

void CommandContext::finishTimings() {
  gpu_->timings().endFrame();
  gpu_->timings().finish();
}

const std::string& CommandContext::text(const std::string& flag) const {
  const auto at = flags_.find(flag);
  if (at == flags_.end()) checkFailed(__FILE__, __LINE__, "the command declares this flag", flag);
  return at->second.text;
}

bool CommandContext::given(const std::string& flag) const {
  const auto at = flags_.find(flag);
  return at != flags_.end() && at->second.given;
}

int CommandContext::number(const std::string& flag, int low, int high) const {
  return numberInRange<int>(flag, text(flag), low, high);
}

double CommandContext::real(const std::string& flag, double low, double high) const {
  return numberInRange<double>(flag, text(flag), low, high);
}

glm::ivec2 CommandContext::pair(const std::string& flag) const {
  const std::optional<glm::ivec2> value = parsePair(text(flag));
  if (!value)
    failUsage("--{}: expected two whole numbers like 640,360, found \"{}\"", flag, text(flag));
  return *value;
}

void CommandContext::print(const std::string& line) {
  if (silent) return;
  fmt::print("{}\n", printable(line, true));
}

std::vector<CommandFlag> withColor(std::vector<CommandFlag> flags, bool hasView) {
  flags.push_back({"display", "NAME",
                   "Display of the OpenColorIO config in $OCIO to write for; default: sRGB, an EXR "
                   "stays linear."});
  if (hasView) flags.push_back({"view", "NAME", "View of that display; default: its first."});
  flags.push_back({"colorspace", "NAME", "Color space of that config to write, instead."});
  return flags;
}

std::vector<CommandFlag> withCamera(std::vector<CommandFlag> flags) {
  flags.insert(flags.end(), {{"eye", "X,Y,Z", "Camera position"},
                             {"target", "X,Y,Z", "Point at the center of the image"},
                             {"up", "X,Y,Z", "Up direction"},
                             {"fov", "DEG", "Vertical field of view"}});
  return flags;
}

bool placesCamera(const CommandContext& context) {
  return context.given("eye") || context.given("target") || context.given("up") ||
         context.given("fov");
}

void placeCamera(const CommandContext& context, Camera& camera) {
  if (!placesCamera(context)) return;
  camera.position = pointOf(context, "eye", camera.position);
  camera.target = pointOf(context, "target", camera.target);
  camera.up = pointOf(context, "up", camera.up);
  if (context.given("fov")) camera.verticalFovDeg = float(context.real("fov", 0.1, 170));
  const glm::vec3 along = camera.target - camera.position;
  if (!(glm::length(along) > 0))
    throw UsageError("--eye: expected a point other than the target, found the same");
  if (!(glm::length(glm::cross(along, camera.up)) > 0))
    throw UsageError("--up: expected another direction than that of the view, found the same");
}

}  // namespace fathom
