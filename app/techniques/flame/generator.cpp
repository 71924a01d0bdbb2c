// SPDX-License-Identifier: BSD-3-Clause
// Writes the text. It is meant to be read: `fathom flame shader` prints it.
#include "app/techniques/flame/generator.h"

#include "app/techniques/flame/layout.h"
#include "app/techniques/flame/variations.h"

#include <fmt/format.h>

#include <iterator>

namespace fathom::flame {
namespace {

class Writer {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// "record(first, 3u).y": float `offset` of the record whose first row is `first`.
std::string floatAt(int offset) {
  return fmt::format("parameters[first + {}u].{}", offset / 4, "xyzw"[offset % 4]);
}

std::string_view nameOf(int variation) { return variations()[std::size_t(variation)].name; }

/// "variation_julian(p, w, ...)" with the packed values.
std::string callOf(int variation, int offset) {
  std::string call = fmt::format("variation_{}(p, w", nameOf(variation));
  for (int i = 0; i < packedCount(variation); ++i) call += ", " + floatAt(offset + 1 + i);
  return call + ')';
}

void writeBlocks(Writer& out, const Structure& s, const RecordLayout& layout) {
  const int rows = (s.capacity + 1) * layout.rows;
  const int thresholds = s.capacity * (s.xaos ? s.capacity + 1 : 1) / 4;
  out.line("const uint kRows = {}u;        // vec4 of a record", layout.rows);
  out.line("const uint kCapacity = {}u;    // xforms that fit", s.capacity);
  out.line("const uint kFinalFirst = {}u;  // first row of the final xform",
           s.capacity * layout.rows);
  if (s.tables)
    out.line("layout(std430, binding = FLAME_BIND_TABLES) restrict readonly buffer Xforms {{");
  else
    out.line("layout(std140, binding = FLAME_BIND_XFORMS) uniform Xforms {{");
  out.line("  vec4 parameters[{}];", rows);
  out.line("  uvec4 thresholds[{}];", thresholds);
  out.line("}};\n");
}

// Few xforms: as many comparisons. Many, or a row for each last xform: bisection.
void writeChoice(Writer& out, const Structure& s) {
  out.line("// The xform that 14 random bits choose; `row` is last xform + 1 with xaos.");
  out.line("uint chooseXform(uint r, uint row) {{");
  if (!s.xaos && s.capacity <= 16) {
    out.line("  uint xform = 0u;");
    for (int i = 0; i + 1 < s.capacity; ++i)
      out.line("  xform += uint(r >= thresholds[{}].{});", i / 4, "xyzw"[i % 4]);
    out.line("  return xform;\n}}\n");
    return;
  }
  out.line("  uint xform = 0u;");
  out.line("  uint start = row * kCapacity - 1u;");
  for (int step = s.capacity / 2; step > 0; step /= 2) {
    out.line("  {{ uint i = start + xform + {}u;", step);
    out.line("    xform += r >= thresholds[i >> 2][i & 3u] ? {}u : 0u; }}", step);
  }
  out.line("  return xform;\n}}\n");
}

// The affine map that fills rows `row` and `row + 1` of a record, applied to `from`.
std::string affineOf(int row, const char* from) {
  return fmt::format(
      "vec2(dot(vec3({0}, 1.0), parameters[first + {1}u].xyz),\n"
      "           dot(vec3({0}, 1.0), parameters[first + {2}u].xyz))",
      from, row, row + 1);
}

struct Application {
  std::string name, first, about;
  const std::vector<int>& used;
  bool post;
  bool always;  // no weight can be 0
};

void writeApplication(Writer& out, const Application& a, const RecordLayout& layout) {
  out.line("// {}", a.about);
  out.line("vec2 {}({}vec2 at) {{", a.name, a.first.empty() ? "uint first, " : "");
  if (!a.first.empty()) out.line("  const uint first = {};", a.first);
  out.line("  at = {};", affineOf(0, "at"));
  out.line("  float w;");
  for (const int variation : a.used)
    if (variation == kPreBlur) {
      out.line("  w = {};", floatAt(layout.offsetOf(variation)));
      out.line("  if (w != 0.0) at += preBlurOffset(w);");
    }
  out.line("  Point p = makePoint(at);");
  out.line("  vec2 q = vec2(0.0);");
  for (const int variation : a.used) {
    if (variation == kPreBlur) continue;
    const int offset = layout.offsetOf(variation);
    out.line("  w = {};", floatAt(offset));
    out.line("  if (w != 0.0) q += {};", callOf(variation, offset));
  }
  if (a.post) out.line("  q = {};", affineOf(2, "q"));
  out.line("  return q;\n}}\n");
}

std::string listOf(const std::vector<int>& variations) {
  std::string list;
  for (const int variation : variations)
    list += (list.empty() ? "" : ", ") + std::string(nameOf(variation));
  return list.empty() ? "nothing" : list;
}

void writeXforms(Writer& out, const Structure& s, const RecordLayout& layout) {
  if (s.selection == Selection::Own) {
    writeApplication(
        out,
        {"applyRecord", "", "Any xform: " + listOf(s.perXform[0]), s.perXform[0], s.post, false},
        layout);
    out.line("vec2 applyXform(uint xform, vec2 at) {{ return applyRecord(xform * kRows, at); }}\n");
  } else {
    for (std::size_t i = 0; i < s.perXform.size(); ++i)
      writeApplication(out,
                       {fmt::format("applyXform{}", i), fmt::format("{}u * kRows", i),
                        fmt::format("Xform {}: {}", i, listOf(s.perXform[i])), s.perXform[i],
                        s.postPerXform[i], true},
                       layout);
    out.line("vec2 applyXform(uint xform, vec2 at) {{\n  switch (xform) {{");
    for (std::size_t i = 0; i + 1 < s.perXform.size(); ++i)
      out.line("    case {0}u: return applyXform{0}(at);", i);
    out.line("    default: return applyXform{}(at);\n  }}\n}}\n", s.perXform.size() - 1);
  }
  if (s.finalXform)
    writeApplication(out,
                     {"applyFinal", "kFinalFirst", "The final xform: " + listOf(s.finalVariations),
                      s.finalVariations, s.finalPost, true},
                     layout);
}

std::string xformsText(const Structure& s) {
  const RecordLayout layout = layoutOf(s);
  Writer out;
  out.line("// Made from a genome's structure; its numbers are in the block below.");
  out.line("#define FLAME_SHARED_SELECTION {}", int(s.selection == Selection::Shared));
  out.line("#define FLAME_FINAL {}", int(s.finalXform));
  out.line("#define FLAME_FINAL_SOMETIMES {}", int(s.finalSometimes));
  out.line("#define FLAME_XAOS {}", int(s.xaos));
  out.line("#define FLAME_VISIBILITY {}", int(s.visibility));
  out.line("#define FLAME_LINEAR_PALETTE {}", int(s.linearPalette));
  out.line("#define FLAME_JITTER {}", int(s.jitter));
  out.line("#define FLAME_LOG_WIDE {}", int(s.wideLog));
  out.line("#define FLAME_PARTS {}\n", s.partCount);
  for (const int variation : s.variations)
    out.line("#include \"shaders/flame/variations/{}.glsl\"", nameOf(variation));
  out.line("");
  writeBlocks(out, s, layout);
  writeChoice(out, s);
  writeXforms(out, s, layout);
  out.line("float colorKeep(uint xform) {{ return parameters[xform * kRows].w; }}");
  out.line("float colorAdd(uint xform) {{ return parameters[xform * kRows + 1u].w; }}");
  if (s.visibility)
    out.line("float visibilityOf(uint xform) {{ return parameters[xform * kRows + {}u].{}; }}",
             layout.visibilityOffset / 4, "xyzw"[layout.visibilityOffset % 4]);
  return std::move(out).text();
}

const char* accumulateFile(Accumulate accumulate) {
  switch (accumulate) {
    case Accumulate::Direct:
      return "accumulate_direct";
    case Accumulate::Deferred:
      return "accumulate_deferred";
    default:
      return "accumulate_atomic";
  }
}

}  // namespace

std::vector<gpu::GeneratedText> generate(const Structure& structure) {
  return {{"generated/accumulate.glsl", fmt::format("#include \"shaders/flame/{}.glsl\"\n",
                                                    accumulateFile(structure.accumulate))},
          {"generated/xforms.glsl", xformsText(structure)}};
}

}  // namespace fathom::flame
