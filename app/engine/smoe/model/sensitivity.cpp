// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of y = sum w_j m_j by the numbers of one component: w_j ((m_j - y) dl_j + dm_j), with
// l the logarithm of the weight and m the expert; slices pass theirs on to the leading numbers.
#include "app/engine/smoe/model/sensitivity.h"

#include "app/engine/core/jobs.h"
#include "app/engine/smoe/model/component_lists.h"
#include "shaders/smoe/fit/shared.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace fathom::smoe {
namespace {

using P = PackedRecord;

constexpr double kListTau = 9;  // components below exp(-9) of the strongest are left out

/// Luma and color differences of BT.709; columns are what each input channel adds.
const glm::dmat3 kToLuma(glm::dvec3(0.2126, -0.2126 / 1.8556, (1 - 0.2126) / 1.5748),
                         glm::dvec3(0.7152, -0.7152 / 1.8556, -0.7152 / 1.5748),
                         glm::dvec3(0.0722, (1 - 0.0722) / 1.8556, -0.0722 / 1.5748));

glm::dmat3 toPacked(ColorSpace space) {
  return space == ColorSpace::Ycbcr709 ? glm::dmat3(1) : kToLuma;
}

/// Per component of a slice: the sums by everything but the leading numbers, then what these need.
enum Sum { kCenterX = 13, kCenterY, kSums };
using SliceSums = std::array<double, kSums>;

/// The squared derivatives at one sample, w and z known.
void addSample(const Record& r, glm::dvec2 d, double w, glm::dvec3 off, glm::dvec3 channelGain,
               SliceSums& sums) {
  const double z1 = r.w11 * d.x, z2 = r.w21 * d.x + r.w22 * d.y;
  const glm::dvec3 h1{r.h[0].x, r.h[1].x, r.h[2].x}, h2{r.h[0].y, r.h[1].y, r.h[2].y};
  // By z1 and z2, through the weight and through the expert.
  const glm::dvec3 byZ1 = w * (h1 - off * z1), byZ2 = w * (h2 - off * z2);
  const auto square = [](glm::dvec3 v) { return glm::dot(v, v); };
  const double unit = std::sqrt(r.w11 * r.w22);
  sums[P::kW11] += square(byZ1 * z1 + byZ2 * (r.w21 * d.x / 2));
  sums[P::kW22] += square(byZ2 * (r.w22 * d.y + r.w21 * d.x / 2));
  sums[P::kRatio] += square(byZ2 * (unit * d.x));
  sums[P::kC] += square(w * off);
  for (int k = 0; k < 3; ++k) {
    const double gain = w * w * channelGain[k];
    sums[std::size_t(P::kColor + k)] += gain;
    sums[std::size_t(P::kH + 2 * k)] += gain * z1 * z1;
    sums[std::size_t(P::kH + 2 * k + 1)] += gain * z2 * z2;
  }
  sums[kCenterX] += square(byZ1 * r.w11 + byZ2 * r.w21);
  sums[kCenterY] += square(byZ2 * r.w22);
}

/// All pixels of one tile; `slots` has the sums of its entries.
void addTile(std::span<const Record> records, std::span<const std::uint32_t> list, PixelBox box,
             glm::dvec3 channelGain, std::span<SliceSums> slots) {
  std::vector<double> weights(list.size());
  std::vector<glm::dvec3> experts(list.size());
  for (int y = box.low.y; y < box.high.y; ++y)
    for (int x = box.low.x; x < box.high.x; ++x) {
      const glm::dvec2 at(x + 0.5, y + 0.5);
      double largest = -1e300, total = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const Record& r = records[list[i]];
        const glm::dvec2 d = at - r.center;
        const glm::dvec2 z{r.w11 * d.x, r.w21 * d.x + r.w22 * d.y};
        weights[i] = r.c - glm::dot(z, z) / 2;
        for (int k = 0; k < 3; ++k) experts[i][k] = r.color[k] + glm::dot(r.h[std::size_t(k)], z);
        largest = std::max(largest, weights[i]);
      }
      glm::dvec3 color(0);
      for (std::size_t i = 0; i < list.size(); ++i) {
        weights[i] = std::exp(weights[i] - largest);
        total += weights[i], color += weights[i] * experts[i];
      }
      color /= total;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const double w = weights[i] / total;
        if (w > 1e-4)
          addSample(records[list[i]], at - records[list[i]].center, w, experts[i] - color,
                    channelGain, slots[i]);
      }
    }
}

