// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/settings.h"

#include "app/techniques/flame/io.h"

namespace fathom::flame {
namespace {

constexpr float kMaxTime = 100000;  // frames

/// A field on which the picture at the playhead does not depend.
template <class Field>
Field drawsNothing(Field field) {
  field.info.effect = Effect::None;
  return field;
}

}  // namespace

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

void describe(PlayheadSettings& s, FieldVisitor& field) {
  field(s.flame, range("flame", 1, kMaxFlames, "Which flame of a file with several.").rebuilds());
  field(s.time, range("time", -kMaxTime, kMaxTime,
                      "Time shown of a film (flames with ascending times), in frames."));
}

void describe(PlaybackSettings& s, FieldVisitor& field) {
  field(s.frameRate, drawsNothing(range("frame-rate", kMinFrameRate, kMaxFrameRate,
                                        "Frames per second when a film plays in the window.")));
  field(s.loop, drawsNothing(toggle("loop", "Start over at the end of a film.")));
  field(s.motionBlur,
        toggle("motion-blur", "Show films with the shutter open, as animate draws them.")
            .rebuilds());
}

void describe(AllSettings& s, FieldVisitor& field) {
  describe(s.drawing, field);
  describe(s.playhead, field);
  describe(s.playback, field);
}

}  // namespace fathom::flame
