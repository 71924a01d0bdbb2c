// SPDX-License-Identifier: BSD-3-Clause
// Choosing which components move and which are split, and splitting one.
#include "app/engine/smoe/fit/relocate.h"

namespace fathom::smoe {
namespace {

constexpr double kApart = 0.6;       // sigmas from the old center to either new one
constexpr double kNarrower = 0.75;   // along that axis
constexpr double kWorthwhile = 0.5;  // removal may cost that much of the blame
constexpr double kDensity = 0.3;     // power of components per area that blame is weighted by
constexpr double kRoom = 100;        // px per component

/// The unit eigenvector of the larger eigenvalue of a symmetric matrix (11, 12, 22).
glm::dvec2 mainAxis(glm::dvec3 m) {
  const double half = (m.x - m.z) / 2;
  const double angle = 0.5 * std::atan2(m.y, half);
  return {std::cos(angle), std::sin(angle)};
}

/// Component numbers by rising key, ties by number.
template <class Key>
std::vector<std::uint32_t> ordered(std::size_t count, const Key& key) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, key);
  return order;
}

/// Who is split first: of equal blame, the smaller one, as its error has structure that the halves
/// can follow, where that of a large one is mostly noise.
std::vector<double> urgencies(std::span<const Component> components, const Model& frame,
                              std::span<const ComponentWorth> worth) {
  const bool bySize = hasRoom(frame, components.size());
  std::vector<double> urgency;
  for (std::size_t j = 0; j < worth.size(); ++j) {
    const double perArea = double(components[j].w11) * double(components[j].w22);
    urgency.push_back(worth[j].blame * (bySize ? std::pow(perArea, kDensity) : 1));
  }
  return urgency;
}

}  // namespace

bool hasRoom(const Model& frame, std::size_t components) {
  return frame.dims == 2 &&
         double(frame.width) * double(frame.height) >= kRoom * double(components);
}

void addWorth(const FitPasses& passes, std::vector<ComponentWorth>& worth) {
  worth.resize(passes.componentCount());
  const auto sums = passes.downloadSums<FIT_ROWS_MEASURE>();
  for (std::size_t j = 0; j < worth.size(); ++j) {
    const auto& sum = sums[j];
    worth[j].removal += double(sum[0]);
    worth[j].blame += double(sum[1]);
    worth[j].z += glm::dvec2(sum[2], sum[3]);
    worth[j].squares += glm::dvec3(sum[4], sum[5], sum[6]);
  }
}

Halves split(const Record& record, const ComponentWorth& worth) {
  glm::dvec2 axis{1, 0};
  if (worth.blame > 0) {
    const glm::dvec2 mean = worth.z / worth.blame;
    axis = mainAxis(worth.squares / worth.blame -
                    glm::dvec3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y));
  }
  // V = (I + (1/0.75 - 1) u u^T) W whitens the halves; the lower triangular factor of V^T V does
  // so as well.
  const double stretch = 1 / kNarrower - 1;
  const glm::dvec2 w1{record.w11, 0}, w2{record.w21, record.w22};  // rows of W
  const glm::dvec2 along = stretch * (axis.x * w1 + axis.y * w2);
  const glm::dvec2 v1 = w1 + axis.x * along, v2 = w2 + axis.y * along;
  const double xx = v1.x * v1.x + v2.x * v2.x, xy = v1.x * v1.y + v2.x * v2.y;
  const double yy = v1.y * v1.y + v2.y * v2.y;
  Record half = record;
  half.w22 = std::sqrt(yy);
  half.w21 = xy / half.w22;
  half.w11 = std::sqrt(std::max(xx - half.w21 * half.w21, 1e-12));
  half.c += std::log(0.5 / kNarrower) + 0.2;

  // The new centers: W d = +-0.6 u. The colors follow the expert, whose slope G = H W stays.
  const double dx = kApart * axis.x / record.w11;
  const glm::dvec2 shift{dx, (kApart * axis.y - record.w21 * dx) / record.w22};
  Halves halves{half, half};
  halves.first.center -= shift;
  halves.second.center += shift;
  for (int k = 0; k < 3; ++k) {
    const glm::dvec2 h = record.h[std::size_t(k)];
    const glm::dvec2 slope = h.x * w1 + h.y * w2;
    const double h2 = slope.y / half.w22;
    const glm::dvec2 next{(slope.x - h2 * half.w21) / half.w11, h2};
    halves.first.h[std::size_t(k)] = halves.second.h[std::size_t(k)] = next;
    halves.first.color[k] -= glm::dot(slope, shift);
    halves.second.color[k] += glm::dot(slope, shift);
  }
  return halves;
}

std::vector<std::uint32_t> relocate(std::vector<Component>& components, const Model& frame,
                                    std::span<const ComponentWorth> worth, std::size_t maxCount) {
  const std::vector<std::uint32_t> cheap = cheapestFirst(worth);
  const std::vector<double> urgency = urgencies(components, frame, worth);
  const auto worst = ordered(worth.size(), [&](std::uint32_t j) { return -urgency[j]; });
  std::vector<std::uint32_t> changed;
  std::vector<bool> used(worth.size(), false);
  std::size_t next = 0;
  for (const std::uint32_t target : worst) {
    if (changed.size() >= 2 * maxCount) break;
    if (used[target]) continue;
    while (next < cheap.size() && (used[cheap[next]] || cheap[next] == target)) ++next;
    if (next == cheap.size()) break;
    const std::uint32_t source = cheap[next];
    if (!(worth[source].removal < kWorthwhile * worth[target].blame)) continue;
    const Halves halves = split(exact(components[target], frame), worth[target]);
    components[target] = rounded(halves.first, frame);
    components[source] = rounded(halves.second, frame);
    used[target] = used[source] = true;
    changed.insert(changed.end(), {target, source});
  }
  std::sort(changed.begin(), changed.end());
  return changed;
}

std::vector<std::uint32_t> cheapestFirst(std::span<const ComponentWorth> worth) {
  return ordered(worth.size(), [&](std::uint32_t j) { return worth[j].removal; });
}

std::vector<std::uint32_t> splitWorst(std::vector<Component>& components, const Model& frame,
                                      std::span<const ComponentWorth> worth, std::size_t count) {
  const auto worst = ordered(worth.size(), [&](std::uint32_t j) { return -worth[j].blame; });
  std::vector<Component> halves;
  std::vector<std::uint32_t> changed;
  for (std::size_t i = 0; i < count && i < worst.size(); ++i) {
    const Halves two = split(exact(components[worst[i]], frame), worth[worst[i]]);
    components[worst[i]] = rounded(two.first, frame);
    halves.push_back(rounded(two.second, frame));
    changed.push_back(worst[i]);
  }
  for (std::size_t i = 0; i < halves.size(); ++i)
    changed.push_back(std::uint32_t(components.size() + i));
  components.insert(components.end(), halves.begin(), halves.end());
  std::sort(changed.begin(), changed.end());
  return changed;
}

}  // namespace fathom::smoe
