// SPDX-License-Identifier: BSD-3-Clause
// Reading the JSON files of cuburn: documents with what they inherit, which of their fields move
// and by which splines, nodes with their palettes, and profiles.
#include "app/engine/flame/cuburn/document.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"

namespace fathom::flame::cuburn {

// ---- Documents

namespace {

constexpr std::array<std::string_view, 4> kTypes{"node", "edge", "animation", "profile"};

/// Whole numbers without a decimal point.
Json plain(Json value) {
  if (value.is_array())
    for (Json& item : value) item = plain(std::move(item));
  if (!value.is_number()) return value;
  const double number = value.get<double>();
  if (number == std::trunc(number) && std::abs(number) < 1e15) return std::int64_t(number);
  return number;
}

Place placeIn(const fs::path& file, const std::string& path) {
  return Place(file.string()).in(quote(path));
}

void flatten(const Json& object, const std::string& prefix, const fs::path& file, Fields& fields) {
  for (const auto& [key, value] : object.items()) {
    const std::string path = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object())
      flatten(value, path, file, fields);
    else if (!fields.emplace(path, value).second)
      placeIn(file, path).fail("each field once, nested or as a dotted path", "both");
  }
}

std::optional<DocumentType> typeOf(const Json* value) {
  if (!value || !value->is_string()) return std::nullopt;
  const auto at = std::find(kTypes.begin(), kTypes.end(), textIn(*value));
  if (at == kTypes.end()) return std::nullopt;
  return DocumentType(at - kTypes.begin());
}

/// Own fields go before inherited ones; null removes what is inherited under its path.
void inherit(Fields& own, Fields&& base) {
  for (const auto& [path, value] : own)
    if (value.is_null())
      std::erase_if(
          base, [start = path + "."](const auto& field) { return field.first.starts_with(start); });
  own.merge(base);
}

/// A document and below it what it inherits; `chain` holds those that inherit from it.
Fields readFields(const fs::path& file, std::vector<fs::path>& chain) {
  std::error_code ignored;
  const fs::path known = fs::weakly_canonical(file, ignored);
  if (std::find(chain.begin(), chain.end(), known) != chain.end())
    placeIn(chain.back(), "base")
        .fail("a document that does not inherit from this one", quote(file.string()));
  if (chain.size() >= kMaxBases)
    placeIn(chain.back(), "base").fail(fmt::format("at most {} bases in a row", kMaxBases), "more");
  chain.push_back(known);

  const Json root = parseJson(readFile(file, kMaxDocumentBytes), file.string(), kMaxDocumentDepth);
  if (!root.is_object()) fail("{}: expected a JSON object, found {}", file.string(), shown(root));
  Document own{file, DocumentType::Node, {}};
  flatten(root, "", file, own.fields);
  const std::string base = own.text("base");
  if (!base.empty()) inherit(own.fields, readFields(resolved(own, "base", base), chain));
  std::erase_if(own.fields, [](const auto& field) { return field.second.is_null(); });
  return std::move(own.fields);
}

/// File names that "nodes/ID" may mean, from the folder of the document.
/// A document in a folder "nodes" or "edges" has its kin in the folders beside that.
std::vector<fs::path> candidates(const std::string& kind, const std::string& id,
                                 const fs::path& folder) {
  const std::string file = id + ".json";
  std::vector<fs::path> list;
  const fs::path own = folder.filename();
  if ((own == "nodes" || own == "edges" || own == "profiles") && own != kind)
    list.push_back(fs::path("..") / kind / file);
  if (kind == "nodes") list.push_back(file);
  if (kind == "edges") list.push_back("edge." + file);
  if (kind == "profiles") list.push_back("profile." + file);
  list.push_back(fs::path(kind) / file);
  list.push_back(fs::path("..") / kind / file);
  return list;
}

}  // namespace

std::string shown(const Json& value) { return shownJson(plain(value)); }

const Json* Document::find(const std::string& path) const {
  const auto at = fields.find(path);
  return at == fields.end() ? nullptr : &at->second;
}

std::map<std::string, const Json*> Document::below(const std::string& prefix) const {
  std::map<std::string, const Json*> list;
  for (auto at = fields.lower_bound(prefix); at != fields.end() && at->first.starts_with(prefix);
       ++at)
    list.emplace(at->first.substr(prefix.size()), &at->second);
  return list;
}

Place Document::place(const std::string& path) const { return placeIn(file, path); }