/// Sums per component of one slice; bands of tiles keep the memory small.
std::vector<SliceSums> sliceSums(std::span<const Record> records, glm::ivec2 size,
                                 glm::dvec3 channelGain) {
  constexpr int kBand = 64;  // px
  std::vector<SliceSums> sums(records.size(), SliceSums{});
  for (int top = 0; top < size.y; top += kBand) {
    const PixelBox band{{0, top}, {size.x, std::min(top + kBand, size.y)}};
    const ComponentLists lists = buildComponentLists(records, band, kListTau);
    std::vector<SliceSums> slots(lists.slotCount(), SliceSums{});
    const std::size_t tiles = lists.tileStarts.size() - 1;
    parallelFor(tiles, 8, [&](std::size_t first, std::size_t last) {
      for (std::size_t tile = first; tile < last; ++tile) {
        const std::size_t begin = lists.tileStarts[tile], end = lists.tileStarts[tile + 1];
        const glm::ivec2 square(int(tile) % lists.tiles.x, int(tile) / lists.tiles.x);
        const glm::ivec2 low = band.low + square * FIT_TILE;
        addTile(records, std::span(lists.components).subspan(begin, end - begin),
                {low, glm::min(low + FIT_TILE, band.high)}, channelGain,
                std::span(slots).subspan(begin, end - begin));
      }
    });
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      for (std::size_t i = 0; i < kSums; ++i) sums[lists.components[slot]][i] += slots[slot][i];
  }
  return sums;
}

/// By the leading numbers, each on its own: the slice's center moves by M (a - mu_a), its c falls
/// by |z_a|^2 / 2, its color moves by H_a z_a.
void addLeading(const Record& r, const Model& model, ViewCoordinates view, const SliceSums& sums,
                const glm::dmat3& colors, Sensitivity& result) {
  const bool lightField = model.dims == 4;
  const glm::dvec2 d = view - r.leadCenter;
  const double z1 = r.leadW11 * d.x;
  const double z2 = lightField ? r.leadW21 * d.x + r.leadW22 * d.y : 0;
  const double c = sums[P::kC];
  const glm::dvec2 center{sums[kCenterX], sums[kCenterY]};
  const auto color = [&](int k) { return sums[std::size_t(P::kColor + k)]; };
  const auto squareOfH = [&](double byZ1, double byZ2) {
    double all = 0;
    for (int k = 0; k < 3; ++k) {
      glm::dvec3 h(0);
      for (std::size_t i = 0; i < 3; ++i)
        h[int(i)] = r.leadH[i].x * byZ1 + (lightField ? r.leadH[i].y * byZ2 : 0);
      const double packed = (colors * h)[k];
      all += packed * packed * color(k);
    }
    return all;
  };
  const auto byZ = [&](double dz1, double dz2) {
    const double dc = z1 * dz1 + z2 * dz2;
    return c * dc * dc + squareOfH(dz1, dz2);
  };
  const auto byCenter = [&](int axis) {
    const double dz1 = axis == 0 ? r.leadW11 : 0, dz2 = axis == 0 ? r.leadW21 : r.leadW22;
    return byZ(dz1, lightField ? dz2 : 0) + r.m[0][axis] * r.m[0][axis] * center.x +
           r.m[1][axis] * r.m[1][axis] * center.y;
  };
  double* out = result.values.data() + P::kLead;
  if (!lightField) {
    out[0] += byCenter(0);
    out[1] += byZ(z1, 0);
    out[2] += d.x * d.x * center.x, out[3] += d.x * d.x * center.y;
    for (int k = 0; k < 3; ++k) out[4 + k] += z1 * z1 * color(k);
    return;
  }
  const double unit = std::sqrt(r.leadW11 * r.leadW22);
  out[0] += byCenter(0), out[1] += byCenter(1);
  out[2] += byZ(z1, r.leadW21 * d.x / 2);
  out[3] += byZ(0, r.leadW22 * d.y + r.leadW21 * d.x / 2);
  out[4] += byZ(0, unit * d.x);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) out[5 + 2 * i + k] += d[k] * d[k] * center[i];
  for (int k = 0; k < 3; ++k)
    out[9 + 2 * k] += z1 * z1 * color(k), out[10 + 2 * k] += z2 * z2 * color(k);
}

std::vector<ViewCoordinates> sampledViews(const Model& model) {
  if (model.dims == 2) return {ViewCoordinates(0)};
  std::vector<ViewCoordinates> views;
  const auto spread = [](int count, int i, int of) { return (2 * i + 1) * count / (2 * of); };
  if (model.dims == 3) {
    const int taken = std::min(model.frames, 9);
    for (int i = 0; i < taken; ++i) views.push_back({double(spread(model.frames, i, taken)), 0});
    return views;
  }
  const glm::ivec2 taken = glm::min(model.views, glm::ivec2(3));
  for (int x = 0; x < taken.x; ++x)
    for (int y = 0; y < taken.y; ++y)
      views.push_back(
          glm::dvec2(spread(model.views.x, x, taken.x), spread(model.views.y, y, taken.y)) -
          model.viewOrigin);
  return views;
}

}  // namespace

glm::dmat3 packedBasis(ColorSpace space) { return glm::inverse(toPacked(space)); }

int packedFields(int dims) { return dims == 2 ? 13 : dims == 3 ? 20 : 28; }

