// SPDX-License-Identifier: BSD-3-Clause
// The passes over deep images and their order: capture or upload, sort, merge, composite, download.
// Each call works on one region; a region that does not fit the device's buffers throws DoesNotFit
// and the caller cuts it. Source: Archer, Leach, van Schyndel, "GPU based
// techniques for deep image merging", Computational Visual Media 2018.
#pragma once

#include "app/gpu/pass.h"
#include "app/gpu/scan.h"
#include "app/scene/scene_renderer.h"
#include "app/techniques/deep/fragment_lists.h"
#include "app/techniques/deep/operations.h"
#include "app/techniques/deep/points.h"
#include "shaders/deep/shared.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fathom::deep {

/// A buffer of this region would pass the device's limit: cut the region.
class DoesNotFit : public Error {
 public:
  /// `need` and `limit` in one unit; unequal pieces get 15 percent of room.
  DoesNotFit(const std::string& message, double need, double limit);
  int pieces;  // at least 2: so many should fit
};

/// A region as at least two regions and at most `reason.pieces`, top first: by rows at multiples of
/// 8, a single strip by columns at multiples of 4, left first. Throws Error with the reason when it
/// is a single block of 4 x 8 pixels.
std::vector<Rect> cut(const Rect& region, const DoesNotFit& reason);

/// Depth-complexity classes of the heat map: upper bound (inclusive) and colour; the last has no
/// bound.
struct HeatClass {
  std::uint32_t most;
  glm::vec3 color;  // linear
};
const std::array<HeatClass, 10>& heatClasses();

class Pipeline {
 public:
  explicit Pipeline(gpu::Context& gpu);

  /// Draws the part, keeps every fragment with alpha > 0 and sorts the lists. Region in pixels of
  /// the picture.
  void capture(SceneRenderer& renderer, std::size_t part, const Camera& camera, glm::ivec2 picture,
               const Rect& region, const ListShape& shape, FragmentLists& out);
  /// Fills the layout from an image whose pixel (origin.x, origin.y) is pixel (0, 0) of the
  /// picture. Lists that are not sorted yet are sorted by (Z, ZBack, words).
  void upload(const DeepImage& image, glm::ivec2 origin, const Rect& region, const ListShape& shape,
              FragmentLists& out);

  /// Auto is InPlace on software renderers and Network elsewhere.
  void setSort(SortMethod method) { sortMethod_ = method; }

  /// Saves the merged deep image; equal (Z, ZBack) keeps `front` first. Linked lists of unequal
  /// direction are brought into one: the inputs may be turned around.
  void merge(FragmentLists& front, FragmentLists& back, const Settings& settings,
             FragmentLists& out);
  /// Composites while merging, into the region of `picture` (Rgba32f).
  void mergeComposite(FragmentLists& front, FragmentLists& back, const Settings& settings,
                      const gpu::Texture& picture);

  /// Puts the lists of several images (one shape, one region) into the same buffers, one image
  /// after the other, by copying them once; nothing happens when they are there already. A list
  /// whose buffers are not made yet gets room for its fragmentCount: a merge writes into it later.
  void pool(std::span<FragmentLists* const> lists);
  /// Saves 3 to DEEP_MAX_WAYS inputs as one deep image, in one pass over all of them; equal (Z,
  /// ZBack) keeps the first in front. The inputs are pooled.
  void mergeMany(std::span<FragmentLists* const> inputs, const Settings& settings,
                 FragmentLists& out);
  /// Composites them instead.
  void mergeManyComposite(std::span<FragmentLists* const> inputs, const Settings& settings,
                          const gpu::Texture& picture);

  /// Merges any number of inputs by settings.strategy, until one is left or, for compositing, as
  /// many as composite() takes at once. The lists that are left, in order, point into `inputs` and
  /// `merged`, which keeps what lies between.
  std::vector<FragmentLists*> mergeDown(std::span<FragmentLists* const> inputs,
                                        std::vector<FragmentLists>& merged,
                                        const Settings& settings, bool toOne);
  std::vector<FragmentLists*> mergeDown(std::span<FragmentLists> inputs,
                                        std::vector<FragmentLists>& merged,
                                        const Settings& settings, bool toOne);
  /// Composites one list, two, or many.
  void composite(std::span<FragmentLists* const> lists, const Settings& settings,
                 const gpu::Texture& picture);
  void flatten(const FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture);
  /// Flattens only the fragments that are peeled out (peel.cpp).
  void peel(const FragmentLists& lists, const Peel& peel, EarlyOut earlyOut,
            const gpu::Texture& picture);
  /// Fragments of the lists whose pixels lie in a region of the picture (collect_points.cpp).
  std::uint64_t countPoints(const FragmentLists& lists, const Rect& region);
  /// Makes the lists' fragments points of the cloud's plan; `base` fragments came before. Returns
  /// how many fragments these were.
  std::uint64_t collectPoints(const FragmentLists& lists, int source, std::uint64_t base,
                              PointCloud& cloud);
  /// Colors the region of `picture` by the number of fragments in all inputs.
  void heatMap(std::span<FragmentLists* const> inputs, const gpu::Texture& picture);