double numberAt(const Json& value, const Place& place, const std::string& expected, double low,
                double high) {
  if (!value.is_number()) place.fail(expected, shown(value));
  const double number = value.get<double>();
  if (!(number >= low && number <= high))
    place.fail(fmt::format("a number from {} to {}", textOf(low), textOf(high)), shown(value));
  return number;
}

double Document::number(const std::string& path, double fallback, double low, double high) const {
  const Json* value = find(path);
  return value ? numberAt(*value, place(path), "a number", low, high) : fallback;
}

std::string Document::text(const std::string& path, const std::string& fallback) const {
  const Json* value = find(path);
  if (!value || value->is_null()) return fallback;
  if (!value->is_string()) place(path).fail("text", shown(*value));
  return textIn(*value);
}

Document readDocument(const fs::path& file) {
  std::vector<fs::path> chain;
  Document document{file, DocumentType::Node, readFields(file, chain)};
  const Json* type = document.find("type");
  const std::optional<DocumentType> known = typeOf(type);
  if (!known)
    document.place("type").fail(fmt::format("\"{}\"", fmt::join(kTypes, "\" or \"")),
                                type ? shown(*type) : "no such field");
  document.type = *known;
  return document;
}

fs::path resolved(const Document& document, const std::string& field, const std::string& path) {
  const std::size_t slash = path.find('/');
  const std::string kind = path.substr(0, slash);
  const std::string id = slash == std::string::npos ? "" : path.substr(slash + 1);
  // An id is a part of a file's name and leads nowhere else.
  const bool plain = !id.empty() && id.find('/') == std::string::npos && id[0] != '.' &&
                     id.find('\0') == std::string::npos;
  const bool known = kind == "nodes" || kind == "edges" || kind == "profiles";
  if (!plain || !known) document.place(field).fail("a path such as nodes/ID", quote(path));
  const fs::path folder = document.file.parent_path();
  std::error_code unknown;
  const std::vector<fs::path> files =
      candidates(kind, id, fs::absolute(document.file, unknown).parent_path());
  for (const fs::path& file : files) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / file, ignored)) return folder / file;
  }
  document.place(field).fail(
      fmt::format("{} or {} next to the file", quote(files[0].string()), quote(files[1].string())),
      "neither");
}

bool looksLikeDocument(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::string text;
  try {
    std::ifstream in(file, std::ios::binary);
    char first = 0;
    in >> std::ws;
    if (!in.get(first) || (first != '{' && first != '\xef')) return false;  // or a byte order mark
    text = readFile(file, kMaxDocumentBytes);
    const Json root = parseJson(text, "", kMaxDocumentDepth);
    const auto type = root.find("type"), base = root.find("base");
    if (type != root.end()) return typeOf(&*type).has_value();
    return base != root.end() && base->is_string();  // it may inherit its type
  } catch (const Error&) {  // a damaged one is known by its fields; reading it says what is wrong
    const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
    return has("\"xforms") || has("\"link");
  }
}

// ---- Fields

