// SPDX-License-Identifier: BSD-3-Clause
// The table of subcommands: names, help, inputs, endings and flags. The work is in the other files.
#include "app/cli/deep/inputs_outputs.h"
#include "app/cli/scene_camera.h"

namespace fathom::deep {
namespace {

const CommandFlag kFilter{"filter", "box|tent|gaussian|mitchell",
                          "Resampling filter; of Mitchell's only the positive part.", "tent",
                          false};
const CommandFlag kOn{
    "on", "DEVICE", "Where to resample: auto, cpu or gpu; auto: on a GPU when the image is large.",
    "auto", false};
const CommandFlag kKeepAll{"keep-all", "",
                           "Keep every fragment; off: thin by --thin-error (default 1/2048) and "
                           "--thin-depth (default 1/1024).",
                           "off", false};
const CommandFlag kOnly{
    "only", "IDS",
    "Change only fragments with these IDs: numbers or names, with * and ?, separated by |.", "",
    false};

CommandInputs inputsOf() {
  return {"IN", 1, -1, "Deep EXR files, or one scene (its parts are the images)."};
}

/// One that reads what is merged and can do a shot.
Command shotCommand(std::string name, std::string help, std::string example,
                    std::vector<std::string> endings, std::vector<CommandFlag> flags,
                    void (*run)(CommandContext&)) {
  return {std::move(name),
          std::move(help),
          std::move(example),
          inputsOf(),
          std::move(endings),
          false,
          std::move(flags),
          run,
          true,
          false,
          true};
}

/// The flags of commands that write what is merged.
std::vector<CommandFlag> fileFlags(std::vector<CommandFlag> others) {
  std::vector<CommandFlag> flags{kPart, kKeepBad, kStream, kCompression, kTiled};
  flags.insert(flags.end(), others.begin(), others.end());
  return flags;
}

Command captureCommand() {
  return {"capture",
          "Capture a scene as a deep EXR.",
          "fathom deep capture atrium#interior --size 960x540 -o interior.exr",
          {"SCENE", 1, 1, "A scene word or an OBJ file, with #PART for one part of it."},
          {".exr"},
          false,
          withCamera({kPart,
                      kKeepBad,
                      kCompression,
                      kTiled,
                      {"with-ids", "",
                       "Write an ID channel with the part of the scene, and an idManifest.", "off",
                       false}}),
          runCapture};
}

Command flattenCommand() {
  return shotCommand(
      "flatten", "Merge deep images and composite them into a flat image.",
      "fathom deep flatten leaves.exr trunks.exr -o trees.png", {".exr", ".png"},
      withCamera(
          {kPart,
           kKeepBad,
           kStream,
           {"float", "", "Write float instead of half to the EXR.", "off", false},
           {"channels", "LIST",
            "For EXR output: channels to write, with * and ?, like R,G,B,A,diffuse.*; default: all "
            "but "
            "depth.",
            "", false},
           {"depth", "LIST",
            "For EXR output: depth to write as Z: front, back, mean, alpha-weighted.", "", false},
           {"alpha", "", "PNG: straight alpha, not over black.", "off", false}}),
      runFlatten);
}

Command inspectCommand() {
  return {"inspect",
          "List the fragments of a pixel, front to back.",
          "fathom deep inspect leaves.exr trunks.exr --pixel 512,300",
          inputsOf(),
          {},
          false,
          {{"pixel", "X,Y", "Pixel, in the coordinates of the file's windows.", "", true},
           kPart,
           kKeepBad},
          runInspect};
}

Command checkCommand() {
  return {"check",
          "Check deep EXRs for errors and wasted data.",
          "fathom deep check shot.####.exr",
          {"FILE", 1, -1, "Deep EXR files."},
          {},
          false,
          {{"near", "Z", "Depths below this are in front of the near plane.", "0", false}},
          runCheck,
          false,
          false,
          true};
}

void addPlaceCommands(std::vector<Command>& list) {
  list.push_back(shotCommand(
      "resize", "Resize a deep image.", "fathom deep resize trees.exr --size 960x540 -o small.exr",
      {".exr"},
      fileFlags({kFilter,
                 kKeepAll,
                 kOn,
                 {"scale", "S", "Factor of the display window, instead of --size.", "", false}}),
      runResize));
  list.push_back(shotCommand(
      "transform", "Move, rotate, scale or corner-pin a deep image.",
      "fathom deep transform trees.exr --rotate 5 --translate 12,0 -o turned.exr", {".exr"},
      fileFlags(
          {kFilter,
           kKeepAll,
           kOn,
           {"translate", "X,Y", "Pixels to the right and down.", "0,0", false},
           {"rotate", "DEGREES", "Counter-clockwise.", "0", false},
           {"scale", "S", "Larger above 1.", "1", false},
           {"corner-pin", "X,Y,...",
            "New corners of the display window: upper left, upper right, lower right, lower left.",
            "", false}}),
      runTransform));
  list.push_back(shotCommand(
      "crop", "Crop a deep image.",
      "fathom deep crop trees.exr --window 100,50,640,360 -o crop.exr", {".exr"},
      fileFlags(
          {{"window", "X,Y,W,H", "Crop area, in the coordinates of the file's windows.", "", true},
           {"reformat", "", "Make the crop area the display window too.", "off", false}}),
      runCrop));
}

void addColorCommands(std::vector<Command>& list) {
  Command recolor = shotCommand(
      "recolor", "Transfer the colors of a flat image to a deep image.",
      "fathom deep recolor trees.exr graded.exr -o recolored.exr", {".exr"},
      fileFlags({{"target-alpha", "", "Scale the alphas of fragments to match the image's alpha.",
                  "off", false}}),
      runRecolor);
  recolor.inputs = {"IN", 2, -1, "Deep EXR files, then the flat image.", true};
  list.push_back(std::move(recolor));
  list.push_back(shotCommand(
      "grade", "Grade the unpremultiplied color of fragments.",
      "fathom deep grade trees.exr --multiply 1.2,1,0.9 --gamma 1.1 -o warm.exr", {".exr"},
      fileFlags({{"black", "V", "Input black point: one number, or three with commas.", "0", false},
                 {"white", "V", "Input white point.", "1", false},
                 {"lift", "V", "Output value of the black point.", "0", false},
                 {"gain", "V", "Output value of the white point.", "1", false},
                 {"multiply", "V", "Multiply by.", "1", false},
                 {"offset", "V", "Add.", "0", false},
                 {"gamma", "V", "Gamma, for values above 0.", "1", false},
                 {"channels", "LIST", "Channels to grade, with * and ?.", "R,G,B", false},
                 kOnly}),
      runGrade));
  list.push_back(shotCommand(
      "expression", "Compute channels of every fragment by expressions.",
      "fathom deep expression trees.exr --expression \"R = R * A; Z = Z + 0.5\" -o out.exr",
      {".exr"},
      fileFlags(
          {{"expression", "TEXT",
            "CHANNEL = expression, with ; between several: names of channels, x, y, n, count, "
            "+ - * / ^, comparisons, && || ?:, min, max, sqrt, exp, ln, sin, abs and others.",
            "", true},
           kOnly}),
      runExpression));
}

void addOtherCommands(std::vector<Command>& list) {
  list.push_back(
      shotCommand("cryptomatte", "Write a Cryptomatte of all IDs.",
                  "fathom deep cryptomatte shot.exr -o mattes.exr", {".exr"},
                  {kPart,
                   kKeepBad,
                   kStream,
                   {"id", "CHANNEL", "ID channel; default: the first one.", "", false},
                   {"layer", "NAME", "Name of the Cryptomatte layer.", "CryptoObject", false}},
                  runCryptomatte));
  list.push_back(
      shotCommand("points", "Export fragments as points: binary PLY, or CSV with every channel.",
                  "fathom deep points leaves.exr -o leaves.ply --count 100000", {".ply", ".csv"},
                  {kPart,
                   kKeepBad,
                   kStream,
                   {"count", "N", "Number of points, chosen by --seed; 0: all.", "0", false},
                   {"space", "auto|world|pixels",
                    "World positions by the camera of the file, or pixels and depth; auto: world "
                    "if there is a camera.",
                    "auto", false}},
                  runPoints));
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = [] {
    std::vector<Command> all;
    all.push_back(captureCommand());
    all.push_back(shotCommand(
        "merge", "Merge deep images into one, keeping every fragment bit for bit.",
        "fathom deep merge leaves.exr trunks.exr -o trees.exr", {".exr"}, fileFlags({}), runMerge));
    all.push_back(flattenCommand());
    all.push_back(shotCommand("heatmap", "Draw a heatmap of fragments per pixel.",
                              "fathom deep heatmap hairball --size 960x540 -o heat.png", {".png"},
                              {kPart, kKeepBad}, runHeatmap));
    all.push_back(inspectCommand());
    all.push_back(checkCommand());
    addPlaceCommands(all);
    addColorCommands(all);
    addOtherCommands(all);
    all.push_back(compositeCommand());
    return all;
  }();
  return list;
}

}  // namespace fathom::deep
