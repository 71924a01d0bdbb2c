// SPDX-License-Identifier: BSD-3-Clause
// What other programs than flam3 do to a picture after the tone map: factors to the channels,
// saturation, curves. In the order of JWildfire and Apophysis.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/filters.h"
#include "app/engine/flame/render/histogram.h"
#include "app/engine/gpu/pass.h"
#include "shaders/flame/tone/tone_shared.h"

namespace fathom::flame {

/// A curve at x in 0..1: the Bezier curve by its parameter, or the natural cubic spline through
/// points (straight lines beyond the first and last).
double evaluate(const ToneCurve& curve, double x);

/// None: the genome asks for nothing of it.
std::optional<shared::ToneFinish> toneFinishOf(const Genome& genome);

/// The reference: 0..255 per channel, before and after.
glm::dvec3 finished(const shared::ToneFinish& finish, glm::dvec3 color);

/// Pixel rows [from, to) that a histogram holds; those that [first, end) depend on.
struct HistogramBand {
  int from = 0, to = INT_MAX, first = 0, end = INT_MAX;
};

class ToneMapper {
 public:
  explicit ToneMapper(gpu::Context& gpu);

  /// Fills `displayed` (made anew, Rgba32f, where its size is not the picture's): R, G, B as they
  /// are displayed, 0..255 and not yet cut to whole levels, and alpha in 0..1. Genome and settings
  /// may differ from those of the histogram in everything that shapeFor() does not look at.
  /// `released`: the same histogram when no other picture is made of it; its parts are given back
  /// as they are read where the processor estimates, and are gone in the end. Then they may hold a
  /// band: `displayed` is made of all of them with the last one.
  void toneMap(const Histogram& histogram, const Genome& genome, const Settings& settings,
               gpu::Texture& displayed, Histogram* released = nullptr,
               const HistogramBand& band = {});

  /// Estimation by the processor (host_estimator.h): the default on software renderers, and
  /// without effect elsewhere.
  void setByHost(bool byHost);
  /// At most this many pixel rows per band; 0: as many as fit. For tests.
  void setBandRows(int rows) { bandRows_ = rows; }
  /// The last picture was estimated exactly: it was asked for, or the filters are too large for the
  /// fast form.
  bool wasExact() const { return wasExact_; }

 private:
  struct Plan {
    const Histogram* histogram;
    Histogram* released;  // the same when it is not needed any more, or null
    HistogramBand band;
    EstimatorTable table;
    SpatialFilter filter;
    std::optional<RadialFilter> radial;       // instead
    std::optional<EstimatorClasses> classes;  // fast
    bool edgeClamp;
    shared::ToneParams params;
    std::vector<gpu::PassKey> programs = {};
  };
  struct Cells {
    gpu::Texture sums, result;
  };

  Plan planOf(const Histogram& histogram, const Genome& genome, const Settings& settings) const;
  void request(Plan& plan, bool byHost, bool hasFinish) const;
  void ensureWords(gpu::Words& buffer, const std::string& name, std::int64_t bytes);
  void ensurePicture(gpu::Texture& texture, const std::string& name, glm::ivec2 size);

  const gpu::RawBuffer& bindWords(Plan& plan, int firstRow, int lastRow);
  void measure(Plan& plan, const gpu::RawBuffer& words);

  void estimateOnHost(const Plan& plan, const LogScale& scale);
  void estimateFast(Plan& plan);
  int fastBandRows(const Plan& plan) const;
  void uploadClasses(const Plan& plan);
  const gpu::RawBuffer& openFastBand(Plan& plan, int rowFirst, int rowCount);
  void spreadBand(Plan& plan, int rowFirst, int rowCount);
  void filterNarrow(Plan& plan);
  void gatherCells(Plan& plan);
  void blurWide(Plan& plan);

  void estimateExactly(Plan& plan);
  int exactBandRows(const Plan& plan) const;
  void uploadKernels(const Plan& plan);
  const gpu::RawBuffer& openExactBand(Plan& plan, int rowFirst, int rowCount);
  void exactBand(Plan& plan, int rowFirst, int rowCount);
  void filterBand(Plan& plan, const gpu::RawBuffer& words);
  void scaleBuckets(Plan& plan, const gpu::RawBuffer& words, glm::ivec2 tiles);
  void spreadExactly(Plan& plan, glm::ivec2 tiles);

  gpu::Context& gpu_;
  gpu::Words words_, kernels_, counts_, table_, narrow_, wide_;
  gpu::Words scaled_, exponents_, reaches_, spread_, weights_;
  gpu::Texture filtered_, scratch_;
  std::vector<Cells> cells_;  // per wide class
  shared::ToneTaps taps_{};
  bool byHost_;
  int bandRows_ = 0;
  bool wasExact_ = false;
};

}  // namespace fathom::flame