namespace {

constexpr double kTurn = 360;  // angles are degrees
const std::string kVariations = "variations.";

SplineKind plain(double fallback, CurveLimit limit = CurveLimit::None) {
  return {fallback, 0, CurveDomain::Plain, limit};
}
SplineKind angle(double fallback) {
  return {fallback, kTurn, CurveDomain::Plain, CurveLimit::None};
}
SplineKind magnitude(double fallback) {
  return {fallback, 0, CurveDomain::Magnitude, CurveLimit::None};
}

const std::map<std::string, SplineKind>& fields() {
  static const std::map<std::string, SplineKind> table{
      {"camera.center.x", plain(0)},
      {"camera.center.y", plain(0)},
      {"camera.rotation", angle(0)},
      {"camera.scale", magnitude(1)},
      {"camera.dither_width", magnitude(1)},
      {"camera.spp", magnitude(1)},
      {"filters.logscale.brightness", plain(4)},
      {"filters.colorclip.gamma", plain(4)},
      {"filters.colorclip.gamma_threshold", plain(0.01)},
      {"filters.colorclip.highlight_power", plain(-1)},
      {"filters.colorclip.vibrance", plain(1)},
      {"filters.de.radius", plain(11)},
      {"filters.de.minimum", plain(0)},
      {"filters.de.curve", plain(0.6)},
      {"time.frame_width", plain(1)},
  };
  return table;
}

const std::map<std::string, SplineKind>& xformFields() {
  static const std::map<std::string, SplineKind> table = [] {
    std::map<std::string, SplineKind> all{{"weight", plain(0, CurveLimit::NotNegative)},
                                          {"color", plain(0, CurveLimit::ZeroToOne)},
                                          {"color_speed", plain(0.5, CurveLimit::ZeroToOne)},
                                          {"opacity", magnitude(1)}};
    for (const std::string affine : {"pre_affine.", "post_affine."}) {
      all[affine + "angle"] = all[affine + "spread"] = angle(45);
      all[affine + "magnitude.x"] = all[affine + "magnitude.y"] = magnitude(1);
      all[affine + "offset.x"] = all[affine + "offset.y"] = plain(0);
    }
    return all;
  }();
  return table;
}

std::optional<SplineKind> find(const std::map<std::string, SplineKind>& table,
                               const std::string& path) {
  const auto at = table.find(path);
  if (at == table.end()) return std::nullopt;
  return at->second;
}

/// "variations.julian.power" in its parts; none when it is something else.
struct VariationPath {
  std::string variation, part;
};
std::optional<VariationPath> variationPath(const std::string& path) {
  if (path.compare(0, kVariations.size(), kVariations) != 0) return std::nullopt;
  const std::size_t dot = path.find('.', kVariations.size());
  if (dot == std::string::npos) return std::nullopt;
  return VariationPath{path.substr(kVariations.size(), dot - kVariations.size()),
                       path.substr(dot + 1)};
}

Curve curveOrDefault(const Curves& curves, const std::string& path,
                     const std::optional<SplineKind>& kind) {
  const auto at = curves.find(path);
  if (at != curves.end()) return at->second;
  FATHOM_CHECK(kind.has_value());
  return curveOf({{kind->fallback, 0}, {kind->fallback, 0}, {}}, *kind, 1);
}

/// A filter of cuburn that Fathom has. The others (bilateral, smearclip, plainclip, haloclip,
/// logencode, yuv) are named to the user and left out.
bool hasFilter(std::string_view name) {
  return name == "logscale" || name == "colorclip" || name == "de";
}

/// Of "filters.NAME.PART".
std::string filterIn(const std::string& path) {
  const std::size_t start = path.find('.') + 1;
  return path.substr(start, path.find('.', start) - start);
}

}  // namespace

std::optional<SplineKind> fieldKind(const std::string& path) { return find(fields(), path); }

std::optional<SplineKind> xformFieldKind(const std::string& path) {
  const std::optional<VariationPath> parts = variationPath(path);
  if (!parts) return find(xformFields(), path);
  const int index = variationNamed(parts->variation);
  if (index < 0) return std::nullopt;
  if (parts->part == "weight") return plain(0);
  for (const ParameterInfo& parameter : variations()[std::size_t(index)].parameters)
    if (parameter.name == parts->part) return plain(parameter.fallback);
  return std::nullopt;
}

std::string xformFieldNamed(const std::string& path) {
  const std::optional<VariationPath> parts = variationPath(path);
  if (!parts || parts->variation != "oscope") return path;
  return kVariations + "oscilloscope." + parts->part;
}

std::string weightOfParameter(const std::string& path) {
  const std::optional<VariationPath> parts = variationPath(path);
  if (!parts || parts->part == "weight") return "";
  return kVariations + parts->variation + ".weight";
}

Curve curveIn(const Curves& curves, const std::string& path) {
  return curveOrDefault(curves, path, fieldKind(path));
}

Curve xformCurveIn(const Curves& curves, const std::string& path) {
  return curveOrDefault(curves, path, xformFieldKind(path));
}

std::vector<MovingField> genomeFields(const Document& document, reading::Warnings& warnings,
                                      std::set<std::string>& missingFilters) {
  std::vector<MovingField> list;
  for (const auto& [path, value] : document.fields) {
    const bool isFilter = path.starts_with("filters.");
    if (const std::optional<SplineKind> kind = fieldKind(path))
      list.push_back({path, *kind, value, document.place(path)});
    else if (isFilter && !hasFilter(filterIn(path)))
      missingFilters.insert(filterIn(path));
    else if (isFilter || path.starts_with("camera.") ||
             (path.starts_with("time.") && path != "time.duration"))
      warnings.add(document.place(path), "expected a known field, left out");
  }
  return list;
}

