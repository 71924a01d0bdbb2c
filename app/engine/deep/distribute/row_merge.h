// SPDX-License-Identifier: BSD-3-Clause
// How a rank merges the rows that it was dealt from what has arrived for them. On the processor
// here; on a device in device_ranks.h.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

class RowMerge {
 public:
  virtual ~RowMerge() = default;

  struct Facts {
    std::uint64_t fragments = 0;  // that were merged
    ThinReport thinned;           // of the result
  };
  /// `images`: of each input the fragments within `rows` (image coordinates), one image each; not
  /// sorted where several ranks had some. Hands the result over in one or several images or strips
  /// of full width, top first.
  virtual Facts merge(std::vector<DeepImage>&& images, const Rect& rows,
                      const std::function<void(DeepImage&&)>& consume) = 0;
  virtual Facts flatten(std::vector<DeepImage>&& images, const Rect& rows,
                        const std::function<void(Image&&)>& consume) = 0;
};

/// In double, of any format. What shares a depth within one input comes in the order of its bytes:
/// the result does not tell how many ranks brought it.
class HostMerge : public RowMerge {
 public:
  explicit HostMerge(const MergeEdit& edit) : edit_(edit) {}
  Facts merge(std::vector<DeepImage>&& images, const Rect& rows,
              const std::function<void(DeepImage&&)>& consume) override;
  Facts flatten(std::vector<DeepImage>&& images, const Rect& rows,
                const std::function<void(Image&&)>& consume) override;

 private:
  MergeEdit edit_;
};

/// The fragments of several images of one input and window, pixel by pixel; the lists are not
/// sorted.
DeepImage together(std::vector<DeepImage>&& images);
/// Sorts each list by (Z, ZBack), then by all that a fragment holds.
void sortByContent(DeepImage& image);

}  // namespace fathom::deep
