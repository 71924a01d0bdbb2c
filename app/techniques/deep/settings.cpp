// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/settings.h"

#include "app/techniques/deep/space.h"

namespace fathom::deep {

Method resolve(Method method, bool software) {
  if (method != Method::Auto) return method;
  return software ? Method::Stepwise : Method::RegisterBlock;
}

Strategy resolve(Strategy strategy, std::size_t inputCount) {
  if (inputCount < 3) return Strategy::Pairwise;
  return strategy == Strategy::Auto ? Strategy::KWay : strategy;
}

void describe(Settings& s, FieldVisitor& field) {
  const auto choiceOf = [](Dimension dimension) {
    const gpu::VariantDimension& d = kSpace.dimensions[dimension];
    return choice(std::string(d.name), gpu::valueNames(d), std::string(d.about))
        .explain(gpu::valueLines(d));
  };
  ChoiceField layout = choiceOf(kLayout);
  layout.values.emplace_back("auto");
  layout.about.emplace_back("the tuned one with its method, block size and slots, else bia");
  field(s.layout, layout.rebuilds());
  // Auto is not of the space: it stands for one of the others.
  ChoiceField method = choiceOf(kMethod);
  method.values.emplace_back("auto");
  method.about.emplace_back("rbm on GPUs, stepwise on software renderers");
  field(s.method, method);
  field(s.strategy,
        choice("strategy", {"pairwise", "kway", "auto"}, "How more than two inputs are merged.")
            .explain({"two by two, level by level (paper)",
                      "up to 16 in one pass: each fragment is read and written once", "kway"}));
  const Method blocks = s.method == Method::Stepwise ? s.method : Method::RegisterBlock;
  Settings chosen = s;
  if (s.layout == Layout::Auto) chosen.layout = Layout::BlockInterleaved;
  const std::string whyNot = kSpace.whyNot(variantOf(chosen, blocks), kBlockSize, 1);
  field(s.blockSize, choiceOf(kBlockSize).explain({}).onlyIf(whyNot.empty(), whyNot).rebuilds());
  field(s.slots, choiceOf(kSlots).rebuilds());
  field(s.saveMerged, toggle("save-merged",
                             "Write the merged deep image to memory, then flatten it; "
                             "off: composite while merging."));
  field(s.links, choice("links", {"push", "forward"}, "How a merged linked list is written.")
                     .explain({"one atomic per fragment, the list comes out back to front (paper)",
                               "one atomic per pixel, nodes in order"})
                     .onlyIf(s.layout == Layout::LinkedList, "only linked lists have links"));
  field(s.earlyOut,
        choice("early-out", {"off", "exact", "display"}, "When compositing leaves a list.")
            .explain({"never: every fragment is read", "when nothing behind can show (alpha 1)",
                      "below 1/512 of transmittance, half a step of 8 bits"}));
  field(s.captureFormat,
        choice("capture-format", {"rgba8", "half"}, "How fragments of a scene are stored.")
            .explain({"8 bytes: RGBA8 and float Z (paper)",
                      "16 bytes: half RGBA and float Z, as in EXR files"})
            .rebuilds());
  field(s.sort,
        choice("sort", {"auto", "network", "in-place"}, "How lists of up to 512 are sorted.")
            .explain({"network on GPUs, in-place on software renderers",
                      "in registers by sorting networks, runs of 32 merged (register block sort)",
                      "where the list lies, by Shell's sort or relinking: short code"})
            .rebuilds());
  field(s.show, choice("show", {"picture", "heat-map"}, "What the picture shows.")
                    .explain({"the composited colors", "fragments per pixel, by length class"}));
}

}  // namespace fathom::deep