std::set<std::string> xformIds(const Document& document, const std::string& prefix) {
  std::set<std::string> ids;
  for (const auto& [path, value] : document.below(prefix)) {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) document.place(prefix + path).fail("an xform", shown(*value));
    ids.insert(path.substr(0, dot));
  }
  if (ids.size() > std::size_t(kMaxXforms))
    document.place(prefix.substr(0, prefix.size() - 1))
        .fail(fmt::format("at most {} xforms", kMaxXforms), std::to_string(ids.size()));
  return ids;
}

std::vector<MovingField> xformFields(const Document& document, const std::string& prefix,
                                     reading::Warnings& warnings) {
  std::vector<MovingField> list;
  for (const auto& [written, value] : document.below(prefix)) {
    const std::string path = xformFieldNamed(written);
    if (const std::optional<SplineKind> kind = xformFieldKind(path))
      list.push_back({path, *kind, *value, document.place(prefix + path)});
    else
      warnings.add(document.place(prefix + written), "expected a known field, left out");
  }
  return list;
}

// ---- Splines: from JSON to knots, from one value to another, and the curve that runs through them

namespace {

constexpr double kReach = 2;  // from an end to the knot that shapes it
constexpr double kMinGap = 1e-6;
constexpr std::size_t kMaxInner = kMaxKnots - 4;

void sortByTime(std::vector<Knot>& knots) { std::ranges::stable_sort(knots, {}, &Knot::time); }

bool isNumbers(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
}

double item(const Json& list, std::size_t index, const Place& place) {
  return numberAt(list[index], place, "numbers");
}

/// Pairs of time and value from an index on.
std::vector<Knot> knotsFrom(const Json& list, std::size_t first, const Place& place) {
  std::vector<Knot> knots;
  for (std::size_t i = first; i < list.size(); i += 2) {
    const double time = item(list, i, place);
    if (list[i + 1].is_null()) continue;
    knots.push_back({time, item(list, i + 1, place)});
  }
  sortByTime(knots);
  return knots;
}

/// Adds `by` periods to an end.
void shiftTo(Value& end, double value, double period) {
  if (period > 0) end.position += std::nearbyint((value - end.position) / period) * period;
}

bool isConstant(const Spline& spline) {
  const double value = spline.from.position;
  return spline.to.position == value && spline.from.velocity == 0 && spline.to.velocity == 0 &&
         std::ranges::all_of(spline.inner, [&](const Knot& knot) { return knot.value == value; });
}

}  // namespace

Value readValue(const Json& json, const Place& place) {
  if (json.is_number()) return {numberAt(json, place, "a number"), 0};
  if (!isNumbers(json) || json.empty() || json.size() > 2)
    place.fail("a number or [value, velocity]", shown(json));
  return {item(json, 0, place), json.size() > 1 ? item(json, 1, place) : 0};
}

std::vector<Knot> readKnots(const Json& json, const Place& place) {
  if (!json.is_array() || json.size() % 2 != 0)
    place.fail("knots [time, value, time, value, ...]", shown(json));
  return knotsFrom(json, 0, place);
}

Spline readSpline(const Json& json, double duration, const Place& place) {
  if (json.is_number()) {
    const Value value{numberAt(json, place, "a number"), 0};
    return {value, value, {}};
  }
  const std::size_t count = json.size();
  if (!json.is_array() || count == 0 || count == 3 || (count > 1 && count % 2 != 0))
    place.fail("a number, [first, last] or [first, velocity, last, velocity, time, value, ...]",
               shown(json));
  Value from{item(json, 0, place), 0}, to = from;
  if (count == 2) {
    to.position = item(json, 1, place);
    from.velocity = to.velocity = (to.position - from.position) / duration;
  }
  if (count < 4) return {from, to, {}};
  from.velocity = item(json, 1, place);
  to = {item(json, 2, place), item(json, 3, place)};
  Spline spline{from, to, {}};
  addKnots(spline, knotsFrom(json, 4, place), {}, place);
  return spline;
}

Value shifted(const Value& value, const SplineKind& kind, double turns) {
  if (kind.period == 0) return value;
  return {value.position + turns * value.velocity, value.velocity};
}

Spline between(const Value& from, const Value& to, const SplineKind& kind, double duration) {
  Spline spline{from, to, {}};
  if (kind.period == 0) return spline;
  const double periods = (to.position - from.position) / kind.period;
  const double move = duration * (from.velocity + to.velocity) / (2 * kind.period);
  // What remains of a period, in the direction of the movement.
  const double rest = move < 0 ? periods - std::ceil(periods) : periods - std::floor(periods);
  spline.to.position = from.position + (std::nearbyint(move - rest) + rest) * kind.period;
  return spline;
}

