// SPDX-License-Identifier: BSD-3-Clause
// Dealing out triangles, with copies of the vertices that they use; scenes are captured on the
// device, files taken as they were read.
#include "app/engine/deep/distribute/device_ranks.h"

#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/scene/triangle_mesh.h"

namespace fathom::deep {
namespace {

/// Calls visit(part, batch, first index) for every triangle, in drawing order.
template <class Visit>
void eachTriangle(const Scene& scene, const Visit& visit) {
  for (std::size_t p = 0; p < scene.parts.size(); ++p)
    for (std::size_t b = 0; b < scene.parts[p].batches.size(); ++b) {
      const SceneBatch& batch = scene.parts[p].batches[b];
      for (std::uint32_t i = 0; i < batch.indexCount; i += 3) visit(p, b, batch.firstIndex + i);
    }
}

/// Triangles by the Morton code of their centers in the scene's bounds.
std::vector<std::uint32_t> mortonOrder(const Scene& scene) {
  std::vector<std::uint32_t> codes;
  eachTriangle(scene, [&](std::size_t, std::size_t, std::uint32_t first) {
    glm::vec3 center(0);
    for (std::uint32_t k = 0; k < 3; ++k)
      center += positionOf(scene.vertices[scene.indices[first + k]]) / 3.0f;
    codes.push_back(mortonCode(center, scene.bounds));
  });
  std::vector<std::uint32_t> order(codes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return codes[i]; });
  return order;
}

/// By triangle in drawing order: whether it is the rank's.
std::vector<bool> ownTriangles(const Scene& scene, Deal how, int rank, int ranks) {
  std::vector<bool> own;
  if (how == Deal::Parts) {
    eachTriangle(scene, [&](std::size_t part, std::size_t, std::uint32_t) {
      own.push_back(part % std::size_t(ranks) == std::size_t(rank));
    });
    return own;
  }
  std::uint64_t count = 0;
  eachTriangle(scene, [&](std::size_t, std::size_t, std::uint32_t) { ++count; });
  const std::uint64_t first = count * std::uint64_t(rank) / std::uint64_t(ranks),
                      end = count * (std::uint64_t(rank) + 1) / std::uint64_t(ranks);
  own.resize(count);
  const std::vector<std::uint32_t> order =
      how == Deal::Morton ? mortonOrder(scene) : std::vector<std::uint32_t>{};
  for (std::uint64_t i = first; i < end; ++i) own[order.empty() ? i : order[i]] = true;
  return own;
}

/// The parts with these triangles alone; their vertices and indices are appended to the share's.
std::vector<ScenePart> partsOf(const Scene& scene, const std::vector<bool>& own, Scene& share) {
  constexpr std::uint32_t kNotYet = UINT32_MAX;
  std::vector<ScenePart> parts(scene.parts.size());
  std::size_t triangle = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].name = scene.parts[p].name;
    for (SceneBatch batch : scene.parts[p].batches) {
      const std::uint32_t from = batch.firstIndex, end = from + batch.indexCount;
      std::vector<std::uint32_t> moved(batch.vertexCount, kNotYet);
      const std::uint32_t before =
          std::exchange(batch.firstVertex, std::uint32_t(share.vertices.size()));
      batch.firstIndex = std::uint32_t(share.indices.size());
      batch.bounds = {};
      for (std::uint32_t i = from; i < end; i += 3, ++triangle)
        for (std::uint32_t k = 0; own[triangle] && k < 3; ++k) {
          const std::uint32_t index = scene.indices[i + k];
          std::uint32_t& to = moved[index - before];
          if (to == kNotYet) {
            to = std::uint32_t(share.vertices.size());
            share.vertices.push_back(scene.vertices[index]);
          }
          share.indices.push_back(to);
          batch.bounds.add(positionOf(scene.vertices[index]));
        }
      batch.indexCount = std::uint32_t(share.indices.size()) - batch.firstIndex;
      batch.vertexCount = std::uint32_t(share.vertices.size()) - batch.firstVertex;
      if (batch.indexCount == 0) continue;
      parts[p].bounds.add(batch.bounds);
      parts[p].batches.push_back(batch);
    }
  }
  return parts;
}

}  // namespace

