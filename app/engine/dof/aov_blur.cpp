// SPDX-License-Identifier: BSD-3-Clause
// Values are worked out here for each point and spread over the splats of a band; shaders
// accumulate them.
#include "app/engine/dof/aov_blur.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/jobs.h"
#include "app/engine/dof/splats/list_reader.h"
#include "app/engine/gpu/slices.h"

namespace fathom::dof {
namespace {

constexpr float kThinnest = 1e-6f;  // as in splat.comp: of light without alpha
constexpr float kNothing = 1e-6f;   // of a pixel: IDs that cover less are left out

/// As splat.comp takes colors.
float sanitized(double value) {
  const auto v = float(value);
  return std::isnan(v) ? 0 : std::isinf(v) ? (v > 0 ? 65504.0f : 0) : v;
}

std::uint32_t idAt(const DeepChannel& ids, std::size_t i) {
  if (ids.type == ChannelType::Uint) return load<std::uint32_t>(&ids.values[4 * i]);
  return std::bit_cast<std::uint32_t>(float(channelValue(ids, i)));
}

void addTo(Coverage& coverage, std::uint32_t id, float share) {
  const auto at = std::ranges::find(coverage, id, &Coverage::value_type::first);
  if (at != coverage.end())
    at->second += share;
  else
    coverage.emplace_back(id, share);
}

void raise(auto& most, auto value) {
  for (auto so = most.load(); value > so && !most.compare_exchange_weak(so, value);) continue;
}

}  // namespace

AovBlur::AovBlur(gpu::Context& gpu, const Shot& shot, std::shared_ptr<const PointLists> lists)
    : gpu_(gpu),
      aovs_(shot.input.aovs),
      deep_(shot.input.deep),
      lists_(std::move(lists)),
      op_(shot.settings.op),
      edges_(shot.settings.edges),
      size_(shot.size) {
  const auto pixels = std::size_t(size_.x) * std::size_t(size_.y);
  for (const Aov& aov : aovs_->averaged)
    averaged.push_back(
        {aov.values->name, aov.type, std::vector<std::byte>(pixels * bytesPerValue(aov.type))});
  mattes.assign(aovs_->mattes.size(), std::vector<Coverage>(pixels));
  if (deep_) {
    const DeepChannel* held = channelNamed(deep_->channels, kHeldChannel);
    alphas_.resize(deep_->fragmentCount());
    parallelForEach(alphas_.size(), 4096, [&](std::size_t i) {
      const bool shows = !held || channelValue(*held, deep_->words[kWideWords * i]) == 0;
      alphas_[i] = shows ? decodeFragment(*deep_, i).a : 0;
    });
    return;
  }
  const FlatPicture& flat = *shot.input.flat;
  for (const glm::vec4& p : colorAndDepth(flat, shot.settings, shot.tangentPerPixel()).pixels) {
    const bool isBlack = sanitized(p.r) == 0 && sanitized(p.g) == 0 && sanitized(p.b) == 0;
    isFar_.push_back(isBackground(p.a));
    alphas_.push_back(flat.hasAlpha ? std::clamp(flat.image.pixels[alphas_.size()].a, 0.0f, 1.0f)
                                    : float(!(isFar_.back() && isBlack)));
  }
}

void AovBlur::add(const Pipeline& pipeline, const shared::Optics& optics) {
  pipeline_ = &pipeline, optics_ = optics;
  const auto& [columns, rows] = pipeline.lists().area;
  region_ = intersect({columns.first * DOF_TILE, rows.first * DOF_TILE, columns.count * DOF_TILE,
                       rows.count * DOF_TILE},
                      {0, 0, size_.x, size_.y});
  points_ = pipeline.source().pointsIn(pipeline.lists().source, edges_, lists_.get());
  words_.assign(points_.size(), glm::uvec4(0));
  gpu::ensure(gpu_, values_.values, "dof values", words_.size());
  if (!values_.texels.shows(values_.values)) values_.texels = gpu::TexelView(gpu_, values_.values);
  gpu::ensure(gpu_, result_, "dof values blurred", gpu::TextureFormat::Rgba32f,
              mattes.empty() ? size_ : 2 * size_);  // four IDs in a texel of each quarter
  const std::vector<Aov>& all = aovs_->averaged;
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    const std::size_t most = all[first].kind == Aov::Kind::Depth ? 1 : 3;  // of one weight
    while (end < all.size() && end < first + most && all[end].kind == all[first].kind) ++end;
    average(first, end - first);
  }
  for (std::size_t i = 0; i < mattes.size(); ++i) addMattes(i);
}

