// SPDX-License-Identifier: BSD-3-Clause
// The palettes of a node, letters or numbers, and its fields sorted into xforms; a warning for what
// is ignored.
#include "app/engine/flame/cuburn/node.h"

#include <algorithm>
#include <array>

namespace fathom::flame::cuburn {
namespace {

using Kind = JsonTree::Kind;

bool startsWith(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Reads a number at `at` and steps behind it: without leading zeros, as text.
std::string_view digitsAt(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0') ++at;
  const std::size_t start = at;
  while (at < text.size() && isDigit(text[at])) ++at;
  return text.substr(start, at - start);
}

void readXformValues(const Document& document, const std::string& prefix, const Fields& fields,
                     reading::Warnings& warnings, NodeXform& xform) {
  visitXformFields(document, prefix, fields, warnings,
                   [&](const std::string& path, const SplineKind&, const JsonTree& value) {
                     xform.values[path] = readValue(value, document.place(prefix + path));
                   });
}

// Palettes
// ------------------------------------------------------------------------------------------------

int sixBits(char c) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t at = alphabet.find(c);
  return at == std::string_view::npos ? -1 : int(at);
}

constexpr std::size_t kPaletteLetters = 1024;  // 768 bytes, 6 bits a letter

Palette decoded(const std::string& letters, const Place& place) {
  if (letters.size() != kPaletteLetters)
    place.fail(fmt::format("{} letters of base64 (256 colors)", kPaletteLetters),
               std::to_string(letters.size()));
  Palette palette{};
  for (std::size_t i = 0; i < palette.size(); ++i) {  // four letters are one color
    std::uint32_t rgb = 0;
    for (const char c : letters.substr(4 * i, 4)) {
      const int bits = sixBits(c);
      if (bits < 0) place.fail("letters of base64", quote(std::string(1, c)));
      rgb = rgb << 6 | std::uint32_t(bits);
    }
    palette[i] = glm::vec4(glm::vec3(rgb >> 16, rgb >> 8 & 255, rgb & 255) / 255.0f, 1);
  }
  return palette;
}

/// From the word "rgb8" at an index on; steps behind the last line.
Palette readColors(const JsonTree& list, std::size_t& at, const Place& place) {
  const bool known =
      at < list.items.size() && list.items[at].is(Kind::Text) && list.items[at].text == "rgb8";
  if (!known)
    place.fail("\"rgb8\" before the colors",
               at < list.items.size() ? list.items[at].shown() : "the end");
  std::string letters;
  for (++at; at < list.items.size() && list.items[at].is(Kind::Text); ++at)
    letters += list.items[at].text;
  return decoded(letters, place);
}

}  // namespace

double NodeXform::at(const std::string& path) const {
  const auto found = values.find(path);
  return found != values.end() ? found->second.position : xformFieldKind(path)->fallback;
}

bool naturalLess(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const std::string_view m = digitsAt(a, i), n = digitsAt(b, j);
      if (m != n) return m.size() != n.size() ? m.size() < n.size() : m < n;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  if (i < a.size() || j < b.size()) return i >= a.size();
  return a < b;  // "01" and "1"
}

Palette readPalette(const JsonTree& json, const Place& place) {
  if (!json.is(Kind::List)) place.fail("[\"rgb8\", colors]", json.shown());
  std::size_t at = 0;
  const Palette palette = readColors(json, at, place);
  if (at != json.items.size()) place.fail("text", json.items[at].shown());
  return palette;
}

TimedPalettes readTimedPalettes(const JsonTree& json, const Place& place) {
  if (!json.is(Kind::List)) place.fail("[time, \"rgb8\", colors, time, ...]", json.shown());
  TimedPalettes list;
  for (std::size_t at = 0; at < json.items.size();) {
    const double time = numberAt(json.items[at++], place, "a time before each palette");
    list.emplace_back(time, readColors(json, at, place));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i].first == list[i - 1].first)
      place.fail("palettes at different times", fmt::format("two at {}", list[i].first));
  return list;
}

// Fields
// --------------------------------------------------------------------------------------------------

void visitFields(const Document& document, reading::Warnings& warnings, const TakeField& take,
                 std::set<std::string>& missing) {
  const std::string filters = "filters.";
  for (const auto& [path, value] : document.fields) {
    if (const std::optional<SplineKind> kind = fieldKind(path)) {
      take(path, *kind, value);
    } else if (startsWith(path, filters)) {
      const std::string name =
          path.substr(filters.size(), path.find('.', filters.size()) - filters.size());
      if (hasFilter(name))
        warnings.add(document.place(path), "expected a known field, left out");
      else
        missing.insert(name);
    } else if (startsWith(path, "camera.") ||
               (startsWith(path, "time.") && path != "time.duration")) {
      warnings.add(document.place(path), "expected a known field, left out");
    }
  }
}

std::map<std::string, Fields, std::less<>> fieldsById(const Document& document,
                                                      const std::string& prefix) {
  std::map<std::string, Fields, std::less<>> list;
  for (auto at = document.fields.lower_bound(prefix);
       at != document.fields.end() && startsWith(at->first, prefix); ++at) {
    const std::size_t dot = at->first.find('.', prefix.size());
    if (dot == std::string::npos) document.place(at->first).fail("an xform", at->second.shown());
    list[at->first.substr(prefix.size(), dot - prefix.size())].emplace(at->first.substr(dot + 1),
                                                                       at->second);
  }
  if (list.size() > std::size_t(kMaxXforms))
    document.place(prefix.substr(0, prefix.size() - 1))
        .fail(fmt::format("at most {} xforms", kMaxXforms), std::to_string(list.size()));
  return list;
}

void visitXformFields(const Document& document, const std::string& prefix, const Fields& fields,
                      reading::Warnings& warnings, const TakeField& take) {
  for (const auto& [written, value] : fields) {
    const std::string path = xformFieldNamed(written);
    if (const std::optional<SplineKind> kind = xformFieldKind(path))
      take(path, *kind, value);
    else
      warnings.add(document.place(prefix + written), "expected a known field, left out");
  }
}

Fields finalFields(const Document& document) {
  const std::string prefix = "final_xform.";
  Fields fields;
  for (auto at = document.fields.lower_bound(prefix);
       at != document.fields.end() && startsWith(at->first, prefix); ++at)
    fields.emplace(at->first.substr(prefix.size()), at->second);
  return fields;
}

Node readNode(const Document& document, reading::Warnings& warnings) {
  Node node;
  node.name = document.text("name", document.file.stem().string());
  node.author = document.text("author.name"), node.url = document.text("author.url");
  node.duration = document.number("time.duration", 1, 1e-3, 1e3);
  visitFields(
      document, warnings,
      [&](const std::string& path, const SplineKind&, const JsonTree& value) {
        node.values[path] = readValue(value, document.place(path));
      },
      node.missingFilters);
  for (const auto& [id, fields] : fieldsById(document, "xforms."))
    readXformValues(document, "xforms." + id + ".", fields, warnings,
                    node.xforms.emplace_back(NodeXform{id, {}}));
  std::sort(node.xforms.begin(), node.xforms.end(),
            [](const NodeXform& a, const NodeXform& b) { return naturalLess(a.id, b.id); });
  if (const Fields fields = finalFields(document); !fields.empty())
    readXformValues(document, "final_xform.", fields, warnings, node.finalXform.emplace());
  if (const JsonTree* palette = document.find("palette"))
    node.palette = readPalette(*palette, document.place("palette"));
  return node;
}

}  // namespace fathom::flame::cuburn
