// SPDX-License-Identifier: BSD-3-Clause
// For fragment shaders behind points.vert: the sphere of an impostor, exact in outline and depth.
in vec3 pointPlace;
flat in vec4 pointSphere;
flat in vec2 pointLook;
flat in vec2 pointDepthFromZ;
flat in float pointFacing;

struct PointFragment {
  bool hit;
  vec3 normal;  // in view space
  float depth;  // 0 near .. 1 far
};

// The nearer of the two points where the line of sight through this fragment meets the sphere.
PointFragment pointFragment() {
  vec3 ray = normalize(pointPlace);
  float along = dot(ray, pointSphere.xyz);
  vec3 off = pointSphere.xyz - ray * along;  // from the ray's nearest point to the center
  float inside = pointSphere.w * pointSphere.w - dot(off, off);
  vec3 place = ray * (along - sqrt(max(inside, 0.0)));
  PointFragment f;
  f.hit = inside >= 0.0;
  f.normal = (place - pointSphere.xyz) / pointSphere.w;
  f.depth = clamp(pointDepthFromZ.x + pointDepthFromZ.y / place.z, 0.0, 1.0);
  return f;
}

// From deep blue through amber to white; what faces away is dim.
vec3 pointColor(PointFragment f) {
  float d = pointLook.x;
  vec3 low = vec3(0.025, 0.17, 0.34), middle = vec3(0.95, 0.33, 0.055), high = vec3(1.0, 0.93, 0.72);
  vec3 color = d < 0.5 ? mix(low, middle, d * 2.0) : mix(middle, high, d * 2.0 - 1.0);
  color *= 0.75 + 0.5 * pointLook.y;
  float light = 0.45 + 0.55 * max(dot(f.normal, vec3(0.35, 0.55, 0.757)), 0.0);
  float side = mix(0.10, 1.0, smoothstep(-0.25, 0.3, pointFacing));
  return color * (light * side);
}
