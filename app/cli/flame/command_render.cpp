// SPDX-License-Identifier: BSD-3-Clause
// fathom flame render: a genome, every flame of a file, or all genomes of folders. fathom flame
// queue: what is to be rendered later.
#include "app/cli/flame/command.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/export_queue.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/io/frame_sequence.h"

namespace fathom::flame {
namespace {

struct Drawn {
  double samples = 0, seconds = 0, quality = 0, lost = 0;
  int kept = 0;  // --resume
};

void drawInto(CommandContext& context, FlameEngine& technique, const std::string& file,
              const PictureOptions& options, Drawn& drawn) {
  std::vector<std::string> sources = context.inputs;
  if (context.given("palette")) sources.push_back(context.text("palette"));
  if (context.on("resume") && isUpToDate(file, sources) && hasSize(file, technique.frame().size))
    return void(++drawn.kept);
  technique.startAfresh();  // the same bytes whatever was drawn before
  drawn.seconds +=
      context.timed("gpu", [&] { return technique.draw(context.gpu(), context.progress); });
  const Rendering& rendering = *technique.rendering();
  Image displayed, light;
  context.timed("download", [&] {
    displayed = rendering.displayed().downloadImage();
    if (endingOf(file) == ".exr") light = rendering.light().downloadImage();
  });
  drawn.samples += rendering.samples();
  drawn.quality = rendering.quality();
  drawn.lost = std::max(drawn.lost, rendering.histogram().lost);
  context.timed("write", [&] { writeFlame(file, displayed, light, options); });
}

void report(CommandContext& context, const FlameEngine& technique, const Drawn& drawn) {
  if (drawn.kept > 0) {
    context.record.set("kept", drawn.kept);
    context.print(fmt::format("images that are up to date: {}", drawn.kept));
  }
  context.record.set("samples", drawn.samples);
  context.record.set("samples_per_second", drawn.seconds > 0 ? drawn.samples / drawn.seconds : 0.0);
  context.record.set("quality", drawn.quality);
  if (!technique.rendering()) return;  // none was drawn
  const Accumulate accumulate = technique.rendering()->accumulate();
  context.record.set("accumulation", std::string(nameOf(accumulate)));
  if (accumulate == Accumulate::Direct) context.record.set("lost", drawn.lost);
}

// ---- Batches

/// A batch names its pictures after the files: %n in the output.
bool isBatch(const CommandContext& context) {
  const std::string output = fs::path(context.output).filename().string();
  const bool named = output.find("%n") != std::string::npos;
  const bool several = context.inputs.size() > 1 || fs::is_directory(context.inputs[0]);
  if (several && !named)
    failUsage(
        "--output: expected %n in the name, for the genome's name, with several genomes; found {}",
        context.output);
  return named;
}

bool isGenome(const std::string& file) {
  return !isPaletteFile(file) && !cuburn::isProfile(file) && accepts({file});
}

/// Genomes of folders by name; files as they are given.
std::vector<std::string> genomeFiles(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    if (!fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(input))
      if (entry.is_regular_file() && isGenome(entry.path().string()))
        inside.push_back(entry.path().string());
    if (inside.empty()) fail("{}: expected genomes in this folder, found none", input);
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

/// What %n stands for: the stem of each file, with its ending where others have that stem. Two
/// files of one name in different folders would make the same picture.
std::vector<std::string> namesOf(const std::vector<std::string>& files) {
  std::map<std::string, int> stems;
  for (const fs::path file : files) ++stems[file.stem().string()];
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const fs::path file : files) {
    const std::string stem = file.stem().string(), ending = file.extension().string();
    names.push_back(stems[stem] == 1 || ending.empty() ? stem : stem + "-" + ending.substr(1));
    if (!taken.insert(names.back()).second)
      fail("{}: expected a name that no other genome has, found \"{}\" twice", file.string(),
           file.filename().string());
  }
  return names;
}

/// All flames of one file; those of a file with several are numbered.
void drawFile(CommandContext& context, const std::string& file, const std::string& stem,
              const PictureOptions& options, Drawn& drawn, int& flames) {
  context.inputs = {file};
  FlameEngine& technique = openGenomes(context).technique;
  usePaletteFile(context, technique);
  const std::size_t count = technique.timeline().genomes().size();
  for (std::size_t i = 0; i < count; ++i) {
    technique.timeline().select(i);
    const std::string name = count > 1 ? fmt::format("{}-{:02}", stem, i + 1) : stem;
    std::string picture = context.output;
    picture.replace(picture.rfind("%n"), 2, name);
    drawInto(context, technique, picture, options, drawn);
    ++flames;
  }
}

/// A file that cannot be drawn does not keep the others from it: a line, and exit code 1 in the
/// end.
void renderBatch(CommandContext& context, const PictureOptions& options) {
  const std::vector<std::string> files = genomeFiles(context.inputs);
  const std::vector<std::string> names = namesOf(files);
  Drawn drawn;
  int flames = 0, failed = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      drawFile(context, files[i], names[i], options, drawn, flames);
    } catch (const UsageError&) {
      throw;
    } catch (const NoDeviceError&) {
      throw;
    } catch (const gpu::DeviceLost&) {
      throw;
    } catch (const Error& error) {
      log::line(log::Level::Quiet, fmt::format("fathom: {}", error.what()));
      ++failed;
    }
    context.progress.throwIfCancelled();
  }
  report(context, context.as<FlameEngine>(), drawn);
  context.record.set("files", files.size());
  context.record.set("flames", flames);
  context.record.set("failed", failed);
  if (failed > 0) context.exitCode = 1;
}

}  // namespace