void addKnots(Spline& spline, const std::vector<Knot>& knots, const SplineKind& kind,
              const Place& place) {
  for (const Knot& knot : knots) {
    if (knot.time == 0)
      shiftTo(spline.from, knot.value, kind.period);
    else if (knot.time == 1)
      shiftTo(spline.to, knot.value, kind.period);
    else
      spline.inner.push_back(knot);
  }
  sortByTime(spline.inner);
  std::vector<Knot> all = spline.inner;
  all.insert(all.end(), {{0, 0}, {1, 0}});
  sortByTime(all);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].time - all[i - 1].time < kMinGap)
      place.fail(fmt::format("knots at least {} apart", kMinGap),
                 fmt::format("{} and {}", all[i - 1].time, all[i].time));
  if (spline.inner.size() > kMaxInner)
    place.fail(fmt::format("at most {} knots", kMaxInner), std::to_string(spline.inner.size()));
}

Curve curveOf(const Spline& spline, const SplineKind& kind, double duration) {
  Curve curve(spline.from.position);
  curve.domain = kind.domain, curve.limit = kind.limit;
  if (isConstant(spline)) return curve;
  std::vector<Knot> knots = spline.inner;
  knots.push_back({0, spline.from.position});
  knots.push_back({1, spline.to.position});
  sortByTime(knots);
  const bool open = knots.front().time == 0, openEnd = knots.back().time == 1;
  const Knot next = knots[1], before = knots[knots.size() - 2];
  if (open)
    knots.insert(knots.begin(),
                 {-kReach, next.value - (next.time + kReach) * spline.from.velocity * duration});
  if (openEnd)
    knots.push_back(
        {1 + kReach, before.value + (1 + kReach - before.time) * spline.to.velocity * duration});
  curve.knots = std::move(knots);
  return curve;
}

// ---- Palettes

namespace {

constexpr std::size_t kPaletteLetters = 1024;  // 768 bytes, 6 bits a letter

Palette decoded(const std::string& letters, const Place& place) {
  if (letters.size() != kPaletteLetters)
    place.fail(fmt::format("{} letters of base64 (256 colors)", kPaletteLetters),
               std::to_string(letters.size()));
  const auto isLetter = [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '/'; };
  if (const auto other = std::ranges::find_if_not(letters, isLetter); other != letters.end())
    place.fail("letters of base64", quote(std::string(1, *other)));
  const std::string bytes = decodedBase64(letters);
  Palette palette{};
  for (std::size_t i = 0; i < 3 * palette.size(); ++i)
    palette[i / 3][int(i % 3)] = float(static_cast<unsigned char>(bytes[i])) / 255.0f;
  for (glm::vec4& color : palette) color.a = 1;
  return palette;
}

/// From the word "rgb8" at an index on; steps behind the last line.
Palette readColors(const Json& list, std::size_t& at, const Place& place) {
  if (at >= list.size() || list[at] != "rgb8")
    place.fail("\"rgb8\" before the colors", at < list.size() ? shown(list[at]) : "the end");
  std::string letters;
  for (++at; at < list.size() && list[at].is_string(); ++at) letters += textIn(list[at]);
  return decoded(letters, place);
}

}  // namespace

Palette readPalette(const Json& json, const Place& place) {
  if (!json.is_array()) place.fail("[\"rgb8\", colors]", shown(json));
  std::size_t at = 0;
  const Palette palette = readColors(json, at, place);
  if (at != json.size()) place.fail("text", shown(json[at]));
  return palette;
}

TimedPalettes readTimedPalettes(const Json& json, const Place& place) {
  if (!json.is_array()) place.fail("[time, \"rgb8\", colors, time, ...]", shown(json));
  TimedPalettes list;
  for (std::size_t at = 0; at < json.size();) {
    const double time = numberAt(json[at++], place, "a time before each palette");
    list.emplace_back(time, readColors(json, at, place));
  }
  std::ranges::stable_sort(list, [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i].first == list[i - 1].first)
      place.fail("palettes at different times", fmt::format("two at {}", list[i].first));
  return list;
}

