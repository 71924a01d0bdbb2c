// SPDX-License-Identifier: BSD-3-Clause
// The table of samples.
#include "app/window/workspace/samples.h"

#include "app/engine/gpu/shader_loader.h"

#include <filesystem>
#include <system_error>

namespace fathom::viewer {
namespace {

std::string asset(const char* name) { return (gpu::shaderRoot() / "assets" / name).string(); }

bool isThere(const Sample& sample) {
  std::error_code ignored;
  for (const std::string& input : sample.inputs)
    if (input.find('/') != std::string::npos && !std::filesystem::exists(input, ignored))
      return false;
  return true;
}

std::vector<SampleGroup> allSamples() {
  return {{"deep",
           "Deep images",
           "Every fragment of every pixel: merge, peel, inspect.",
           {{"Atrium", "A hall with columns, leaves and smoke", {"atrium"}},
            {"Forest", "Thousands of leaves over a path; hold out the trunks", {"forest"}},
            {"Hairball", "Thousands of strands: long lists in every pixel", {"hairball"}},
            {"Power plant", "Pipes behind pipes", {"powerplant"}}}},
          {"dof",
           "Depth of field",
           "Focus anywhere, with the light that edges uncover.",
           {{"Atrium in focus", "Click what is to be sharp", {"atrium"}},
            {"Spheres",
             "Where flat pictures fail: near edges",
             {"planes:count=1,spheres=60,alpha=1,seed=4"}}}},
          {"flame",
           "Flames",
           "Fractal flames that refine while you watch; edit, mutate, animate.",
           {{"Corona", "A flam3 genome", {asset("flame/corona.flame")}},
            {"Rosette", "Another genome", {asset("flame/rosette.flame")}},
            {"Film",
             "From one flame to another, on the timeline",
             {asset("flame/edge.corona=seahorse.json")}}}},
          {"smoe",
           "SMoE",
           "Pictures and light fields as components, decoded at any size.",
           {{"Light field", "Drag to change the view", {asset("smoe/light-field.smoe")}},
            {"Model of a picture",
             "1000 components; zoom in as far as you like",
             {asset("smoe/atrium.smoe")}}}},
          {"active-pixel",
           "Active pixels",
           "What each rank of a cluster draws and sends.",
           {{"Station", "A space station in parts", {"station"}},
            {"Points", "A globe of points", {"points:count=300000"}}}}};
}

}  // namespace

const std::vector<SampleGroup>& samples() {
  static const std::vector<SampleGroup> list = [] {
    std::vector<SampleGroup> found;
    for (SampleGroup& group : allSamples()) {
      std::erase_if(group.samples, [](const Sample& sample) { return !isThere(sample); });
      if (!group.samples.empty()) found.push_back(std::move(group));
    }
    return found;
  }();
  return list;
}

std::vector<FileBrowser::Place> placesOf(const std::vector<RecentSet>& recent) {
  std::vector<FileBrowser::Place> places;
  if (!recent.empty()) places.push_back({"Recent", "", {}});
  for (const RecentSet& set : recent) places.push_back({titleOf(set), pathsOf(set), set.inputs});
  for (const SampleGroup& group : samples()) {
    places.push_back({group.title, "", {}});
    for (const Sample& sample : group.samples)
      places.push_back({sample.title, sample.about, sample.inputs});
  }
  return places;
}

}  // namespace fathom::viewer
