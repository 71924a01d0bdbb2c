// SPDX-License-Identifier: BSD-3-Clause
// The built-in scenes. Every parameter has a name, a range and a default in one
// table, which serves the parser, the help and the error messages.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/core/random.h"
#include "app/engine/scene/scene.h"

namespace fathom {

/// A parameter after the colon: `hairball:strands=2000`.
struct SceneParameter {
  std::string name;
  double low, high, standard;
  bool whole = true;  // an integer
  std::string about;
};

/// The values of all parameters of one scene, in the table's order.
class SceneArguments {
 public:
  SceneArguments(const std::vector<SceneParameter>& parameters, std::vector<double> values)
      : parameters_(parameters), values_(std::move(values)) {}
  double get(const std::string& name) const;
  int count(const std::string& name) const { return int(get(name)); }
  std::uint64_t seed() const { return std::uint64_t(get("seed")); }

 private:
  const std::vector<SceneParameter>& parameters_;
  std::vector<double> values_;
};

struct BuiltInScene {
  std::string name, about;
  std::vector<SceneParameter> parameters;  // the table adds `seed` and `alpha` to each
  void (*make)(Scene& scene, const SceneArguments& arguments, Progress& progress);
};

/// Each scene's file says what it shows.
const std::vector<BuiltInScene>& builtInTable();

/// A word of the table with its parameters; `part` is what stands behind '#'.
struct BuiltInSpec {
  const BuiltInScene* scene;
  SceneArguments arguments;
  std::optional<std::string> part;
};
/// None when the text begins with no word of the table. Throws Error (unknown or wrong parameter).
std::optional<BuiltInSpec> parseBuiltIn(const std::string& spec);

BuiltInScene atriumScene();      // atrium.cpp
BuiltInScene forestScene();      // forest.cpp
BuiltInScene hairballScene();    // paper_scenes.cpp
BuiltInScene planesScene();      // paper_scenes.cpp
BuiltInScene pointsScene();      // points.cpp
BuiltInScene powerplantScene();  // powerplant.cpp
BuiltInScene stationScene();     // station.cpp

/// Fills Vertex::light of every vertex inside `bounds`: how much of the sky it sees, and how much
/// of what surrounds it is near enough to darken it. Rays march through a voxel grid of the
/// surfaces that keep light off (Material::surface.z). The result does not depend on the number of
/// threads.
void bakeLight(Scene& scene, const Box& bounds, Progress& progress);

}  // namespace fathom
