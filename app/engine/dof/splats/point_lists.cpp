// SPDX-License-Identifier: BSD-3-Clause
// The light of a homogeneous volume follows from its optical depth u = -log(1 - a), which is spread
// evenly over it and adds where volumes overlap; in double, and log1p, expm1 where a is next to
// nothing.
#include "app/engine/dof/splats/point_lists.h"

#include "app/engine/core/jobs.h"

namespace fathom::dof {
namespace {

constexpr int kMaxSlices = 64;
constexpr std::size_t kRowsPerJob = 16;

struct Part : Fragment {
  bool held = false;  // see kHeldChannel
};

bool isVolume(const Fragment& f) { return f.zBack > f.z && std::isfinite(f.zBack); }

double opticalDepth(double alpha) { return -std::log1p(-alpha); }
double alphaOfDepth(double depth) { return -std::expm1(-depth); }

/// Color and optical depth of what lies between two depths. Opaque volumes are opaque in each part.
struct Slab {
  glm::dvec4 light{0};        // before it is dimmed: color per optical depth, times depth; depth
  glm::dvec4 opaqueLight{0};  // and how many
  glm::dvec3 clear{0};        // of volumes without alpha
  double heldDepth = 0, heldOpaque = 0;  // of the depth, and of the opaque ones

  void add(const Part& f, double part) {
    const glm::dvec3 color(f.r, f.g, f.b);
    if (f.a >= 1) {
      opaqueLight += glm::dvec4(color, 1);
      heldOpaque += f.held;
    } else if (f.a <= 0) {
      clear += color * part;
    } else {
      const double u = opticalDepth(f.a) * part;
      light += glm::dvec4(color * (u / f.a), u);
      heldDepth += f.held * u;
    }
  }
  /// One of n equal slices of it, at z.
  PointFragment slice(int n, float z) const {
    if (opaqueLight.a > 0)
      return {glm::vec4(glm::vec3(opaqueLight / opaqueLight.a), 1), z,
              float(1 - heldOpaque / opaqueLight.a)};
    const double u = light.a / n;
    if (u <= 0) return {glm::vec4(clear / double(n), 0), z};
    const glm::dvec3 color = (glm::dvec3(light) + clear) / double(n) * (alphaOfDepth(u) / u);
    return {glm::vec4(color, alphaOfDepth(u)), z, float(1 - heldDepth / light.a)};
  }
};

/// Makes the list of one pixel.
class PixelList {
 public:
  PixelList(const Slicing& slicing, std::vector<PointFragment>& points)
      : slicing_(slicing), points_(points) {}

  /// `tidy`: volumes are cut and put together, points at one depth too, as `deep flatten` does
  /// where files have ZBack.
  void add(const std::vector<Part>& list, bool tidy) {
    if (!tidy) {
      for (const Part& f : list) points_.push_back(pointOf(f));
      return;
    }
    places_.clear();
    for (const Part& f : list) {
      places_.push_back(f.z);
      if (isVolume(f)) places_.push_back(f.zBack);
    }
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      pointsAt(list, places_[i]);
      if (i + 1 < places_.size()) between(list, places_[i], places_[i + 1]);
    }
  }

 private:
  static PointFragment pointOf(const Part& f) {
    return {{f.r, f.g, f.b, f.a}, f.z, f.held ? 0.0f : 1.0f};
  }
  void pointsAt(const std::vector<Part>& list, float z) {
    Slab slab;
    const Part* only = nullptr;
    int count = 0;
    for (const Part& f : list)
      if (!isVolume(f) && f.z == z) slab.add(f, 1), only = &f, ++count;
    if (count == 1) points_.push_back(pointOf(*only));
    if (count > 1) points_.push_back(slab.slice(1, z));
  }

  /// What volumes hold between two places where something begins or ends.
  void between(const std::vector<Part>& list, float from, float to) {
    Slab slab;
    bool any = false;
    for (const Part& f : list) {
      if (!isVolume(f) || f.z > from || f.zBack < to) continue;
      slab.add(f, (double(to) - from) / (double(f.zBack) - f.z));
      any = true;
    }
    if (!any) return;
    const bool opaque = slab.opaqueLight.a > 0;  // nothing shows what lies behind its front
    const int n = opaque ? 1 : slicing_.countFor(from, to);
    for (int i = 0; i < n; ++i) {
      const double middle = opaque ? from : from + (double(to) - from) * (i + 0.5) / n;
      points_.push_back(slab.slice(n, float(middle)));
    }
  }

