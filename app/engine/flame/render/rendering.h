// SPDX-License-Identifier: BSD-3-Clause
// One genome's picture while it gets better: samples are drawn in slices, and now and then the
// histogram is tone mapped, early at first and then at growing intervals. A changed tone map is
// applied to what was drawn. Where density estimation takes long, the first picture after a change
// goes without it.
#pragma once

#include "app/engine/core/stopwatch.h"
#include "app/engine/flame/render/sampler.h"
#include "app/engine/flame/render/tone_mapper.h"
#include "app/engine/gpu/pass.h"

namespace fathom::flame {

/// What the histogram holds for a pixel, bucket by bucket.
struct PixelHits {
  double count = 0;
  std::vector<glm::dvec4> buckets;  // sums of 255 * color, and hits
};

class Rendering {
 public:
  explicit Rendering(gpu::Context& gpu, const SamplerForms& forms = {})
      : gpu_(gpu), sampler_(gpu, forms), toneMapper_(gpu), toneTimer_(gpu) {}

  /// Many: it is looked at while it gets better. Last: sample() until all is drawn, then
  /// toneMapLast(); in software, a large histogram is drawn in bands then, by the same orbits each.
  enum class Pictures { Many, Last };
  /// Begins anew. Throws Error for what this device cannot hold.
  void start(const Genome& genome, const Settings& settings, std::uint64_t seed,
             Pictures pictures = Pictures::Many);
  /// Begins a frame of an animation. change() makes a still of it.
  void start(std::shared_ptr<const Exposure> exposure, const Settings& settings, std::uint64_t seed,
             Pictures pictures = Pictures::Many);
  /// What it takes to draw Pictures::Last of this: "2.2 GiB". Throws Error where it does not fit.
  std::string memoryFor(const Genome& genome, const Settings& settings) const;
  /// Takes over what may change without drawing anew: tone map, density estimation, quality. Begins
  /// anew when that is not enough.
  void change(const Genome& genome, const Settings& settings, std::uint64_t seed);

  /// Draws for about so long, an infinite time for all of it, and tone maps when it is time for a
  /// picture. True when the picture is complete.
  bool step(double budgetMs);
  /// Draws for about `budgetMs` without a picture in between; true when all samples are drawn.
  bool sample(double budgetMs);
  /// Makes pictures of what is drawn so far.
  void toneMap() { toneMap(Care::Full); }
  /// Makes the last picture of what is drawn: a large histogram is given back while it is read.
  /// change() then begins anew.
  void toneMapLast();

  /// R, G, B as displayed, 0..255 and not cut to whole levels; alpha 0..1. With
  /// Settings::transparent the background is black.
  const gpu::Texture& displayed() const { return displayed_; }
  /// The picture as linear light, premultiplied; opaque unless Settings::transparent.
  const gpu::Texture& light() const { return light_; }

  const Histogram& histogram() const { return sampler_.histogram(); }
  /// Of all bands.
  double samples() const { return empty_ ? 0 : band_ * wanted_ + histogram().samples; }
  double samplesWanted() const { return wanted_ * bands_.count; }
  double rate() const { return sampler_.rate(); }  // samples per second
  /// Samples per pixel drawn so far, of the band.
  double quality() const {
    return empty_ ? 0 : histogram().samples / (double(genome_.size.x) * double(genome_.size.y));
  }
  bool complete() const { return sampled_ && !stale_; }
  /// A picture of what was begun last has been made.
  bool hasPicture() const { return shown_; }
  /// Waits for the device.
  PixelHits hitsAt(glm::ivec2 pixel) const;
  Accumulate accumulate() const { return sampler_.accumulate(); }
  Moments moments() const { return sampler_.moments(); }

 private:
  bool begin(const Genome& genome, const Settings& settings);
  struct Bands {
    int count = 1, rows = INT_MAX, around = 0;  // pixel rows of one; above and below it
    double bytes = 0;                           // that the picture takes in all
  };
  Bands bandsFor(const HistogramShape& shape, const Genome& genome, const Settings& settings,
                 Pictures pictures) const;
  void startSampler(Pictures pictures, std::function<void()> start);
  void beginBand();
  enum class Care { Quick, Full };  // Quick: without density estimation
  void toneMap(Care care);
  Care careForNext() const;
  bool timeForPicture();

  gpu::Context& gpu_;
  Sampler sampler_;
  ToneMapper toneMapper_;
  Genome genome_;  // as it is drawn
  Settings settings_;
  HistogramShape shape_;
  Bands bands_;
  int band_ = 0;
  HistogramBand rows_;                  // of it
  std::function<void()> startSampler_;  // once for each
  double wanted_ = 0;
  bool empty_ = true;     // there is nothing to draw: the background alone
  bool sampled_ = false;  // all samples are drawn
  bool stale_ = true;     // the newest samples are not in the picture yet, or not with full care
  gpu::Texture displayed_, light_;

  Stopwatch sinceStart_, sincePicture_;
  gpu::SliceTimer toneTimer_;
  double toneMapMs_ = 0;  // of the last picture made with full care that is known
  bool shown_ = false;    // there is a picture since start()
  bool quick_ = false;    // the last one was Quick
  bool last_ = false;     // no other picture is made of this histogram
};

/// Samples that a genome's picture takes: quality * 4^zoom per pixel, or Settings::quality.
double samplesFor(const Genome& genome, const Settings& settings);
/// Nothing would be drawn: no xform can be chosen or is visible, or the scale shows nothing.
bool drawsNothing(const Genome& genome);
/// What of a picture is to be made again.
enum class Redo { Nothing, Tones, Samples };
/// For a changed genome: Tones when only the tone map or the amount of samples differs.
Redo redoFor(const Genome& before, const Genome& after);

}  // namespace fathom::flame
