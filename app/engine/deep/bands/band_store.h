// SPDX-License-Identifier: BSD-3-Clause
// The lists of what is open, on the device: the picture in bands that fit its buffers, each with
// the lists of all inputs. Bands are filled input by input; those that have to go are filled again
// when they are needed. All bands were filled for the same ListsKey.
#pragma once

#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/lists/scene_capture.h"

namespace fathom::deep {

/// A region with its inputs on the device and room for what is merged of them.
struct Band {
  Rect region;
  std::vector<FragmentLists> inputs;  // the first `loaded` hold the region's fragments
  std::size_t loaded = 0;
  std::vector<FragmentLists> merged, edited, mattes;
  FragmentLists* whole = nullptr;  // all inputs merged by these settings
  Settings wholeSettings;

  std::uint64_t fragmentCount = 0;  // of all inputs, when they were last there

  void noteFragments();
  void release();
};

/// Puts the fragments of inputs into lists: images are uploaded, parts of a scene drawn.
class InputLoader {
 public:
  explicit InputLoader(gpu::Context& gpu) : gpu_(gpu), pipeline_(gpu) {}

  Pipeline& pipeline() { return pipeline_; }
  gpu::Context& gpu() { return gpu_; }
  void dropScene() { scene_.reset(), renderer_.reset(); }
  /// One input in a region of the picture. `images` are those of the inputs, or rows of them;
  /// `counted`: what is known of a part of a scene.
  void load(const Inputs& inputs, std::span<const DeepImage> images, const MergeSetup& setup,
            std::size_t input, const Rect& region, FragmentLists& out,
            const shared::Summary* counted = nullptr);
  /// One input of a band, in its region.
  void load(const Inputs& inputs, std::span<const DeepImage> images, const MergeSetup& setup,
            std::size_t input, Band& band);
  /// The next input of a band. Parts of a scene are counted before the first: one wait for all.
  void loadNext(const Inputs& inputs, std::span<const DeepImage> images, const MergeSetup& setup,
                Band& band);

 private:
  static void open(const Inputs& inputs, Band& band);
  SceneCapture::View viewOf(const Inputs& inputs, const Rect& region);
  gpu::Context& gpu_;
  Pipeline pipeline_;
  std::shared_ptr<const Scene> scene_;
  std::unique_ptr<SceneRenderer> renderer_;  // of that scene
  std::vector<shared::Summary> counted_;     // parts of the band that loadNext() fills
};

class BandStore {
 public:
  explicit BandStore(const Inputs& inputs) : inputs_(inputs) {}

  /// Works on this device from now on; true when it is another one: everything is gone.
  bool attach(gpu::Context& gpu);
  bool isAttached() const { return loader_ != nullptr; }
  gpu::Context& gpu() { return loader_->gpu(); }
  Pipeline& pipeline() { return loader_->pipeline(); }

  /// What lists are to hold. When it is something else than they do, all are filled again, in the
  /// bands and buffers that there are while these cover the picture.
  void require(const ListsKey& key, const MergeSetup& setup);
  const ListsKey& key() const { return key_; }
  /// All are filled again.
  void invalidate();
  /// Lists and the scene's triangles are dropped.
  void clear();

  std::size_t count() const { return bands_.size(); }
  Band& operator[](std::size_t i) { return bands_[i]; }
  std::span<const Band> bands() const { return bands_; }
  std::uint64_t fragmentCount() const;

  /// Fills band `i` with one more input, or, when all are there, runs `work`. What does not fit
  /// makes room by releasing the other bands; when that is not enough the band is cut, and its
  /// parts take its place.
  enum class Step { More, Done, Cut };
  Step step(std::size_t i, const std::function<void(Band&)>& work);
  /// All inputs of a band at once. Throws DoesNotFit when they do not fit alone.
  void ensureLoaded(Band& band);
  bool isLoaded(const Band& band) const { return band.loaded == inputs_.count(); }

  /// One input of a region besides all bands. Throws DoesNotFit.
  void loadApart(std::size_t input, const Rect& region, FragmentLists& out);
  /// Releases all bands but one; true when there was something to release.
  bool releaseOthers(const Band* kept);

 private:
  void split(std::size_t index, const gpu::DoesNotFit& reason);

  const Inputs& inputs_;
  std::unique_ptr<InputLoader> loader_;
  ListsKey key_;
  MergeSetup setup_;
  std::vector<Band> bands_;
};

}  // namespace fathom::deep
