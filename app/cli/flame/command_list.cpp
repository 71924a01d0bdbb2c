// SPDX-License-Identifier: BSD-3-Clause
// The table of all subcommands of `fathom flame`.
#include "app/cli/flame/command.h"
#include "app/cli/flame/command_parts.h"

namespace fathom::flame {
namespace {

const CommandInputs kGenome{"GENOME", 1, 1,
                            "A file of flam3 genomes, or a node or edge of cuburn (JSON)."};
const CommandFlag kFilm{"film", "PROFILE.json", "How a film of cuburn is drawn: its profile.", "",
                        false};

Command renderCommand() {
  return {
      "render",
      "Draws a genome; %d in the output's name draws every flame of the file, %n all genomes of "
      "folders.",
      "fathom flame render rose.flame --quality 200 -o rose.png",
      {"GENOME", 1, -1,
       "A file of flam3 genomes, or a node or edge of cuburn (JSON); several files or folders with "
       "%n "
       "in the output's name."},
      {".png", ".exr", ".ppm"},
      false,
      {{"bits", "8|16", "Bits per channel of a PNG.", "8", false},
       {"float", "", "Write float channels to an EXR instead of half.", "off", false},
       {"palette", "FILE", "Colors of a palette file (.map .gpl .ggr .ugr .gradient).", "", false},
       kFilm},
      runRender};
}

Command animateCommand() {
  return {
      "animate",
      "Draws the frames of keyframes, with motion blur; frames that exist already are kept.",
      "fathom flame animate flock.flame --end 59 -o 'frame.%05d.png'",
      {"GENOME", 1, 1,
       "A file of flames with ascending times, a flock for --sequence, or a node, an edge or an "
       "animation of cuburn (JSON)."},
      {".png", ".exr", ".ppm", ".mp4", ".mkv", ".webm"},
      false,
      {{"begin", "TIME", "The first frame; default: the time of the first flame.", "", false},
       {"end", "TIME", "The last frame; default: the one before the last flame.", "", false},
       {"step", "TIME", "Time from one frame to the next.", "1", false},
       {"sequence", "N", "First make loops and edges of the flames, N frames each.", "", false},
       kFilm,
       {"again", "", "Draw frames again that exist already.", "off", false},
       {"fps", "N", "Frames per second of a video, which ffmpeg makes.", "24", false},
       {"bits", "8|16", "Bits per channel of a PNG.", "8", false},
       {"float", "", "Write float channels to an EXR instead of half.", "off", false}},
      runAnimate};
}

Command sequenceCommand() {
  return {"sequence",
          "Makes keyframes of a flock: each flame turns once, then becomes the next one.",
          "fathom flame sequence flock.flame --frames 60 -o film.flame",
          {"GENOME", 1, 1, "A file of flames."},
          {".flame", ".flam3"},
          false,
          {{"frames", "N", "Frames of each loop and of each edge.", "60", false},
           {"loops", "N", "Turns of each flame.", "1", false},
           {"stagger", "0..1", "How far apart in time xforms change.", "0", false}},
          runSequence};
}

Command freezeCommand() {
  return {"freeze",
          "Writes a moment of a film as a genome that can be edited.",
          "fathom flame freeze film.flame --at 12.5 -o moment.flame",
          {"GENOME", 1, 1, "Whatever `animate` takes."},
          {".flame", ".flam3"},
          false,
          {{"at", "TIME", "Which moment; default: the beginning.", "", false},
           {"sequence", "N", "First make loops and edges of the flames, N frames each.", "", false},
           kFilm},
          runFreeze};
}

Command infoCommand() {
  return {
      "info",
      "Shows what a genome uses (xforms, variations, samples, memory), or what a profile asks "
      "for.",
      "fathom flame info rose.flame",
      {"GENOME", 1, 1,
       "A file of flam3 genomes, or a node, an edge, an animation or a profile of cuburn (JSON)."},
      {},
      false,
      {kFilm},
      runInfo};
}

Command paletteCommand() {
  return {"palette",
          "Takes the palette of a genome or of a palette file (.map .gpl .ggr .ugr .gradient).",
          "fathom flame palette sunset.ggr -o sunset.map",
          {"FILE", 1, 1, "A genome, or a palette of another program."},
          {".map", ".gpl"},
          false,
          {{"number", "N", "Which palette of a file with several.", "1", false}},
          runPalette};
}

Command shaderCommand() {
  return {"shader",
          "Prints the GLSL that is generated for a genome.",
          "fathom flame shader rose.flame",
          kGenome,
          {},
          false,
          {{"whole", "", "Print the whole program with everything that is included.", "off", false},
           {"selection", "shared|own", "The form for GPUs, or for software rendering.", "shared",
            false}},
          runShader};
}

Command randomCommand() {
  return {"random",
          "Makes random genomes or, given a genome, mutations of it.",
          "fathom flame random --seed 7 --count 9 -o nine.flame",
          {"GENOME", 0, 1, "A genome to mutate."},
          {".flame", ".flam3"},
          false,
          {{"count", "N", "How many; each has the next seed.", "1", false},
           {"strength", "0..1", "How far mutations go.", "0.5", false},
           {"keep-framing", "", "Mutations do not move the camera.", "off", false}},
          runRandom};
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{renderCommand(), animateCommand(), sequenceCommand(),
                                         freezeCommand(), infoCommand(),    paletteCommand(),
                                         shaderCommand(), randomCommand()};
  return list;
}

}  // namespace fathom::flame
