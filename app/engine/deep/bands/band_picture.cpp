// SPDX-License-Identifier: BSD-3-Clause
// Bands are filled and shown one after the other: not all need to fit the device together.
#include "app/engine/deep/bands/band_picture.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/reference.h"
#include "app/engine/gpu/slices.h"

namespace fathom::deep {

BandPicture::BandPicture(const Inputs& inputs, BandStore& bands) : inputs_(inputs), bands_(bands) {
  stages_.add(
      "bands", [this] { return std::pair(key_, setup_.settings); },
      [this](double) { return bandStep(); },
      [this] {
        at_ = 0;
        tooLong_ = false;
        gpu::ensure(bands_.gpu(), next_, "merged image", gpu::TextureFormat::Rgba32f, key_.size);
      });
  stages_.add(
      "present", [] { return 0; }, [this](double) { return present(); });
}

bool BandPicture::proceed(double budgetMs) {
  return stages_.run(budgetMs, [this] { bands_.gpu().pace(); });
}

bool BandPicture::bandStep() {
  try {
    const BandStore::Step done = bands_.step(at_, [this](Band& band) { show(band); });
    if (done == BandStore::Step::Done) ++at_;
  } catch (const ListTooLong&) {
    tooLong_ = !inputs_.scene() && setup_.settings.show == Show::Picture;
    if (!tooLong_) throw;
  }
  return tooLong_ || at_ >= bands_.count();
}

void BandPicture::show(Band& band) {
  EditedMerge merge(bands_.pipeline(), setup_);
  if (setup_.settings.show == Show::HeatMap)
    return drawHeatMap(bands_.pipeline(), merge.counted(band), next_);
  if (setup_.isIndexed()) return;
  merge.composite(band, next_);
  // Asking waits for the device. Of so few fragments no operation makes 65,535 rounds: tidied they
  // are 4 n at most, and held each of these goes over the matte four times.
  constexpr std::uint64_t kFew = 48;
  std::uint64_t longest = 0;
  for (const FragmentLists& lists : band.inputs) longest += lists.longest;
  if (longest > kFew) bands_.pipeline().expectWhole();
}

bool BandPicture::present() {
  if (tooLong_ || (setup_.isIndexed() && setup_.settings.show == Show::Picture)) {
    // Lists that the device's loops do not finish, or colors that do not fit the words of a
    // fragment: once per set of inputs.
    Settings settings = withoutView(setup_.settings);
    settings.view.peel = setup_.settings.view.peel;
    settings.view.peelNumber = setup_.settings.view.peelNumber;
    if (onHost_.pixels.empty() || onHostInputs_ != key_.inputs || !(onHostSettings_ == settings)) {
      onHost_ = referencePicture(inputs_, bands_, setup_);
      onHostSettings_ = settings;
      onHostInputs_ = key_.inputs;
    }
    next_.upload(onHost_);
  }
  std::swap(shown_, next_);
  return true;
}

// ---- By the reference

namespace {

/// Captured anew, because bands that were shown may be gone; what is still there is released when
/// it is in the way.
void referenceOf(const Inputs& inputs, BandStore& bands, const MergeSetup& setup,
                 const Rect& region, Image& picture) {
  try {
    const DeepImage like = inputs.header(setup.shape.format);
    std::vector<DeepImage> parts;
    FragmentLists lists;
    for (std::size_t i = 0; i < inputs.count(); ++i) {
      bands.loadApart(i, region, lists);
      parts.push_back(downloadLists(bands.pipeline(), lists, {0, 0}, like));
    }
    const Edits edits = setup.edits(Purpose::Picture);
    const Image flat = gpu::runAsync([&parts, edits, region, peel = setup.settings.view.peeled()] {
      return flattenEdited(editedInputs(parts, edits), edits.merged, region, peel);
    });
    for (int y = 0; y < flat.height; ++y)
      for (int x = 0; x < flat.width; ++x) picture.at(x + region.x, y + region.y) = flat.at(x, y);
  } catch (const gpu::DoesNotFit& reason) {
    if (bands.releaseOthers(nullptr)) return referenceOf(inputs, bands, setup, region, picture);
    for (const Rect& part : cut(region, reason)) referenceOf(inputs, bands, setup, part, picture);
  }
}

}  // namespace

Image referencePicture(const Inputs& inputs, BandStore& bands, const MergeSetup& setup) {
  const Peel peel = setup.settings.view.peeled();
  const Rect all{0, 0, inputs.size().x, inputs.size().y};
  if (!inputs.scene()) {
    const Edits edits = setup.edits(Purpose::Picture);
    const Rect window = inputs.windowOf(all);
    if (edits.isNothing()) return reference::flatten(mergePlain(inputs.images()), window, peel);
    return flattenEdited(editedInputs(inputs.images(), edits), edits.merged, window, peel);
  }
  FATHOM_CHECK(bands.isAttached());
  Image picture(all.width, all.height);
  std::vector<Rect> regions;
  for (const Band& band : bands.bands()) regions.push_back(band.region);
  if (regions.empty()) regions.push_back(all);
  for (const Rect& region : regions) referenceOf(inputs, bands, setup, region, picture);
  return picture;
}

}  // namespace fathom::deep
