// SPDX-License-Identifier: BSD-3-Clause
// What accumulate_area.comp needs, and how it is compiled: on software renderers, whose lanes are
// few, an invocation works on four pixels and lanes tell each other what they all need.
#include "app/engine/dof/splats/accumulate.h"

#include "app/engine/gpu/dispatch_cost.h"

namespace fathom::dof {

std::vector<gpu::Define> apertureDefines(const ListRequest& request) {
  return {{"SHAPE", request.mapped ? 1 : 0},
          {"FIELD", request.varies ? 1 : 0},
          {"CHROMA", request.colored ? 1 : 0}};
}

bool readsRecordTexels(const gpu::Context& gpu) { return gpu.device().software; }

void accumulateArea(gpu::Context& gpu, const Pipeline& pipeline, const shared::Optics& optics,
                    Operator op, const gpu::Texture& picture) {
  FATHOM_CHECK(pipeline.request().area && pipeline.request().tables);
  const bool software = readsRecordTexels(gpu);
  const bool tells = software && gpu.capabilities().shaderBallot && gpu.capabilities().groupVote;
  std::vector<gpu::Define> defines = apertureDefines(pipeline.request());
  const bool hidden = op == Operator::Coverage && pipeline.source().kind() != 0;
  defines.insert(defines.end(), {{"OPERATOR", int(op)},
                                 {"HIDDEN", hidden ? 1 : 0},
                                 {"KEY_WORDS", pipeline.keyWords()},
                                 {"ROWS", software ? 4 : 1},
                                 {"SUBGROUP_READS", tells ? 1 : 0}});
  gpu::Pass& pass = gpu.pass({"accumulate", "shaders/dof/accumulate_area.comp", defines});
  const TileLists& lists = pipeline.lists();
  pass.storage(DOF_BIND_TILE_BEGIN, *lists.tileBegin)
      .storage(DOF_BIND_KEYS, pipeline.keys())
      .storage(DOF_BIND_COLORS, pipeline.records())
      .texture(DOF_TEXTURE_APERTURE, pipeline.request().tables->map())
      .params(DOF_BIND_PARAMS, lists.params)
      .params(DOF_BIND_OPTICS, optics)
      .storage(DOF_BIND_STATS, pipeline.stats())
      .image(DOF_IMAGE_RESULT, picture);
  if (software) pass.texels(DOF_TEXELS_RECORDS, pipeline.recordTexels());
  if (op == Operator::Slabs) pass.storage(DOF_BIND_DEPTHS, pipeline.depths());
  // An entry is tested for each sub-tile, and where it reaches for its pixels.
  gpu::dispatchGroups(pass, lists.tileCount(),
                      gpu::DispatchCost{20.0 * DOF_TILE_PIXELS * lists.params.capacity});
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

}  // namespace fathom::dof
