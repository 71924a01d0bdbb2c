// SPDX-License-Identifier: BSD-3-Clause
// The table of subcommands: names, help, inputs, endings and flags. The work is in the other files.
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/deep/operations/chain.h"

namespace fathom::deep {
namespace {

const std::vector<std::string> kDeepEndings{".exr", ".fdp"};

const CommandInputs kImages{"IN", 1, -1,
                            "Deep EXR files, or one scene (its parts are the images)."};

/// One that reads what is merged and can do a shot.
Command shotCommand(std::string name, std::string help, std::string example,
                    std::vector<std::string> endings, std::vector<CommandFlag> flags,
                    void (*run)(CommandContext&), CommandInputs inputs = kImages) {
  return {std::move(name),
          std::move(help),
          std::move(example),
          std::move(inputs),
          {std::move(endings)},
          std::move(flags),
          run,
          true,
          true};
}

/// The flags of commands that write what is merged.
std::vector<CommandFlag> fileFlags(std::vector<CommandFlag> others) {
  std::vector<CommandFlag> flags{kPart, kKeepBad, kStream, kCompression, kTiled};
  flags.insert(flags.end(), others.begin(), others.end());
  return flags;
}

Command captureCommand() {
  return {
      "capture",
      "Capture a scene as a deep EXR.",
      "fathom deep capture atrium#interior --size 960x540 -o interior.exr",
      {"SCENE", 1, 1, "A scene word or file, with #PART for one part of it."},
      {kDeepEndings},
      withCamera({kPart,
                  kKeepBad,
                  kCompression,
                  kTiled,
                  {"with-ids", "",
                   "Write an ID channel with the part of the scene, and an idManifest.", "off"}}),
      runCapture};
}

Command flattenCommand() {
  return shotCommand(
      "flatten", "Merge deep images and composite them into a flat image.",
      "fathom deep flatten leaves.exr trunks.exr -o trees.png", writtenEndings(),
      withCamera(
          withColor({kPart,
                     kKeepBad,
                     kStream,
                     {"float", "", "Write float instead of half to the EXR.", "off"},
                     {"channels", "LIST",
                      "For EXR output: channels to write, with * and ?, like R,G,B,A,diffuse.*; "
                      "default: all but depth."},
                     {"depth", "LIST",
                      "For EXR output: depth to write as Z: front, back, mean, alpha-weighted."},
                     {"alpha", "", "PNG, TIFF: straight alpha, not over black.", "off"}})),
      runFlatten);
}

Command inspectCommand() {
  return {"inspect",
          "List the fragments of a pixel, front to back.",
          "fathom deep inspect leaves.exr trunks.exr --pixel 512,300",
          kImages,
          {},
          {{"pixel", "X,Y", "Pixel, in the coordinates of the file's windows.", "", true},
           kPart,
           kKeepBad},
          runInspect,
          true,
          true};
}

Command checkCommand() {
  return {"check",
          "Check deep EXRs for errors and wasted data.",
          "fathom deep check shot.####.exr",
          {"FILE", 1, -1, "Deep EXR files."},
          {},
          {{"near", "Z", "Depths below this are in front of the near plane.", "0"}},
          runCheck,
          false,
          true};
}

/// A command that is a chain of one step: its arguments are flags.
Command stepCommand(const std::string& name, const std::string& help, const std::string& example,
                    void (*run)(CommandContext&) = runStep, const CommandInputs& inputs = kImages) {
  std::vector<CommandFlag> flags;
  for (const StepArgument& a : stepKind(name).arguments)
    if (a.name != "size" && a.name != "picture")
      flags.push_back({a.name, a.valueName, a.help, a.fallback, a.required});
  return shotCommand(name, help, example, kDeepEndings, fileFlags(flags), run, inputs);
}

/// A file into one of another kind, as it is.
Command packCommand(const std::string& name, const std::string& help, const std::string& example,
                    const std::string& from, const std::string& to) {
  return {name, help, example, {"IN", 1, 1, from}, {{to}}, {}, runPack, false, true};
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      captureCommand(),
      shotCommand("merge", "Merge deep images into one, keeping every fragment bit for bit.",
                  "fathom deep merge leaves.exr trunks.exr -o trees.exr", kDeepEndings,
                  fileFlags({}), runMerge),
      flattenCommand(),
      shotCommand("heatmap", "Draw a heatmap of fragments per pixel.",
                  "fathom deep heatmap hairball --size 960x540 -o heat.png", {".png"},
                  {kPart, kKeepBad}, runHeatmap),
      inspectCommand(),
      checkCommand(),
      stepCommand("resize", "Resize a deep image.",
                  "fathom deep resize trees.exr --size 960x540 -o small.exr"),
      stepCommand("transform", "Move, rotate, scale or corner-pin a deep image.",
                  "fathom deep transform trees.exr --rotate 5 --translate 12,0 -o turned.exr"),
      stepCommand("crop", "Crop a deep image.",
                  "fathom deep crop trees.exr --window 100,50,640,360 -o crop.exr"),
      stepCommand("recolor", "Transfer the colors of a flat image to a deep image.",
                  "fathom deep recolor trees.exr graded.exr -o recolored.exr", runRecolor,
                  {"IN", 2, -1, "Deep EXR files, then the flat image.", true}),
      stepCommand("grade", "Grade the unpremultiplied color of fragments.",
                  "fathom deep grade trees.exr --multiply 1.2,1,0.9 --gamma 1.1 -o warm.exr"),
      stepCommand(
          "expression", "Compute channels of every fragment by expressions.",
          "fathom deep expression trees.exr --expression \"R = R * A; Z = Z + 0.5\" -o out.exr"),
      shotCommand("run", "Do a chain of operations in one pass.",
                  "fathom deep run shot.recipe trees.exr smoke.exr -o out.exr", kDeepEndings,
                  fileFlags({}), runChain,
                  {"IN", 1, -1, "A recipe unless --do is given, then deep EXR files.", true}),
      shotCommand("cryptomatte",
                  "Write a Cryptomatte of all IDs, or the matte of --ids from a flat one.",
                  "fathom deep cryptomatte shot.exr -o mattes.exr", {".exr"},
                  {kPart,
                   kKeepBad,
                   kStream,
                   {"id", "CHANNEL", "ID channel; default: the first one."},
                   {"layer", "NAME", "Name of the Cryptomatte layer; of a flat one: which.",
                    "CryptoObject"}},
                  runCryptomatte),
      shotCommand("points", "Export fragments as points: binary PLY, or CSV with every channel.",
                  "fathom deep points leaves.exr -o leaves.ply --count 100000", {".ply", ".csv"},
                  {kPart,
                   kKeepBad,
                   kStream,
                   {"count", "N", "Number of points, chosen by --seed; 0: all.", "0"},
                   {"space", "auto|world|pixels",
                    "World positions by the camera of the file, or pixels and depth; auto: world "
                    "if there is a camera.",
                    "auto"}},
                  runPoints),
      packCommand("pack", "Pack a deep EXR without loss, to half of its size or less.",
                  "fathom deep pack trees.exr -o trees.fdp", "A deep EXR file.", ".fdp"),
      packCommand("unpack", "Unpack a packed deep image into a deep EXR.",
                  "fathom deep unpack trees.fdp -o trees.exr", "A packed deep image (.fdp).",
                  ".exr"),
      compositeCommand()};
  return list;
}

}  // namespace fathom::deep
