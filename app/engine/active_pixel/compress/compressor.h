// SPDX-License-Identifier: BSD-3-Clause
// Compression on the GPU, from textures to IceT's bytes in mapped memory: the paper's five steps,
// and a fused form that scans once and keeps no per-pixel arrays. Both give the same bytes.
#pragma once

#include "app/engine/active_pixel/compress/device_image.h"
#include "app/engine/active_pixel/image/model.h"
#include "app/engine/active_pixel/settings.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "shaders/active_pixel/shared.h"

namespace fathom::active_pixel {

class TextureSource;

/// The input of the compressor. Textures as drawn: texel row 0 is the bottom row. `depth` is
/// Depth32f or R32f; null for blending.
struct CompressRequest {
  const gpu::Texture* color = nullptr;  // Rgba8, Rgba16f or Rgba32f; null: depth only
  const gpu::Texture* depth = nullptr;
  Format format;
  int width = 0, height = 0;           // of the compressed image
  std::optional<Placement> placement;  // none: tile and textures are the same
  /// About how large the image will be, such as the one of the frame before: somewhat more is
  /// copied with its size, and one wait brings both. 0: the size is waited for first.
  std::size_t expectedBytes = 0;
  /// Views of these textures, made before; else they are made for this image.
  const TextureSource* source = nullptr;
};

/// Sparse images on their way to the host. A slot may be written to by whoever reads it (IceT
/// does), and is used again as many images later as there are slots.
class Compressor {
 public:
  static constexpr int kSlots = 3;
  explicit Compressor(gpu::Context& gpu, int slots = kSlots);
  ~Compressor();

  /// Compresses on the GPU; the result stays there until it is asked for. Returns the slot.
  int compress(const CompressRequest& request, Method method);
  /// The bytes: exactly as many as the image declares, inside a writable buffer of bufferBytes().
  /// Waits when they are not there yet.
  struct Result {
    std::span<std::uint32_t> words;
    std::size_t capacityBytes = 0;
    std::uint64_t active = 0, runs = 0;
  };
  Result result(int slot);
  /// On the GPU, with what the decoder and the compositor need; indexed when the method was Fused.
  const DeviceImage& image(int slot) const;

  /// How work lies on the device: one invocation per mask word, or side by side. Chosen by the
  /// device; tests ask for the other. Both give the same bytes.
  void setSpread(bool spread);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ---- The textures of a frame

/// Bound for the passes that compress them: as words where a view gives them bit for bit, as floats
/// where not.
class TextureSource {
 public:
  TextureSource() = default;
  /// Checks that the textures serve the request's format.
  TextureSource(gpu::Context& gpu, const CompressRequest& request);
  /// Of every pass that reads them, shaders/active_pixel/texels.glsl.
  std::vector<gpu::Define> defines() const;
  void bind(gpu::Pass& pass) const;

 private:
  const gpu::Texture *color_ = nullptr, *depth_ = nullptr;  // null: not needed, or seen as words
  gpu::WordView colorWords_, depthWords_;
};

}  // namespace fathom::active_pixel
