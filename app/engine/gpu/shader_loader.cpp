// SPDX-License-Identifier: BSD-3-Clause
// Files of features by a partial order of their names, and a small preprocessor of shader files.
#include "app/engine/gpu/shader_loader.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/system/machine.h"

#include <regex>

namespace fathom::gpu {

FeatureFiles::FeatureFiles(const Features& features) : features_(features) {
  const fs::path folder = shaderRoot() / features.folder;
  std::error_code failure;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure))
    if (at->path().extension() == ".glsl") names.push_back(at->path().filename().string());
  if (failure)
    fail("{}: expected a folder of features, found {}", folder.string(), failure.message());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) add(name);
}

FeatureFiles::FeatureFiles(const Features& features, const std::vector<std::string>& names)
    : features_(features) {
  for (const std::string& name : names) add(name);
}

void FeatureFiles::add(const std::string& name) {
  const std::vector<std::string> parts = splitAt(name, '.');
  File file{features_.folder + "/" + name, parts[0], {}};
  if (parts.size() == 3) file.targets = splitAt(parts[1], '+');
  const bool named = (parts.size() == 2 || parts.size() == 3) && !parts[0].empty() &&
                     std::none_of(file.targets.begin(), file.targets.end(),
                                  [](const std::string& target) { return target.empty(); });
  if (!named)
    fail("{}: expected a name like feature.glsl or feature.target+target.glsl, found \"{}\"",
         file.path, name);
  files_.push_back(std::move(file));
}

bool FeatureFiles::applies(const File& file) const {
  return std::all_of(file.targets.begin(), file.targets.end(), [&](const std::string& target) {
    return std::any_of(features_.targets.begin(), features_.targets.end(), [&](const auto& chain) {
      return std::find(chain.begin(), chain.end(), target) != chain.end();
    });
  });
}

/// Whether `target` is `base`, or an active chain goes from the one to the other.
bool FeatureFiles::refines(const std::string& target, const std::string& base) const {
  if (target == base) return true;
  return std::any_of(features_.targets.begin(), features_.targets.end(), [&](const auto& chain) {
    const auto from = std::find(chain.begin(), chain.end(), target);
    return std::find(from, chain.end(), base) != chain.end();
  });
}

bool FeatureFiles::beats(const File& a, const File& b) const {
  const auto covers = [this](const File& over, const File& under) {
    return std::all_of(under.targets.begin(), under.targets.end(), [&](const std::string& base) {
      return std::any_of(over.targets.begin(), over.targets.end(),
                         [&](const std::string& target) { return refines(target, base); });
    });
  };
  return covers(a, b) && !covers(b, a);
}

/// The one file of the feature that no other one beats, among those that `below` beats (null: all).
std::string FeatureFiles::best(const std::string& feature, const File* below) const {
  std::vector<const File*> left;
  for (const File& file : files_)
    if (file.feature == feature && applies(file) && (!below || beats(*below, file)))
      left.push_back(&file);
  std::vector<std::string> maximal;
  for (const File* file : left)
    if (std::none_of(left.begin(), left.end(), [&](const File* o) { return beats(*o, *file); }))
      maximal.push_back(file->path);
  if (maximal.size() == 1) return maximal[0];

  const std::string targets =
      joined(features_.targets, " ", [](const TargetChain& chain) { return chain.at(0); });
  if (maximal.empty() && below)
    fail("{}: expected a less specific file of feature \"{}\" for @parent, found none for {}",
         below->path, feature, targets);
  if (maximal.empty())
    fail("{}: expected a file of feature \"{}\" that applies, found none for {}", features_.folder,
         feature, targets);
  fail("feature \"{}\": expected one most specific file, found {} for {}", feature,
       fmt::join(maximal, " and "), targets);
}

std::string FeatureFiles::parentOf(const std::string& path) const {
  const auto file = std::ranges::find(files_, path, &File::path);
  if (file == files_.end())
    fail("{}: expected @parent only in the files of {}, found it here", path, features_.folder);
  return best(file->feature, &*file);
}

std::vector<std::string> FeatureFiles::names() const {
  std::set<std::string> all;
  for (const File& file : files_) all.insert(file.feature);
  return {all.begin(), all.end()};
}

std::vector<std::string> FeatureFiles::paths() const {
  std::vector<std::string> all;
  for (const File& file : files_) all.push_back(file.path);
  std::sort(all.begin(), all.end());
  return all;
}

// ---- Flattening

// A small preprocessor: it flattens includes, hoists #extension lines and keeps the origin of every
// line, but leaves #define and conditions to the compiler.

namespace {

/// "#  include "a"" gives {"include", "\"a\""}; nothing when the line is no directive.
struct Directive {
  std::string_view word, rest;
};
std::optional<Directive> directiveOf(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line.front() != '#') return {};
  line = trimmed(line.substr(1));
  const auto end = std::min(line.find_first_of(" \t\"<(/"), line.size());
  return Directive{line.substr(0, end), trimmed(line.substr(end))};
}

