// SPDX-License-Identifier: BSD-3-Clause
// The last step, from tile lists to the picture: one of the variants of accumulate.comp, or smooth
// discs outside their space; and which of them a shot uses. Chunks of a subgroup need what GL 4.5
// lacks: three back ends, chosen by what the device offers and proven on it before use.
#pragma once

#include "app/engine/dof/lens/aperture_map.h"
#include "app/engine/dof/shot.h"
#include "app/engine/dof/splats/pipeline.h"
#include "app/engine/dof/variants/deep_slices.h"
#include "app/engine/dof/variants/space.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/tuning.h"
#include "shaders/dof/shared.h"

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
  /// lists in the layout of nodeKind(variant). The caller has made both visible to Access::Storage
  /// and Access::Texture, and issues the barrier for the reader of the picture. `translucent`: some
  /// fragments are, which node b cannot hold. `longest` list: what is longer than
  /// params.partEntries (0: listPart()) is gone through in parts. Throws Error when the device
  /// cannot hold what the variant needs.
  void run(const Variant& variant, const gpu::RawBuffer& tileBegin, const gpu::RawBuffer& nodes,
           const shared::Params& params, const shared::Optics& optics, const gpu::Texture& result,
           bool translucent = false, std::uint32_t longest = 0);

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

/// Entries of a list that the device takes at once: see DOF_LIST_PART.
std::uint32_t listPart(const gpu::Context& gpu);
/// The pass of a variant, compiled or not.
gpu::PassKey accumulateKey(const Variant& variant, WarpBackEnd backEnd, bool translucent = false);
/// The generated source of a variant; its first lines name id and targets.
std::string variantSource(const Variant& variant, WarpBackEnd backEnd);
/// A text that changes with the template and each of its features: what a tuned result is for.
std::string templateHash();

/// What stands in the place of color: four values of each splat of the band; or with `groups` above
/// 0 twice an ID and what is shown of it, of which groups want DOF_IDS each.
struct ListValues {
  gpu::Buffer<glm::uvec4> values;  // [splatCount]
  gpu::TexelView texels;           // of the same
  gpu::Words wanted;               // [groups][DOF_IDS + 1]: a tile of the band, its IDs
  std::uint32_t groups = 0;
};

/// Accumulates the band of the pipeline's lists (made with `area`) into its region of `picture`
/// (rgba32f): premultiplied color, alpha; and into `slices`, if any, which are of the band; or with
/// `values` those, of the tiles that want them. Over, Coverage, Slabs (without slices) or
/// LensCells. Ends with the barrier for display and download.
void accumulateArea(gpu::Context& gpu, const Pipeline& pipeline, const shared::Optics& optics,
                    Operator op, const gpu::Texture& picture, const ListSlices* slices = nullptr,
                    const ListValues* values = nullptr);
/// `data`: of the shader; 1: values, 2: IDs in the place of color.
gpu::PassKey accumulateKey(const gpu::Context& gpu, const Pipeline& pipeline, Operator op,
                           int keyWords, int slices = 0, int data = 0);

/// "r8", "r16-coverage", ...: the class of work that a variant is tuned for.
std::string workloadClass(int radius, bool coverage);

/// The variant of a shot that does not leave accumulation to smooth discs: the one of the settings,
/// or for "tuned" the one that was tuned for this device, else the default; with the order of the
/// operator.
class VariantChoice {
 public:
  /// Looks up what "tuned" means for this shot on this device.
  void update(const gpu::Context& gpu, VariantRunner& runner, const Shot& shot);
  /// Throws UsageError when the settings name no variant.
  Variant of(const Shot& shot) const;
  /// What the profile says about it; may be empty.
  const std::string& note() const { return tuned_.note(); }

 private:
  std::string automatic_{kDefaultVariant};  // what "tuned" means
  TunedChoice tuned_{"dof", kSpace};        // where that comes from
};

}  // namespace fathom::dof
