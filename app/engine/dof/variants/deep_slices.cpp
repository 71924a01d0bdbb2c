// SPDX-License-Identifier: BSD-3-Clause
// Slices are chosen here by the depths of sorted lists; shaders say what a pixel has gathered at
// the end of each. A pixel puts together what is nearest to each other.
#include "app/engine/dof/variants/deep_slices.h"

#include "app/engine/core/jobs.h"
#include "app/engine/dof/splats/list_reader.h"

namespace fathom::dof {
namespace {

constexpr double kNothing = 1e-6;  // of light and alpha: goes with the next slice
constexpr double kClosed = 1e-6;   // light left: nothing shows behind

/// The ends of slices that hold depths within this factor.
std::vector<std::uint32_t> cutAt(std::span<const float> depths, double factor) {
  std::vector<std::uint32_t> ends;
  for (auto at = depths.begin(); at != depths.end();) {
    at = std::upper_bound(at + 1, depths.end(), *at * factor);
    ends.push_back(std::uint32_t(at - depths.begin()));
  }
  return ends;
}

using Point = std::array<float, 5>;  // premultiplied A, B, G, R, and Z

/// What the slices of a pixel add, divided by what those in front let pass: by the alphas as they
/// are written, so that errors of rounding do not add up. `sums`: light up to the end of each.
void addPoints(std::span<const glm::dvec4> sums, std::span<const float> depths, int most,
               std::vector<Point>& points) {
  glm::dvec4 last(0);
  double before = 1, left = 1;  // the last point, and after it
  std::uint32_t first = 0;
  for (const std::uint32_t end : sliceEnds(depths, most)) {
    const glm::dvec4 light = sums[end - 1] - last;
    if (left >= kClosed) {  // else but for rounding: the last point takes it
      before = left;
      points.push_back({float(std::clamp(light.a / before, 0.0, 1.0)), 0, 0, 0,
                        (depths[first] + depths[end - 1]) / 2});
      left *= 1 - double(points.back()[0]);
    }
    for (std::size_t c = 0; c < 3; ++c) points.back()[3 - c] += float(light[int(c)] / before);
    last = sums[end - 1], first = end;
  }
}

}  // namespace

std::vector<std::uint32_t> sliceEnds(std::span<const float> depths, int count) {
  double low = 0, high = 0;  // log of a factor that is too small, and of one that will do
  while (cutAt(depths, std::exp(high)).size() > std::size_t(count)) high = 2 * high + 1;
  for (int i = 0; i < 20 && high > 0; ++i) {
    const double middle = (low + high) / 2;
    (cutAt(depths, std::exp(middle)).size() > std::size_t(count) ? low : high) = middle;
  }
  return cutAt(depths, std::exp(high));
}

int sliceCount(int tilesX, int most) {
  const std::int64_t fit = kMostTileBytes / (4 * tilesX * kSliceBytes);
  return std::clamp(int(std::bit_floor(std::uint64_t(fit))), most, 64);
}

void cutSlices(gpu::Context& gpu, const Pipeline& pipeline, ListSlices& slices) {
  const std::size_t tiles = pipeline.lists().tileCount(), count = std::size_t(slices.count);
  const std::vector<std::uint32_t> begins = pipeline.lists().tileBegin->download(0, tiles + 1);
  const std::vector<std::uint32_t> depths = ListReader(pipeline).depths(0, begins.back());
  std::vector<std::uint32_t> ends(tiles * count);
  slices.depths.assign(ends.size(), INFINITY);
  parallelFor(tiles, 16, [&](std::size_t first, std::size_t last) {
    std::vector<float> list;
    for (std::size_t tile = first; tile < last; ++tile) {
      list.clear();
      for (std::uint32_t i = begins[tile]; i < begins[tile + 1]; ++i)
        list.push_back(std::bit_cast<float>(depths[i]));
      const std::vector<std::uint32_t> cuts = sliceEnds(list, slices.count);
      for (std::size_t k = 0; k < count; ++k) {
        ends[tile * count + k] =
            begins[tile] + (k < cuts.size() ? cuts[k] : std::uint32_t(list.size()));
        if (k < cuts.size())
          slices.depths[tile * count + k] = (list[k ? cuts[k - 1] : 0] + list[cuts[k] - 1]) / 2;
      }
    }
  });
  gpu::ensure(gpu, slices.ends, "dof slice ends", ends.size());
  gpu::ensure(gpu, slices.light, "dof slices", tiles * (count + 1) * DOF_TILE_PIXELS * 2);
  slices.ends.upload(ends);
  slices.light.clear();  // what stands by is written only where something may
}

DeepImage rowsOf(const Pipeline& pipeline, const ListSlices& slices, const DeepImage& header,
                 int samples) {
  const TileArea& area = pipeline.lists().area;
  const auto count = std::size_t(slices.count);
  const std::vector<glm::vec4> light = slices.light.download();
  DeepImage image = header;
  image.dataWindow =
      intersect({header.dataWindow.x, header.dataWindow.y + area.rows.first * DOF_TILE / samples,
                 header.dataWindow.width, area.rows.count * DOF_TILE / samples},
                header.dataWindow);
  std::vector<std::vector<Point>> rows(std::size_t(image.dataWindow.height));
  image.fragmentOffsets.resize(image.pixelCount() + 1);
  const auto makeRow = [&](std::size_t y) {
    std::vector<glm::dvec4> sums;
    std::vector<float> depths;
    for (int x = 0; x < image.dataWindow.width; ++x) {
      const std::size_t before = rows[y].size();
      const glm::ivec2 at = samples * glm::ivec2(x, int(y));
      const auto tile = std::size_t(at.y / DOF_TILE * area.columns.count + at.x / DOF_TILE);
      const auto lightOf = [&](std::size_t slice, int i, std::size_t which) {
        const auto pixel =
            std::size_t((at.y + i / samples) % DOF_TILE * DOF_TILE + at.x % DOF_TILE + i % samples);
        return glm::dvec4(
            light[2 * ((tile * (count + 1) + slice) * DOF_TILE_PIXELS + pixel) + which]);
      };
      sums.clear(), depths.clear();
      for (std::size_t k = 0; k < count; ++k) {
        glm::dvec4 sum(0);
        for (int i = 0; i < samples * samples; ++i)
          sum += (lightOf(k, i, 0) + lightOf(count, i, 1) * lightOf(k, i, 1)) /
                 glm::max(lightOf(count, i, 0), glm::dvec4(1e-20));
        sum /= double(samples * samples);
        const glm::dvec4 more = glm::abs(sum - (sums.empty() ? glm::dvec4(0) : sums.back()));
        if (std::max({more.r, more.g, more.b, more.a}) < kNothing) continue;
        sums.push_back(sum), depths.push_back(slices.depths[tile * count + k]);
      }
      addPoints(sums, depths, slices.most, rows[y]);
      image.fragmentOffsets[y * std::size_t(image.dataWindow.width) + std::size_t(x) + 1] =
          rows[y].size() - before;
    }
  };
  parallelForEach(rows.size(), 1, [&](std::size_t y) { makeRow(y); });
  std::partial_sum(image.fragmentOffsets.begin(), image.fragmentOffsets.end(),
                   image.fragmentOffsets.begin());
  for (const std::vector<Point>& row : rows)
    for (const Point& point : row) {
      const auto z = std::bit_cast<std::uint32_t>(point[4]);
      image.words.insert(image.words.end(),
                         {std::uint32_t(image.words.size() / kWideWords), 0u, z, z});
      for (std::size_t c = 0; c < 5; ++c) {
        const auto bytes = std::as_bytes(std::span(point).subspan(c, 1));
        image.channels[c].values.insert(image.channels[c].values.end(), bytes.begin(), bytes.end());
      }
    }
  return image;
}

}  // namespace fathom::dof