std::size_t AovBlur::pixelOf(std::size_t i) const {
  const auto width = std::size_t(region_.width);
  return (std::size_t(region_.y) + i / width) * std::size_t(size_.x) + std::size_t(region_.x) +
         i % width;
}

/// What was uploaded, into found_. What is brighter than the color is left away where less is left.
void AovBlur::run(float brightest) {
  gpu::yieldIfOverBudget();
  const float color = std::max(1.0f, pipeline_->lists().brightest);
  shared::Optics optics = optics_;
  optics.epsilon *= color / std::max(color, brightest);
  accumulateArea(gpu_, *pipeline_, optics, op_, result_, nullptr, &values_);
  const auto area = std::size_t(region_.area());
  found_.resize(values_.groups > 0 ? area * (DOF_IDS / 4) : area);
  for (std::size_t k = 0; k * area < found_.size(); ++k)
    result_.readRegion({region_.x + int(k) % 2 * size_.x, region_.y + int(k) / 2 * size_.y,
                        region_.width, region_.height},
                       found_.data() + k * area, region_.width);
}

/// Of the fragments of a point, or the pixel that it is: where their values lie, how much of those
/// is in the point's, and of their alpha. All of it divided by the alpha of a splat.
void AovBlur::visit(std::uint32_t point, auto visitor) const {
  const bool parted = lists_ && !lists_->shareEnds.empty();
  const std::uint32_t first = !parted ? point
                              : point ? lists_->shareEnds[point - 1]
                                      : 0,
                      end = parted ? lists_->shareEnds[point] : point + 1;
  for (std::uint32_t i = first; i < end; ++i) {
    const PointShare s = parted ? lists_->shares[i] : PointShare{point};
    visitor(deep_ ? deep_->words[kWideWords * s.fragment] : s.fragment, double(s.weight),
            double(s.weight) * alphas_[s.fragment]);
  }
}

float AovBlur::splatAlpha(std::uint32_t point) const {
  return lists_ ? std::max(std::min(lists_->fragments[point].color.a, 1.0f), kThinnest) : 1;
}

/// What a splat of the point has of up to three AOVs of one kind, and of their weight.
glm::vec4 AovBlur::valuesOf(std::span<const Aov> aovs, std::uint32_t point) const {
  glm::vec4 values(0);
  if (aovs[0].kind == Aov::Kind::Depth) {
    const float z =
        deep_ ? lists_->fragments[point].z : float(channelValue(*aovs[0].values, point));
    if (isBackground(z) || (!deep_ && isFar_[point])) return values;
    values.a = deep_ ? lists_->fragments[point].shows : alphas_[point];
    values.r = z * values.a;
    return values;
  }
  const bool straight = aovs[0].kind == Aov::Kind::Straight;
  glm::dvec4 sums(0);
  visit(point, [&](std::size_t at, double weight, double alpha) {
    for (std::size_t k = 0; k < aovs.size(); ++k)
      sums[int(k)] += (straight ? alpha : weight) * channelValue(*aovs[k].values, at);
    sums.a += alpha;
  });
  for (int k = 0; k < 4; ++k) values[k] = sanitized(sums[k]) / splatAlpha(point);
  return values;
}

void AovBlur::coverageOf(const AovMattes& of, std::uint32_t point, Coverage& coverage) const {
  visit(point, [&](std::size_t at, double weight, double alpha) {
    for (const auto& [id, covered] : of.ranks) {
      const double share = covered ? weight * channelValue(*covered, at) : alpha;
      if (share > 0) addTo(coverage, idAt(*id, at), sanitized(share) / splatAlpha(point));
    }
  });
}

