// SPDX-License-Identifier: BSD-3-Clause
// The pieces that `atrium` is put together from. Everything is drawn in the bay's own frame: x
// along the side of the court, y up, z towards the court, the origin on the line of the columns in
// the middle between two of them. Lengths in m.
#pragma once

#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom::atrium {

// The plan: a court of 8 x 3 bays with galleries around it on two floors.
constexpr float kBay = 3.0f;
constexpr int kLongBays = 8, kShortBays = 3;
constexpr float kHalfLength = kBay * kLongBays / 2, kHalfWidth = kBay * kShortBays / 2;
constexpr float kGalleryDepth = 3.2f;  // from the line of the columns to the back wall
constexpr float kBackWall = 0.5f;      // thickness
constexpr float kOuter = 8.0f;         // from the line of the columns to the face of the house
constexpr float kRidge = 3.9f;         // from the line of the columns to the ridge of the roof
constexpr float kRoofRise = 1.75f;     // from the eaves to the ridge
constexpr float kWall = 0.25f;         // half the thickness of the arcade's wall
constexpr float kOpening = 1.15f;      // radius of the arches
// Heights.
constexpr float kGroundFloor = 0.16f, kGroundSpring = 3.75f, kGroundTop = 5.25f;
constexpr float kUpperFloor = 5.55f, kUpperSpring = 9.0f, kUpperTop = 10.45f;
constexpr float kRail = 0.98f;  // of the balustrade, above the upper floor
constexpr float kEaves = 11.0f;

constexpr int kInterior = 0, kExterior = 1;  // parts

struct Looks {
  int ashlar, stone, marble, inlay, tiles, gallery, plaster, wood, terracotta, roofTiles, bronze;
  int glass, pane, lampGlow, water, spray, soil, leaf, frond, ivy, cypress, lawn, sky, cloud, gold;
  int drapes[4];   // translucent cloth
  int banners[3];  // woven, with a device
  int fresco[3];
};
/// Adds textures and materials.
Looks addLooks(MeshBuilder& mesh, std::uint64_t seed);

// atrium_stone.cpp
void addColumn(MeshBuilder& mesh, const Looks& looks, float bottom, float top, float radius);
/// The arcade's wall above one arch, on both sides, with its reveal and archivolt.
void addArch(MeshBuilder& mesh, const Looks& looks, float spring, float top);
void addBalustrade(MeshBuilder& mesh, const Looks& looks);
/// Cornices between and above the floors, for one bay.
void addCornices(MeshBuilder& mesh, const Looks& looks);
void addRoof(MeshBuilder& mesh, const Looks& looks);
/// The height of the roof above the eaves, by the distance outward from the line of the columns.
float roofHeight(float outward);
enum class Back { Niche, Door, OpenDoor };
/// The gallery behind one bay: coffered ceiling, back wall, and what the wall shows.
void addGallery(MeshBuilder& mesh, const Looks& looks, bool upper, Back back);
/// The room behind the gallery: the other face of its wall, a partition, the outer wall with a
/// window. Floors and ceilings are laid for the whole house at once.
void addRoom(MeshBuilder& mesh, const Looks& looks, bool upper, Back back, bool partition);
void addCoffers(MeshBuilder& mesh, const Looks& looks, glm::vec3 corner, float width, float depth,
                int columns, int rows);

// atrium_furnish.cpp
/// A cloth hung at both upper corners of an arch: `open` 1 is drawn aside, 0 hangs across.
void addCurtain(MeshBuilder& mesh, int material, float bottom, float top, float open,
                Random& random);
/// A long cloth across the court, sagging between its ends a and b, `width` wide along x.
void addAwning(MeshBuilder& mesh, int material, glm::vec3 a, glm::vec3 b, float width, float sag,
               Random& random);
void addBanner(MeshBuilder& mesh, int material, const Looks& looks, float top, Random& random);
void addLantern(MeshBuilder& mesh, const Looks& looks, glm::vec3 hook, float drop);
void addFountain(MeshBuilder& mesh, const Looks& looks, Random& random);
/// A tall narrow tree of leaf cards.
void addCypress(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size, Random& random);
/// Potted plants: a palm with bent fronds, a clipped tree of single leaves.
void addPalm(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size, Random& random);
void addLaurel(MeshBuilder& mesh, const Looks& looks, glm::vec3 foot, float size, Random& random);
/// Ivy that hangs from the line a-b down the wall, out in front of it along z.
void addIvy(MeshBuilder& mesh, const Looks& looks, glm::vec3 a, glm::vec3 b, float drop, int leaves,
            Random& random);

}  // namespace fathom::atrium
