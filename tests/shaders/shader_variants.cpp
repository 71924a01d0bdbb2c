// SPDX-License-Identifier: BSD-3-Clause
// The values of a define are read from the shaders: what stands between #ifndef and #define is the
// default, what `#if` lines compare it with the others.
#include "tests/shaders/shader_variants.h"

#include "app/engine/dof/variants/accumulate.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/generator.h"

#include <regex>

namespace fathom::test {

namespace fs = std::filesystem;

std::vector<std::string> shaderFiles() {
  std::vector<std::string> files;
  const fs::path root = sourcePath("");
  for (const auto& entry : fs::recursive_directory_iterator(root / "shaders")) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".comp" || ending == ".vert" || ending == ".frag")
      files.push_back(entry.path().lexically_relative(root).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

gpu::Features defaultFeatures(const std::string& shader) {
  std::ifstream in(sourcePath(shader));
  const std::string mark = "default targets:";
  gpu::Features features;
  for (std::string line; std::getline(in, line) && line.starts_with("//");) {
    std::istringstream words(line.substr(2));
    if (const auto at = line.find(mark); at != std::string::npos) {
      features.folder = (fs::path(shader).parent_path() / "features").string();
      words.str(line.substr(at + mark.size()));
    }
    if (features.folder.empty()) continue;
    for (std::string word; words >> word;) features.targets.push_back({word});
  }
  return features;
}

std::vector<gpu::GeneratedText> exampleTexts() {
  return {
      {"generated/accumulate.glsl", "#include \"shaders/flame/chaos/accumulate_atomic.glsl\"\n"},
      {"generated/display_transform.glsl", "vec4 displayTransform(vec4 color) { return color; }\n"},
      {"generated/xforms.glsl", "#include \"tests/gpu/data/one_xform.glsl\"\n"}};
}

namespace {

/// The defines that decide something, with the values that they are compared with.
std::map<std::string, std::set<int>> choices(const std::string& text) {
  static const std::regex fallback(R"(#ifndef (\w+)\n(?:\n)*#define \1 (\d+))");
  static const std::regex condition(R"(#(?:el)?if [^\n]*)"),
      compared(R"(\b([A-Z]\w*)(?: ?(==|!=|>|<) ?(\d+))?)");
  std::map<std::string, std::set<int>> values;
  for (std::sregex_iterator match(text.begin(), text.end(), fallback), end; match != end; ++match)
    values[(*match)[1]] = {};
  std::map<std::string, std::set<int>> decided;
  for (std::sregex_iterator line(text.begin(), text.end(), condition), end; line != end; ++line) {
    const std::string words = line->str();
    for (std::sregex_iterator word(words.begin(), words.end(), compared); word != end; ++word) {
      if (!values.contains((*word)[1])) continue;
      std::set<int>& into = decided[(*word)[1]];
      if ((*word)[3].matched)
        into.insert(std::stoi((*word)[3]) + ((*word)[2] == ">" ? 1 : 0));
      else
        into.insert({0, 1});
    }
  }
  return decided;
}

/// What a define asks for beside itself: only apertures with a shape have colored rims.
std::vector<gpu::Define> definesFor(const std::string& name, int value) {
  std::vector<gpu::Define> defines{{name, value}};
  if (name == "CHROMA" && value != 0) defines.push_back({"SHAPE", 1});
  return defines;
}

/// No array is that short, and edits have no list to leave out.
bool isAskedFor(const std::string& file, const std::string& name, int value) {
  if (value != 0) return true;
  return name != "REGISTERS" && name != "NARROW" &&
         !(name == "OUTPUT" && file.starts_with("shaders/deep/operations/"));
}

}  // namespace

std::vector<ShaderVariant> fileVariants() {
  std::vector<ShaderVariant> all;
  for (const std::string& file : shaderFiles()) {
    const gpu::Features features = defaultFeatures(file);
    all.push_back({file, gpu::loadShader(file, {}, exampleTexts(), features), true});
    const std::string text = all.back().text.text;
    for (const auto& [name, values] : choices(text))
      for (const int value : values) {
        if (!isAskedFor(file, name, value)) continue;
        all.push_back({fmt::format("{} with {} {}", file, name, value),
                       gpu::loadShader(file, definesFor(name, value), exampleTexts(), features)});
      }
  }
  return all;
}

std::vector<ShaderVariant> accumulateVariants(int step) {
  std::vector<ShaderVariant> all;
  int number = 0;
  for (const Variant& variant : allVariants(dof::kSpace)) {
    if (number++ % step != 0) continue;
    for (const auto backEnd :
         {dof::WarpBackEnd::Khr, dof::WarpBackEnd::Arb, dof::WarpBackEnd::Emulated}) {
      const gpu::PassKey key = dof::accumulateKey(variant, backEnd, number % 2 == 0);
      all.push_back(
          {fmt::format("accumulate.comp, {} {}", dof::kSpace.id(variant), dof::nameOf(backEnd)),
           gpu::loadShader(key.shader, key.defines, key.generated, key.features)});
    }
  }
  return all;
}

std::vector<ShaderVariant> iterateVariants(bool onGpu) {
  std::vector<ShaderVariant> all;
  const auto add = [&](std::string_view name, const flame::Structure& structure) {
    const gpu::PassKey key{
        "iterate", "shaders/flame/chaos/iterate.comp", {}, flame::generate(structure)};
    all.push_back({fmt::format("iterate.comp, {}", name),
                   gpu::loadShader(key.shader, key.defines, key.generated)});
  };
  flame::Structure one;
  one.capacity = 3;
  for (int i = 0; i < flame::variationCount(); ++i) {
    one.variations = {i};
    one.perXform = {{i}};
    if (onGpu) {
      one.selection = flame::Selection::Shared;
      one.capacity = 2;
      if (i > 0) one.variations = {0, i};
      one.perXform = {{i}, {0}};
      one.postPerXform = {false, false};
    }
    add(flame::variations()[std::size_t(i)].name, one);
  }
  one = {};
  one.capacity = 3;
  one.variations = {0, 1, 2};
  one.perXform = {one.variations};
  for (const bool shared : {false, true})
    for (const auto accumulate :
         {flame::Accumulate::Direct, flame::Accumulate::Atomic, flame::Accumulate::Deferred})
      for (int bits = 0; bits < 64; bits += 7) {
        flame::Structure form = one;
        form.accumulate = accumulate;
        if (shared) {
          form.selection = flame::Selection::Shared;
          form.perXform = {{0}, {1, 2}, {0, 1}};
          form.postPerXform = {false, true, false};
        }
        form.post = shared || (bits & 1);
        form.finalXform = form.finalPost = bits & 2;
        form.finalSometimes = (bits & 2) && (bits & 4);
        if (form.finalXform) form.finalVariations = {1};
        form.xaos = !shared && (bits & 4);
        form.alpha = form.visibility = bits & 8;
        form.tables = bits & 16;
        form.linearPalette = form.jitter = bits & 32;
        form.wideLog = accumulate == flame::Accumulate::Deferred && (bits & 1);
        form.partCount = bits & 8 ? 3 : 1;
        add(fmt::format("form {} of {} {}", bits, int(accumulate), shared), form);
      }
  flame::Structure turns = one;
  turns.selection = flame::Selection::Turns;
  turns.accumulate = flame::Accumulate::Deferred;
  turns.perXform = {{0}, {1, 2}, {0, 1}};
  turns.postPerXform = {false, true, false};
  turns.post = true;
  add("turns", turns);
  flame::Structure moving = one;
  moving.moving = true;
  add("moving", moving);
  return all;
}

}  // namespace fathom::test
