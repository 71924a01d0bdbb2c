// SPDX-License-Identifier: BSD-3-Clause
// Documents of cuburn as films, and films as motions: their times are the numbers of frames, and
// the shutter of each is open around its middle. The curves of a film are the curves of the motion.
#pragma once

#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/motion/motion.h"

namespace fathom::flame {
namespace cuburn {

// ---- Films (film.cpp): a node turns once, an edge leads from one node to another, an animation
// has all curves itself.

struct FilmXform {
  std::string from, to;  // ids; empty: stands in for one that is missing
  Curves curves;         // over the time 0..1, by path below the xform
};

struct Film {
  DocumentType type = DocumentType::Node;
  std::string name;         // "SOURCE to DESTINATION" of an edge
  std::string author, url;  // of a node
  double duration = 1;      // in turns
  Curves curves;            // over the time 0..1
  std::vector<FilmXform> xforms;
  std::optional<FilmXform> finalXform;
  TimedPalettes palettes;       // at least one
  std::vector<fs::path> files;  // that it was read from
  std::set<std::string> missingFilters;
  std::vector<std::string> warnings;  // a line each

  /// Mixed between its neighbors in time. cuburn mixes Y, U and V, which is the same: both are
  /// linear in R, G and B.
  Palette paletteAt(double time) const;
};

/// A node, an edge (its nodes are looked for beside it) or an animation. Throws Error.
Film readFilm(const fs::path& file);

/// How the xforms of an edge's source find those of its destination.
enum class XformSort { WeightFlip, Weight, Natural, Color };
struct Blend {
  double duration = 2;
  XformSort sort = XformSort::WeightFlip;
  std::vector<std::pair<std::string, std::string>> map;  // ids, "pad" or "dup"
};
Blend readBlend(const Document& document);

/// Indices into the xforms of both nodes; -1: what stands in for one that is missing. `copies`: it
/// is the other one without weight ("dup") instead of one that leaves points where they are.
struct XformPair {
  int from = -1, to = -1;
  bool copies = false;
  bool operator==(const XformPair&) const = default;
};
/// First as the map says, then those alike (turned over by neither, one or both affine maps) in the
/// order of the sort; what is left over is paired with none. Throws Error at `place` for ids of the
/// map that are not there.
std::vector<XformPair> paired(const std::vector<NodeXform>& from, const std::vector<NodeXform>& to,
                              const Blend& blend, const Place& place);

/// What stands in for an xform that the other node lacks: it has no weight and leaves points where
/// they are, in a way from which its partner grows smoothly.
NodeXform paddingFor(const NodeXform& partner);

/// The film from one node to another, each advanced by its number of turns. `edge`: knots of its
/// own; may be null.
Film blended(const Node& from, double fromTurns, const Node& to, double toTurns, const Blend& blend,
             const Document* edge, reading::Warnings& warnings);

}  // namespace cuburn

class CuburnAnimation : public Motion {
 public:
  /// Throws Error, naming the film, when its first frame cannot be drawn (io.h's limits).
  CuburnAnimation(cuburn::Film film, const cuburn::FilmProfile& profile);

  Genome shapeAt(double time) const override;
  Palette paletteAt(double time) const override;
  Genome extent(double first, double last) const override;
  /// Where the shutter of the first frame opens and that of the last one closes. The profile may
  /// leave out frames before and after.
  double firstTime() const override { return begin_ + kOpening; }
  double lastTime() const override { return end_ + kOpening; }
  bool moves() const override { return moves_; }
  std::vector<MovingGenome> curves(double first, double last) const override;

  /// The genome at which the film begins: a node as it is in its file.
  Genome still() const;
  /// With all warnings about it.
  const cuburn::Film& film() const { return film_; }
  /// Of the whole film.
  int frameCount() const { return frames_; }
  /// From one frame that is drawn to the next.
  int step() const { return step_; }

 private:
  Genome rawAt(double time) const;
  static constexpr double kOpening = -0.5;  // of a shutter, from the frame's middle
  cuburn::Film film_;
  int frames_, begin_, end_, step_;
  bool moves_, estimates_;
  MovingGenome moving_;  // of all times
  double samplesPerPixel_;
  std::vector<Curve> tones_;  // what moves besides camera and xforms
};

/// `profile`: a file, or empty for cuburn's defaults. `size`: of the picture in place of the
/// profile's, unless 0. Throws Error.
std::shared_ptr<const CuburnAnimation> readCuburn(const fs::path& file,
                                                  const fs::path& profile = {},
                                                  glm::ivec2 size = glm::ivec2(0));

}  // namespace fathom::flame