// ---- Nodes

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Reads a number at `at` and steps behind it: without leading zeros, as text.
std::string_view digitsAt(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0') ++at;
  const std::size_t start = at;
  while (at < text.size() && isDigit(text[at])) ++at;
  return text.substr(start, at - start);
}

Values readValues(const std::vector<MovingField>& fields) {
  Values values;
  for (const MovingField& field : fields) values[field.path] = readValue(field.value, field.place);
  return values;
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

Node readNode(const Document& document, reading::Warnings& warnings) {
  Node node;
  node.name = document.text("name", document.file.stem().string());
  node.author = document.text("author.name"), node.url = document.text("author.url");
  node.duration = document.number("time.duration", 1, 1e-3, 1e3);
  node.values = readValues(genomeFields(document, warnings, node.missingFilters));
  for (const std::string& id : xformIds(document, "xforms."))
    node.xforms.push_back({id, readValues(xformFields(document, "xforms." + id + ".", warnings))});
  std::ranges::sort(node.xforms, naturalLess, &NodeXform::id);
  if (hasFinalXform(document))
    node.finalXform = NodeXform{"", readValues(xformFields(document, kFinalXform, warnings))};
  if (const Json* palette = document.find("palette"))
    node.palette = readPalette(*palette, document.place("palette"));
  return node;
}

// ---- Profiles

namespace {

constexpr int kMaxFrames = 1000000;

int wholeAt(const Document& document, const std::string& path, int fallback, int low, int high) {
  const double value = document.number(path, fallback, low, high);
  if (value != std::trunc(value)) document.place(path).fail("a whole number", textOf(value));
  return int(value);
}

/// Of cuburn's filters Fathom draws density estimation, logscale and colorclip, in this order.
void readFilterOrder(const Document& document, FilmProfile& profile) {
  const Json* order = document.find("filter_order");
  if (!order) return;
  const Place place = document.place("filter_order");
  if (!order->is_array()) place.fail("names of filters", shown(*order));
  profile.estimates = false;
  for (const Json& name : *order) {
    if (!name.is_string()) place.fail("names of filters", shown(*order));
    if (name == "de" || name == "bilateral") profile.estimates = true;
    if (!hasFilter(textIn(name))) profile.missingFilters.insert(textIn(name));
  }
}

void readFactors(const Document& document, FilmProfile& profile) {
  for (const auto& [name, value] : document.below("filters.")) {
    const std::string path = "filters." + name;
    if (fieldKind(path))
      profile.factors[path] = document.number(path, 1);
    else
      profile.missingFilters.insert(filterIn(path));
  }
}

}  // namespace

int FilmProfile::frameCount(double turns, const std::string& film) const {
  const double frames = std::round(framesPerSecond * secondsPerTurn * turns);
  if (frames > kMaxFrames)
    fail("{}: expected at most {} frames (fps * duration * turns), found {}", film, kMaxFrames,
         frames);
  return std::max(1, int(frames));
}

double FilmProfile::factorOf(const std::string& path) const {
  const auto at = factors.find(path);
  return at == factors.end() ? 1 : at->second;
}

bool isProfile(const fs::path& file) {
  try {
    return looksLikeDocument(file) && readDocument(file).type == DocumentType::Profile;
  } catch (const Error&) {  // whoever draws it says what is wrong
    return false;
  }
}

FilmProfile readProfile(const fs::path& file) {
  const Document document = readDocument(file);
  if (document.type != DocumentType::Profile)
    document.place("type").fail("\"profile\"", shown(*document.find("type")));
  FilmProfile profile;
  profile.width = wholeAt(document, "width", profile.width, 1, kMaxSide);
  profile.height = wholeAt(document, "height", profile.height, 1, kMaxSide);
  profile.framesPerSecond = document.number("fps", profile.framesPerSecond, 1e-3, 1e4);
  profile.secondsPerTurn = document.number("duration", profile.secondsPerTurn, 1e-3, 1e6);
  profile.frameWidth = document.number("frame_width", profile.frameWidth, 0, 1e4);
  profile.samplesPerPixel = document.number("spp", profile.samplesPerPixel, 1e-3, 1e9);
  profile.start = wholeAt(document, "start", profile.start, 0, kMaxFrames);
  profile.end = wholeAt(document, "end", profile.end, -kMaxFrames, kMaxFrames);
  profile.skip = wholeAt(document, "skip", profile.skip, 0, kMaxFrames);
  readFilterOrder(document, profile);
  readFactors(document, profile);
  return profile;
}

}  // namespace fathom::flame::cuburn