  // Operations (operations.h); `in` is sorted, and linked lists that run back to front are turned
  // around. `out` is another object.
  void editDepths(FragmentLists& in, const InputEdit& edit, bool hasVolumes, FragmentLists& out);
  /// `in` has no volumes, or is tidy.
  void hold(FragmentLists& in, FragmentLists& matte, Role role, FragmentLists& out);
  void tidy(FragmentLists& in, FragmentLists& out);
  void dropHidden(FragmentLists& in, float alpha, FragmentLists& out);
  /// Returns how far light that shows was moved.
  float thin(FragmentLists& in, int most, FragmentLists& out);
  /// Composites what tidy() would make, in float: nothing is rounded in between.
  void flattenTidy(FragmentLists& lists, EarlyOut earlyOut, const gpu::Texture& picture);

  /// Back to the CPU in raster order: `like` says format and channels; the data window is the
  /// region moved by `origin`.
  DeepImage download(const FragmentLists& lists, glm::ivec2 origin, const DeepImage& like);
  /// Fragments per pixel of the region, raster order, summed over the inputs.
  std::vector<std::uint32_t> downloadCounts(std::span<FragmentLists* const> inputs);
  /// The words of one pixel's list, front to back; the pixel is inside the region.
  std::vector<std::uint32_t> readList(const FragmentLists& lists, int x, int y);

  /// Wall time spent on copying to and from the device so far.
  double uploadMs() const { return uploadMs_; }
  double downloadMs() const { return downloadMs_; }

 private:
  shared::Params params(const FragmentLists& lists) const;
  gpu::Pass& pass(const std::string& name, const std::string& file, const ListShape& shape,
                  std::vector<gpu::Define> defines = {});
  gpu::Program& bind(gpu::Program& program, const FragmentLists& lists, unsigned index = 0);
  void prepare(FragmentLists& out, const Rect& region, const ListShape& shape);
  void reserve(FragmentLists& out, std::uint64_t fragments);
  void expectRoom(const std::string& name, std::uint64_t words, std::int64_t freed) const;
  void ensure(gpu::Buffer<std::uint32_t>& buffer, const std::string& name, std::uint64_t words);
  void ensure(Words& part, const std::string& name, std::uint64_t words);
  shared::Summary summarize(FragmentLists& lists);
  void rankLists(FragmentLists& lists);
  std::optional<shared::Summary> arrange(const gpu::BufferRange& offsets,
                                         const gpu::BufferRange& fragments, bool fromSlots,
                                         bool sorted, FragmentLists& out);
  void arrange(const FragmentLists& linear, FragmentLists& out);
  void captureLinked(FragmentLists& out, const std::function<void(gpu::RasterPass&)>& draw);
  void captureArray(FragmentLists& out, const std::function<void(gpu::RasterPass&)>& draw);
  void sort(FragmentLists& lists, const shared::Summary& summary);
  shared::Summary readSummary();
  std::uint64_t startPoints(const FragmentLists& lists, const Rect& region);
  void countRaster(std::span<FragmentLists* const> inputs);
  void sortLong(FragmentLists& lists, const shared::Summary& summary);
  void alignDirections(std::span<FragmentLists* const> inputs);
  std::vector<gpu::Define> mergeDefines(const FragmentLists& input, const Settings& settings) const;
  gpu::Program& bindPool(gpu::Program& program, std::span<FragmentLists* const> inputs);
  gpu::Pass& manyPass(std::span<FragmentLists* const> inputs, const ListShape& shape,
                      const Settings& settings, std::vector<gpu::Define> defines);
  void toRaster(const FragmentLists& lists);
  /// Each list in one piece, front to back.
  void linearize(const FragmentLists& lists, FragmentLists& out);
  void reverse(FragmentLists& lists);
  void ascend(FragmentLists& lists);
  void tabulate(FragmentLists& lists);
  struct EditPass {
    std::string name, file;
    std::array<std::uint32_t, 4> words{};  // count, spareA, spareB, spareC of its params
    bool usesScratch = false;              // 4 words per fragment of the input
    bool countsApart = false;              // a program that only counts (COUNTS 1)
    bool sorts = false;                    // lists may come out unsorted
  };
  std::uint32_t edit(const EditPass& wanted, FragmentLists& in, FragmentLists* matte,
                     FragmentLists& out);

  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  gpu::Buffer<shared::Summary> summary_;
  gpu::Buffer<std::uint32_t> nodes_, order_, groups_, raster_, rasterOffsets_, linear_;
  gpu::Buffer<std::uint32_t> longLists_, longScratch_, heat_;
  FragmentLists plain_;                            // linearized, on the way to RIA
  FragmentLists plainIn_, plainMatte_, plainOut_;  // and for operations on it
  gpu::Target target_;
  SortMethod sortMethod_ = SortMethod::Auto;
  double uploadMs_ = 0, downloadMs_ = 0;
  glm::ivec2 targetSize_{0};
};

}  // namespace fathom::deep