std::string readFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Flattener {
 public:
  Flattener(ShaderText& out, const std::vector<GeneratedText>& generated, const Features& features)
      : out_(out), generated_(generated) {
    if (!features.folder.empty()) features_.emplace(features);
  }

  /// A line of ours at the top.
  void addLine(std::string text) { prelude_.emplace_back(std::move(text), kOurs); }

  /// Appends a file to the body, once.
  void addFile(const std::string& name, std::string_view from) {
    if (std::find(out_.files.begin(), out_.files.end(), name) != out_.files.end()) return;
    for (const GeneratedText& generated : generated_)
      if (generated.name == name) return addText(name, generated.text);
    const fs::path path = shaderRoot() / name;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
      fail("{}expected the file {}, found none in {}", from, name, shaderRoot().string());
    out_.filePaths.push_back(path);
    addText(name, readFile(path));
  }

  /// Appends the file of a feature ("@loop", "@parent"), again each time.
  void addFeature(const std::string& feature, const std::string& includer, std::string_view from) {
    if (!features_) fail("{}expected features to be given for {}, found none", from, feature);
    const std::string path = resolve(feature, includer, from);
    if (std::find(open_.begin(), open_.end(), path) != open_.end())
      fail("{}expected no circle of features, found {} in itself", from, path);
    const fs::path onDisk = shaderRoot() / path;
    if (std::ranges::find(out_.files, path) == out_.files.end()) out_.filePaths.push_back(onDisk);
    open_.push_back(path);
    // Expanded, a part says where it comes from instead of repeating the license.
    std::string text = readFile(onDisk);
    if (text.starts_with("// SPDX")) text.replace(0, text.find('\n'), "// " + path);
    addText(path, text);
    open_.pop_back();
  }

  void addText(const std::string& name, const std::string& text) {
    const auto known = std::find(out_.files.begin(), out_.files.end(), name);
    const int file = int(known - out_.files.begin());
    if (known == out_.files.end()) out_.files.push_back(name);
    std::istringstream in(text);
    in.exceptions(std::ios::badbit);  // without memory it would end early
    int number = 0;
    for (std::string line; std::getline(in, line);) addBodyLine(line, {file, ++number});
  }

  void finish() {
    append("#version 450 core", kOurs);
    for (const auto& [text, origin] : prelude_) append(text, origin);
    for (const auto& [text, origin] : hoisted_) append(text, origin);
    for (const auto& [text, origin] : body_) append(text, origin);
  }

 private:
  using Line = std::pair<std::string, ShaderText::Origin>;
  static constexpr ShaderText::Origin kOurs{-1, 1};

  std::string resolve(const std::string& feature, const std::string& includer,
                      std::string_view from) const try {
    return feature == "@parent" ? features_->parentOf(includer)
                                : features_->resolve(feature.substr(1));
  } catch (const Error& error) {
    throw Error(std::string(from) + error.what());
  }

  void append(const std::string& text, ShaderText::Origin origin) {
    out_.text += text;
    out_.text += '\n';
    out_.origins.push_back(origin);
  }

  void addBodyLine(const std::string& line, ShaderText::Origin origin) {
    const auto directive = directiveOf(line);
    if (!directive) {
      body_.emplace_back(line, origin);
      return;
    }
    trackConditions(*directive, line, origin);
    if (directive->word == "include" && includesGlsl(*directive)) {
      body_.emplace_back("", origin);
      const std::string name(directive->rest.substr(1, directive->rest.find('"', 1) - 1));
      const std::string includer = out_.files[std::size_t(origin.file)];
      const std::string from = fmt::format("{}:{}: ", includer, origin.line);
      if (name.starts_with('@'))
        addFeature(name, includer, from);
      else
        addFile(name, from);
    } else if (directive->word == "version") {
      body_.emplace_back("", origin);
    } else if (directive->word == "extension") {
      hoist(line, origin);
      body_.emplace_back("", origin);
    } else {
      body_.emplace_back(line, origin);
    }
  }

  // A header shared with C++ includes C++ headers in its C++ part; the GLSL preprocessor skips
  // them.
  bool includesGlsl(const Directive& include) const {
    if (include.rest.size() < 3 || include.rest.front() != '"' ||
        include.rest.find('"', 1) == std::string_view::npos)
      return false;
    return std::ranges::none_of(conditions_, [](const Condition& c) { return c.cpp; });
  }

  void hoist(const std::string& line, ShaderText::Origin origin) {
    for (const Condition& condition : conditions_)
      hoisted_.insert(hoisted_.end(), condition.lines.begin(), condition.lines.end());
    hoisted_.emplace_back(line, origin);
    for (std::size_t i = 0; i < conditions_.size(); ++i) hoisted_.emplace_back("#endif", origin);
  }

  void trackConditions(const Directive& directive, const std::string& line,
                       ShaderText::Origin origin) {
    const std::string_view word = directive.word;
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const bool names = directive.rest.find("__cplusplus") != std::string_view::npos;
      const bool negated = word == "ifndef" || (word == "if" && directive.rest.front() == '!');
      conditions_.push_back({{{line, origin}}, names, names && !negated});
    } else if ((word == "else" || word == "elif") && !conditions_.empty()) {
      Condition& condition = conditions_.back();
      condition.lines.emplace_back(line, origin);
      condition.cpp = condition.namesCpp && !condition.cpp && word == "else";
    } else if (word == "endif" && !conditions_.empty()) {
      conditions_.pop_back();
    }
  }

  struct Condition {
    std::vector<Line> lines;  // #if.. and its #elif and #else so far
    bool namesCpp;            // about __cplusplus
    bool cpp;                 // this branch is for C++ alone
  };

  ShaderText& out_;
  const std::vector<GeneratedText>& generated_;
  std::optional<FeatureFiles> features_;
  std::vector<std::string> open_;  // files of features around the current line
  std::vector<Line> prelude_, hoisted_, body_;
  std::vector<Condition> conditions_;
};

