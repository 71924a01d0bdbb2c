// SPDX-License-Identifier: BSD-3-Clause
// Records as the shaders of a fit read them, and the passes with their buffers and barriers.
#include "app/engine/smoe/fit/passes.h"

namespace fathom::smoe {
namespace {

/// Keeps the buffer and its texels while they are large enough.
void reserve(gpu::Context& gpu, gpu::Buffer<glm::vec4>& buffer, gpu::TexelView& texels,
             const char* name, std::size_t count) {
  if (!buffer.name().empty() && buffer.count() >= count) return;
  texels = gpu::TexelView();
  buffer = gpu::Buffer<glm::vec4>(gpu, name, count + count / 4);
  texels = gpu::TexelView(gpu, buffer);
}

void showShaders() { gpu::barrier(gpu::Access::Storage | gpu::Access::Texture); }

/// Of what every component of a tile's list does at each of its pixels.
gpu::DispatchCost fitSlotCost(const FitRegion& region) {
  constexpr double kPerPixel = 80;  // operations; a gradient and the moments of colors take as many
  return {kPerPixel * FIT_PIXELS * double(region.slotCount())};
}

}  // namespace

double structureWindows(const FitRegion& region) {
  const glm::ivec2 windows = region.box().size() - (kStructureWindow - 1);
  return std::max(0.0, double(windows.x)) * std::max(0.0, double(windows.y));
}

shared::FitRecord fitRecord(const Component& c) {
  return {c.cx,      c.cy,      c.c,        0,          c.w11,      c.w21,
          c.w22,     c.h[0][0], c.color[0], c.color[1], c.color[2], c.h[0][1],
          c.h[1][0], c.h[1][1], c.h[2][0],  c.h[2][1]};
}

shared::FitLead fitLead(const Component& c) {
  return {c.leadCenter[0], c.leadCenter[1], c.leadW11,     c.leadW21,
          c.leadW22,       c.m[0][0],       c.m[0][1],     c.m[1][0],
          c.m[1][1],       c.leadH[0][0],   c.leadH[0][1], c.leadH[1][0],
          c.leadH[1][1],   c.leadH[2][0],   c.leadH[2][1], 0};
}

Component componentOf(const shared::FitRecord& r, const shared::FitLead& l) {
  Component c;
  c.cx = r.cx, c.cy = r.cy, c.c = r.c;
  c.w11 = r.w11, c.w21 = r.w21, c.w22 = r.w22;
  c.color[0] = r.red, c.color[1] = r.green, c.color[2] = r.blue;
  c.h[0][0] = r.hr1, c.h[0][1] = r.hr2, c.h[1][0] = r.hg1, c.h[1][1] = r.hg2;
  c.h[2][0] = r.hb1, c.h[2][1] = r.hb2;
  c.leadCenter[0] = l.a1, c.leadCenter[1] = l.a2;
  c.leadW11 = l.w11, c.leadW21 = l.w21, c.leadW22 = l.w22;
  c.m[0][0] = l.mx1, c.m[0][1] = l.mx2, c.m[1][0] = l.my1, c.m[1][1] = l.my2;
  c.leadH[0][0] = l.hr1, c.leadH[0][1] = l.hr2, c.leadH[1][0] = l.hg1, c.leadH[1][1] = l.hg2;
  c.leadH[2][0] = l.hb1, c.leadH[2][1] = l.hb2;
  return c;
}

FitPasses::FitPasses(gpu::Context& gpu, std::size_t componentCount, int leading, int fractionBits,
                     Row row)
    : gpu_(gpu),
      componentCount_(componentCount),
      leading_(leading),
      fractionBits_(fractionBits),
      row_(row == Row::Auto ? (gpu.device().software ? 8 : 1) : int(row)),
      records_(gpu, "fit records", componentCount),
      factors_(gpu, "fit factors", componentCount),
      sums_(gpu, "fit sums", componentCount * FIT_ROWS_LIKELIHOOD) {
  recordTexels_ = gpu::TexelView(gpu, records_);
  factorTexels_ = gpu::TexelView(gpu, factors_);
  if (leading == 0) return;
  sliced_ = gpu::Buffer<shared::FitRecord>(gpu, "fit sliced records", componentCount);
  leads_ = gpu::Buffer<shared::FitLead>(gpu, "fit leading parts", componentCount);
  slicedTexels_ = gpu::TexelView(gpu, sliced_);
  leadTexels_ = gpu::TexelView(gpu, leads_);
}

void FitPasses::upload(std::span<const Component> components) {
  FATHOM_CHECK_OP(components.size(), ==, componentCount_);
  std::vector<shared::FitRecord> records;
  for (const Component& c : components) records.push_back(fitRecord(c));
  records_.upload(records);
  if (leading_ == 0) return;
  std::vector<shared::FitLead> leads;
  for (const Component& c : components) leads.push_back(fitLead(c));
  leads_.upload(leads);
}

std::vector<Component> FitPasses::download() const {
  const std::vector<shared::FitRecord> records = records_.download();
  std::vector<shared::FitLead> leads(componentCount_, fitLead({}));
  if (leading_) leads = leads_.download();
  std::vector<Component> components;
  for (std::size_t i = 0; i < componentCount_; ++i)
    components.push_back(componentOf(records[i], leads[i]));
  return components;
}

gpu::Pass& FitPasses::pass(const char* name, const char* shader, std::vector<gpu::Define> defines) {
  return gpu_.pass({name, shader, std::move(defines)});
}

shared::FitParams FitPasses::params(const FitRegion& region) const {
  shared::FitParams p{};
  p.origin = region.box().low;
  p.size = region.box().size();
  p.tilesX = std::uint32_t(region.tiles().x);
  p.tileCount = std::uint32_t(region.tileCount());
  p.slotCount = std::uint32_t(region.slotCount());
  p.componentCount = std::uint32_t(componentCount_);
  p.view = region.view();
  p.fractionBits = std::uint32_t(fractionBits_);
  p.pixelCount = FIT_PIXELS;
  p.tilePixels = FIT_TILE;
  p.targetScale = 1;
  return p;
}

void FitPasses::slice(const FitRegion& region) {
  if (leading_ == 0) return;
  pass("fit slice", "shaders/smoe/fit/slice.comp")
      .params(FIT_BIND_PARAMS, params(region))
      .texels(FIT_TEXELS_RECORDS, recordTexels_)
      .texels(FIT_TEXELS_LEADS, leadTexels_)
      .storage(FIT_BIND_RECORDS, sliced_);
  pass("fit slice", "shaders/smoe/fit/slice.comp").dispatch(componentCount_, gpu::Each{100});
  showShaders();  // every pass below reads the sliced records
}

const gpu::TexelView& FitPasses::recordsFor(const FitRegion& region) {
  slice(region);
  return current();
}

void FitPasses::runOverPixels(gpu::Pass& pass, const FitRegion& region, const shared::FitParams& p,
                              std::size_t rows) {
  reserve(gpu_, pixels_, pixelTexels_, "fit pixels", region.tileCount() * FIT_PIXELS * rows);
  pass.params(FIT_BIND_PARAMS, p)
      .texels(FIT_TEXELS_RECORDS, current())
      .texels(FIT_TEXELS_TARGET, region.target())
      .storage(FIT_BIND_TILE_STARTS, region.lists().starts)
      .storage(FIT_BIND_OFFSETS, region.lists().offsets)
      .storage(FIT_BIND_COMPONENTS, region.lists().components)
      .storage(FIT_BIND_PIXELS, pixels_);
  pass.dispatch(region.tileCount() * std::size_t(FIT_PIXELS / row_), fitSlotCost(region));
  showShaders();  // the passes over slots read the pixels
}

void FitPasses::decode(const FitRegion& region, Keep keep, float targetScale) {
  slice(region);
  const bool full = keep == Keep::Colors;
  structured_ = false;
  errorCount_ = region.tileCount() * std::size_t(FIT_PIXELS / row_);
  if (errors_.count() < errorCount_) errors_ = gpu::Buffer<float>(gpu_, "fit errors", errorCount_);
  shared::FitParams p = params(region);
  p.targetScale = targetScale;
  gpu::Pass& decode = pass("fit decode", "shaders/smoe/fit/decode.comp",
                           {{"FIT_ROW", row_}, {"FIT_FULL", full ? 1 : 0}});
  decode.storage(FIT_BIND_ERRORS, errors_);
  runOverPixels(decode, region, p, full ? 2 : 1);
}

double FitPasses::squaredError() const {
  const std::vector<float> errors = errors_.download(0, errorCount_);
  return std::accumulate(errors.begin(), errors.end(), 0.0);
}

void FitPasses::structure(const FitRegion& region, double weight) {
  const std::size_t pixels = region.tileCount() * FIT_PIXELS;
  reserve(gpu_, slopes_, slopeTexels_, "fit structure", pixels);
  reserve(gpu_, products_, productTexels_, "fit products", pixels);
  gpu::ensure(gpu_, structures_, "fit structure sums", region.tileCount());
  // E is the mean squared error times 3/2 of the pixels, and so is this for the mean of SSIM.
  const double windows = std::max(1.0, structureWindows(region));
  shared::FitParams p = params(region);
  p.structure = float(weight);
  p.structureScale = float(weight * kStructure * 1.5 * region.box().count() / windows);
  const gpu::DispatchCost cost{800.0 * double(pixels)};
  gpu::Pass& judge = pass("fit structure", "shaders/smoe/fit/structure.comp");
  judge.params(FIT_BIND_PARAMS, p)
      .texels(FIT_TEXELS_PIXELS, pixelTexels_)
      .storage(FIT_BIND_PARTIALS, slopes_)
      .storage(FIT_BIND_ERRORS, structures_);
  judge.dispatchGroups(region.tileCount(), cost);
  showShaders();  // its derivatives are read as texels

  gpu::Pass& slope = pass("fit structure slope", "shaders/smoe/fit/structure_slope.comp");
  slope.params(FIT_BIND_PARAMS, p)
      .texels(FIT_TEXELS_PIXELS, pixelTexels_)
      .texels(FIT_TEXELS_PARTIALS, slopeTexels_)
      .storage(FIT_BIND_PIXELS, products_);
  slope.dispatchGroups(region.tileCount(), cost);
  showShaders();  // fit_gradient.comp reads the products
  structured_ = true;
}

double FitPasses::structureSum(const FitRegion& region) const {
  const std::vector<float> tiles = structures_.download(0, region.tileCount());
  return std::accumulate(tiles.begin(), tiles.end(), 0.0);
}

void FitPasses::sumSlots(gpu::Pass& slots, const gpu::TexelView& pixels, const FitRegion& region,
                         int rows, bool add) {
  reserve(gpu_, partials_, partialTexels_, "fit partial sums",
          std::size_t(rows) * region.slotCount());
  shared::FitParams p = params(region);
  p.add = add;
  slots.params(FIT_BIND_PARAMS, p)
      .texels(FIT_TEXELS_RECORDS, current())
      .texels(FIT_TEXELS_PIXELS, pixels)
      .storage(FIT_BIND_OFFSETS, region.lists().offsets)
      .storage(FIT_BIND_COMPONENTS, region.lists().components)
      .storage(FIT_BIND_TILES, region.lists().slotTiles)
      .storage(FIT_BIND_PARTIALS, partials_);
  slots.dispatch(region.slotCount(), fitSlotCost(region));
  showShaders();  // fit_sum.comp reads the partial sums

  gpu::Pass& sum = pass("fit sum", "shaders/smoe/fit/sum.comp", {{"FIT_ROWS", rows}});
  sum.params(FIT_BIND_PARAMS, p)
      .texels(FIT_TEXELS_PARTIALS, partialTexels_)
      .storage(FIT_BIND_COMPONENT_ENDS, region.lists().ends)
      .storage(FIT_BIND_SLOTS, region.lists().slots)
      .storage(FIT_BIND_ORDER, region.lists().order)
      .storage(FIT_BIND_BOUNDS, region.lists().bounds)
      .storage(FIT_BIND_SUMS, sums_);
  // A large component reaches all tiles.
  sum.dispatch(componentCount_, gpu::DispatchCost{10.0 * rows * double(region.slotCount()),
                                                  double(region.tileCount())});
  showShaders();  // the sums are read by Adam, or downloaded
}

void FitPasses::gradient(const FitRegion& region, bool add) {
  sumSlots(pass("fit gradient", "shaders/smoe/fit/gradient.comp", {{"FIT_ROW", row_}}),
           structured_ ? productTexels_ : pixelTexels_, region, FIT_ROWS_GRADIENT, add);
}

void FitPasses::moments(const FitRegion& region, std::span<const shared::FitFactor> factors) {
  slice(region);
  factors_.upload(factors);
  gpu::Pass& likelihood =
      pass("fit likelihood", "shaders/smoe/fit/likelihood.comp", {{"FIT_ROW", row_}});
  likelihood.texels(FIT_TEXELS_FACTORS, factorTexels_);
  runOverPixels(likelihood, region, params(region), 1);
  gpu::Pass& moments = pass("fit moments", "shaders/smoe/fit/moments.comp", {{"FIT_ROW", row_}});
  moments.texels(FIT_TEXELS_FACTORS, factorTexels_);
  sumSlots(moments, pixelTexels_, region, FIT_ROWS_LIKELIHOOD, false);
}

void FitPasses::measure(const FitRegion& region) {
  sumSlots(pass("fit measure", "shaders/smoe/fit/measure.comp", {{"FIT_ROW", row_}}), pixelTexels_,
           region, FIT_ROWS_MEASURE, false);
}

void FitPasses::drawError(const FitRegion& region, const gpu::Texture& picture) {
  gpu::Pass& draw = pass("fit error map", "shaders/smoe/fit/error.comp");
  draw.params(FIT_BIND_PARAMS, params(region))
      .texels(FIT_TEXELS_PIXELS, pixelTexels_)
      .image(FIT_IMAGE_ERROR, picture);
  draw.dispatch(region.tileCount() * FIT_PIXELS, gpu::Each{30});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // whoever shows it
}

}  // namespace fathom::smoe
