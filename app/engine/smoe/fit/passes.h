// SPDX-License-Identifier: BSD-3-Clause
// The GPU side of a fit: the records of all components and the passes that compare what they
// decode to with a region, slot by slot, and add up per component what each stage needs. All sums
// have a fixed order.
#pragma once

#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/smoe/fit/regions.h"
#include "app/engine/smoe/model/model.h"
#include "shaders/smoe/fit/shared.h"

namespace fathom::smoe {

/// The loss of a fit is (1 - W) MSE + W kStructure (1 - SSIM), W being the share of SSIM, which is
/// that of luminance: at 30 dB both are about 1e-3.
inline constexpr double kStructure = 0.005;
inline constexpr int kStructureWindow = 11;  // px on a side
/// Windows of SSIM that lie inside a region; 0 where none fits.
double structureWindows(const FitRegion& region);

/// Sums per component, FIT_ROWS_GRADIENT .. FIT_ROWS_LIKELIHOOD rows of four.
template <int Rows>
using RowSums = std::array<float, std::size_t(4 * Rows)>;

class FitPasses {
 public:
  /// How many neighboring pixels an invocation decodes; Auto: what suits the device.
  enum class Row { Auto = 0, One = 1, Eight = 8 };
  FitPasses(gpu::Context& gpu, std::size_t componentCount, int leading, int fractionBits,
            Row row = Row::Auto);

  void upload(std::span<const Component> components);
  std::vector<Component> download() const;
  std::size_t componentCount() const { return componentCount_; }
  int leading() const { return leading_; }
  int fractionBits() const { return fractionBits_; }

  /// Decodes the region and keeps what gradient() and measure() read; slices first where p > 2.
  /// The target can be replaced by black.
  enum class Keep { Products, Colors };
  void decode(const FitRegion& region, Keep keep, float targetScale = 1);
  /// Sum of squared errors over the three channels, clamped, of the last decode; waits.
  double squaredError() const;
  /// |error| of the region's pixels after decode(.., Keep::Colors), into its picture.
  void drawError(const FitRegion& region, const gpu::Texture& picture);

  /// After decode(.., Keep::Colors): gradient() is then that of (1 - weight) E and of the mean of
  /// 1 - SSIM, as in the loss above, with `weight` for W.
  void structure(const FitRegion& region, double weight);
  /// Sum over windows of SSIM of the last structure(); waits.
  double structureSum(const FitRegion& region) const;

  /// dE/d record of the sliced records, after decode(.., Keep::Products) or structure(); onto what
  /// sums() held with `add`.
  void gradient(const FitRegion& region, bool add);
  /// The E step of EM with these factors, one per component.
  void moments(const FitRegion& region, std::span<const shared::FitFactor> factors);
  /// What each component is worth, after decode(.., Keep::Colors); see fit_measure.comp.
  void measure(const FitRegion& region);

  const gpu::Buffer<glm::vec4>& sums() const { return sums_; }
  template <int Rows>
  std::vector<RowSums<Rows>> downloadSums() const {
    std::vector<RowSums<Rows>> values(componentCount_);
    sums_.read(values.data(), std::int64_t(values.size() * sizeof(RowSums<Rows>)));
    return values;
  }

  /// Records as the region sees them, sliced where p > 2, for passes that make its lists.
  const gpu::TexelView& recordsFor(const FitRegion& region);

  gpu::Context& gpu() const { return gpu_; }
  const gpu::Buffer<shared::FitRecord>& records() const { return records_; }
  const gpu::Buffer<shared::FitLead>& leads() const { return leads_; }
  const gpu::TexelView& recordTexels() const { return recordTexels_; }
  const gpu::TexelView& leadTexels() const { return leadTexels_; }
  shared::FitParams params(const FitRegion& region) const;

 private:
  gpu::Pass& pass(const char* name, const char* shader, std::vector<gpu::Define> defines = {});
  void slice(const FitRegion& region);
  const gpu::TexelView& current() const { return leading_ ? slicedTexels_ : recordTexels_; }
  /// Over the pixels of a region's tiles; keeps `rows` texels of each.
  void runOverPixels(gpu::Pass& pass, const FitRegion& region, const shared::FitParams& p,
                     std::size_t rows);
  /// A pass over slots that reads these pixels, into `rows` rows, then their sums per component.
  void sumSlots(gpu::Pass& pass, const gpu::TexelView& pixels, const FitRegion& region, int rows,
                bool add);

  gpu::Context& gpu_;
  std::size_t componentCount_;
  int leading_, fractionBits_;
  int row_;  // FIT_ROW: pixels per invocation
  gpu::Buffer<shared::FitRecord> records_, sliced_;
  gpu::Buffer<shared::FitLead> leads_;
  gpu::Buffer<shared::FitFactor> factors_;
  gpu::Buffer<glm::vec4> pixels_, partials_, sums_, slopes_, products_;
  gpu::Buffer<float> errors_, structures_;
  gpu::TexelView recordTexels_, slicedTexels_, leadTexels_, factorTexels_, pixelTexels_,
      partialTexels_, slopeTexels_, productTexels_;
  std::size_t errorCount_ = 0;  // of the last decode
  bool structured_ = false;     // products_ is what gradient() reads
};

shared::FitRecord fitRecord(const Component& component);
shared::FitLead fitLead(const Component& component);
Component componentOf(const shared::FitRecord& record, const shared::FitLead& lead);

}  // namespace fathom::smoe
