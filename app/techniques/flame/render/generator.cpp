// SPDX-License-Identifier: BSD-3-Clause
// Writes the text. It is meant to be read: `fathom flame shader` prints it.
#include "app/techniques/flame/render/generator.h"

#include "app/techniques/flame/genome/variations.h"
#include "app/techniques/flame/render/record_layout.h"

#include <fmt/format.h>

#include <iterator>

namespace fathom::flame {
namespace {

class TextWriter {
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

// Own selection keeps all records in registers when there are few of them.
bool holdsRecords(const Structure& s) {
  return s.selection == Selection::Own && !s.tables && s.capacity <= kMaxCompared;
}

// "record[2].y": float `offset` of a record; `rows` says where its rows are, "record[{}]".
std::string floatAt(const std::string& rows, int offset) {
  return fmt::format(fmt::runtime(rows), offset / 4) + '.' + "xyzw"[offset % 4];
}

std::string_view nameOf(int variation) { return variations()[std::size_t(variation)].name; }

/// "variation_julian(p, w, ...)" with the packed values.
std::string callOf(int variation, const std::string& rows, int offset) {
  std::string call = fmt::format("variation_{}(p, w", nameOf(variation));
  for (int i = 0; i < packedCount(variation); ++i) call += ", " + floatAt(rows, offset + 1 + i);
  return call + ')';
}

void writeBlocks(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const int words = s.capacity * (s.xaos ? s.capacity + 1 : 1);
  const int parameterRows = (s.capacity + 1) * layout.rows, thresholdRows = (words + 3) / 4;
  out.line("const uint kRows = {}u;      // vec4 of a record", layout.rows);
  out.line("const uint kCapacity = {}u;  // xforms that fit", s.capacity);
  if (s.moving) {
    out.line("const uint kParameterRows = {}u, kThresholdRows = {}u;", parameterRows,
             thresholdRows);
    out.line(
        "layout(std430, binding = FLAME_BIND_TABLES) restrict readonly buffer ControlPoints {{");
    out.line("  vec4 controlPoints[];  // [work group][camera, records, thresholds]\n}};");
    out.line("shared vec4 parameters[kParameterRows];");
    out.line("shared uvec4 thresholds[kThresholdRows];\n");
    return;
  }
  if (s.tables)
    out.line("layout(std430, binding = FLAME_BIND_TABLES) restrict readonly buffer Xforms {{");
  else
    out.line("layout(std140, binding = FLAME_BIND_XFORMS) uniform Xforms {{");
  out.line("  vec4 parameters[{}];", parameterRows);
  out.line("  uvec4 thresholds[{}];", thresholdRows);
  out.line("}};\n");
}

// The work group's own genome, into shared memory; its camera is read from there by all.
void writeLoadControlPoint(TextWriter& out) {
  out.line("shared vec4 camera[FLAME_CAMERA_ROWS];");
  out.line("void loadControlPoint() {{");
  out.line("  uint rows = FLAME_CAMERA_ROWS + kParameterRows + kThresholdRows;");
  out.line("  uint first = invocationIndex() / FLAME_GROUP * rows;");
  out.line("  for (uint i = gl_LocalInvocationID.x; i < rows; i += FLAME_GROUP) {{");
  out.line("    vec4 row = controlPoints[first + i];");
  out.line("    if (i < FLAME_CAMERA_ROWS)");
  out.line("      camera[i] = row;");
  out.line("    else if (i < FLAME_CAMERA_ROWS + kParameterRows)");
  out.line("      parameters[i - FLAME_CAMERA_ROWS] = row;");
  out.line("    else");
  out.line("      thresholds[i - FLAME_CAMERA_ROWS - kParameterRows] = uvec4(row);");
  out.line("  }}");
  out.line("  barrier();  // read by the whole group from here on\n}}");
}

// Before the rounds: software renderers fetch uniforms lane by lane within loops.
void writeLoad(TextWriter& out, const Structure& s) {
  out.line("vec4 record[kRows];       // of the chosen xform");
  out.line("vec4 finalRecord[kRows];  // of the final xform");
  if (holdsRecords(s)) out.line("vec4 held[kRows * kCapacity];");
  if (holdsRecords(s) && !s.xaos) out.line("uvec4 heldThresholds[{}];", (s.capacity + 3) / 4);
  if (s.moving) writeLoadControlPoint(out);
  out.line("void loadXforms() {{");
  if (s.moving) out.line("  loadControlPoint();");
  if (s.finalXform)
    out.line(
        "  for (uint i = 0u; i < kRows; ++i) "
        "finalRecord[i] = parameters[kRows * kCapacity + i];");
  if (holdsRecords(s)) {
    out.line("  for (uint i = 0u; i < kRows * kCapacity; ++i) held[i] = parameters[i];");
    for (int i = 0; !s.xaos && i < (s.capacity + 3) / 4; ++i)
      out.line("  heldThresholds[{0}] = thresholds[{0}];", i);
  }
  out.line("}}\n");
}

// Few xforms: all of them pass by, and the last one whose threshold was reached stays.
void writeComparisons(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const bool held = holdsRecords(s);
  out.line("  uint xform = 0u;");
  for (int row = 0; held && row < layout.rows; ++row) out.line("  record[{0}] = held[{0}];", row);
  for (int i = 0; i + 1 < s.capacity; ++i) {
    if (s.xaos) out.line("  i = row * kCapacity + {}u;", i);
    out.line("  reached = r >= {};",
             s.xaos ? "thresholds[i >> 2][i & 3u]"
                    : fmt::format("{}[{}].{}", held ? "heldThresholds" : "thresholds", i / 4,
                                  "xyzw"[i % 4]));
    out.line("  xform += uint(reached);");
    for (int row = 0; held && row < layout.rows; ++row)
      out.line("  record[{0}] = mix(record[{0}], held[{1}], bvec4(reached));", row,
               (i + 1) * layout.rows + row);
  }
}

// Many: bisection.
void writeBisection(TextWriter& out, const Structure& s) {
  out.line("  uint xform = 0u, start = row * kCapacity - 1u;");
  for (int step = s.capacity / 2; step > 0; step /= 2) {
    out.line("  i = start + xform + {}u;", step);
    out.line("  xform += r >= thresholds[i >> 2][i & 3u] ? {}u : 0u;", step);
  }
}

void writeChoice(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  out.line("// The xform that 14 random bits choose; `row` is last xform + 1 with xaos, else 0.");
  out.line("uint chooseXform(uint r, uint row) {{");
  out.line("  bool reached;\n  uint i;");
  if (s.capacity <= kMaxCompared)
    writeComparisons(out, s, layout);
  else
    writeBisection(out, s);
  if (s.selection == Selection::Own && !holdsRecords(s))
    for (int row = 0; row < layout.rows; ++row)
      out.line("  record[{0}] = parameters[xform * kRows + {0}u];", row);
  out.line("  return xform;\n}}\n");
}

// The affine map that fills rows `row` and `row + 1` of a record, applied to `from`.
std::string affineOf(const std::string& rows, int row, const char* from) {
  const auto at = [&](int r) { return fmt::format(fmt::runtime(rows), r); };
  return fmt::format("vec2(dot(vec3({0}, 1.0), {1}.xyz), dot(vec3({0}, 1.0), {2}.xyz))", from,
                     at(row), at(row + 1));
}

struct Application {
  std::string name, rows, about;
  const std::vector<int>& used;
  bool post;
};

// A variation that this xform does not use has weight 0. It is evaluated all the same: lanes that
// take part are in step with those that do not, and a choice is cheaper than a branch.
void writeApplication(TextWriter& out, const Application& a, const RecordLayout& layout) {
  out.line("// {}", a.about);
  out.line("vec2 {}(vec2 at) {{", a.name);
  out.line("  at = {};", affineOf(a.rows, 0, "at"));
  out.line("  float w;\n  vec2 v;");
  for (const int variation : a.used)
    if (variation == kPreBlur) {
      out.line("  w = {};", floatAt(a.rows, layout.offsetOf(variation)));
      out.line("  v = preBlurOffset(w);");
      out.line("  at += mix(v, vec2(0.0), bvec2(w == 0.0));");
    }
  out.line("  Point p = makePoint(at);");
  out.line("  vec2 q = vec2(0.0);");
  for (const int variation : a.used) {
    if (variation == kPreBlur) continue;
    const int offset = layout.offsetOf(variation);
    out.line("  w = {};", floatAt(a.rows, offset));
    out.line("  v = {};", callOf(variation, a.rows, offset));
    out.line("  q += mix(v, vec2(0.0), bvec2(w == 0.0));");
  }
  if (a.post) out.line("  q = {};", affineOf(a.rows, 2, "q"));
  out.line("  return q;\n}}\n");
}

std::string listOf(const std::vector<int>& variations) {
  std::string list;
  for (const int variation : variations)
    list += (list.empty() ? "" : ", ") + std::string(nameOf(variation));
  return list.empty() ? "nothing" : list;
}

void writeXforms(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  if (s.selection == Selection::Own) {
    writeApplication(
        out,
        {"applyChosen", "record[{}]", "Any xform: " + listOf(s.perXform[0]), s.perXform[0], s.post},
        layout);
    out.line("vec2 applyXform(uint xform, vec2 at) {{ return applyChosen(at); }}\n");
  } else {
    for (std::size_t i = 0; i < s.perXform.size(); ++i)
      writeApplication(
          out,
          {fmt::format("applyXform{}", i), fmt::format("parameters[{}u * kRows + {{}}u]", i),
           fmt::format("Xform {}: {}", i, listOf(s.perXform[i])), s.perXform[i], s.postPerXform[i]},
          layout);
    out.line("vec2 applyXform(uint xform, vec2 at) {{\n  switch (xform) {{");
    for (std::size_t i = 0; i + 1 < s.perXform.size(); ++i)
      out.line("    case {0}u: return applyXform{0}(at);", i);
    out.line("    default: return applyXform{}(at);\n  }}\n}}\n", s.perXform.size() - 1);
  }
  if (s.finalXform)
    writeApplication(
        out,
        {"applyFinal", "finalRecord[{}]", "The final xform: " + listOf(s.finalVariations),
         s.finalVariations, s.finalPost},
        layout);
}

// What else a record holds, of the chosen xform.
void writeColor(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const std::string rows =
      s.selection == Selection::Own ? "record[{}]" : "parameters[xform * kRows + {}u]";
  out.line("float colorKeep(uint xform) {{ return {}; }}", floatAt(rows, 3));
  out.line("float colorAdd(uint xform) {{ return {}; }}", floatAt(rows, 7));
  if (s.visibility)
    out.line("float visibilityOf(uint xform) {{ return {}; }}",
             floatAt(rows, layout.visibilityOffset));
}

std::string xformsText(const Structure& s) {
  const RecordLayout layout = layoutOf(s);
  TextWriter out;
  out.line("// Made from a genome's structure; its numbers are in the block below.");
  out.line("#define FLAME_SHARED_SELECTION {}", int(s.selection == Selection::Shared));
  out.line("#define FLAME_FINAL {}", int(s.finalXform));
  out.line("#define FLAME_FINAL_SOMETIMES {}", int(s.finalSometimes));
  out.line("#define FLAME_XAOS {}", int(s.xaos));
  out.line("#define FLAME_ALPHA {}", int(s.alpha));
  out.line("#define FLAME_VISIBILITY {}", int(s.visibility));
  out.line("#define FLAME_LINEAR_PALETTE {}", int(s.linearPalette));
  out.line("#define FLAME_JITTER {}", int(s.jitter));
  out.line("#define FLAME_MOVING {}", int(s.moving));
  out.line("#define FLAME_LOG_WIDE {}", int(s.wideLog));
  out.line("#define FLAME_PARTS {}\n", s.partCount);
  for (const int variation : s.variations)
    out.line("#include \"shaders/flame/variations/{}.glsl\"", nameOf(variation));
  out.line("");
  writeBlocks(out, s, layout);
  writeLoad(out, s);
  writeChoice(out, s, layout);
  writeXforms(out, s, layout);
  writeColor(out, s, layout);
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
  return {{"generated/accumulate.glsl", fmt::format("#include \"shaders/flame/chaos/{}.glsl\"\n",
                                                    accumulateFile(structure.accumulate))},
          {"generated/xforms.glsl", xformsText(structure)}};
}

}  // namespace fathom::flame