DealtScene deal(const std::shared_ptr<const Scene>& scene, Deal how, int rank, int ranks) {
  DealtScene dealt;
  const bool shadows = !scene->lighting.shadowBounds.empty();
  if (ranks == 1 || (how == Deal::Parts && shadows)) {
    dealt.scene = scene;
    for (auto p = std::size_t(rank); p < scene->parts.size(); p += std::size_t(ranks))
      dealt.parts.emplace_back(p, std::uint32_t(p));
    return dealt;
  }
  // The whole scene throws the shadows: its parts come first, and are not drawn otherwise.
  auto share = std::make_shared<Scene>(shadows ? *scene : cut(*scene, {}));
  share->bounds = scene->bounds, share->textures = scene->textures;
  std::vector<ScenePart> own = partsOf(*scene, ownTriangles(*scene, how, rank, ranks), *share);
  for (std::size_t p = 0; p < own.size(); ++p) {
    if (own[p].batches.empty()) continue;
    dealt.parts.emplace_back(share->parts.size(), std::uint32_t(p));
    share->parts.push_back(std::move(own[p]));
  }
  dealt.scene = std::move(share);
  return dealt;
}

InputsShare::InputsShare(gpu::Context& gpu, const Inputs& inputs, const MergeSetup& setup, Deal how,
                         int rank, int ranks, double thinError, std::vector<bool> own)
    : RankShare(inputs.count(), thinError),
      gpu_(gpu),
      inputs_(inputs),
      setup_(setup),
      own_(std::move(own)) {
  if (!own_.empty()) return;
  if (!inputs.scene()) {
    own_.resize(inputs.count());
    for (auto i = std::size_t(rank); i < own_.size(); i += std::size_t(ranks)) own_[i] = true;
    return;
  }
  dealt_ = deal(inputs.scene(), how, rank, ranks);
  pipeline_.sortMethod = setup.settings.sort;
}

std::vector<InputRows> InputsShare::packRegion(const Rect& region) {
  return inputs_.scene() ? packScene(region) : packImages(region);
}

std::vector<InputRows> InputsShare::packScene(const Rect& region) {
  if (!renderer_ && !dealt_.parts.empty())
    renderer_ = std::make_unique<SceneRenderer>(gpu_, dealt_.scene);
  std::vector<InputRows> all;
  SceneCapture::View view{inputs_.camera(), inputs_.size(), region};
  view.camera.fitDepth(inputs_.scene()->bounds);
  const DeepImage header = inputs_.header(setup_.shape.format);
  for (const auto& [part, input] : dealt_.parts) {
    PhaseWatch watch;
    pipeline_.scenes.capture(*renderer_, part, view, setup_.shape, lists_);
    gpu_.finish();
    pipeline_.scenes.expectAll();
    figures_.capture += watch.ms();
    watch = {};
    DeepImage image = downloadLists(pipeline_, lists_, inputs_.origin(), header);
    const Rect window = image.dataWindow;
    if (thinError_ > 0) image = thinned(input, image, window, 0);
    InputRows own{input, trimmed(image, window)};
    figures_.pack += watch.ms();
    note(lists_.fragmentCount, std::move(own), all);
  }
  return all;
}

std::vector<InputRows> InputsShare::packImages(const Rect& region) {
  PhaseWatch watch;
  const Rect window = inputs_.windowOf(region);
  std::vector<DeepImage> rows;
  if (inputs_.streamed()) rows = inputs_.streamed()->read({region.y, region.bottom()}, own_);
  const std::span<const DeepImage> images =
      inputs_.streamed() ? std::span<const DeepImage>(rows) : inputs_.images();
  figures_.capture += watch.ms();
  watch = {};
  std::vector<InputRows> all;
  std::uint32_t firstIndex = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (own_[i]) packImage(i, images[i], window, firstIndex, all);
    firstIndex += std::uint32_t(images[i].fragmentCount());
  }
  figures_.pack += watch.ms();
  return all;
}

// ---- Merging

template <class Work>
RowMerge::Facts DeviceMerge::run(std::vector<DeepImage>&& images, const Work& work) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < images.size(); ++i) names.push_back(inputs_.nameOf(i));
  Inputs arrived;
  arrived.adopt(std::move(*loaded(std::move(images), std::move(names))), setup_.settings.thickness);
  BandMerger merger(gpu_, arrived, MergeSetup(setup_.settings, arrived));
  Progress quiet;
  work(merger, quiet);
  return {merger.facts().fragmentsIn, merger.facts().thinned};
}

RowMerge::Facts DeviceMerge::merge(std::vector<DeepImage>&& images, const Rect&,
                                   const std::function<void(DeepImage&&)>& consume) {
  return run(std::move(images),
             [&](BandMerger& merger, Progress& quiet) { merger.merge(quiet, consume); });
}

RowMerge::Facts DeviceMerge::flatten(std::vector<DeepImage>&& images, const Rect&,
                                     const std::function<void(Image&&)>& consume) {
  return run(std::move(images),
             [&](BandMerger& merger, Progress& quiet) { merger.flatten(quiet, consume); });
}

}  // namespace fathom::deep
