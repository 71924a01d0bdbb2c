// SPDX-License-Identifier: BSD-3-Clause
// The knobs of SMoE: how a model is decoded, what is shown, and how one is fitted.
#pragma once

#include "app/core/fields.h"

namespace fathom::smoe {

enum class Mode { Record, PaperFast, PaperSlow };
enum class Relevance { Bounded, Budget, Window };
enum class Bits { Eight, Ten, Twelve, Fourteen };
enum class TileSize { Eight, Sixteen, ThirtyTwo, Auto };
enum class Masks { Off, On, Auto };
enum class Encoding { F32, Archive, Compact };
enum class Show { Picture, Lists, Winner, Certificate, Error, Disparity, Weight };

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
  Encoding encoding = Encoding::Archive;  // of saved models

  int bitCount() const { return 8 + 2 * int(bits); }
};

void describe(Settings& settings, FieldVisitor& field);

}  // namespace fathom::smoe