void runRender(CommandContext& context) {
  const PictureOptions options = pictureOptions(context);
  if (isBatch(context)) return renderBatch(context, options);
  const auto pattern = FramePattern::of(context.output);
  FlameEngine& technique = openGenomes(context, pattern ? Warned::All : Warned::Shown).technique;
  usePaletteFile(context, technique);
  Drawn drawn;
  const std::size_t count = technique.timeline().genomes().size();
  if (pattern) {
    for (std::size_t i = 0; i < count; ++i) {
      technique.timeline().select(i);
      drawInto(context, technique, pattern->at(int(i) + 1), options, drawn);
    }
  } else {
    if (count > 1)
      log::info("{}: flame {} of {}; %d in the output's name draws all", context.inputs[0],
                technique.timeline().current() + 1, count);
    drawInto(context, technique, context.output, options, drawn);
  }
  report(context, technique, drawn);
}

// ---- Queue, that of the window

namespace {

void addToQueue(CommandContext& context, ExportQueue& queue) {
  const PictureOptions options = pictureOptions(context);
  FlameEngine& technique = openGenomes(context, Warned::Shown).technique;
  usePaletteFile(context, technique);
  const Settings& settings = technique.drawing();
  const bool isKept = queue.start(technique.timeline(), settings, context.seed,
                                  {.file = context.output,
                                   .samples = double(settings.quality),
                                   .bits = options.bits,
                                   .asFloat = options.asFloat,
                                   .alpha = options.transparent,
                                   .framesPerSecond = context.real("fps", 1, 240)});
  if (const std::optional<ExportEnd> end = queue.takeEnd()) throw Error(end->message);
  if (!isKept)
    fail("{}: expected flames, and room for them in {}, found none", context.inputs[0],
         exportFolder().string());
}

/// What fails does not keep the others from it; what is interrupted waits on.
void runQueued(CommandContext& context, ExportQueue& queue) {
  int written = 0, failed = 0;
  queue.adopt();
  const auto takeEnd = [&] {
    const std::optional<ExportEnd> end = queue.takeEnd();
    if (!end) return;
    ++(end->failed ? failed : written);
    if (end->failed)
      log::line(log::Level::Quiet, fmt::format("fathom: {}", end->message));
    else
      context.print(end->message);
  };
  std::string file;
  for (takeEnd(); queue.running(); takeEnd()) {
    if (queue.file() != file)
      context.progress.begin(printable(fs::path(file = queue.file()).filename().string()), 100);
    context.progress.advance(100 * queue.progress() - context.progress.done());
    queue.step(context.gpu(), 100);
  }
  context.record.set("written", written);
  context.record.set("failed", failed);
  if (failed > 0) context.exitCode = 1;
}

}  // namespace

void runQueue(CommandContext& context) {
  if (context.inputs.empty() != context.output.empty())
    throw UsageError("expected a genome and --output PATH, found only one of them");
  if (!context.inputs.empty()) {
    ExportQueue adding(exportFolder());  // what waits is for any program afterwards
    addToQueue(context, adding);
  }
  ExportQueue queue(exportFolder());
  if (context.on("run")) return runQueued(context, queue);
  const std::vector<std::string> lines = queue.listed();
  for (const std::string& line : lines) context.print(line);
  context.record.set("waiting", lines.size());
}

}  // namespace fathom::flame
