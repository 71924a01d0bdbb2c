// SPDX-License-Identifier: BSD-3-Clause
// A program of the build: writes the C++ source that holds the table of all variations and
// their functions, from shaders/flame/variations/*.glsl.
//   make_variations PROJECT_FOLDER OUTPUT.cpp
//
// Each of those files defines variation_NAME and begins so; what stands in brackets may be missing:
//   // SPDX-License-Identifier: BSD-3-Clause
//   // NAME: what it does.
//   [// Beside JWildfire: where it differs, or "not compared"]
//   // Number N[: WORD, WORD ...]
//   [// Parameters: NAME DEFAULT[ (LOW to HIGH)], NAME DEFAULT ...
//   //   NAME DEFAULT ...]
//   [// Packs: VALUE, VALUE ...]
// The number is its place in the table. The words are those of words() below. A number may be "pi"
// or "-pi". A parameter without a range is nothing for sliders. The values are what the function
// takes in place of the parameters, computed of these, of the weight w and of the xform's coefs
// once on the host.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Parameter {
  std::string name, fallback, low, high;  // numbers as C++ has them
};

struct Variation {
  std::string name;
  int number = 0;
  std::string beside;               // JWildfire
  std::string packs;                // in C++; empty: the parameters are taken as they are
  std::vector<std::string> fields;  // of VariationInfo, as initializers
  std::vector<Parameter> parameters;
  int packedCount = 0;            // what the function takes after point and weight
  std::set<std::string> helpers;  // included
};

/// What a header line may say, and the field of VariationInfo that says it in C++.
const std::map<std::string, std::string>& words() {
  static const std::map<std::string, std::string> all = {
      {"makes z", "kMakesZ"},
      {"reads z", "kReadsZ"},
      {"passes z", "kPassesZ"},
      {"adds", ".adds = true"},
      {"sets color", ".colors = true"},
      {"hides", ".hides = true"},
      {"orbits", ".orbits = true"},
      {"after the others", ".stage = VariationStage::After"},
      {"assigns", ".assigns = true"},
      {"reads the sum", ".readsSum = true"},
      {"z alone", ".zAlone = true"},
      {"may drop z", ".dropsZ = true"},
      {"adds z after", ".addsZ = true"},
      {"sets full color", ".fullColors = true"}};
  return all;
}

std::string textOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + ": expected to read it");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Between separators, without the spaces around.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    const std::size_t first = part.find_first_not_of(" \n"), last = part.find_last_not_of(" \n");
    parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return parts;
}

std::string numberIn(const std::string& word) {
  if (word == "pi") return "std::numbers::pi";
  if (word == "-pi") return "-std::numbers::pi";
  static const std::regex decimal("-?[0-9]+(\\.[0-9]+)?");
  if (!std::regex_match(word, decimal))
    throw std::runtime_error("expected a number, found \"" + word + '"');
  return word;
}

Parameter parameterOf(const std::string& text) {
  static const std::regex form("(\\S+) (\\S+)(?: \\((\\S+) to (\\S+)\\))?");
  std::smatch found;
  if (!std::regex_match(text, found, form))
    throw std::runtime_error("expected \"NAME DEFAULT (LOW to HIGH)\", found \"" + text + '"');
  const std::string fallback = numberIn(found[2]);
  if (!found[3].matched) return {found[1], fallback, fallback, fallback};
  return {found[1], fallback, numberIn(found[3]), numberIn(found[4])};
}

void readWords(const std::string& text, Variation& variation) {
  std::string depth;
  for (const std::string& word : split(text, ',')) {
    const auto known = words().find(word);
    if (known == words().end())
      throw std::runtime_error("expected one of the words of make_variations.cpp, found \"" + word +
                               '"');
    if (known->second[0] == '.')
      variation.fields.push_back(known->second);
    else
      depth += (depth.empty() ? "" : " | ") + known->second;
  }
  // In the order of VariationInfo.
  static const std::vector<std::string> order = {".stage",  ".adds",    ".colors",    ".hides",
                                                 ".orbits", ".assigns", ".readsSum",  ".zAlone",
                                                 ".dropsZ", ".addsZ",   ".fullColors"};
  std::vector<std::string> ordered;
  for (const std::string& start : order)
    for (const std::string& field : variation.fields)
      if (field.starts_with(start + ' ')) ordered.push_back(field);
  if (!depth.empty()) ordered.push_back(".depth = " + depth);
  variation.fields = ordered;
}

/// What stands in a comment behind this word, with the lines that go on with it; empty: nothing.
std::string commentOf(const std::string& text, const std::string& word) {
  static const std::regex wrapped("\n//  ");
  const std::regex form("\n// " + word + ": ([^\n]+(?:\n//   [^\n]+)*)\n");
  std::smatch found;
  if (!std::regex_search(text, found, form)) return "";
  return std::regex_replace(found[1].str(), wrapped, "");
}

/// The comment lines "// Number ...", "// Parameters: ..." and "// Packs: ...".
void readHeader(const std::string& text, Variation& variation) {
  static const std::regex number("\n// Number ([0-9]+)(?:: ([^\n]+))?\n");
  std::smatch found;
  if (!std::regex_search(text, found, number))
    throw std::runtime_error("expected a line \"// Number N\"");
  variation.number = std::stoi(found[1]);
  readWords(found[2], variation);
  for (const std::string& one : split(commentOf(text, "Parameters"), ','))
    variation.parameters.push_back(parameterOf(one));
  variation.packs = commentOf(text, "Packs");
  variation.beside = commentOf(text, "Beside JWildfire");
}

