// SPDX-License-Identifier: BSD-3-Clause
// The settings of SMoE: how a model is decoded, what is shown, and how one is fitted; and what they
// mean to the decoder for a given model and picture.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

enum class Bits { Eight, Ten, Twelve, Fourteen };
enum class TileSize { Eight, Sixteen, ThirtyTwo, Auto };
enum class Masks { Off, On, Auto };

struct Settings {
  Mode mode = Mode::Record;
  Relevance relevance = Relevance::Bounded;
  Bits bits = Bits::Ten;  // of the strict test that the lists must pass
  TileSize tile = TileSize::Auto;
  Masks masks = Masks::Auto;  // skip components cell by cell
  int windowBorder = 32;      // px; of the paper's rule

  std::string window = "";  // "X,Y,W,H" in model pixels; empty: all of it
  std::string view = "";    // "A1,A2" or "T"; empty: the origin
  int samples = 0;          // per pixel and axis; 0: as zooming out asks for

  Show show = Show::Picture;
  float errorGain = 8;
  bool ellipses = false;
  bool orbit = false;   // the view goes round by itself
  bool beyond = false;  // drags may leave the grid of views

  std::string source = "";                // what the model is compared with and fitted to
  int components = 2000;                  // K of a fit
  int steps = 1000;                       // of gradient descent
  float ssim = 0;                         // its share in the loss
  Encoding encoding = Encoding::Archive;  // of saved models
  float packingLoss = 0.2f;               // dB that the packed encoding may cost

  int bitCount() const { return 8 + 2 * int(bits); }
  bool operator==(const Settings&) const = default;
};

void describe(Settings& settings, FieldVisitor& field);

/// The whole model, or the part that the settings name, in a picture of `size` (0: one pixel per
/// model pixel). What the picture has room for beside the part is shown too. Throws UsageError.
ViewWindow windowFor(const Model& model, const Settings& settings, glm::ivec2 size);

/// Where settings say auto, tiles have 16 pixels a side, with masks.
DecodeOptions optionsOf(const Settings& settings);

}  // namespace fathom::smoe
