// SPDX-License-Identifier: BSD-3-Clause
// fathom info: the GPU, or what files and scenes hold. One "name: value" line per fact.
#include "app/cli/subcommands.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/engine.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/flat_formats.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/picture.h"
#include "app/engine/scene/load_scene.h"
#include "app/system/gl_surface.h"
#include "app/system/machine.h"

namespace fathom::commands {
namespace {

/// Prints a fact and puts it into the report under `prefix` + its name.
class Facts {
 public:
  Facts(RunRecord& record, bool silent) : record_(record), silent_(silent) {}
  void heading(const std::string& text) {
    if (!silent_) fmt::print("{}\n", printable(text));
  }
  template <class T>
  void add(const std::string& name, const T& value, const std::string& shown) {
    if (!silent_) fmt::print("  {:<24} {}\n", printable(name), printable(shown));
    record_.set(prefix + name, value);
  }
  void add(const std::string& name, const std::string& value) { add(name, value, value); }
  void add(const std::string& name, std::int64_t value) { add(name, value, std::to_string(value)); }
  void add(const std::string& name, std::uint64_t value) { add(name, std::int64_t(value)); }
  void add(const std::string& name, int value) { add(name, std::int64_t(value)); }
  void add(const std::string& name, bool value) { add(name, value, value ? "yes" : "no"); }
  void addBytes(const std::string& name, std::int64_t value) {
    add(name, value, gpu::bytesText(value));
  }

  std::string prefix;

