// SPDX-License-Identifier: BSD-3-Clause
// The table of settings: names, ranges and help.
#include "app/techniques/flame/render/settings.h"

namespace fathom::flame {

const char* nameOf(Accumulate mode) {
  constexpr const char* names[] = {"auto", "direct", "atomic", "deferred"};
  return names[int(mode)];
}

void describe(Settings& s, FieldVisitor& field) {
  field(s.quality, range("quality", 0, 1000000, "Samples per pixel; 0: what the genome says."));
  field(s.supersample,
        range("supersample", 0, 8, "Buckets per pixel along each axis; 0: what the genome says.")
            .rebuilds());
  field(s.accumulate,
        choice("accumulate", {"auto", "direct", "atomic", "deferred"}, "How hits are added up.")
            .explain({"the fastest exact way on this device",
                      "unsynchronized: hits that meet are lost (paper)",
                      "integer atomics: exact in any order",
                      "written to a log, sorted by address, added in shared memory (paper)"})
            .rebuilds());
  field(s.sortBits, range("sort-bits", 7, 10, "Address bits that the log is sorted by.")
                        .onlyIf(s.accumulate == Accumulate::Deferred, "only deferred has a log")
                        .rebuilds());
  field(s.antialias, choice("antialias", {"filter", "jitter"}, "How edges become smooth.")
                         .explain({"supersampling and the genome's spatial filter, as flam3",
                                   "samples moved by a Gaussian, one bucket per pixel (paper)"})
                         .rebuilds());
  field(s.estimator, choice("estimator", {"fast", "exact", "off"}, "Density estimation.")
                         .explain({"wide kernels at reduced resolution",
                                   "every kernel at every bucket, as flam3", "none"}));
  field(s.edgeClamp, toggle("edge-clamp", "Keep edges sharp where density changes (paper)."));
  field(s.transparent,
        toggle("transparent", "Keep alpha instead of putting it on the background."));
}

}  // namespace fathom::flame
