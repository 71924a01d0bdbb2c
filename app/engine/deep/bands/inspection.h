// SPDX-License-Identifier: BSD-3-Clause
// The fragments of the pixel under the cursor, front to back, as they would be saved; and the
// surface there.
#pragma once

#include "app/engine/deep/bands/band_store.h"
#include "app/engine/inspect.h"

namespace fathom::deep {

/// What an ID of an input stands for.
struct PickedObject {
  std::size_t input = 0;
  std::uint32_t id = 0;
  std::string name;  // of the manifest; the number where it has none
};

class PixelInspection {
 public:
  /// All must outlive this. `isIdle`: nobody works on the bands, and they may be filled.
  PixelInspection(const Inputs& inputs, BandStore& bands, const Settings& settings,
                  std::function<bool()> isIdle)
      : inputs_(inputs), bands_(bands), settings_(settings), isIdle_(std::move(isIdle)) {}

  std::optional<PixelReport> inspect(int x, int y);
  /// The object, by the first ID channel, that shows most of a pixel of files; none without IDs.
  std::optional<PickedObject> object(int x, int y);
  std::optional<glm::vec3> pick(int x, int y);

 private:
  struct Sourced {
    Fragment fragment;
    int source;  // the input that it came from
    std::vector<std::uint32_t> ids = {};
  };
  /// The picture is one of pixels, and (x, y) one of them.
  bool hasPixel(int x, int y) const;
  std::vector<Sourced> listAt(int x, int y);
  /// Calls `visit` for each band with the pixel that is filled, or can be now.
  void visitBands(int x, int y, const std::function<void(const Band&)>& visit);

  const Inputs& inputs_;
  BandStore& bands_;
  const Settings& settings_;
  std::function<bool()> isIdle_;
};

}  // namespace fathom::deep