  const Slicing& slicing_;
  std::vector<PointFragment>& points_;
  std::vector<float> places_;
};

}  // namespace

void addKnots(const DeepImage& holdOut, std::size_t pixel, std::vector<glm::vec4>& knots) {
  struct End {
    float z;
    double depth, thins;  // optical depth at z, and per unit of Z from there on
    int opens;            // volumes; below 0: closes
  };
  std::vector<End> ends;
  for (std::size_t i = holdOut.fragmentOffsets[pixel]; i < holdOut.fragmentOffsets[pixel + 1];
       ++i) {
    const Fragment f = decodeFragment(holdOut, i);
    const double depth = opticalDepth(std::clamp(double(f.a), 0.0, 1.0));
    if (!isVolume(f) || std::isinf(depth)) {  // nothing passes behind the front of a dense volume
      ends.push_back({isVolume(f) ? std::nextafter(f.z, f.zBack) : f.z, depth, 0, 0});
    } else {
      const double thins = depth / (double(f.zBack) - f.z);
      ends.push_back({f.z, 0, thins, 1});
      ends.push_back({f.zBack, 0, -thins, -1});
    }
  }
  std::ranges::stable_sort(ends, {}, &End::z);
  End all{};  // what the ends so far add up to
  knots.emplace_back(0, 1, 0, INFINITY);
  for (std::size_t i = 0; i < ends.size() && !std::isinf(all.depth); ++i) {
    const End& end = ends[i];
    if (all.opens > 0) all.depth += all.thins * (double(end.z) - all.z);
    all.z = end.z, all.depth += end.depth, all.opens += end.opens;
    all.thins = all.opens > 0 ? all.thins + end.thins : 0;
    knots.back().w = end.z;
    knots.emplace_back(all.z, float(std::exp(-all.depth)), float(all.thins), INFINITY);
  }
}

double Slicing::radiusAt(double z) const {
  const double r = z > 0 ? farRadius - farRadiusFocus / z : -maxRadius;
  return std::clamp(r, -maxRadius, maxRadius);
}

int Slicing::countFor(double z, double zBack) const {
  const double a = radiusAt(z), b = radiusAt(zBack);
  const double smaller = a * b <= 0 ? 0 : std::min(std::abs(a), std::abs(b));
  const double n = std::ceil(std::abs(b - a) / (0.5 + 0.1 * smaller));
  return int(std::clamp(n, 1.0, double(kMaxSlices)));
}

PointLists pointsOf(const DeepImage& image, const Slicing& slicing) {
  PointLists lists;
  lists.size = {image.dataWindow.width, image.dataWindow.height};
  const auto width = std::size_t(lists.size.x), height = std::size_t(lists.size.y);
  const std::size_t strips = (height + kRowsPerJob - 1) / kRowsPerJob;
  std::vector<std::vector<PointFragment>> made(strips);
  std::vector<std::size_t> counts(width * height);
  std::vector<char> volumes(strips, 0);
  const DeepChannel* held = channelNamed(image.channels, kHeldChannel);
  parallelFor(strips, 1, [&](std::size_t firstStrip, std::size_t lastStrip) {
    std::vector<Part> list;
    for (std::size_t strip = firstStrip; strip < lastStrip; ++strip) {
      PixelList pixel(slicing, made[strip]);
      const std::size_t end = std::min(height, (strip + 1) * kRowsPerJob) * width;
      for (std::size_t p = strip * kRowsPerJob * width; p < end; ++p) {
        list.clear();
        for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i)
          list.push_back({decodeFragment(image, i),
                          held && channelValue(*held, image.words[kWideWords * i]) != 0});
        if (std::any_of(list.begin(), list.end(), isVolume)) volumes[strip] = 1;
        const std::size_t before = made[strip].size();
        pixel.add(list, image.hasZBack);
        counts[p] = made[strip].size() - before;
      }
    }
  });
  lists.offsets.reserve(counts.size() + 1);
  for (const std::size_t count : counts) lists.offsets.push_back(lists.offsets.back() + count);
  lists.fragments.reserve(lists.offsets.back());
  for (std::vector<PointFragment>& strip : made) {
    lists.fragments.insert(lists.fragments.end(), strip.begin(), strip.end());
    strip = {};
  }
  lists.hasVolumes = std::find(volumes.begin(), volumes.end(), 1) != volumes.end();
  return lists;
}

}  // namespace fathom::dof
