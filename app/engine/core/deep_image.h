// SPDX-License-Identifier: BSD-3-Clause
// A deep image on the CPU: for every pixel a list of fragments (color, alpha, depth). It is what
// the deep EXR reader makes, what a captured scene becomes, and what the other techniques take as
// input.
#pragma once

#include "app/engine/core/image.h"

namespace fathom {

// ---- Attributes

// What the header of an EXR part says, in the bytes of the file: nothing that a file says about
// itself is lost because this program has no use for it.

struct Attribute {
  std::string name, type;        // the type as EXR names it: "float", "v2f", "string", ...
  std::vector<std::byte> value;  // as the file has it, little-endian
  bool operator==(const Attribute&) const = default;
};

using Attributes = std::vector<Attribute>;

/// Null when there is none of that name.
inline const Attribute* findAttribute(const Attributes& attributes, std::string_view name) {
  const auto at = std::ranges::find(attributes, name, &Attribute::name);
  return at == attributes.end() ? nullptr : &*at;
}

/// Shared by an image and the bands that are read of it; null: none are known.
using SharedAttributes = std::shared_ptr<const Attributes>;

// ---- Images

/// How one fragment is packed into 32-bit words. Merging moves words and never decodes color, so a
/// fragment is bit-exact from file to file.
///
///   Rgba8    2 words  | RGBA8, not premultiplied (r in the low byte) | Z as float bits |
///   Half     4 words  | half R, half G << 16 | half B, half A << 16 | Z bits | ZBack bits |
///                       premultiplied; ZBack = Z for a point
///   Indexed  4 words  | fragment index into DeepImage::channels | 0 | Z bits | ZBack bits |
///                       for float color, IDs and other channels: only the permutation is computed
enum class FragmentFormat { Rgba8, Half, Indexed };

constexpr int wordsPerFragment(FragmentFormat format) {
  return format == FragmentFormat::Rgba8 ? 2 : 4;
}

/// Of the formats that files hold, Half and Indexed.
inline constexpr std::size_t kWideWords = 4;

enum class ChannelType { Uint, Half, Float };  // values as in EXR

constexpr const char* kChannelTypeNames[] = {"uint", "half", "float"};

constexpr std::size_t bytesPerValue(ChannelType type) { return type == ChannelType::Half ? 2 : 4; }

/// A channel as the file had it. `values` is filled only when the image is FragmentFormat::Indexed:
/// then value[fragmentIndex] in the channel's own type.
struct DeepChannel {
  std::string name;
  ChannelType type = ChannelType::Half;
  std::vector<std::byte> values;
};

/// How many values the reader had to repair, and how; shown to the user. Deep EXR files in the wild
/// hold anything.
struct DeepRepairs {
  std::size_t nanDepth = 0;        // NaN Z became +inf: sorted last
  std::size_t nanColor = 0;        // NaN or infinite color or NaN alpha became 0
  std::size_t alphaOutside = 0;    // alpha clamped to 0..1
  std::size_t unsortedPixels = 0;  // pixels whose file order was not ascending in Z; sorted on load
  std::size_t total() const { return nanDepth + nanColor + alphaOutside; }
  void add(const DeepRepairs& more) {
    nanDepth += more.nanDepth, nanColor += more.nanColor;
    alphaOutside += more.alphaOutside, unsortedPixels += more.unsortedPixels;
  }
  std::string text() const;  // "2 NaN depths became infinite"; empty: nothing was done
};

struct DeepImage {
  Rect dataWindow;     // pixels that may hold fragments
  Rect displayWindow;  // the picture's frame
  float pixelAspect = 1.0f;
  FragmentFormat format = FragmentFormat::Half;
  bool hasZBack = false;  // false: every fragment is a point, ZBack word = Z word
  bool sorted = true;     // every list ascends by (Z, ZBack)
  bool tidy = false;      // also, no two fragments overlap; set by whoever made the image
  std::vector<DeepChannel> channels;  // in alphabetical order, Z and ZBack included
  SharedAttributes attributes;        // of the header it was read from
  DeepRepairs repairs;

  /// Exclusive prefix sum of the fragment counts over the data window in raster order:
  /// size_t[pixelCount + 1]; the last is the number of all fragments.
  std::vector<std::size_t> fragmentOffsets{0};
  /// uint[fragmentCount][wordsPerFragment], pixel after pixel, each list front to back once sorted.
  std::vector<std::uint32_t> words;

  std::size_t pixelCount() const { return std::size_t(dataWindow.area()); }
  std::size_t fragmentCount() const { return fragmentOffsets.back(); }
  int stride() const { return wordsPerFragment(format); }

