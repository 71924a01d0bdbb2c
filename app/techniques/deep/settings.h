// SPDX-License-Identifier: BSD-3-Clause
// The knobs of deep images: how fragments are stored, how lists are merged, what is shown.
#pragma once

#include "app/core/deep_image.h"
#include "app/core/fields.h"

namespace fathom::deep {

// The values count as in shaders/deep/shared.h.
enum class Layout { LinkedList, Linearized, Interleaved, BlockInterleaved };
enum class Method { Stepwise, RegisterBlock, Auto };  // Auto: see resolve()
enum class BlockSize { Four, Eight, Sixteen };
enum class Slots { Raster, Tile2x8 };
enum class Links { Push, Forward };
enum class EarlyOut { Off, Exact, Display };
enum class SortMethod { Auto, Network, InPlace };
enum class CaptureFormat { Rgba8, Half };
enum class Show { Picture, HeatMap };

struct Settings {
  Layout layout = Layout::BlockInterleaved;
  Method method = Method::Auto;
  BlockSize blockSize = BlockSize::Four;
  Slots slots = Slots::Tile2x8;
  Links links = Links::Forward;
  EarlyOut earlyOut = EarlyOut::Exact;
  bool saveMerged = false;
  CaptureFormat captureFormat = CaptureFormat::Half;
  SortMethod sort = SortMethod::Auto;
  Show show = Show::Picture;

  int block() const { return 4 << int(blockSize); }
};

/// Auto is RegisterBlock on GPUs, as the paper found, and Stepwise on software renderers: they have
/// no register file to gain from and pay for every move.
Method resolve(Method method, bool software);

void describe(Settings& settings, FieldVisitor& field);

}  // namespace fathom::deep
