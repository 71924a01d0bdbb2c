// SPDX-License-Identifier: BSD-3-Clause
// The knobs of deep images: how fragments are stored, how lists are merged, what is shown and how
// the depth of it is looked at.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/image.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

/// "X,Y,WIDTH,HEIGHT" in pixels of the picture, cut to it; empty is all of it. Throws UsageError.
Rect parseRegion(const std::string& text, int width, int height);
std::string textOf(const Rect& region);

enum class PointColor { Color, Alpha, Input, Depth };

/// How depth is looked at: peeling by depth or by number, and the fragments of a region as points
/// in space. Nothing here changes what is merged or written to files.
struct DepthView {
  std::string peel;  // a ZRange
  int peelNumber = 0;
  std::string region;  // of the points; empty: the whole picture
  PointColor pointColor = PointColor::Color;
  float pointSize = 2;       // pixels of the window
  bool pointAlpha = false;   // of the points, their alpha's share is drawn
  float pointDepth = 1;      // of the box over its width
  int pointLimit = 2000000;  // fragments beyond are thinned out evenly

  bool operator==(const DepthView&) const = default;
  Peel peeled() const { return {parseZRange("peel", peel), peelNumber}; }
};

/// `points`: they are what is shown.
void describe(DepthView& view, FieldVisitor& field, bool points);

// The values count as in shaders/deep/shared.h.
enum class Layout {
  LinkedList,
  Linearized,
  Interleaved,
  BlockInterleaved,
  RankInterleaved,
  AlignedBlocks,
  Auto  // see resolveAuto()
};
enum class Method { Stepwise, RegisterBlock, Auto };  // Auto: see resolve()
enum class Strategy { Pairwise, KWay, Auto };         // Auto: see resolve()
enum class BlockSize { Four, Eight, Sixteen, One };
enum class Slots { Raster, Tile2x8 };
enum class Links { Push, Forward };
enum class EarlyOut { Off, Exact, Display };
enum class SortMethod { Auto, Network, InPlace };
enum class CaptureFormat { Rgba8, Half };
enum class Show { Picture, HeatMap, Points };
enum class Tidy { Auto, On, Off };  // Auto: see editsOf()

struct Settings {
  Layout layout = Layout::BlockInterleaved;
  Method method = Method::Auto;
  Strategy strategy = Strategy::Auto;
  BlockSize blockSize = BlockSize::Four;
  Slots slots = Slots::Tile2x8;
  Links links = Links::Forward;
  EarlyOut earlyOut = EarlyOut::Exact;
  bool saveMerged = false;
  CaptureFormat captureFormat = CaptureFormat::Half;
  SortMethod sort = SortMethod::Auto;
  Show show = Show::Picture;
  DepthView view = {};

  // Operations (operations/operations.h). The texts hold a value per input, separated by commas;
  // what is missing or empty is the default (input_edits.h).
  Tidy tidy = Tidy::Auto;
  float dropHidden = 0;
  int thin = 0;
  std::string thinError = {};  // "1/512"; empty: no bound, nothing is thinned by it
  bool thinRelative = false;
  std::string thinDepth = {};  // "1/2048" of depths; empty: they stay
  HoldRule holdRule = HoldRule::Exact;
  float thickness = 0;
  std::string visible = {}, roles = {}, zScales = {}, zOffsets = {}, zRanges = {}, ids = {};
  std::string order = {};  // numbers of the inputs from first to last; the others follow
  std::string steps = {};  // a recipe (operations/chain.h)

  bool operator==(const Settings&) const = default;
  int block() const { return blockSize == BlockSize::One ? 1 : 4 << int(blockSize); }
};

/// Auto is RegisterBlock on GPUs, as the paper found, and Stepwise on software renderers: they have
/// no register file to gain from and pay for every move.
Method resolve(Method method, bool software);

/// Auto is KWay as soon as there are more than two inputs: each fragment moves once, not once per
/// level, and is read by one pass on every device.
Strategy resolve(Strategy strategy, std::size_t inputCount);

/// The settings that decide what a merged list holds: the others only decide how it is shown.
Settings withoutView(Settings settings);

void describe(Settings& settings, FieldVisitor& field);

}  // namespace fathom::deep