  /// The index into fragmentOffsets of a pixel in image coordinates; the pixel must be inside.
  std::size_t pixelIndex(int x, int y) const {
    return std::size_t(y - dataWindow.y) * std::size_t(dataWindow.width) +
           std::size_t(x - dataWindow.x);
  }
  /// The words of one pixel's list; empty outside the data window.
  std::span<const std::uint32_t> list(int x, int y) const {
    if (!dataWindow.contains(x, y)) return {};
    const std::size_t p = pixelIndex(x, y), s = std::size_t(stride());
    return std::span(words).subspan(fragmentOffsets[p] * s,
                                    (fragmentOffsets[p + 1] - fragmentOffsets[p]) * s);
  }
};

/// How many fragments lie within a window.
std::uint64_t fragmentsIn(const DeepImage& image, const Rect& window);

/// One decoded fragment, for display and for the reference: premultiplied linear color.
struct Fragment {
  float r = 0, g = 0, b = 0, a = 0;
  float z = 0, zBack = 0;
};

/// Null when there is none of that name.
const DeepChannel* channelNamed(const std::vector<DeepChannel>& channels, std::string_view name);
/// A, B, G and R of halves, Z of floats: what an Rgba8 image is in a file.
std::vector<DeepChannel> halfRgbaAndZ();
/// True when the channels hold R, G, B or Y.
bool hasColor(const std::vector<DeepChannel>& channels);
/// True when one holds IDs (uint).
bool hasIds(const std::vector<DeepChannel>& channels);

/// Decodes fragment `index` (0 <= index < fragmentCount). Missing color channels read 0 (or Y); a
/// missing A reads 1 where there is color, else 0; AR, AG, AB without A read as their mean.
Fragment decodeFragment(const DeepImage& image, std::size_t index);
/// The same for the words of a fragment with the format and channels of `image`.
Fragment decodeWords(const DeepImage& image, const std::uint32_t* words);

/// Sorts every list by (Z, ZBack, first words) and sets `sorted`. NaN must already be gone.
void sortLists(DeepImage& image);

/// A value of a channel of an Indexed image.
double channelValue(const DeepChannel& channel, std::size_t index);
/// Rounded to the channel's type; of IDs to the nearest there is.
void setChannelValue(DeepChannel& channel, std::size_t index, double value);
/// Bit for bit; the channels have the same type.
bool sameValue(const DeepChannel& a, std::size_t i, const DeepChannel& b, std::size_t j);
/// The same for the words of a fragment of each; formats and channels agree.
bool sameFragment(const DeepImage& a, const std::uint32_t* wordsA, const DeepImage& b,
                  const std::uint32_t* wordsB);
/// True when both hold the same fragments in the same order over the union of their windows, bit
/// for bit (pixels outside a window hold none). Formats and channels must agree too.
bool sameFragments(const DeepImage& a, const DeepImage& b);

/// Float bits that order as unsigned integers; -0 counts as +0. The caller removes NaN.
constexpr std::uint32_t depthKey(std::uint32_t floatBits) {
  if (floatBits == 0x80000000u) floatBits = 0;
  return floatBits ^ ((floatBits >> 31) ? 0xFFFFFFFFu : 0x80000000u);
}

// ---- The same channels for several images

// Gives deep images the same channels before a merge, and collects their values after one. A merge
// on the GPU moves words; these functions handle what the words cannot hold.

/// Without fragments: channels, format, display window and aspect of an image, for this window.
DeepImage emptyLike(const DeepImage& image, const Rect& dataWindow);

/// The fragments of images with the same channels, pixel by pixel; the lists are not sorted.
/// `window`: it holds the window of each.
DeepImage together(std::vector<DeepImage>&& images, const Rect& window);

/// Gives all images the same format and the same channels: the union of what they have. A missing
/// ZBack becomes Z, a missing A 1 where there is color (with a warning), anything else missing 0;
/// a channel that is half in one and float in another becomes float. All end up Half where that
/// loses nothing, else Indexed. Throws Error when one name is an ID (uint) here and a number there.
/// `names` are the files of the images, for the error and the warnings; without them none is
/// warned.
void unify(std::vector<DeepImage>& images, const std::vector<std::string>& names = {});

/// Fills merged.channels[].values from the inputs of a merge (all Indexed, same channels): the
/// index words of `merged` count the fragments of all inputs, one input after the other. They
/// become 0 .. fragmentCount-1, the values follow. Throws Error when an index is out of range.
void gather(std::span<const DeepImage> inputs, DeepImage& merged);

/// A Half or Rgba8 image as Indexed: every channel as a plane of values.
void makeIndexed(DeepImage& image);

}  // namespace fathom
