// SPDX-License-Identifier: BSD-3-Clause
// Draws of xforms, variations, colors and symmetries, and the short chaos game that rejects genomes
// that show nothing.
#include "app/engine/flame/random.h"

#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/reference.h"

namespace fathom::flame {
namespace {

constexpr int kTries = 60;
constexpr std::size_t kMany = 40;  // xforms, beyond which none are added
constexpr double kEnough = 0.06;   // of the cells of a look
constexpr int kLookFuse = 50, kLookPoints = 12000, kCells = 48;

/// Variations that make shapes people like, with how often each is drawn. Those that are noise or
/// need their parameters tuned by hand are left to the editor.
struct Taste {
  const char* name;
  int often;
};
constexpr Taste kTastes[] = {
    {"linear", 12},    {"spherical", 8},    {"sinusoidal", 5}, {"swirl", 4},      {"horseshoe", 3},
    {"polar", 2},      {"handkerchief", 2}, {"heart", 2},      {"disc", 3},       {"spiral", 3},
    {"hyperbolic", 2}, {"diamond", 2},      {"julia", 6},      {"bent", 2},       {"waves", 2},
    {"fisheye", 2},    {"exponential", 2},  {"power", 2},      {"cosine", 2},     {"eyefish", 4},
    {"bubble", 5},     {"cylinder", 2},     {"julian", 9},     {"juliascope", 6}, {"ngon", 3},
    {"curl", 5},       {"arch", 1},         {"tangent", 2},    {"cross", 2},      {"bipolar", 3},
    {"elliptic", 3},   {"butterfly", 2},    {"edisc", 2},      {"foci", 2},       {"loonie", 4},
    {"polar2", 2},     {"scry", 2},         {"wedge", 2},      {"waves2", 2},     {"auger", 2},
    {"flux", 1},       {"rings2", 1},       {"pre_blur", 2},   {"splits", 1},     {"cpow", 1}};

/// Random with the words of this file.
class Chance : public Random {
 public:
  using Random::Random;
  double real(double low, double high) { return low + (high - low) * double(uniform()); }
  bool happens(double probability) { return double(uniform()) < probability; }
  int whole(int low, int high) { return low + int(below(std::uint32_t(high - low + 1))); }
  template <class T>
  T& any(std::vector<T>& list) {
    return list[below(std::uint32_t(list.size()))];
  }
};

int anyVariation(Chance& chance) {
  int total = 0;
  for (const Taste& taste : kTastes) total += taste.often;
  int at = int(chance.below(std::uint32_t(total)));
  for (const Taste& taste : kTastes)
    if ((at -= taste.often) < 0) return variationNamed(taste.name);
  return kLinear;
}

/// Parameters that are whole numbers in nature, and the rest near their defaults.
void drawParameters(VariationUse& use, Chance& chance) {
  const VariationInfo& info = variations()[std::size_t(use.index)];
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const ParameterInfo& parameter = info.parameters[i];
    double& value = use.parameters[i];
    if (parameter.name == "power")
      value = chance.whole(2, 6) * (chance.happens(0.3) ? -1 : 1);
    else if (parameter.name == "sides" || parameter.name == "count" || parameter.name == "waves")
      value = chance.whole(2, 7);
    else if (parameter.name == "dist")
      value = chance.happens(0.6) ? 1 : chance.real(-1.5, 1.5);
    else
      value = parameter.fallback + chance.real(-1, 1);
  }
}

void drawVariations(Xform& xform, Chance& chance) {
  xform.variations.clear();
  const int count = chance.happens(0.65) ? 1 : 2;
  double left = 1;
  for (int i = 0; i < count; ++i) {
    VariationUse& use = variationIn(xform, anyVariation(chance));
    drawParameters(use, chance);
    const double weight = i + 1 < count ? left * chance.real(0.3, 0.9) : left;
    use.weight = use.index == kPreBlur ? 0.1 * weight : weight;
    left -= weight;
  }
  if (xform.variations.size() == 1 && xform.variations[0].index == kPreBlur)
    variationIn(xform, kLinear).weight = 1;
}

/// A rotation with scale, some shear, and a shift.
Affine randomAffine(Chance& chance, double reach) {
  const double angle = chance.real(-std::numbers::pi, std::numbers::pi),
               other = angle + std::numbers::pi / 2 + chance.real(-0.5, 0.5);
  const double first = chance.real(0.35, 1.0), second = first * chance.real(0.7, 1.3);
  return {first * std::cos(angle),  first * std::sin(angle),    second * std::cos(other),
          second * std::sin(other), chance.real(-reach, reach), chance.real(-reach, reach)};
}

Xform drawXform(Chance& chance) {
  Xform xform;
  xform.weight = chance.real(0.2, 1);
  xform.color = chance.uniform();
  xform.colorSpeed = chance.real(0.3, 0.7);
  xform.coefs = randomAffine(chance, 1);
  if (chance.happens(0.15)) xform.post = randomAffine(chance, 0.5);
  drawVariations(xform, chance);
  return xform;
}

void addSymmetry(Genome& genome, Chance& chance) {
  double total = 0;
  for (const Xform& xform : genome.xforms) total += xform.weight;
  const int count = chance.whole(2, 6);
  for (Xform& xform : symmetryXforms(chance.happens(0.3) ? -count : count)) {
    xform.weight = total * 0.5;
    genome.xforms.push_back(std::move(xform));
  }
}

void drawPalette(Genome& genome, Chance& chance) {
  const auto& library = ownPalettes();
  Palette palette = library[chance.below(std::uint32_t(library.size()))].colors;
  if (chance.happens(0.4)) palette = rotatedHue(palette, chance.uniform());
  for (glm::vec4& color : palette)  // bytes are short to write
    for (int c = 0; c < 4; ++c) color[c] = std::round(color[c] * 255.0f) / 255.0f;
  usePalette(genome, palette);
}

/// Fits what is drawn into the picture.
void frame(Genome& genome, const Look& look) {
  genome.center = look.center;
  genome.zoom = 0;
  genome.cameraZoom = 1;
  genome.scale = 0.42 * std::min(genome.size.x, genome.size.y) / look.radius;
}

Genome attemptAtGenome(Chance& chance, glm::ivec2 size) {
  Genome genome;
  genome.size = size;
  genome.quality = 200;
  genome.supersample = 2;
  genome.filter = 1;
  genome.brightness = 6;
  genome.gamma = 3;
  genome.paletteMode = PaletteMode::Linear;
  const int count = chance.whole(2, 5);
  for (int i = 0; i < count; ++i) genome.xforms.push_back(drawXform(chance));
  for (int i = 0; i < count; ++i)
    genome.xforms[std::size_t(i)].color = count > 1 ? double(i) / (count - 1) : 0;
  if (chance.happens(0.3)) addSymmetry(genome, chance);
  if (chance.happens(0.25)) {
    genome.finalXform = drawXform(chance);
    genome.finalXform->weight = 0;
    genome.finalXform->colorSpeed = 0;
  }
  drawPalette(genome, chance);
  return genome;
}

// ---- Mutations

void moveAffine(Affine& m, Chance& chance, double by) {
  for (double* v : {&m.a, &m.b, &m.d, &m.e, &m.c, &m.f}) *v += chance.real(-by, by);
}

Genome changed(Genome genome, Mutation mutation, Chance& chance, double strength) {
  if (genome.xforms.size() > kMany && mutation != Mutation::Color) mutation = Mutation::Weights;
  switch (mutation) {
    case Mutation::Weights:
      for (Xform& xform : genome.xforms)
        xform.weight = std::max(0.01, xform.weight * std::exp(chance.real(-2, 2) * strength));
      break;
    case Mutation::NewXform: {
      Xform xform = drawXform(chance);
      if (genome.xforms.size() > 2 && chance.happens(0.5))
        chance.any(genome.xforms) = std::move(xform);
      else
        genome.xforms.push_back(std::move(xform));
      for (Xform& each : genome.xforms) each.chaos.clear();  // its rows no longer fit
      break;
    }
    case Mutation::Variations:
      drawVariations(chance.any(genome.xforms), chance);
      break;
    case Mutation::Affine:
      for (Xform& xform : genome.xforms) moveAffine(xform.coefs, chance, 0.4 * strength);
      break;
    case Mutation::Color:
      drawPalette(genome, chance);
      for (Xform& xform : genome.xforms) {
        if (chance.happens(strength)) xform.color = chance.uniform();
        if (chance.happens(strength)) xform.colorSpeed = chance.real(0.1, 0.9);
      }
      break;
    case Mutation::Post:
      moveAffine(chance.any(genome.xforms).post, chance, strength);
      break;
    case Mutation::Symmetry:
      addSymmetry(genome, chance);
      break;
  }
  return genome;
}

/// The framing stays where the picture shows half as much as its mother's did, or enough.
void frameWhenLost(Genome& genome, const Look& look, const Look& mother) {
  if (!(look.shown > std::min(kEnough, mother.shown / 2))) frame(genome, look);
}

/// There is something to see, in its own framing or in a new one.
bool shows(Look look) {
  look.filled = std::max(look.filled, look.shown);
  return !isDegenerate(look);
}

}  // namespace

