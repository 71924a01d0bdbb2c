// SPDX-License-Identifier: BSD-3-Clause
// The table of subcommands: names, help, inputs, endings and flags. The work is in the other files.
#include "app/cli/deep/inputs_outputs.h"

namespace fathom::deep {
namespace {

const CommandFlag kFilter{"filter", "box|tent|gaussian|mitchell",
                          "Weights of the pixels under one; of Mitchell's the positive part.",
                          "tent", false};
const CommandFlag kOn{
    "on", "DEVICE",
    "auto, cpu or gpu: where lists are resampled; auto: on a GPU, of pictures that are worth it.",
    "auto", false};
const CommandFlag kKeepAll{"keep-all", "",
                           "Keep every fragment; off: thinned by --thin-error and --thin-depth, by "
                           "1/2048 and 1/1024 where they are not given.",
                           "off", false};
const CommandFlag kOnly{"only", "IDS",
                        "Change only fragments with these IDs: numbers or names, with * and ?, | "
                        "between.",
                        "", false};

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
          "Rasterizes a scene into a deep EXR: every fragment with alpha above 0.",
          "fathom deep capture atrium#interior --size 960x540 -o interior.exr",
          {"SCENE", 1, 1, "A scene word or an OBJ file, with #PART for one part of it."},
          {".exr"},
          false,
          {kPart,
           kKeepBad,
           kCompression,
           kTiled,
           {"with-ids", "",
            "Write a channel id: which part of the scene, with their names as idManifest.", "off",
            false}},
          runCapture};
}

Command flattenCommand() {
  return shotCommand(
      "flatten", "Merges and composites into a flat picture.",
      "fathom deep flatten leaves.exr trunks.exr -o trees.png", {".exr", ".png"},
      {kPart,
       kKeepBad,
       kStream,
       {"float", "", "Write float channels to the EXR instead of half.", "off", false},
       {"channels", "LIST",
        "Of an EXR: channels to write, with * and ?, like R,G,B,A,diffuse.*; not given: all but "
        "depth.",
        "", false},
       {"depth", "LIST", "Of an EXR: front, back, mean, alpha-weighted, as Z.", "", false},
       {"alpha", "", "Of a PNG: straight alpha instead of over black.", "off", false}},
      runFlatten);
}

Command inspectCommand() {
  return {"inspect",
          "Lists the fragments of one pixel, front to back.",
          "fathom deep inspect leaves.exr trunks.exr --pixel 512,300",
          inputsOf(),
          {},
          false,
          {{"pixel", "X,Y", "The pixel, in the coordinates of the file's windows.", "", true},
           kPart,
           kKeepBad},
          runInspect};
}

Command checkCommand() {
  return {"check",
          "Looks at every fragment of deep EXRs: what is wrong, and what costs more than it shows.",
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
      "resize", "Resizes a deep image; compositing the result gives the resized picture.",
      "fathom deep resize trees.exr --size 960x540 -o small.exr", {".exr"},
      fileFlags({kFilter,
                 kKeepAll,
                 kOn,
                 {"scale", "S", "In place of --size: times the display window.", "", false}}),
      runResize));
  list.push_back(shotCommand(
      "transform",
      "Moves, turns and scales a deep image about the middle of its frame, or pins its corners.",
      "fathom deep transform trees.exr --rotate 5 --translate 12,0 -o turned.exr", {".exr"},
      fileFlags({kFilter,
                 kKeepAll,
                 kOn,
                 {"translate", "X,Y", "In pixels, right and down.", "0,0", false},
                 {"rotate", "DEGREES", "Counter-clockwise.", "0", false},
                 {"scale", "S", "Larger above 1.", "1", false},
                 {"corner-pin", "X,Y,...",
                  "Where the corners of the display window go: upper left, upper right, lower "
                  "right, lower left.",
                  "", false}}),
      runTransform));
  list.push_back(shotCommand(
      "crop", "Keeps the fragments in a window.",
      "fathom deep crop trees.exr --window 100,50,640,360 -o crop.exr", {".exr"},
      fileFlags({{"window", "X,Y,W,H", "In the coordinates of the file's windows.", "", true},
                 {"reformat", "", "Make the window the display window too.", "off", false}}),
      runCrop));
}

void addColorCommands(std::vector<Command>& list) {
  Command recolor = shotCommand(
      "recolor", "Gives fragments the color of a flat picture; flattened they are that picture.",
      "fathom deep recolor trees.exr graded.exr -o recolored.exr", {".exr"},
      fileFlags({{"target-alpha", "",
                  "Scale the fragments' alphas so that flattened they have the picture's.", "off",
                  false}}),
      runRecolor);
  recolor.inputs = {"IN", 2, -1, "Deep EXR files, then the picture."};
  list.push_back(std::move(recolor));
  list.push_back(shotCommand(
      "grade", "Grades the color of fragments, that of each before it was multiplied by alpha.",
      "fathom deep grade trees.exr --multiply 1.2,1,0.9 --gamma 1.1 -o warm.exr", {".exr"},
      fileFlags(
          {{"black", "V", "What becomes --lift: one number, or three with commas.", "0", false},
           {"white", "V", "What becomes --gain.", "1", false},
           {"lift", "V", "What --black becomes.", "0", false},
           {"gain", "V", "What --white becomes.", "1", false},
           {"multiply", "V", "Times this.", "1", false},
           {"offset", "V", "Plus this.", "0", false},
           {"gamma", "V", "To the power of 1 by this, where above 0.", "1", false},
           {"channels", "LIST", "Channels to grade, with * and ?.", "R,G,B", false},
           kOnly}),
      runGrade));
  list.push_back(shotCommand(
      "expression", "Sets channels of every fragment by expressions.",
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
      shotCommand("cryptomatte", "Writes mattes of all IDs as a Cryptomatte EXR.",
                  "fathom deep cryptomatte shot.exr -o mattes.exr", {".exr"},
                  {kPart,
                   kKeepBad,
                   kStream,
                   {"id", "CHANNEL", "The ID channel; not given: the first one.", "", false},
                   {"layer", "NAME", "What the mattes are called.", "CryptoObject", false}},
                  runCryptomatte));
  list.push_back(shotCommand(
      "points", "Writes fragments as points: PLY in binary, or CSV with every channel.",
      "fathom deep points leaves.exr -o leaves.ply --count 100000", {".ply", ".csv"},
      {kPart,
       kKeepBad,
       kStream,
       {"count", "N", "That many of all points, chosen by --seed; 0: all.", "0", false},
       {"space", "auto|world|pixels",
        "Places in the world by the camera of the file, or pixels and depth; auto: the world where "
        "there is a camera.",
        "auto", false}},
      runPoints));
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = [] {
    std::vector<Command> all;
    all.push_back(captureCommand());
    all.push_back(shotCommand(
        "merge", "Merges two or more deep images into one; every fragment is kept bit for bit.",
        "fathom deep merge leaves.exr trunks.exr -o trees.exr", {".exr"}, fileFlags({}), runMerge));
    all.push_back(flattenCommand());
    all.push_back(shotCommand(
        "heatmap", "Draws the number of fragments per pixel by length class, with a legend.",
        "fathom deep heatmap hairball --size 960x540 -o heat.png", {".png"}, {kPart, kKeepBad},
        runHeatmap));
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
