// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/dof/accumulator.h"

namespace fathom::dof {

void accumulateShaped(gpu::Context& gpu, const Pipeline& pipeline, const shared::Optics& optics,
                      Operator op, const gpu::Texture& picture) {
  const TileLists& lists = pipeline.lists();
  std::vector<gpu::Define> defines{{"OPERATOR", int(op)}, {"BLADES", optics.blades > 0 ? 1 : 0}};
  if (op == Operator::Slabs) defines.emplace_back("KEY_WORDS", pipeline.keyWords());
  gpu::Pass& pass = gpu.pass({"accumulate shaped", "shaders/dof/accumulate_shaped.comp", defines});
  pass.storage(DOF_BIND_TILE_BEGIN, *lists.tileBegin).storage(DOF_BIND_NODES, *lists.nodes);
  if (op == Operator::Slabs)
    pass.storage(DOF_BIND_KEYS, pipeline.keys()).storage(DOF_BIND_DEPTHS, pipeline.depths());
  pass.image(DOF_IMAGE_RESULT, picture)
      .params(DOF_BIND_PARAMS, lists.params)
      .params(DOF_BIND_OPTICS, optics);
  pass.dispatchGroups(lists.tileCount());
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer);  // display
}

}  // namespace fathom::dof
