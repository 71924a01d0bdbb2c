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
  std::uint32_t number = 0;  // in the image
  bool held = false;         // see kHeldChannel
};

bool isVolume(const Fragment& f) { return f.zBack > f.z && std::isfinite(f.zBack); }

double opticalDepth(double alpha) { return -std::log1p(-alpha); }
double alphaOfDepth(double depth) { return -std::expm1(-depth); }

/// Fragments that lie between two depths, with how much of each. Opaque volumes are opaque in each
/// part.
struct Slab {
  std::vector<std::pair<const Part*, double>> parts;
  double depth = 0, opaque = 0;  // optical, of the others; how many are

  void add(const Part& f, double part) {
    parts.emplace_back(&f, part);
    if (f.a >= 1)
      ++opaque;
    else if (f.a > 0)
      depth += opticalDepth(f.a) * part;
  }
  /// Appends one of n equal slices of it, at z.
  void addSlice(int n, float z, PointLists& made) const {
    const double u = depth / n, alpha = opaque > 0 ? 1 : u > 0 ? alphaOfDepth(u) : 0;
    const double dims = u > 0 ? alpha / u : 1;
    glm::dvec3 color(0);
    double held = 0;
    for (const auto& [f, part] : parts) {
      double weight = dims / n * part * (f->a > 0 ? opticalDepth(f->a) / f->a : 1);
      if (opaque > 0) weight = f->a >= 1 ? 1 / opaque : 0;
      if (weight <= 0) continue;
      made.shares.push_back({f->number, float(weight)});
      color += double(made.shares.back().weight) * glm::dvec3(f->r, f->g, f->b);
      if (f->held) held += weight * f->a;
    }
    made.fragments.push_back(
        {glm::vec4(color, alpha), z, alpha > 0 ? float(1 - held / alpha) : 1.0f});
    made.shareEnds.push_back(std::uint32_t(made.shares.size()));
  }
};

/// Makes the list of one pixel.
class PixelList {
 public:
  PixelList(const Slicing& slicing, PointLists& made) : slicing_(slicing), made_(made) {}

  /// `tidy`: volumes are cut and put together, points at one depth too, as `deep flatten` does
  /// where files have ZBack.
  void add(const std::vector<Part>& list, bool tidy) {
    if (!tidy) {
      for (const Part& f : list) addPoint(f);
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
  void addPoint(const Part& f) {
    made_.fragments.push_back({{f.r, f.g, f.b, f.a}, f.z, f.held ? 0.0f : 1.0f});
    made_.shares.push_back({f.number});
    made_.shareEnds.push_back(std::uint32_t(made_.shares.size()));
  }
  void pointsAt(const std::vector<Part>& list, float z) {
    Slab slab;
    for (const Part& f : list)
      if (!isVolume(f) && f.z == z) slab.add(f, 1);
    if (slab.parts.size() == 1) addPoint(*slab.parts[0].first);
    if (slab.parts.size() > 1) slab.addSlice(1, z, made_);
  }

  /// What volumes hold between two places where something begins or ends.
  void between(const std::vector<Part>& list, float from, float to) {
    Slab slab;
    for (const Part& f : list)
      if (isVolume(f) && f.z <= from && f.zBack >= to)
        slab.add(f, (double(to) - from) / (double(f.zBack) - f.z));
    if (slab.parts.empty()) return;
    const bool opaque = slab.opaque > 0;  // nothing shows what lies behind its front
    const int n = opaque ? 1 : slicing_.countFor(from, to);
    for (int i = 0; i < n; ++i) {
      const double middle = opaque ? from : from + (double(to) - from) * (i + 0.5) / n;
      slab.addSlice(n, float(middle), made_);
    }
  }

  const Slicing& slicing_;
  PointLists& made_;
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

PointLists pointsOf(const DeepImage& image, const Slicing& slicing, bool keepsShares) {
  PointLists lists;
  lists.size = {image.dataWindow.width, image.dataWindow.height};
  const auto width = std::size_t(lists.size.x), height = std::size_t(lists.size.y);
  const std::size_t strips = (height + kRowsPerJob - 1) / kRowsPerJob;
  keepsShares = keepsShares && image.hasZBack;
  std::vector<PointLists> made(strips);
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
          list.push_back({decodeFragment(image, i), std::uint32_t(i),
                          held && channelValue(*held, image.words[kWideWords * i]) != 0});
        if (std::any_of(list.begin(), list.end(), isVolume)) volumes[strip] = 1;
        const std::size_t before = made[strip].fragments.size();
        pixel.add(list, image.hasZBack);
        counts[p] = made[strip].fragments.size() - before;
        if (!keepsShares) made[strip].shares.clear(), made[strip].shareEnds.clear();
      }
    }
  });
  lists.offsets.reserve(counts.size() + 1);
  for (const std::size_t count : counts) lists.offsets.push_back(lists.offsets.back() + count);
  lists.fragments.reserve(lists.offsets.back());
  for (PointLists& strip : made) {
    lists.fragments.insert(lists.fragments.end(), strip.fragments.begin(), strip.fragments.end());
    for (const std::uint32_t end : strip.shareEnds)
      lists.shareEnds.push_back(std::uint32_t(lists.shares.size()) + end);
    lists.shares.insert(lists.shares.end(), strip.shares.begin(), strip.shares.end());
    strip = {};
  }
  lists.hasVolumes = std::find(volumes.begin(), volumes.end(), 1) != volumes.end();
  return lists;
}

}  // namespace fathom::dof
