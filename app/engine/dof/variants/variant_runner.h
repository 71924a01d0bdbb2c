// SPDX-License-Identifier: BSD-3-Clause
// Runs one of the variants of accumulate.comp over the lists of a band. Chunks of a subgroup need
// what GL 4.5 lacks: three back ends, chosen by what the device offers and proven on it before use.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/dof/variants/space.h"
#include "shaders/dof/shared.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::dof {

/// How the lanes of a subgroup share nodes: KHR_shader_subgroup with shared memory,
/// ARB_shader_ballot with registers, or emulated: chunks of 32 with barriers of the whole group.
enum class WarpBackEnd { Khr, Arb, Emulated };
const char* nameOf(WarpBackEnd backEnd);  // "khr", "arb", "emu"
/// What the device offers, best first; Emulated is always there.
std::vector<WarpBackEnd> offeredBackEnds(const gpu::Context& gpu);

class VariantRunner {
 public:
  explicit VariantRunner(gpu::Context& gpu) : gpu_(&gpu) {}
  /// With a given back end, for tests and comparison.
  VariantRunner(gpu::Context& gpu, WarpBackEnd backEnd) : gpu_(&gpu), backEnd_(backEnd) {}

  /// Writes the band's pixels of `result`. `tileBegin` is uint[band tiles + 1], `nodes` holds the
  /// lists in the layout of nodeKind(variant). The caller has made both visible to Reader::Storage
  /// and Reader::Texture, and issues the barrier for the reader of the picture. `translucent`: some
  /// fragments are, which node b cannot hold. Throws Error when the device cannot hold what the
  /// variant needs.
  void run(const Variant& variant, const gpu::RawBuffer& tileBegin, const gpu::RawBuffer& nodes,
           const shared::Params& params, const shared::Optics& optics, const gpu::Texture& result,
           bool translucent = false);

  /// The best back end that gives correct results on this device; the first call runs two small
  /// variants with each candidate and compares them with the reference.
  WarpBackEnd backEnd();
  /// The back end that a variant uses here; the one of chunks of a group does not matter.
  WarpBackEnd backEndFor(const Variant& variant);

 private:
  gpu::Context* gpu_;
  std::optional<WarpBackEnd> backEnd_;
  gpu::TexelView texels_;
};

/// The pass of a variant, compiled or not.
gpu::PassKey accumulateKey(const Variant& variant, WarpBackEnd backEnd, bool translucent = false);
/// The generated source of a variant; its first lines name id and targets.
std::string variantSource(const Variant& variant, WarpBackEnd backEnd);
/// A text that changes with the template and each of its features: what a tuned result is for.
std::string templateHash();

}  // namespace fathom::dof
