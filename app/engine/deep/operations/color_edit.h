// SPDX-License-Identifier: BSD-3-Clause
// Fragments with other values: graded, by an expression per channel, or with the color of a picture
// (what compositing programs call DeepRecolor). All work on the channels of one image, on the CPU,
// and leave lists sorted.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/io/picture.h"

namespace fathom {
class IdFilter;  // io/exr/id_filter.h
}

namespace fathom::deep {

/// What was set right because no file may hold it.
struct ColorRepairs {
  std::size_t notFinite = 0;     // values became 0, depths infinite
  std::size_t alphaOutside = 0;  // brought into 0..1
  std::size_t total() const { return notFinite + alphaOutside; }
};

/// Red, green, blue; of channels whose names end otherwise, the mean of the three.
using ColorTriple = std::array<double, 3>;

/// out = (gain - lift) / (white - black) * multiply * (in - black) + lift + offset, to the power
/// 1 / gamma where that is above 0: as in other compositing programs, of color that is not
/// premultiplied.
struct Grade {
  ColorTriple black{0, 0, 0}, white{1, 1, 1}, lift{0, 0, 0}, gain{1, 1, 1}, multiply{1, 1, 1},
      offset{0, 0, 0}, gamma{1, 1, 1};
  std::string channels = "R,G,B";  // names with * and ?, commas between; alphas are never graded
  const IdFilter* only = nullptr;  // fragments of these IDs; null: all
};
double graded(const Grade& grade, std::size_t color, double value);
/// Throws Error when no channel has such a name.
void gradeFragments(DeepImage& image, const Grade& grade, ColorRepairs& repairs);

/// "R = R * 2; A = A / 2": every right side sees the fragment as it was. Names are those of the
/// channels, x and y of the pixel, n, the place in its list from 0, count, how many the list has,
/// and frame, of a sequence. Throws UsageError with what was expected where `text` is not that, or
/// names a channel that is not there. `only` as above.
struct ExpressionEdit {
  std::string text;
  const IdFilter* only = nullptr;
  double frame = 0;
};
void evaluateFragments(DeepImage& image, const ExpressionEdit& edit, ColorRepairs& repairs);

/// What becomes of channels: `word` is shuffle or copy ("TO=FROM,..."; TO may be new), rename
/// ("FROM=TO,..."), retype ("NAME=half,..."), drop or keep (names with * and ?; Z stays). Depths
/// that are other ones then are sorted. Throws Error that names `file`.
void editChannels(DeepImage& image, const std::string& word, const std::string& list,
                  const std::string& file);

/// How the color of a picture comes to fragments.
enum class RecolorAlpha {
  Keep,   // fragments keep theirs; each gets the picture's color for it
  Target  // they are scaled so that the flat alpha is the picture's too
};
struct RecolorReport {
  std::size_t pixelsOutside = 0;  // with fragments, where the picture has none: they become black
  std::size_t pixelsLost = 0;     // with color, where there are no fragments that show
};
/// R, G and B of every fragment become those of the pixel of the picture for what the fragment
/// covers: with c, a of the picture and alpha a_i, c_i = a_i c / a, so that flattened it is the
/// picture where the alphas agree. Pictures without alpha are taken to have that of the image.
void recolor(DeepImage& image, const Picture& picture, RecolorAlpha alpha, RecolorReport& report);

}  // namespace fathom::deep
