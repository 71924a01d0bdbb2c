// SPDX-License-Identifier: BSD-3-Clause
// The linker puts these in place of the window's own functions (--wrap), which they call. A stale
// figure is a line on standard error.
#include "tests/window/figures.h"

#include "app/engine/gpu/texture.h"
#include "app/window/panels/panels.h"

namespace fathom::viewer {
namespace {

std::string planted;

bool sameBits(const Image& a, const Image& b) {
  return a.pixels.size() == b.pixels.size() &&
         std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(glm::vec4)) == 0;
}

class Net {
 public:
  void ask(Workspace& w) {
    Document& document = w.document;
    const auto* const playing = document.technique() ? document.active().parts().playing : nullptr;
    if (!document.technique() || (playing && playing->animated())) return;
    askTimings(w);
    if (!document.complete() || !document.picture()) return;
    if (const auto pixel = w.inspector.pixel()) {
      const glm::vec4 now = document.picture()->texel(pixel->x, pixel->y);
      const glm::vec4 shown = w.inspector.value();
      if (std::memcmp(&now, &shown, sizeof now) != 0) found("inspector");
    }
    const auto pictures = std::pair(document.pictures().generation(), w.compare.generation());
    if (!w.compare.measures() || std::exchange(measured_, pictures) == pictures) return;
    const gpu::Texture* const b = w.compare.picture(document);
    const Image *const measuredA = w.compare.imageA(), *const measuredB = w.compare.imageB();
    if (!b || !measuredA || !sameBits(*measuredA, document.picture()->downloadImage()) ||
        !sameBits(*measuredB, b->downloadImage()))
      found("comparison");
  }

  void cleared() { before_ = since_ = sinceShown_ = 0; }

 private:
  /// In pictures of other inputs or settings no pass has run more often than frames have finished
  /// since.
  void askTimings(Workspace& w) {
    const std::uint64_t finished = w.gpu.timings().finishedFrames();
    const std::uint64_t generation = w.document.pictures().generation();
    auto of = std::tuple(w.document.info().name, w.document.inputGeneration(),
                         valuesOf(w.document.technique()->settings()));
    if (std::exchange(shown_, generation) != generation) ofShown_ = of_, sinceShown_ = since_;
    if (of_ != of) {
      of_ = std::move(of), generation_ = generation;
      since_ = of_ == ofShown_ ? sinceShown_ : before_;  // taken back before a picture was made
    }
    before_ = finished;
    if (!w.document.complete() || generation == generation_) return;
    for (const gpu::PassTiming& pass : w.gpu.timings().passes())
      if (pass.history.size() > finished - since_) found("timings");
  }
  void found(const std::string& figures) {
    if (told_.insert(figures).second)
      std::fprintf(stderr, "stale figure: %s of another picture\n", figures.c_str());
  }

  std::set<std::string> told_;
  std::pair<std::uint64_t, std::uint64_t> measured_{};
  using Of = std::tuple<std::string, std::uint64_t, std::vector<FieldValue>>;
  Of of_, ofShown_;               // technique, inputs, settings; those of the newest picture
  std::uint64_t generation_ = 0;  // of the picture when they changed
  std::uint64_t shown_ = 0, sinceShown_ = 0;
  std::uint64_t before_ = 0, since_ = 0;  // frames that had finished in the frame before, and then
} net;

}  // namespace

void plantStale(const std::string& figures) { planted = figures; }

}  // namespace fathom::viewer

using namespace fathom;
using namespace fathom::viewer;

// NOLINTBEGIN
#define WRAPPED(name, symbol, parameters)               \
  void real##name parameters __asm__("__real_" symbol); \
  void wrap##name parameters __asm__("__wrap_" symbol); \
  void wrap##name parameters
// NOLINTEND

WRAPPED(Status,
        "_ZN6fathom6viewer14drawStatusLineERNS0_9WorkspaceERKNS0_"
        "4AreaESt8optionalIN3glm3vecILi2EiLNS7_9qualifierE0EEEE",
        (Workspace & w, const Area& area, std::optional<glm::ivec2> hovered)) {
  net.ask(w);
  realStatus(w, area, hovered);
}

WRAPPED(Inspect,
        "_ZN6fathom6viewer9Inspector6updateERNS0_8DocumentESt8optionalIN3glm3vecILi2EiLNS5_"
        "9qualifierE0EEEE",
        (Inspector * inspector, Document& document, std::optional<glm::ivec2> underCursor)) {
  const auto pinned = inspector->pinned();
  if (planted != "inspector" || !pinned || inspector->pixel() != pinned)
    realInspect(inspector, document, underCursor);
}

WRAPPED(Compare, "_ZN6fathom6viewer10Comparison6updateERNS_3gpu7ContextERNS0_8DocumentE",
        (Comparison * compare, gpu::Context& context, Document& document)) {
  if (planted != "comparison" || !compare->measures()) realCompare(compare, context, document);
}

WRAPPED(Clear, "_ZN6fathom3gpu7Timings5clearEv", (gpu::Timings * timings)) {
  if (planted == "timings") return;
  net.cleared();
  realClear(timings);
}

#undef WRAPPED