 private:
  RunRecord& record_;
  bool silent_;
};

void describeGpu(const gpu::Context& gpu, Facts& facts) {
  const gpu::Device& device = gpu.device();
  const gpu::Limits& limits = gpu.limits();
  const gpu::Capabilities& can = gpu.capabilities();
  facts.heading("device");
  facts.add("vendor", device.vendor);
  facts.add("renderer", device.renderer);
  facts.add("version", device.version);
  facts.add("software", device.software);
  const int devices = system::hardwareDeviceCount();
  facts.add("GPUs", devices);
  if (devices > 1) facts.add("another one", std::string("--device 1, 2, ..."));
  facts.heading("limits");
  facts.addBytes("storage block", limits.storageBlockBytes);
  facts.addBytes("shared memory", limits.sharedBytes);
  facts.add("work group invocations", limits.workGroupInvocations);
  facts.add("work groups", fmt::format("{} x {} x {}", limits.workGroupCount[0],
                                       limits.workGroupCount[1], limits.workGroupCount[2]));
  facts.add("storage blocks", limits.storageBlocksPerStage);
  facts.add("texture side", limits.textureSize);
  facts.heading("beyond OpenGL 4.5");
  facts.add("shader ballot", can.shaderBallot);
  facts.add("subgroups", can.subgroups);
  facts.add("subgroup size", can.subgroupSize);
  facts.add("64-bit integers", can.int64);
  facts.add("64-bit atomics", can.int64Atomics);
  facts.add("parallel compile", can.parallelCompile);
}

std::string windowText(const Rect& window) {
  return fmt::format("{}x{} at {},{}", window.width, window.height, window.x, window.y);
}

void describeDeepTotals(const DeepTotals& totals, const ExrPartInfo& part, Facts& facts) {
  const double pixels = std::max(1.0, double(part.dataWindow.area()));
  facts.add("fragments", totals.fragmentCount);
  const double mean = double(totals.fragmentCount) / pixels;
  facts.add("fragments per pixel", mean, fmt::format("{:.3f}", mean));
  facts.add("most in a pixel", int(totals.maxPerPixel));
  facts.add("empty pixels", totals.emptyPixels);
  facts.addBytes("memory", std::int64_t(totals.memoryBytes));
  facts.addBytes("memory budget", std::int64_t(deepMemoryBudget()));
}

/// What the header says beyond how the pixels are stored, by the names that it has there.
void addAttributes(const ExrPartInfo& part, Facts& facts) {
  if (!part.attributes) return;
  for (const Attribute& attribute : *part.attributes)
    if (!describesStorage(attribute.name) && attribute.name != "name" && attribute.name != "view")
      facts.add(shownLine(attribute.name), textOf(attribute));
}

void describeExrFile(const std::string& file, Progress& progress, Facts& facts) {
  const ExrFileInfo info = describeExr(file, &progress);
  facts.heading(file);
  facts.addBytes("file size", std::int64_t(info.fileBytes));
  facts.add("parts", int(info.parts.size()));
  const std::string prefix = facts.prefix;
  for (std::size_t i = 0; i < info.parts.size(); ++i) {
    const ExrPartInfo& part = info.parts[i];
    if (info.parts.size() > 1) {
      facts.prefix = fmt::format("{}part {} ", prefix, part.index);
      facts.heading(fmt::format(" part {}", part.index));
    }
    if (!part.name.empty()) facts.add("name", part.name);
    if (!part.view.empty()) facts.add("view", part.view);
    facts.add("type", part.type);
    facts.add("deep", part.deep);
    facts.add("channels", joined(part.channels, ", ", [](const ExrPartInfo::Channel& channel) {
                return fmt::format("{} {}", channel.name, kChannelTypeNames[int(channel.type)]);
              }));
    facts.add("compression", part.compression);
    facts.add("data window", windowText(part.dataWindow));
    facts.add("display window", windowText(part.displayWindow));
    if (!part.state.empty()) facts.add("deep image state", part.state);
    addAttributes(part, facts);
    if (info.totals[i]) describeDeepTotals(*info.totals[i], part, facts);
  }
  facts.prefix = prefix;
}

void describeScene(const std::string& spec, Progress& progress, Facts& facts) {
  const std::shared_ptr<const Scene> scene = loadScene(spec, progress);
  facts.heading(spec);
  facts.add("triangles", scene->triangleCount());
  facts.add("vertices", std::uint64_t(scene->vertices.size()));
  facts.add("materials", int(scene->materials.size()));
  facts.add("textures", int(scene->textures.size()));
  facts.add("parts", joined(scene->parts, ", ", &ScenePart::name));
  const glm::vec3 size = scene->bounds.size();
  facts.add("extent", fmt::format("{:.3g} x {:.3g} x {:.3g}", size.x, size.y, size.z));
  for (const std::string& warning : scene->warnings) facts.add("warning", warning);
}

/// What only a technique knows to read: the facts that its panel shows.
void describeByTechnique(const TechniqueEntry& entry, const std::string& input, Progress& progress,
                         Facts& facts) {
  const std::unique_ptr<Engine> technique = entry.make();
  technique->adopt(entry.read({input}, progress));
  facts.heading(input);
  facts.add("type", entry.info.title);
  for (const auto& [name, value] : technique->facts()) facts.add(name, value);
}

/// The endings of all that can be told of.
std::string knownEndings() {
  std::set<std::string> all(pictureEndings().begin(), pictureEndings().end());
  for (const TechniqueEntry& entry : techniques())
    all.insert(entry.info.endings.begin(), entry.info.endings.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

void describeInput(const std::string& input, Progress& progress, Facts& facts) {
  if (isSceneSpec(input)) return describeScene(input, progress, facts);
  if (looksLikeExr(input)) return describeExrFile(input, progress, facts);
  const FileKind kind = kindOf(input);
  if (kind == FileKind::Unknown && flame::isPaletteFile(input)) {
    const std::string file = splitPart(input).first;
    const auto palettes = endingOf(file) == ".xml" ? flame::readPalettes(file)
                                                   : flame::parsePaletteFile(readFile(file), file);
    facts.heading(input);
    facts.add("type", std::string("palettes"));
    facts.add("palettes", palettes.size());
    return facts.add("names", joined(palettes, ", ", &flame::NamedPalette::name));
  }
  if (kind == FileKind::Unknown) {
    if (const TechniqueEntry* entry = findTechnique(techniques(), {input}))
      return describeByTechnique(*entry, input, progress, facts);
    fail("{}: expected one of the formats {}, found {}", input, knownEndings(), otherFormat(input));
  }
  const Picture picture = readPictureHeader(input);
  facts.heading(input);
  facts.add("type", std::string(nameOf(kind)));
  facts.add("size", fmt::format("{}x{}", picture.dataWindow.width, picture.dataWindow.height));
  facts.add("alpha", picture.hasAlpha);
}

/// What a bug report needs besides the device: nothing of the user's files.
void describeProgram(Facts& facts) {
  facts.heading("program");
  facts.add("fathom", std::string(FATHOM_VERSION));
  facts.add("compiler", std::string(__VERSION__));
  facts.add("system", system::name());
  facts.add("processors", int(std::thread::hardware_concurrency()));
  facts.addBytes("main memory", std::int64_t(system::memoryLimitBytes()));
  facts.add("display", std::string(std::getenv("WAYLAND_DISPLAY") ? "Wayland"
                                   : std::getenv("DISPLAY")       ? "X11"
                                                                  : "none"));
  std::string names;  // values may be paths
  for (const char* name :
       {"FATHOM_DEVICE", "FATHOM_GL_DEBUG", "FATHOM_SHADERS", "OCIO", "DRI_PRIME", "GALLIUM_DRIVER",
        "LIBGL_ALWAYS_SOFTWARE", "MESA_GL_VERSION_OVERRIDE", "MESA_LOADER_DRIVER_OVERRIDE",
        "__GLX_VENDOR_LIBRARY_NAME", "__NV_PRIME_RENDER_OFFLOAD"})
    if (std::getenv(name)) names += (names.empty() ? "" : ", ") + std::string(name);
  facts.add("environment", names.empty() ? "none" : names);
}

int runReport(const CommonOptions& common, Reporting& reporting, RunRecord& record, Facts& facts) {
  describeProgram(facts);
  std::optional<gpu::Context> gpu;
  try {
    gpu.emplace(common.contextOptions());
    describeGpu(*gpu, facts);
  } catch (const NoDeviceError& error) {
    facts.add("device", std::string(error.what()));
  }
  reporting.finish(record, gpu ? &*gpu : nullptr);
  return 0;
}

int runInfo(const std::vector<std::string>& inputs, bool report, const CommonOptions& common) {
  if (!common.output.empty()) throw UsageError("--output: info writes no file");
  Reporting reporting(common);
  RunRecord record;
  record.command = "info";
  Facts facts(record, common.jsonToStandardOutput());
  if (report && !inputs.empty()) throw UsageError("--report: expected no files with it");
  if (report) return runReport(common, reporting, record, facts);
  if (inputs.empty()) {
    gpu::Context gpu(common.contextOptions());
    describeGpu(gpu, facts);
    reporting.finish(record, &gpu);
    return 0;
  }
  Progress progress;
  std::vector<std::string> all;
  for (const std::string& input : inputs) {
    const auto pattern = FramePattern::of(input);
    if (!pattern) all.push_back(input);
    for (const int frame : pattern ? pattern->frames() : std::vector<int>())
      all.push_back(pattern->at(frame));
  }
  if (all.empty()) fail("{}: expected files of a sequence, found none", inputs[0]);
  for (const std::string& input : all) {
    if (all.size() > 1) facts.prefix = input + " ";
    describeInput(input, progress, facts);
  }
  reporting.finish(record, nullptr);
  return 0;
}

}  // namespace

Action declareInfo(FlagTable& table, const CommonOptions& common) {
  struct Flags {
    std::vector<std::string> inputs;
    bool report = false;
  };
  const auto flags = std::make_shared<Flags>();
  table.operands("FILE", flags->inputs, "Files or scenes; none: the GPU");
  table.add("--report", flags->report, "What a bug report needs: program, system, GPU; no names");
  return [flags, &common] { return runInfo(flags->inputs, flags->report, common); };
}

}  // namespace fathom::commands
