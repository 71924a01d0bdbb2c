// SPDX-License-Identifier: BSD-3-Clause
// The table of settings: names, ranges and help.
#include "app/engine/flame/render/settings.h"

namespace fathom::flame {

const char* nameOf(Accumulate mode) {
  constexpr const char* names[] = {"auto", "direct", "atomic", "deferred"};
  return names[int(mode)];
}

void describe(Settings& s, FieldVisitor& field) {
  const auto picture = under(Section::Picture, field);
  field(s.quality, range("quality", 0, 1000000, "Samples per pixel; 0: what the genome says.")
                       .under(Section::Limits)
                       .label("Quality (samples/pixel)")
                       .zeroMeans("As in the genome", 100));
  picture(s.supersample,
          range("supersample", 0, 8, "Buckets per pixel along each axis; 0: what the genome says.")
              .zeroMeans("As in the genome", 2));
  field(s.accumulate,
        choice("accumulate", {"auto", "direct", "atomic", "deferred"}, "How hits are added up.")
            .label("Accumulation")
            .titled({"Automatic", "Direct", "Atomic", "Deferred"})
            .explain({"the fastest exact way on this device",
                      "unsynchronized: hits that meet are lost (paper)",
                      "integer atomics: exact in any order",
                      "written to a log, sorted by address, added in shared memory (paper)"}));
  field(s.sortBits, range("sort-bits", 7, 10, "Address bits that the log is sorted by.")
                        .label("Sort bits")
                        .onlyIf(s.accumulate == Accumulate::Deferred, "only deferred has a log"));
  picture(s.antialias, choice("antialias", {"filter", "jitter"}, "How edges are antialiased.")
                           .label("Antialiasing")
                           .titled({"Spatial filter", "Jittered samples"})
                           .explain({"supersampling and the genome's spatial filter, as flam3",
                                     "samples moved by a Gaussian, one bin per pixel (paper)"}));
  picture(s.estimator, choice("estimator", {"fast", "exact", "off"}, "Density estimation.")
                           .label("Density estimation")
                           .titled({"Fast", "Exact", "Off"})
                           .explain({"wide kernels at reduced resolution",
                                     "every kernel at every bin, as flam3", "none"}));
  picture(s.edgeClamp, toggle("edge-clamp", "Keep edges sharp where density changes (paper)."));
  picture(s.transparent,
          toggle("transparent", "Keep alpha instead of putting it on the background.")
              .label("Transparent background"));
  field(s.restart, range("restart", 0, 100000000,
                         "Samples after which a trajectory starts anew; 0: never. flam3: 10000.")
                       .label("Restart trajectories"));
}

}  // namespace fathom::flame
