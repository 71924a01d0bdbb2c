// SPDX-License-Identifier: BSD-3-Clause
// Small documents of cuburn as text, made for these tests; matrices compared.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "tests/support/temp_folder.h"

namespace fathom::flame::test {

// A palette of one color: four letters of base64 are one entry.
inline constexpr const char* kRed = "/wAA";
inline constexpr const char* kBlue = "AAD/";
inline std::string paletteJson(const std::string& entry = kRed) {
  std::string half;
  for (int i = 0; i < 128; ++i) half += entry;
  return fmt::format(R"(["rgb8", "{0}", "{0}"])", half);
}

/// An xform that shrinks to half its size around a corner: angle and the rest as given.
inline std::string xformJson(double x, double y, const std::string& angle = "45",
                             const std::string& more = "") {
  return fmt::format(R"({{"weight": 1, "color": 0.25, "pre_affine": {{"angle": {}, "spread": 45,
    "magnitude": {{"x": 0.5, "y": 0.5}}, "offset": {{"x": {}, "y": {}}}}},
    "variations": {{"linear": {{"weight": 1}}}}{}}})",
                     angle, x, y, more);
}

/// Sierpinski's triangle; its first corner turns.
inline std::string triangleJson(const std::string& more = "",
                                const std::string& palette = paletteJson()) {
  return fmt::format(R"({{"type": "node", "name": "triangle", "author": {{"name": "us"}},
    "camera": {{"scale": 0.3}},
    "filters": {{"de": {{"radius": 0}}}}, "palette": {},
    "xforms": {{"0": {}, "1": {}, "2": {}}}{}}})",
                     palette, xformJson(-0.5, 0.5, "[45, -360]"), xformJson(0.5, 0.5),
                     xformJson(0, -0.5), more);
}

inline std::string edgeJson(const std::string& from, const std::string& to,
                            const std::string& more = R"(, "blend": {"duration": 1})") {
  return fmt::format(R"({{"type": "edge", "link": {{"src": "nodes/{}", "dst": "nodes/{}"}}{}}})",
                     from, to, more);
}

/// Few small frames.
inline constexpr const char* kProfile =
    R"({"type": "profile", "width": 48, "height": 32, "fps": 2, "duration": 4, "spp": 20})";

inline void expectNear(const Affine& a, const Affine& b, double bound) {
  for (double Affine::*m : {&Affine::a, &Affine::d, &Affine::b, &Affine::e, &Affine::c, &Affine::f})
    EXPECT_NEAR(a.*m, b.*m, bound);
}

}  // namespace fathom::flame::test