void readFunction(const std::string& text, Variation& variation) {
  const std::regex function("\nvec[23] variation_" + variation.name + "\\(([^)]*)\\)");
  std::smatch found;
  if (!std::regex_search(text, found, function))
    throw std::runtime_error("expected a function variation_" + variation.name);
  const std::string list = found[1];
  variation.packedCount = int(std::count(list.begin(), list.end(), ',')) - 1;
  if (variation.packs.empty() && variation.packedCount != int(variation.parameters.size()))
    throw std::runtime_error("expected as many parameters in the header as of the function");
}

Variation read(const std::filesystem::path& file) {
  Variation variation;
  variation.name = file.stem().string();
  const std::string text = textOf(file);
  try {
    readHeader(text, variation);
    readFunction(text, variation);
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
  static const std::regex include("#include \"([^\"]+)\"");
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
    variation.helpers.insert((*it)[1]);
  bool loops = text.find("for (") != std::string::npos;
  const std::filesystem::path project = file.parent_path() / "../../..";
  for (const std::string& helper : variation.helpers)
    loops = loops || textOf(project / helper).find("for (") != std::string::npos;
  if (loops) variation.fields.push_back(".loops = true");
  return variation;
}

/// All of a folder, by their numbers.
std::vector<Variation> readAll(const std::filesystem::path& folder) {
  std::vector<Variation> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".glsl") all.push_back(read(entry.path()));
  std::ranges::sort(all, {}, &Variation::number);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].number != int(i))
      throw std::runtime_error(all[i].name + ": expected the number " + std::to_string(i) +
                               ", found " + std::to_string(all[i].number));
  return all;
}

/// pack_NAME, in which parameters have their names.
void writePacking(std::ostream& out, const Variation& variation) {
  out << "PackedVariation pack_" << variation.name << "(const VariationInput& in) {\n"
      << "  [[maybe_unused]] const Affine& coefs = *in.coefs;\n"
      << "  [[maybe_unused]] const double w = in.weight";
  for (std::size_t i = 0; i < variation.parameters.size(); ++i)
    out << ", " << variation.parameters[i].name << " = in.parameters[" << i << ']';
  out << ";\n  return {" << variation.packs << "};\n}\n";
}

/// The GLSL itself: helpers, and a class whose members are the variations. Helpers that draw are
/// members too.
void writeFunctions(std::ostream& out, const std::vector<Variation>& all,
                    const std::filesystem::path& project) {
  std::set<std::string> helpers;
  for (const Variation& variation : all)
    helpers.insert(variation.helpers.begin(), variation.helpers.end());
  const auto include = [&](bool drawing) {
    for (const std::string& helper : helpers)
      if ((textOf(project / helper).find("unit()") != std::string::npos) == drawing &&
          !helper.ends_with("/point.glsl"))
        out << "#include \"" << helper << "\"\n";
  };
  out << "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
         "namespace fathom::flame::glsl {\nnamespace {\n#define float double\n";
  include(false);
  out << "class Variations : public Drawing {\n public:\n  using Drawing::Drawing;\n";
  include(true);
  for (const Variation& variation : all)
    out << "#include \"shaders/flame/variations/" << variation.name << ".glsl\"\n";
  out << "};\n#undef float\n";
  for (const Variation& variation : all)
    if (!variation.packs.empty()) writePacking(out, variation);
  out << "}  // namespace\n}  // namespace fathom::flame::glsl\n\n";
}

void writeTable(std::ostream& out, const std::vector<Variation>& all) {
  out << "namespace fathom::flame {\nnamespace {\n\nconstexpr ParameterInfo kParameters[] = {\n";
  for (const Variation& variation : all)
    for (const Parameter& p : variation.parameters)
      out << "    {\"" << p.name << "\", " << p.fallback << ", " << p.low << ", " << p.high
          << "},\n";
  out << "};\n\nconstexpr VariationInfo kVariations[] = {\n";
  std::size_t first = 0;
  for (const Variation& variation : all) {
    out << "    {.name = \"" << variation.name << "\", .function = \"" << variation.name << '"';
    for (const std::string& field : variation.fields) out << ", " << field;
    if (!variation.parameters.empty())
      out << ", .parameters = {kParameters + " << first << ", " << variation.parameters.size()
          << '}';
    const std::string pack = variation.packs.empty() ? "nullptr" : "glsl::pack_" + variation.name;
    out << ", .evaluate3 = glsl::Reference<&glsl::Variations::variation_" << variation.name << ", "
        << pack << ">::evaluate, .packedCount = " << variation.packedCount << ", .pack = " << pack
        << ", .besideJWildfire = \"" << variation.beside << "\"},\n";
    first += variation.parameters.size();
  }
  out << "};\n\n}  // namespace\n\nstd::span<const VariationInfo> statedVariations() { return "
         "kVariations; }"
         "\n\n}  // namespace fathom::flame\n";
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) throw std::runtime_error("expected PROJECT_FOLDER OUTPUT.cpp");
  const std::filesystem::path project = arguments[1];
  const std::vector<Variation> all = readAll(project / "shaders/flame/variations");
  std::ofstream out(arguments[2], std::ios::binary);
  out << "// Made by make_variations.cpp from shaders/flame/variations/*.glsl.\n"
         "#include \"app/engine/flame/genome/variations/glsl.h\"\n\n";
  writeFunctions(out, all, project);
  writeTable(out, all);
  if (!out.flush()) throw std::runtime_error(std::string(arguments[2]) + ": expected to write it");
} catch (const std::exception& error) {
  std::cerr << "make_variations: " << error.what() << '\n';
  return 1;
}
