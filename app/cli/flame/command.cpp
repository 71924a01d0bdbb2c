// SPDX-License-Identifier: BSD-3-Clause
// fathom flame palette | shader | random, and what all subcommands begin with.
#include "app/cli/flame/command.h"

#include "app/engine/core/text.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/random.h"
#include "app/engine/flame/render/generator.h"
#include "app/engine/flame/render/rendering.h"
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "app/engine/io/video_file.h"

namespace fathom::flame {

OpenedGenomes openGenomes(CommandContext& context, Warned warned) {
  auto& technique = context.as<FlameEngine>();
  const PhaseTimer timer(context.record, "read");
  technique.setSeed(context.seed);
  GenomeReadOptions options{context.seed, context.size.value_or(glm::ivec2(0)), {}};
  const PlayheadSettings playhead = technique.timeline().playhead();
  if (warned == Warned::Shown && playhead.time == 0) options.flame = playhead.flame;
  if (context.given("film")) options.filmProfile = context.text("film");
  std::unique_ptr<LoadedGenomes> loaded = readInputs(context.inputs, options, context.progress);
  const std::shared_ptr<const CuburnAnimation> film = loaded->film;
  technique.adopt(std::move(loaded));
  if (context.given("film") && !film)
    failUsage("--film: expected a node, an edge or an animation (JSON), found {}",
              context.inputs[0]);
  if (const Timeline& timeline = technique.timeline(); playhead.time != 0 && timeline.moves())
    warnBeyond(context, playhead.time, playhead.time, timeline.firstTime(), timeline.lastTime());
  const glm::ivec2 size = technique.frame().size;
  context.record.size = {size.x, size.y};
  return {technique, film};
}

void warnBeyond(const CommandContext& context, double from, double to, double first, double last) {
  if (from < first - 1e-3 || to > last + 1e-3)  // --time is a float
    log::warn("{}: expected times from {:g} to {:g}, found {}; beyond them nothing moves",
              context.inputs[0], first, last,
              from == to ? fmt::format("{:g}", from) : fmt::format("{:g} to {:g}", from, to));
}

PictureOptions pictureOptions(CommandContext& context) {
  PictureOptions options;
  options.bits = wordIndex("--bits", context.text("bits"), {"8", "16"}) == 1 ? 16 : 8;
  options.asFloat = context.on("float");
  options.transparent = context.as<FlameEngine>().drawing().transparent;
  const std::string ending = endingOf(context.output);
  if (options.asFloat && ending != ".exr")
    log::warn("{}: expected .exr for --float, found {}", context.output, ending);
  if (options.bits == 16 && ending != ".png")
    log::warn("{}: expected .png for --bits 16, found {}", context.output, ending);
  if (options.transparent && isVideo(context.output))
    failUsage("--transparent: expected images, as .png or .exr, found {}", context.output);
  if (options.transparent && ending != ".exr" && ending != ".png")
    log::warn("{}: expected .png or .exr for --transparent, found {}", context.output, ending);
  return options;
}

bool hasSize(const std::string& file, glm::ivec2 size) try {
  const Rect window = looksLikeExr(file) ? describeExr(file).parts.at(0).dataWindow
                                         : readPictureHeader(file).dataWindow;
  return window.width == size.x && window.height == size.y;
} catch (const Error&) {
  return false;
}

// ---- palette

void usePaletteFile(CommandContext& context, FlameEngine& technique) {
  if (!context.given("palette")) return;
  const Palette palette = readPalette(context.text("palette"));
  Timeline& timeline = technique.timeline();
  if (!timeline.editable()) timeline.adopt({timeline.shown()});
  for (std::size_t i = 0; i < timeline.genomes().size(); ++i) {
    Genome genome = timeline.genomes()[i];
    usePalette(genome, palette);
    timeline.setAt(i, std::move(genome));
  }
}

/// Of a palette file, or of a genome; into one where that is what is written.
void runPalette(CommandContext& context) {
  const std::string& input = context.inputs[0];
  const bool intoGenome = endingOf(context.output).starts_with(".fla");
  if (isPaletteFile(input) && !intoGenome)
    return writePaletteFile(context.output, readPalette(input));
  FlameEngine& technique = openGenomes(context, Warned::Shown).technique;
  if (intoGenome && !technique.timeline().editable())
    log::warn("{}: an animation; the moment at {:g} is written", input,
              technique.timeline().time());
  usePaletteFile(context, technique);
  if (intoGenome) return writeGenomes(context.output, technique.timeline().genomes());
  writePaletteFile(context.output, technique.timeline().shown().palette);
}

// ---- shader

void runShader(CommandContext& context) {
  const FlameEngine& technique = openGenomes(context, Warned::Shown).technique;
  const Genome genome = forRendering(technique.timeline().shown());
  Settings settings = technique.drawing();
  if (settings.accumulate == Accumulate::Auto) settings.accumulate = Accumulate::Atomic;
  const bool own = wordIndex("--selection", context.text("selection"), {"shared", "own"}) == 1;
  const Structure structure = structureOf(genome, shapeFor(genome, settings), settings,
                                          own ? Selection::Own : Selection::Shared);
  const std::vector<gpu::GeneratedText> texts = generate(structure);
  std::size_t lines = 0;
  const auto print = [&](const std::string& text) {
    lines += std::size_t(std::count(text.begin(), text.end(), '\n'));
    context.print(text.empty() || text.back() != '\n' ? text : text.substr(0, text.size() - 1));
  };
  if (context.on("whole")) {
    const gpu::PassKey key = iteratePass(structure, 256);
    print(gpu::loadShader(key.shader, key.defines, key.generated).text);
  } else {
    for (const gpu::GeneratedText& text : texts) {
      context.print("// " + text.name);
      print(text.text);
    }
  }
  context.record.set("lines", lines);
}

// ---- random

void runRandom(CommandContext& context) {
  const int count = context.number("count", 1, 10000);
  const Change change{context.real("strength", 0, 1), context.on("keep-framing")};
  const glm::ivec2 size = context.size.value_or(glm::ivec2(800, 600));
  std::vector<Genome> genomes;
  if (context.inputs.empty()) {
    for (int i = 0; i < count; ++i)
      genomes.push_back(randomGenome(context.seed + std::uint64_t(i), size));
  } else {
    const Genome& parent = openGenomes(context, Warned::Shown).technique.timeline().shown();
    if (drawsNothing(parent))
      fail("{}: expected a flame that draws anything, found none", context.inputs[0]);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t seed = context.seed + std::uint64_t(i);
      genomes.push_back(mutated(parent, seed, change));
      genomes.back().name =
          fmt::format("{}-{}", parent.name.empty() ? "mutation" : parent.name, seed);
    }
  }
  writeGenomes(context.output, genomes);
  context.record.size = {genomes[0].size.x, genomes[0].size.y};
  context.record.set("flames", count);
}