// ---- A look

Look lookAt(const Genome& genome) {
  Look look;
  look.radius = NAN;
  reference::RandomDraws draws(1, 0x10);
  const reference::XformTable table(genome);
  reference::Particle particle{{draws.signedUnit(), draws.signedUnit()}, draws.unit(), 1};
  std::vector<glm::dvec2> points;
  int last = -1, bad = 0;
  for (int i = -kLookFuse; i < kLookPoints; ++i) {
    const int chosen = table.choose(last, draws.word() >> 8);
    if (!reference::apply(genome.xforms[std::size_t(chosen)], particle, draws)) ++bad;
    last = chosen;
    if (i < 0) continue;
    reference::Particle plotted = particle;
    if (genome.finalXform) reference::apply(*genome.finalXform, plotted, draws);
    points.push_back(plotted.position);
  }
  look.badShare = double(bad) / (kLookPoints + kLookFuse);

  // The middle point of each axis, and how far 90 % of the points are from there.
  const auto middle = [&](auto coordinate) {
    std::vector<double> values;
    for (const glm::dvec2& p : points) values.push_back(coordinate(p));
    std::nth_element(values.begin(), values.begin() + kLookPoints / 2, values.end());
    return values[kLookPoints / 2];
  };
  look.center.x = middle([](glm::dvec2 p) { return p.x; });
  look.center.y = middle([](glm::dvec2 p) { return p.y; });
  std::vector<double> distances;
  for (const glm::dvec2& p : points)
    distances.push_back(std::hypot(p.x - look.center.x, p.y - look.center.y));
  std::nth_element(distances.begin(), distances.begin() + kLookPoints * 9 / 10, distances.end());
  look.radius = distances[kLookPoints * 9 / 10];

  const auto share = [&](auto place) {  // of the cells of [0, 1)^2 that are hit
    std::set<int> cells;
    for (const glm::dvec2& p : points)
      if (const glm::dvec2 at = place(p); at.x >= 0 && at.x < 1 && at.y >= 0 && at.y < 1)
        cells.insert(int(at.y * kCells) * kCells + int(at.x * kCells));
    return double(cells.size()) / (kCells * kCells);
  };
  look.filled = share([&](glm::dvec2 p) { return (p - look.center) / look.radius * 0.5 + 0.5; });
  const double angle = glm::radians(genome.rotate), c = std::cos(angle), s = std::sin(angle);
  look.shown = share([&](glm::dvec2 p) {
    const glm::dvec2 d = (p - genome.center) * pixelsPerUnit(genome);
    return glm::dvec2(d.x * c - d.y * s, d.x * s + d.y * c) / glm::dvec2(genome.size) + 0.5;
  });
  return look;
}

