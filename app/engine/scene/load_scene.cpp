// SPDX-License-Identifier: BSD-3-Clause
// A scene by its word or file: the table of built-in scenes and their parameters, parts by their
// name.
#include "app/engine/scene/load_scene.h"

#include "app/engine/core/fields.h"
#include "app/engine/core/text.h"
#include "app/engine/io/deflate.h"
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/scene_builder.h"

namespace fathom {

const std::vector<BuiltInScene>& builtInTable() {
  static const std::vector<BuiltInScene> table = [] {
    std::vector<BuiltInScene> scenes{atriumScene(), forestScene(), hairballScene(),
                                     planesScene(), pointsScene(), powerplantScene(),
                                     stationScene()};
    for (BuiltInScene& scene : scenes) {
      scene.parameters.push_back({"seed", 0, 4294967295.0, 1, true, "random seed"});
      scene.parameters.push_back(
          {"alpha", 0, 1, 0, false, "alpha of every surface; 0: each its own"});
    }
    return scenes;
  }();
  return table;
}

double SceneArguments::get(const std::string& name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return values_[i];
  FATHOM_CHECK(!"a parameter that the scene's table lacks");
  return 0;
}

namespace {

bool isSceneFile(const std::string& text) {
  return std::ranges::any_of(sceneEndings(), [name = lowered(text)](const std::string& ending) {
    return name.ends_with(ending);
  });
}

struct Split {
  std::string base, part;
  bool hasPart = false;
};

/// A file's part stands behind the last '#', but '#' may also be a letter of the path itself.
Split splitFile(const std::string& spec) {
  if (isSceneFile(spec)) return {spec, "", false};
  for (std::size_t at = spec.rfind('#'); at != std::string::npos && at > 0;
       at = spec.rfind('#', at - 1))
    if (isSceneFile(spec.substr(0, at))) return {spec.substr(0, at), spec.substr(at + 1), true};
  return {};
}

const BuiltInScene* builtInNamed(const std::string& spec) {
  const std::string word = spec.substr(0, spec.find_first_of(":#"));
  std::error_code none;
  if (word != spec && fs::exists(spec, none)) return nullptr;  // a file's own name
  for (const BuiltInScene& entry : builtInTable())
    if (entry.name == word) return &entry;
  return nullptr;
}

template <class Named>
std::string namesOf(const std::vector<Named>& all) {
  return joined(all, ", ", &Named::name);
}

/// One `name=value` into the values; throws Error naming what exists.
void setParameter(const BuiltInScene& entry, const std::string& assignment,
                  std::vector<double>& values) {
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  const auto found = std::ranges::find(entry.parameters, name, &SceneParameter::name);
  if (found == entry.parameters.end())
    fail("{}: expected a parameter out of {}, found \"{}\"", entry.name, namesOf(entry.parameters),
         name);
  if (equals == std::string::npos)
    fail("{}: expected {}=VALUE, found \"{}\"", entry.name, name, assignment);
  const std::string text = assignment.substr(equals + 1);
  const double value = numberIn<double>(text).value_or(NAN);
  // The comparison is false for NaN.
  if (!(value >= found->low && value <= found->high) ||
      (found->whole && value != double(std::int64_t(value))))
    fail("{}: {}: expected {} from {} to {}, found \"{}\"", entry.name, name,
         found->whole ? "a whole number" : "a number", found->low, found->high, text);
  values[std::size_t(found - entry.parameters.begin())] = value;
}

/// A part by its number counted from 1, or by its name.
void keepPart(Scene& scene, const std::string& name) {
  const std::size_t number = numberIn<std::size_t>(name).value_or(0);
  const auto part = number >= 1 && number <= scene.parts.size()
                        ? scene.parts.begin() + std::ptrdiff_t(number - 1)
                        : std::ranges::find(scene.parts, name, &ScenePart::name);
  if (part == scene.parts.end())
    fail("{}: expected a part out of {}, or its number, found \"{}\"", scene.name,
         namesOf(scene.parts), name);
  scene.parts = {ScenePart(*part)};
}

}  // namespace

const std::vector<SceneInfo>& builtInScenes() {
  static const std::vector<SceneInfo> all = [] {
    std::vector<SceneInfo> list;
    const auto text = [](const SceneParameter& p) {
      return fmt::format("{}={}", p.name, p.standard);
    };
    for (const BuiltInScene& entry : builtInTable())
      list.push_back({entry.name, entry.about, joined(entry.parameters, ",", text)});
    return list;
  }();
  return all;
}

std::optional<BuiltInSpec> parseBuiltIn(const std::string& spec) {
  const BuiltInScene* entry = builtInNamed(spec);
  if (!entry) return std::nullopt;
  const std::size_t hash = spec.find('#');
  const std::string before = spec.substr(0, hash);
  std::vector<double> values;
  for (const SceneParameter& p : entry->parameters) values.push_back(p.standard);
  if (const std::size_t colon = before.find(':'); colon != std::string::npos)
    for (const std::string& value : splitAt(std::string_view(before).substr(colon + 1), ','))
      setParameter(*entry, value, values);
  BuiltInSpec parsed{entry, SceneArguments(entry->parameters, std::move(values)), std::nullopt};
  if (hash != std::string::npos) parsed.part = spec.substr(hash + 1);
  return parsed;
}

bool isSceneSpec(const std::string& spec) {
  return builtInNamed(spec) != nullptr || !splitFile(spec).base.empty();
}

std::shared_ptr<const Scene> loadScene(const std::string& spec, Progress& progress,
                                       std::optional<SceneShare> share) {
  auto scene = std::make_shared<Scene>();
  scene->name = spec;
  // A file of a built-in's name is not hidden by it: files are told by their ending.
  if (const Split file = splitFile(spec); !file.base.empty()) {
    if (file.hasPart && file.part.empty()) fail("{}: expected a part behind '#', found none", spec);
    scene->share = share;
    loadSceneFile(*scene, file.base, file.part, progress);
  } else if (const std::optional<BuiltInSpec> builtIn = parseBuiltIn(spec)) {
    builtIn->scene->make(*scene, builtIn->arguments, progress);
    // The texture's own alpha still multiplies it.
    if (const double alpha = builtIn->arguments.get("alpha"); alpha > 0)
      for (auto& material : scene->materials) material.color.a = float(alpha);
    if (builtIn->part) keepPart(*scene, *builtIn->part);
  } else {
    fail("{}: expected a scene file ({}) or a scene out of {}, found neither", spec,
         fmt::join(sceneEndings(), ", "), namesOf(builtInTable()));
  }
  if (!scene->bounds.empty()) scene->camera.fitDepth(scene->bounds);
  return scene;
}

std::vector<std::string> sceneEndings(std::vector<std::string> others) {
  others.insert(others.end(), {".obj", ".glb", ".gltf", ".ply", ".stl"});
  return others;
}

void loadSceneFile(Scene& scene, const fs::path& file, const std::string& part,
                   Progress& progress) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) fail("{}: no such file", file.string());
  if (fs::is_directory(status)) fail("{}: expected a scene file, found a folder", file.string());
  const auto bytes = fs::file_size(file, error);
  if (!error && bytes == 0) fail("{}: expected a scene file, found an empty file", file.string());
  progress.begin("reading " + file.filename().string(), error ? 0 : double(bytes));
  const std::string ending = endingOf(file);
  (ending == ".obj"   ? readObj
   : ending == ".ply" ? readPly
   : ending == ".stl" ? readStl
                      : readGltf)(scene, file, part, progress);
}

std::string contentOf(const Scene& scene) {
  if (splitFile(scene.name).base.empty()) return scene.name;
  std::vector<std::uint32_t> sums;
  const auto add = [&](const auto& values) {
    sums.push_back(crc32(std::as_bytes(std::span(values))));
  };
  if (scene.share)
    sums.push_back(scene.share->checksum);
  else
    add(scene.vertices), add(scene.indices);
  add(scene.materials);
  for (const ScenePart& part : scene.parts) add(part.name);
  for (const SceneTexture& texture : scene.textures)
    add(std::span(texture.rgba).first(mipmapBytes(texture, 0)));
  return fmt::format("scene of checksum {:08x}", crc32(std::as_bytes(std::span(sums))));
}

}  // namespace fathom