void AovBlur::average(std::size_t first, std::size_t count) {
  const std::span<const Aov> aovs = std::span(aovs_->averaged).subspan(first, count);
  std::atomic<float> brightest = 0;
  parallelForEach(points_.size(), 4096, [&](std::size_t i) {
    if (points_[i] == Source::kBackground) return void(words_[i] = glm::uvec4(0));
    const glm::vec4 v = valuesOf(aovs, points_[i]), size = glm::abs(v);
    raise(brightest, std::max(std::max(size.r, size.g), size.b));
    words_[i] = glm::floatBitsToUint(v);
  });
  values_.groups = 0;
  values_.values.upload(words_);
  run(brightest);
  for (std::size_t i = 0; i < found_.size(); ++i)
    for (std::size_t k = 0; k < count; ++k) {
      float value = found_[i][int(k)];
      if (aovs[k].kind != Aov::Kind::Premultiplied)
        value = found_[i].a > 0                    ? value / found_[i].a
                : aovs[k].kind == Aov::Kind::Depth ? INFINITY
                                                   : 0;
      setChannelValue(averaged[first + k], pixelOf(i), value);
    }
}

/// Of each splat two IDs at a time; each tile wants those that its list has.
void AovBlur::addMattes(std::size_t which) {
  const TileLists& lists = pipeline_->lists();
  const std::vector<std::uint32_t> begins = lists.tileBegin->download(0, lists.tileCount() + 1),
                                   entries = ListReader(*pipeline_).entries(0, begins.back());
  std::atomic<std::size_t> most = 0;  // IDs of a splat
  for (std::size_t rank = 0; rank == 0 || rank < most; rank += 2) {
    parallelFor(words_.size(), 4096, [&](std::size_t begin, std::size_t end) {
      Coverage shown;
      for (std::size_t i = begin; i < end; ++i) {
        shown.clear(), words_[i] = glm::uvec4(0);
        if (points_[i] != Source::kBackground) coverageOf(aovs_->mattes[which], points_[i], shown);
        for (std::size_t k = rank, c = 0; k < std::min(rank + 2, shown.size()); ++k, c += 2)
          words_[i][int(c)] = shown[k].first,
          words_[i][int(c) + 1] = std::bit_cast<std::uint32_t>(shown[k].second);
        raise(most, shown.size());
      }
    });
    std::vector<std::set<std::uint32_t>> wanted(lists.tileCount());
    parallelForEach(wanted.size(), 4, [&](std::size_t t) {
      for (std::uint32_t e = begins[t]; e < begins[t + 1]; ++e)
        for (const int k : {0, 2})
          if (const glm::uvec4& w = words_[entries[e]]; w[k + 1] != 0) wanted[t].insert(w[k]);
    });
    values_.values.upload(words_);
    runMattes(which, wanted);
  }
  for (std::size_t i = 0; i < std::size_t(region_.area()); ++i)
    sortCoverage(mattes[which][pixelOf(i)]);
}

void AovBlur::runMattes(std::size_t which, const std::vector<std::set<std::uint32_t>>& wanted) {
  std::vector<std::vector<std::uint32_t>> left;  // of each tile, taken from the end
  for (const auto& ids : wanted) left.emplace_back(ids.begin(), ids.end());
  const int columns = pipeline_->lists().area.columns.count;
  for (;;) {
    std::vector<std::uint32_t> groups;
    for (std::size_t t = 0; t < left.size(); ++t) {
      if (left[t].empty()) continue;
      groups.push_back(std::uint32_t(t));
      for (int k = 0; k < DOF_IDS; ++k) {
        groups.push_back(left[t].empty() ? groups.back() : left[t].back());
        if (!left[t].empty()) left[t].pop_back();
      }
    }
    if (groups.empty()) return;
    values_.groups = std::uint32_t(groups.size() / (DOF_IDS + 1));
    gpu::ensure(gpu_, values_.wanted, "dof wanted", groups.size());
    values_.wanted.upload(groups);
    run(0);
    ++passes;
    for (std::size_t g = 0; g < groups.size(); g += DOF_IDS + 1)
      for (int i = 0; i < DOF_TILE_PIXELS; ++i) {
        const int x = int(groups[g]) % columns * DOF_TILE + i % DOF_TILE,
                  y = int(groups[g]) / columns * DOF_TILE + i / DOF_TILE;
        if (x >= region_.width || y >= region_.height) continue;
        const auto at = std::size_t(y * region_.width + x);
        for (std::size_t k = 0; k < DOF_IDS; ++k) {
          const std::uint32_t id = groups[g + 1 + k];
          const float share = found_[k / 4 * std::size_t(region_.area()) + at][int(k % 4)];
          if (k > 0 && id == groups[g + k]) break;  // there again in the place of none
          if (share > kNothing) addTo(mattes[which][pixelOf(at)], id, share);
        }
      }
  }
}

}  // namespace fathom::dof
