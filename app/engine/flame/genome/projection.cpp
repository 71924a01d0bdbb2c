// SPDX-License-Identifier: BSD-3-Clause
// The matrices of the dialects, and which genomes have depth at all.
#include "app/engine/flame/genome/projection.h"

#include "app/engine/flame/genome/operations.h"

namespace fathom::flame {
namespace {

/// Apophysis and Fractorium: yaw, then pitch; angles in radians.
void turnLikeApophysis(const DepthCamera& camera, Projection& p) {
  const double cy = std::cos(-camera.yaw), sy = std::sin(-camera.yaw);
  const double cp = std::cos(camera.pitch), sp = std::sin(camera.pitch);
  p.rows[0] = {cy, -sy, 0};
  p.rows[1] = {cp * sy, cp * cy, -sp};
  p.rows[2] = {sp * sy, sp * cy, cp};
  p.shift = -camera.zpos * glm::dvec3(p.rows[0].z, p.rows[1].z, p.rows[2].z);
  p.perspective = camera.perspective;
}

/// JWildfire: yaw, pitch, bank and the rotation of the picture, then a shift.
void turnLikeJWildfire(const Genome& genome, Projection& p) {
  const DepthCamera& camera = genome.camera;
  const double yaw = -camera.yaw, pitch = camera.pitch, bank = camera.bank;
  const double roll = genome.rotate * std::numbers::pi / 180;
  const double cy = std::cos(yaw), sy = std::sin(yaw), cp = std::cos(pitch), sp = std::sin(pitch);
  const double cb = std::cos(bank), sb = std::sin(bank), cr = std::cos(roll), sr = std::sin(roll);
  const double a = sp * sb * sr - cb * cr, b = cr * sp * sb + cb * sr;
  p.rows[0] = {-cp * sr * sy - a * cy, -cp * cy * sr + a * sy, cb * sp * sr + cr * sb};
  p.rows[1] = {cp * cr * sy + b * cy, cp * cr * cy - b * sy, -cb * cr * sp + sb * sr};
  p.rows[2] = {-cp * cy * sb + sp * sy, cp * sb * sy + cy * sp, cp * cb};
  p.shift = camera.shift;
  p.perspective = camera.perspective;
  p.base = 1 + camera.shift.z;
  p.clips = p.turns = true;
}

void addBlur(const Genome& genome, Projection& p) {
  const DepthCamera& camera = genome.camera;
  p.blur = 0.1 * camera.blur;
  if (genome.dialect != Dialect::JWildfire) return;
  p.kind = camera.newBlur ? DepthBlur::Focus : DepthBlur::Behind;
  p.focus = camera.newBlur ? camera.focus : glm::dvec3(0, 0, camera.zpos);
  p.area = camera.blurArea;
  p.fade = camera.blurArea / 2.25;
  p.power = 1 / camera.blurExponent;
}

}  // namespace

double Projection::blurDistance(glm::dvec3 q) const {
  if (kind == DepthBlur::Depth) return q.z;
  if (kind == DepthBlur::Behind) return std::max(0.0, focus.z - q.z);
  const glm::dvec3 d = q - focus;
  const double distance = std::pow(d.x * d.x + d.y * d.y + d.z * d.z, power);
  const double t =
      fade > 0 ? std::clamp((distance - (area - fade)) / fade, 0.0, 1.0) : double(distance > area);
  return distance * t * t * t * (t * (t * 6 - 15) + 10);
}

std::optional<glm::dvec2> Projection::operator()(glm::dvec3 p, Draws& draws) const {
  if (isFlat) return glm::dvec2(p);
  const auto along = [&](int i) {
    return rows[i].x * p.x + rows[i].y * p.y + rows[i].z * p.z + shift[i];
  };
  glm::dvec3 q(along(0), along(1), along(2));
  const double distance = base - perspective * q.z;
  if (clips && distance < 1e-10) return std::nullopt;
  if (blur != 0) {
    const double radius = draws.unit() * blur * blurDistance(q);
    const double angle = 2 * std::numbers::pi * draws.unit();
    q.x += radius * std::cos(angle), q.y += radius * std::sin(angle);
  }
  return glm::dvec2(q) / distance;
}

Projection projectionOf(const Genome& genome) {
  const DepthCamera& camera = genome.camera;
  Projection p;
  p.isFlat = camera.pitch == 0 && camera.yaw == 0 && camera.bank == 0 && camera.perspective == 0 &&
             camera.blur == 0 && camera.shift == glm::dvec3(0);
  if (p.isFlat) return p;
  if (genome.dialect == Dialect::JWildfire)
    turnLikeJWildfire(genome, p);
  else
    turnLikeApophysis(camera, p);
  addBlur(genome, p);
  return p;
}

bool needsDepth(const Genome& genome) {
  if (!projectionOf(genome).isFlat) return true;
  unsigned uses = 0;
  eachXform(genome, [&](const Xform& xform) {
    for (const VariationUse& use : xform.variations)
      if (use.weight != 0) uses |= variations()[std::size_t(use.index)].depth;
  });
  return (uses & kMakesZ) && (uses & kReadsZ);
}

}  // namespace fathom::flame
