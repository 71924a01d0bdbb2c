// SPDX-License-Identifier: BSD-3-Clause
// What a caller may choose about decoding: how components are evaluated, which of them a tile
// evaluates, and which view of the data is shown.
#pragma once

namespace fathom::smoe {

enum class Mode { Record, PaperFast, PaperSlow };
enum class Relevance { Bounded, Budget, Window };
enum class Show { Picture, Lists, Winner, Certificate, Error, Disparity, Weight, Beside };

/// What a source has to be known for.
constexpr bool comparesWithSource(Show show) { return show == Show::Error || show == Show::Beside; }

struct DecodeOptions {
  Mode mode = Mode::Record;
  Relevance relevance = Relevance::Bounded;
  int bits = 10;
  int tilePixels = 16;
  bool masks = true;
  int windowBorder = 32;
  float tau = 0;  // bits of weight that lists keep below the largest; 0: as `bits` ask for
  bool operator==(const DecodeOptions&) const = default;
};

}  // namespace fathom::smoe
