// SPDX-License-Identifier: BSD-3-Clause
// Flat pictures by file: what a file is, is read from its contents; what is written follows the
// name's ending. And small text drawn into them, for legends.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/flat_formats.h"

namespace fathom {

/// By the first bytes. Throws Error when the file cannot be opened.
FileKind kindOf(const fs::path& file);

/// What readPicture() reads, for dialogs and folders: ".png", ...
const std::vector<std::string>& pictureEndings();

/// Reads a PNG, PPM, PGM, JPEG, WebP, TIFF, Radiance HDR or flat EXR. Throws Error: unreadable,
/// broken, deep, or no picture at all.
Picture readPicture(const fs::path& file);
/// The same with the values as the file stores them (PNG: sRGB / 255, straight alpha).
Picture readPictureAsStored(const fs::path& file);
/// Its windows and alpha; a plain picture is not decoded for them.
Picture readPictureHeader(const fs::path& file);

/// What writePicture() writes: ".exr", ".png", ...
const std::vector<std::string>& writtenEndings();
/// Throws UsageError unless the name ends in one of these; for checking before long work.
void checkPictureEnding(const fs::path& file);

/// What of an image whose pixels are those of `own` lies in `wanted`, and nothing around it. Throws
/// Error, beginning with `name`, when that is more than kMaxPictureArea.
Image inWindow(const Image& image, const Rect& own, const Rect& wanted, const std::string& name);

/// .png: 8 bits, .tif and .tiff: 16 bits, .dpx: 10 bits, in sRGB or the output color
/// (output_color.h), over black unless straight, the display window. .exr: as `options` say.
void writePicture(const fs::path& file, const Image& image, const FlatExrOptions& options = {},
                  PngAlpha alpha = PngAlpha::OverBlack);

/// Draws one line of ASCII text with its top left corner at (x, y); clipped to the image. A line is
/// 12 * scale pixels high. `color` is linear and opaque.
void drawLabel(Image& image, int x, int y, int scale, const std::string& text, glm::vec3 color);
int labelWidth(int scale, const std::string& text);

}  // namespace fathom