bool isDegenerate(const Look& look) {
  return !(look.badShare < 0.02) || !(look.radius > 1e-3 && look.radius < 1e3) ||
         !(look.filled > kEnough);
}

Genome randomGenome(std::uint64_t seed, glm::ivec2 size) {
  Genome genome;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    Chance chance(seed, attempt);
    genome = attemptAtGenome(chance, size);
    const Look look = lookAt(genome);
    if (isDegenerate(look)) continue;
    frame(genome, look);
    break;
  }
  genome.name = fmt::format("random-{}", seed);
  return genome;
}

const char* nameOf(Mutation mutation) {
  constexpr const char* names[kMutationCount] = {"weights", "new xform", "variations", "affine",
                                                 "color",   "post",      "symmetry"};
  return names[std::size_t(mutation)];
}

namespace {

/// The first of some attempts that shows something, framed like its mother; none did: the mother.
template <class Make>
Genome firstThatShows(const Genome& mother, std::uint64_t seed, std::uint64_t stream,
                      const Change& change, Make make) {
  const Look look = lookAt(mother);
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    Chance chance(seed, stream + attempt);
    Genome child = make(chance);
    double total = 0;
    for (const Xform& xform : child.xforms) total += xform.weight;
    if (!(total > 0)) continue;
    const Look own = lookAt(child);
    if (!shows(own)) continue;
    if (!change.keepsFraming) frameWhenLost(child, own, look);
    return child;
  }
  return mother;
}

}  // namespace

Genome mutated(const Genome& genome, Mutation mutation, std::uint64_t seed, const Change& change) {
  return firstThatShows(genome, seed, 0x100, change, [&](Chance& chance) {
    return changed(genome, mutation, chance, change.strength);
  });
}

Genome mutated(const Genome& genome, std::uint64_t seed, const Change& change) {
  Chance chance(seed, 0x200);
  const Mutation mutation = Mutation(chance.below(kMutationCount));
  return mutated(genome, mutation, seed, change);
}

Genome crossed(const Genome& mother, const Genome& father, std::uint64_t seed,
               const Change& change) {
  return firstThatShows(mother, seed, 0x300, change, [&](Chance& chance) {
    Genome child = mother;
    child.xforms.clear();
    const std::size_t count = chance.happens(0.5) ? mother.xforms.size() : father.xforms.size();
    for (std::size_t i = 0; i < count; ++i) {
      const bool fromMother =
          i >= father.xforms.size() || (i < mother.xforms.size() && chance.happens(0.5));
      child.xforms.push_back((fromMother ? mother : father).xforms[i]);
      child.xforms.back().chaos.clear();
    }
    if (chance.happens(0.5)) child.finalXform = father.finalXform;
    return child;
  });
}

}  // namespace fathom::flame
