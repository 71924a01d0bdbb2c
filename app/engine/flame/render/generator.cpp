// SPDX-License-Identifier: BSD-3-Clause
// Writes the text. It is meant to be read: `fathom flame shader` prints it.
#include "app/engine/flame/render/generator.h"

#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/record_layout.h"

#include <fmt/format.h>

#include <algorithm>
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

const VariationInfo& infoOf(int variation) { return variations()[std::size_t(variation)]; }
std::string_view nameOf(int variation) { return infoOf(variation).name; }

/// "variation_julian(p, w, ...)" with the packed values.
std::string callOf(int variation, const std::string& rows, int offset) {
  std::string call = fmt::format("variation_{}(p, w", infoOf(variation).function);
  for (int i = 0; i < packedCount(variation); ++i) call += ", " + floatAt(rows, offset + 1 + i);
  return call + ')';
}

bool isDeep(int variation) { return infoOf(variation).depth != kFlat; }

void writeBlocks(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const int words = s.capacity * (s.xaos ? s.capacity + 1 : 1);
  const int parameterRows = (s.capacity + finalRecords(s)) * layout.rows,
            thresholdRows = (words + 3) / 4;
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

bool isDistanceColor(int variation) { return infoOf(variation).name == "distance_color"; }

bool colorsByDistance(const std::vector<int>& used) {
  return std::any_of(used.begin(), used.end(), isDistanceColor);
}

struct Application {
  std::string name, rows, about;
  const std::vector<int>& used;
  bool post;
};

// A variation that this xform does not use has weight 0. It is evaluated all the same: lanes that
// take part are in step with those that do not, and a choice is cheaper than a branch.
class ApplicationWriter {
 public:
  ApplicationWriter(TextWriter& out, const Application& a, const Structure& s,
                    const RecordLayout& layout)
      : out_(out), a_(a), s_(s), layout_(layout) {}

  void write() {
    const char* type = s_.depth ? "vec3" : "vec2";
    out_.line("// {}", a_.about);
    out_.line("{} {}({} {}) {{", type, a_.name, type, s_.depth ? "from" : "at");
    if (s_.depth) out_.line("  vec2 at = from.xy;\n  float z = from.z, qz = 0.0;");
    if (colorsByDistance(a_.used))
      out_.line("  vec3 start = {};", s_.depth ? "from" : "vec3(at, 0.0)");
    out_.line("  at = {};", affineOf(a_.rows, 0, "at"));
    out_.line("  float w;\n  vec2 v;");
    if (s_.depth || has(VariationStage::Before) || has(VariationStage::After))
      out_.line("  vec3 u;");
    writePreBlur();
    if (has(VariationStage::Before)) {
      out_.line("  Point p;");
      writeInTurn(VariationStage::Before, "at", "z");
      out_.line("  p = makePoint({});", s_.depth ? "vec3(at, z)" : "at");
    } else {
      out_.line("  Point p = makePoint({});", s_.depth ? "vec3(at, z)" : "at");
    }
    out_.line("  vec2 q = vec2(0.0);");
    writeSum();
    writeInTurn(VariationStage::After, "q", "qz");
    if (a_.post) out_.line("  q = {};", affineOf(a_.rows, 2, "q"));
    writeDistanceColor();
    out_.line("  return {};\n}}\n", s_.depth ? "vec3(q, qz)" : "q");
  }

 private:
  /// What is shown of the point in place of its color; the trajectory goes on with its own.
  void writeDistanceColor() {
    for (const int variation : a_.used) {
      if (!isDistanceColor(variation)) continue;
      const int offset = layout_.offsetOf(variation);
      out_.line("  v.x = {} + {} * length(vec3(q, {}) - start);", floatAt(a_.rows, offset + 1),
                floatAt(a_.rows, offset + 2), s_.depth ? "qz" : "0.0");
      out_.line("  showColor(v.x, {});", floatAt(a_.rows, offset));
    }
  }

  bool has(VariationStage stage) const {
    return std::any_of(a_.used.begin(), a_.used.end(),
                       [&](int variation) { return infoOf(variation).stage == stage; });
  }

  void writePreBlur() {
    for (const int variation : a_.used)
      if (variation == kPreBlur) {
        out_.line("  w = {};", floatAt(a_.rows, layout_.offsetOf(variation)));
        out_.line("  v = preBlurOffset(w);");
        out_.line("  at += mix(v, vec2(0.0), bvec2(w == 0.0));");
      }
  }

  void writeSum() {
    for (const int variation : a_.used) {
      if (variation == kPreBlur || infoOf(variation).stage != VariationStage::Among) continue;
      const int offset = layout_.offsetOf(variation);
      const std::string call = callOf(variation, a_.rows, offset);
      out_.line("  w = {};", floatAt(a_.rows, offset));
      if (isDeep(variation) && s_.depth) {
        out_.line("  u = {};", call);
        out_.line("  q += mix(u.xy, vec2(0.0), bvec2(w == 0.0));");
        out_.line("  qz += w == 0.0 ? 0.0 : u.z;");
        continue;
      }
      out_.line("  v = {}{};", call, isDeep(variation) ? ".xy" : "");
      out_.line("  q += mix(v, vec2(0.0), bvec2(w == 0.0));");
      if (s_.preservesZ) out_.line("  qz += w * z;");
    }
  }

  /// Those before or after the others move a point one after the other.
  void writeInTurn(VariationStage stage, const char* place, const char* z) {
    if (stage == VariationStage::After && has(stage)) out_.line("  // after the others");
    for (const int variation : a_.used) {
      const VariationInfo& info = infoOf(variation);
      if (info.stage != stage) continue;
      const int offset = layout_.offsetOf(variation);
      out_.line("  w = {};", floatAt(a_.rows, offset));
      out_.line("  p = makePoint({});",
                s_.depth ? fmt::format("vec3({}, {})", place, z) : std::string(place));
      const std::string call = callOf(variation, a_.rows, offset);
      const bool deep = isDeep(variation);
      out_.line("  u = {};", deep ? call
                                  : fmt::format("vec3({}, {})", call,
                                                info.adds  ? "0.0"
                                                : s_.depth ? z
                                                           : "0.0"));
      if (info.adds) {
        out_.line("  {} += mix(u.xy, vec2(0.0), bvec2(w == 0.0));", place);
        if (s_.depth) out_.line("  {} += w == 0.0 ? 0.0 : u.z;", z);
      } else {
        out_.line("  {0} = mix(u.xy, {0}, bvec2(w == 0.0));", place);
        if (s_.depth) out_.line("  {0} = w == 0.0 ? {0} : u.z;", z);
      }
    }
  }

  TextWriter& out_;
  const Application& a_;
  const Structure& s_;
  const RecordLayout& layout_;
};

std::string listOf(const std::vector<int>& variations) {
  std::string list;
  for (const int variation : variations)
    list += (list.empty() ? "" : ", ") + std::string(nameOf(variation));
  return list.empty() ? "nothing" : list;
}

/// Some xform colors points by how far they came.
bool showsColors(const Structure& s) { return colorsByDistance(s.variations); }

/// Some variation gives points a color of their own.
bool setsColors(const Structure& s) {
  return std::any_of(s.variations.begin(), s.variations.end(),
                     [](int variation) { return infoOf(variation).colors; });
}

/// Some variation hides points.
bool hidesPoints(const Structure& s) {
  return std::any_of(s.variations.begin(), s.variations.end(),
                     [](int variation) { return infoOf(variation).hides; });
}

/// Final xforms after the first, one after the other; colors change as by any xform.
void writeFurtherFinals(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  if (s.furtherFinals.empty()) return;
  const auto rowsOf = [&](std::size_t i) {
    return fmt::format("parameters[{}u * kRows + {{}}u]", std::size_t(s.capacity) + 1 + i);
  };
  for (std::size_t i = 0; i < s.furtherFinals.size(); ++i) {
    const Application one{fmt::format("applyFurther{}", i), rowsOf(i),
                          fmt::format("Final xform {}: {}", i + 2, listOf(s.furtherFinals[i])),
                          s.furtherFinals[i], s.post};
    ApplicationWriter(out, one, s, layout).write();
  }
  out.line("{0} applyFurtherFinals({0} at, inout float color) {{", s.depth ? "vec3" : "vec2");
  for (std::size_t i = 0; i < s.furtherFinals.size(); ++i) {
    out.line("  color = {} * color + {};", floatAt(rowsOf(i), 3), floatAt(rowsOf(i), 7));
    out.line("  at = applyFurther{}(at);", i);
    if (setsColors(s)) out.line("  color = takeColor(color);");
  }
  out.line("  return at;\n}}\n");
}

void writeXforms(TextWriter& out, const Structure& s, const RecordLayout& layout) {
  const char* type = s.depth ? "vec3" : "vec2";
  if (s.selection == Selection::Own) {
    const Application any{"applyChosen", "record[{}]", "Any xform: " + listOf(s.perXform[0]),
                          s.perXform[0], s.post};
    ApplicationWriter(out, any, s, layout).write();
    out.line("{0} applyXform(uint xform, {0} at) {{ return applyChosen(at); }}\n", type);
  } else {
    for (std::size_t i = 0; i < s.perXform.size(); ++i) {
      const Application one{
          fmt::format("applyXform{}", i), fmt::format("parameters[{}u * kRows + {{}}u]", i),
          fmt::format("Xform {}: {}", i, listOf(s.perXform[i])), s.perXform[i], s.postPerXform[i]};
      ApplicationWriter(out, one, s, layout).write();
    }
    out.line("{0} applyXform(uint xform, {0} at) {{\n  switch (xform) {{", type);
    for (std::size_t i = 0; i + 1 < s.perXform.size(); ++i)
      out.line("    case {0}u: return applyXform{0}(at);", i);
    out.line("    default: return applyXform{}(at);\n  }}\n}}\n", s.perXform.size() - 1);
  }
  if (s.finalXform) {
    const Application last{"applyFinal", "finalRecord[{}]",
                           "The final xform: " + listOf(s.finalVariations), s.finalVariations,
                           s.finalPost};
    ApplicationWriter(out, last, s, layout).write();
  }
  writeFurtherFinals(out, s, layout);
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
  if (s.strays) out.line("#define FLAME_STRAYS");
  if (!s.furtherFinals.empty()) out.line("#define FLAME_FURTHER_FINALS 1");
  if (setsColors(s)) out.line("#define FLAME_OWN_COLORS 1");
  if (hidesPoints(s)) out.line("#define FLAME_HIDES 1");
  if (showsColors(s)) out.line("#define FLAME_SHOWN_COLORS 1");
  if (s.depth) out.line("#define FLAME_DEPTH 1");
  if (s.lens) out.line("#define FLAME_LENS 1");
  if (s.lensClips) out.line("#define FLAME_LENS_CLIPS 1");
  if (s.lensBlur >= 0) out.line("#define FLAME_LENS_BLUR {}", s.lensBlur);
  if (s.restarts) out.line("#define FLAME_RESTARTS 1");
  out.line("#define FLAME_MOVING {}", int(s.moving));
  out.line("#define FLAME_LOG_WIDE {}", int(s.wideLog));
  out.line("#define FLAME_PARTS {}\n", s.partCount);
  for (const int variation : s.variations)
    out.line("#include \"shaders/flame/variations/{}.glsl\"", infoOf(variation).function);
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