struct Message {
  std::optional<std::size_t> line;  // in the flattened text
  std::string text;                 // "error: x"
};

/// One line of a compiler's log: `0:10(5): error: x`, `0(10) : error C1: x` or `ERROR: 0:10: x`.
/// The first number says which of our strings; we pass one.
Message parseMessage(const std::string& text) {
  static const std::regex place(
      R"((?:\d+:(\d{1,9})\(\d+\)|\d+\((\d{1,9})\)|(ERROR|WARNING):\s*\d+:(\d{1,9}))\s*:\s*)");
  std::smatch at;
  if (!std::regex_search(text, at, place, std::regex_constants::match_continuous))
    return {std::nullopt, text};
  const std::string kind = !at[3].matched ? "" : at[3] == "ERROR" ? "error: " : "warning: ";
  return {std::stoul(at.str(1) + at.str(2) + at.str(4)), kind + at.suffix().str()};
}

const char kSelf = 0;  // an address in here

fs::path findShaderRoot() {
  std::vector<fs::path> tried;
  if (const char* folder = std::getenv("FATHOM_SHADERS"); folder && *folder) {
    tried.push_back(fs::absolute(folder));
    if (tried.back().filename().empty()) tried.back() = tried.back().parent_path();
    if (tried.back().filename() == "shaders") tried.back() = tried.back().parent_path();
  } else {
    const fs::path program = system::programFile(), code = system::fileOfAddress(&kSelf);
    if (!program.empty()) {
      tried.push_back(program.parent_path().parent_path() / "share" / "fathom");
      tried.push_back(program.parent_path());
    }
    // This code may be in a library of another program:
    // PREFIX/lib[/ARCHITECTURE]/libfathom_icet.so.
    const fs::path library = code.empty() ? code : fs::absolute(code).parent_path();
    if (!library.empty()) {
      tried.push_back(library.parent_path() / "share" / "libfathom");
      tried.push_back(library.parent_path().parent_path() / "share" / "libfathom");
    }
    // In a folder that CMake builds in, it has noted where the sources are.
    for (fs::path above : {program, library / "code"})
      while ((above = above.parent_path()).has_relative_path())
        if (std::ifstream note(above / "fathom-sources"); note)
          tried.emplace_back(std::string(std::istreambuf_iterator(note), {}));
  }
  for (const fs::path& folder : tried) {
    std::error_code ignored;
    if (fs::is_directory(folder / "shaders" / "common", ignored)) return fs::absolute(folder);
  }
  fail("shaders: expected the folder at one of {}, found none (set FATHOM_SHADERS)",
       joined(tried, ", ", [](const fs::path& folder) { return (folder / "shaders").string(); }));
}

}  // namespace

const fs::path& shaderRoot() {
  static const fs::path root = findShaderRoot();
  return root;
}

ShaderText loadShader(const std::string& shader, const std::vector<Define>& defines,
                      const std::vector<GeneratedText>& generated, const Features& features) {
  ShaderText out;
  out.name = shader;
  Flattener flattener(out, generated, features);
  for (const TargetChain& chain : features.targets) flattener.addLine("// target " + chain.at(0));
  for (const Define& define : defines)
    flattener.addLine(fmt::format("#define {} {}", define.name, define.value));
  flattener.addFile(shader, "");
  flattener.finish();
  return out;
}

std::string mapMessages(const ShaderText& shader, std::string_view log) {
  const auto placeOf = [&](std::size_t line) {
    if (line == 0 || line > shader.origins.size()) return shader.name;
    const ShaderText::Origin origin = shader.origins[line - 1];
    if (origin.file < 0) return shader.name + " (defines)";
    return fmt::format("{}:{}", shader.files[std::size_t(origin.file)], origin.line);
  };
  std::string mapped;
  for (const std::string& line : splitAt(log.substr(0, log.find('\0')), '\n')) {
    if (trimmed(line).empty()) continue;
    const Message message = parseMessage(std::string(trimmed(line)));
    if (!mapped.empty()) mapped += '\n';
    if (message.line) mapped += placeOf(*message.line) + ": ";
    mapped += message.text;
  }
  return mapped;
}

bool isWarning(std::string_view mappedLine) {
  return mappedLine.find(": warning") != std::string_view::npos;
}

}  // namespace fathom::gpu