PackedRecord packedRecord(const Record& r, int dims, ColorSpace space) {
  const glm::dmat3 colors = toPacked(space);
  PackedRecord packed;
  double* v = packed.values.data();
  v[P::kW11] = std::log(r.w11), v[P::kW22] = std::log(r.w22);
  v[P::kRatio] = r.w21 / std::sqrt(r.w11 * r.w22);
  v[P::kC] = r.c;
  const auto triple = [&](glm::dvec3 rgb, double* at, int stride) {
    const glm::dvec3 out = colors * rgb;
    for (int k = 0; k < 3; ++k) at[k * stride] = out[k];
  };
  triple(r.color, v + P::kColor, 1);
  for (int i = 0; i < 2; ++i) triple({r.h[0][i], r.h[1][i], r.h[2][i]}, v + P::kH + i, 2);
  double* lead = v + P::kLead;
  if (dims == 3) {
    lead[0] = r.leadCenter.x, lead[1] = std::log(r.leadW11);
    lead[2] = r.m[0].x, lead[3] = r.m[1].x;
    triple({r.leadH[0].x, r.leadH[1].x, r.leadH[2].x}, lead + 4, 1);
  } else if (dims == 4) {
    lead[0] = r.leadCenter.x, lead[1] = r.leadCenter.y;
    lead[2] = std::log(r.leadW11), lead[3] = std::log(r.leadW22);
    lead[4] = r.leadW21 / std::sqrt(r.leadW11 * r.leadW22);
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k) lead[5 + 2 * i + k] = r.m[std::size_t(i)][k];
    for (int i = 0; i < 2; ++i)
      triple({r.leadH[0][i], r.leadH[1][i], r.leadH[2][i]}, lead + 9 + i, 2);
  }
  return packed;
}

void unpackRecord(const PackedRecord& packed, int dims, ColorSpace space, Record& r) {
  const glm::dmat3 colors = packedBasis(space);
  const double* v = packed.values.data();
  r.w11 = std::exp(v[P::kW11]), r.w22 = std::exp(v[P::kW22]);
  r.w21 = v[P::kRatio] * std::sqrt(r.w11 * r.w22);
  r.c = v[P::kC];
  const auto triple = [&](const double* at, int stride) {
    return colors * glm::dvec3(at[0], at[stride], at[2 * stride]);
  };
  r.color = triple(v + P::kColor, 1);
  for (int i = 0; i < 2; ++i) {
    const glm::dvec3 h = triple(v + P::kH + i, 2);
    for (std::size_t k = 0; k < 3; ++k) r.h[k][i] = h[int(k)];
  }
  const double* lead = v + P::kLead;
  if (dims == 3) {
    r.leadCenter.x = lead[0], r.leadW11 = std::exp(lead[1]);
    r.m[0].x = lead[2], r.m[1].x = lead[3];
    const glm::dvec3 h = triple(lead + 4, 1);
    for (std::size_t k = 0; k < 3; ++k) r.leadH[k].x = h[int(k)];
  } else if (dims == 4) {
    r.leadCenter = {lead[0], lead[1]};
    r.leadW11 = std::exp(lead[2]), r.leadW22 = std::exp(lead[3]);
    r.leadW21 = lead[4] * std::sqrt(r.leadW11 * r.leadW22);
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k) r.m[std::size_t(i)][k] = lead[5 + 2 * i + k];
    for (int i = 0; i < 2; ++i) {
      const glm::dvec3 h = triple(lead + 9 + i, 2);
      for (std::size_t k = 0; k < 3; ++k) r.leadH[k][i] = h[int(k)];
    }
  }
}

std::vector<Sensitivity> sensitivities(const Model& model) {
  const glm::dmat3 back = packedBasis(model.colorSpace), colors = toPacked(model.colorSpace);
  glm::dvec3 channelGain;
  for (int k = 0; k < 3; ++k) channelGain[k] = glm::dot(back[k], back[k]);
  const std::vector<ViewCoordinates> views = sampledViews(model);
  std::vector<Sensitivity> result(model.components.size());
  std::vector<Record> records(model.components.size());
  for (const ViewCoordinates view : views) {
    for (std::size_t j = 0; j < records.size(); ++j)
      records[j] = slice(exact(model.components[j], model), model.leading(), view);
    const std::vector<SliceSums> sums =
        sliceSums(records, {model.width, model.height}, channelGain);
    for (std::size_t j = 0; j < records.size(); ++j) {
      for (std::size_t i = 0; i < std::size_t(P::kLead); ++i) result[j].values[i] += sums[j][i];
      result[j].center += (sums[j][kCenterX] + sums[j][kCenterY]) / 2;
      if (model.dims > 2)
        addLeading(exact(model.components[j], model), model, view, sums[j], colors, result[j]);
    }
  }
  for (Sensitivity& s : result) {
    for (double& value : s.values) value /= double(views.size());
    s.center /= double(views.size());
  }
  return result;
}

}  // namespace fathom::smoe