const CommandFlag kFilm{"film", "PROFILE.json", "cuburn profile: how to render the animation."};
const CommandFlag kBits{"bits", "8|16", "Bits per channel of a PNG.", "8"};
const CommandFlag kFloat{"float", "", "Write float instead of half to the EXR.", "off"};
const CommandFlag kPalette{
    "palette", "FILE",
    "Colors of a palette file (.map .gpl .ggr .ugr .gradient .xml), or FILE#NAME of it."};

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"render",
       "Render a genome, all flames of a file, or all genomes of folders.",
       "fathom flame render rose.flame --quality 200 -o rose.png",
       {"GENOME", 1, -1,
        "A file of flam3 genomes, or a node or edge of cuburn (JSON). The first flame of it is "
        "rendered; with %d in the output name all of them, with %n all files and folders."},
       {{".png", ".exr", ".ppm"}},
       {kBits,
        kFloat,
        kPalette,
        kFilm,
        {"resume", "",
         "Skip images that are newer than their genomes and have this size, whatever the other "
         "settings were.",
         "off"}},
       runRender},
      {"queue",
       "Add a genome to the queue of renders, list it, or render what waits.",
       "fathom flame queue rose.flame --size 7680x4320 --quality 500 -o rose.png",
       {"GENOME", 0, 1, "What is to be rendered, with --output; none: what waits is listed."},
       {{".png", ".exr", ".ppm", ".mp4", ".mkv", ".webm", ".gif"}, true, false, true},
       {{"run", "", "Render what waits; what is interrupted waits on.", "off"},
        {"fps", "N", "Frames per second of a video (needs ffmpeg).", "24"},
        kBits,
        kFloat,
        kPalette,
        kFilm},
       runQueue},
      {"animate",
       "Render an animation, with motion blur.",
       "fathom flame animate flock.flame --end 59 -o 'frame.%05d.png'",
       {"GENOME", 1, 1,
        "A file of flames with ascending times, a flock for --sequence, or a node, an edge or an "
        "animation of cuburn (JSON)."},
       {{".png", ".exr", ".ppm", ".mp4", ".mkv", ".webm", ".gif"}},
       {{"begin", "TIME", "The first frame; default: the time of the first flame."},
        {"end", "TIME", "The last frame; default: the one before the last flame."},
        {"step", "TIME", "Time from one frame to the next.", "1"},
        {"sequence", "N", "Make loops and transitions of the flames first, N frames each."},
        kFilm,
        {"again", "", "Overwrite existing frames.", "off"},
        {"fps", "N", "Frames per second of a video (needs ffmpeg).", "24"},
        kBits,
        kFloat},
       runAnimate},
      {"sequence",
       "Make keyframes of a flock: each flame rotates, then morphs into the next.",
       "fathom flame sequence flock.flame --frames 60 -o film.flame",
       {"GENOME", 1, -1, "Files of flames, in this order."},
       {{".flame", ".flam3"}},
       {{"frames", "N", "Frames of each loop and of each transition.", "60"},
        {"loops", "N", "Rotations of each flame.", "1"},
        {"stagger", "0..1", "How far apart in time xforms start to change.", "0"}},
       runSequence},
      {"freeze",
       "Save one frame of an animation as a genome.",
       "fathom flame freeze film.flame --at 12.5 -o moment.flame",
       {"GENOME", 1, 1, "Keyframes, or a node, an edge or an animation of cuburn (JSON)."},
       {{".flame", ".flam3"}},
       {{"at", "TIME", "Time of the frame; default: the beginning."},
        {"sequence", "N", "Make loops and transitions of the flames first, N frames each."},
        kFilm},
       runFreeze},
      {"info",
       "Describe a genome: xforms, variations, samples, memory.",
       "fathom flame info rose.flame",
       {"GENOME", 1, 1,
        "A file of flam3 genomes, or a node, an edge or an animation of cuburn (JSON)."},
       {},
       {kFilm},
       runInfo},
      {"palette",
       "Convert the palette of a genome or of a palette file, or give a genome another.",
       "fathom flame palette rose.flame --palette sunset.ggr -o evening.flame",
       {"FILE", 1, 1, "A genome, or a palette of another program; FILE#NAME or FILE#N of several."},
       {{".map", ".gpl", ".flame", ".flam3"}},
       {kPalette},
       runPalette},
      {"shader",
       "Print the GLSL generated for a genome.",
       "fathom flame shader rose.flame",
       {"GENOME", 1, 1, "A file of flam3 genomes, or a node or edge of cuburn (JSON)."},
       {},
       {{"whole", "", "Print the whole program with all includes.", "off"},
        {"selection", "shared|own", "Shape of the code: for GPUs, or for software rendering.",
         "shared"}},
       runShader},
      {"random",
       "Make random genomes, or mutate a genome.",
       "fathom flame random --seed 7 --count 9 -o nine.flame",
       {"GENOME", 0, 1, "A genome to mutate."},
       {{".flame", ".flam3"}},
       {{"count", "N", "Number of genomes; each has the next seed.", "1"},
        {"strength", "0..1", "How far mutations go.", "0.5"},
        {"keep-framing", "", "Keep the camera of the genome.", "off"}},
       runRandom},
  };
  return list;
}

}  // namespace fathom::flame
