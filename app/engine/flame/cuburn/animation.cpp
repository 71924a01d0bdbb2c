// SPDX-License-Identifier: BSD-3-Clause
// How a film of cuburn becomes curves of frames: times are stretched from turns to frames, matrices
// and variations become those of flam3, the profile's factors are applied.
#include "app/engine/flame/cuburn/animation.h"

#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
namespace {

using cuburn::Curves;
using cuburn::Film;
using cuburn::FilmProfile;
using cuburn::FilmXform;

// cuburn moves samples instead of filtering; what looks alike and is free of noise is the filter
// that its importer took dither_width from, at the supersample of sheep.
constexpr int kSupersample = 4;
constexpr int kMoments = 1024;  // of an open shutter

/// What moves besides camera and xforms, and where a genome has it.
constexpr std::pair<const char*, double Genome::*> kTones[] = {
    {"filters.logscale.brightness", &Genome::brightness},
    {"filters.colorclip.gamma", &Genome::gamma},
    {"filters.colorclip.gamma_threshold", &Genome::gammaThreshold},
    {"filters.colorclip.highlight_power", &Genome::highlightPower},
    {"filters.colorclip.vibrance", &Genome::vibrancy},
    {"filters.de.radius", &Genome::estimatorRadius},
    {"filters.de.minimum", &Genome::estimatorMinimum},
    {"filters.de.curve", &Genome::estimatorCurve},
    {"camera.spp", &Genome::quality},
    {"time.frame_width", &Genome::temporalFilterWidth}};

/// The profile's factor to it.
double factorOf(const FilmProfile& profile, const std::string& path) {
  return path == "time.frame_width" ? profile.frameWidth : profile.factorOf(path);
}

/// The film with curves over its frames, the first frame's middle at 0.
Film retimed(Film film, int frames, double opening) {
  const auto retime = [&](Curves& curves) {
    for (auto& [path, curve] : curves)
      for (Knot& knot : curve.knots) knot.time = knot.time * frames + opening;
  };
  retime(film.curves);
  for (FilmXform& xform : film.xforms) retime(xform.curves);
  if (film.finalXform) retime(film.finalXform->curves);
  return film;
}

/// A plain quantity times a factor of the profile.
Curve scaled(Curve curve, double factor) {
  for (Knot& knot : curve.knots) knot.value *= factor;
  return curve;
}

MovingAffine affineOf(const Curves& curves, const std::string& name) {
  MovingAffine affine;
  const auto any = curves.lower_bound(name + ".");
  if (any == curves.end() || !any->first.starts_with(name + ".")) return affine;  // the identity
  affine.form = MovingAffine::Form::Spread;
  constexpr std::array<const char*, 6> parts{".angle",       ".spread",   ".magnitude.x",
                                             ".magnitude.y", ".offset.x", ".offset.y"};
  for (std::size_t i = 0; i < parts.size(); ++i)
    affine.curves[i] = cuburn::xformCurveIn(curves, name + parts[i]);
  return affine;
}

bool isNothing(const Curve& curve) { return !curve.moves() && curve.knots[0].value == 0; }

MovingXform xformOf(const FilmXform& film) {
  MovingXform xform;
  const auto curve = [&](const std::string& path) {
    return cuburn::xformCurveIn(film.curves, path);
  };
  xform.weight = curve("weight"), xform.color = curve("color");
  xform.colorSpeed = curve("color_speed"), xform.opacity = curve("opacity");
  xform.coefs = affineOf(film.curves, "pre_affine");
  xform.post = affineOf(film.curves, "post_affine");
  for (int index = 0; index < kFlam3Variations; ++index) {
    const VariationInfo& info = variations()[std::size_t(index)];
    const std::string path = fmt::format("variations.{}.", info.name);
    if (!film.curves.count(path + "weight")) continue;
    MovingVariation variation{index, curve(path + "weight"), {}};
    if (isNothing(variation.weight)) continue;
    for (std::size_t i = 0; i < info.parameters.size(); ++i)
      variation.parameters[i] = curve(path + std::string(info.parameters[i].name));
    for (std::size_t i = info.parameters.size(); i < variation.parameters.size(); ++i)
      variation.parameters[i] = 0.0;
    xform.variations.push_back(std::move(variation));
  }
  return xform;
}

/// What does not move.
Genome fixedOf(const Film& film, const FilmProfile& profile) {
  Genome genome;
  genome.name = film.name;
  genome.size = {profile.width, profile.height};
  genome.supersample = kSupersample;
  genome.temporalSamples = kMoments;
  genome.paletteMode = PaletteMode::Linear;
  genome.paletteInterpolation = PaletteInterpolation::Rgb;
  if (!film.author.empty()) genome.other.emplace_back("nick", film.author);
  if (!film.url.empty()) genome.other.emplace_back("url", film.url);
  return genome;
}

MovingGenome movingOf(const Film& film, const FilmProfile& profile) {
  MovingGenome moving;
  moving.fixed = fixedOf(film, profile);
  const auto curve = [&](const char* path) { return cuburn::curveIn(film.curves, path); };
  moving.centerX = curve("camera.center.x"), moving.centerY = curve("camera.center.y");
  // The camera's scale is relative to the width. As a zoom, the width leaves the domain alone in
  // which the scale is interpolated.
  moving.scale = curve("camera.scale"), moving.zoom = std::log2(double(profile.width));
  moving.rotate = curve("camera.rotation"), moving.filter = curve("camera.dither_width");
  for (const FilmXform& xform : film.xforms) moving.xforms.push_back(xformOf(xform));
  if (film.finalXform) moving.finalXform = xformOf(*film.finalXform);
  return moving;
}

/// Within the limits that check() sets, wherever splines swing to.
Genome settled(Genome genome) {
  constexpr double kMaxKernels = 9.99e6, kMinQuality = 1e-3, kMinCurve = 1e-3;
  genome.filter = std::clamp(genome.filter, 0.0, kMaxFilterRadius);
  genome.estimatorRadius = std::clamp(genome.estimatorRadius, 0.0, kMaxFilterRadius);
  genome.estimatorMinimum = std::clamp(genome.estimatorMinimum, 0.0, genome.estimatorRadius);
  const double wide = genome.estimatorRadius * genome.supersample + 1;
  const double narrow = genome.estimatorMinimum * genome.supersample + 1;
  genome.estimatorCurve =
      std::max({genome.estimatorCurve, kMinCurve, std::log(wide / narrow) / std::log(kMaxKernels)});
  genome.quality = std::max(genome.quality, kMinQuality);
  genome.temporalFilterWidth = std::max(genome.temporalFilterWidth, 0.0);
  return genome;
}

bool movesAtAll(const Curves& curves) {
  return std::any_of(curves.begin(), curves.end(), [](const auto& c) { return c.second.moves(); });
}

bool movesAtAll(const Film& film) {
  bool moves = movesAtAll(film.curves) || film.palettes.size() > 1 ||
               (film.finalXform && movesAtAll(film.finalXform->curves));
  for (const FilmXform& xform : film.xforms) moves = moves || movesAtAll(xform.curves);
  return moves;
}

/// As flam3's loops turn an xform.
bool turns(const MovingXform& xform) {
  return xform.coefs.form == MovingAffine::Form::Spread && xform.coefs.curves[0].moves();
}

/// What a shader must hold for all times.
void extend(Xform& xform, const MovingXform& moving) {
  constexpr double kInUse = 0.5;
  if (moving.weight.moves()) xform.weight = kInUse;
  if (moving.opacity.moves()) xform.opacity = kInUse;
  if (moving.post.form == MovingAffine::Form::Spread) xform.post.a = kInUse;
  for (VariationUse& use : xform.variations) use.weight = 1;
}

}  // namespace

CuburnAnimation::CuburnAnimation(Film film, const FilmProfile& profile)
    : film_(std::move(film)),
      frames_(profile.frameCount(film_.duration, film_.files.front().string())),
      moves_(movesAtAll(film_)),
      estimates_(profile.estimates),
      samplesPerPixel_(profile.samplesPerPixel) {
  const int last = profile.end > 0 ? profile.end : frames_ + profile.end;
  end_ = std::clamp(last, 1, frames_);
  begin_ = std::min(profile.start, end_ - 1), step_ = profile.skip + 1;
  const Film inFrames = retimed(film_, frames_, kOpening);
  moving_ = movingOf(inFrames, profile);
  for (const auto& [path, member] : kTones)
    tones_.push_back(scaled(cuburn::curveIn(inFrames.curves, path), factorOf(profile, path)));

  reading::Warnings warnings;
  Genome first = rawAt(kOpening);
  reading::check(first, Place(film_.files.front().string()), warnings);
  for (std::string& line : warnings.take()) film_.warnings.push_back(std::move(line));
  std::set<std::string> missing = film_.missingFilters;
  missing.insert(profile.missingFilters.begin(), profile.missingFilters.end());
  if (!missing.empty())
    film_.warnings.push_back(
        fmt::format("{}: expected filters logscale, colorclip and de, found {} too, left out",
                    film_.files.front().string(), fmt::join(missing, ", ")));
}

Genome CuburnAnimation::rawAt(double time) const {
  Genome genome = shapeOf(moving_, time);
  genome.scale *= genome.size.x, genome.zoom = 0;
  for (std::size_t i = 0; i < tones_.size(); ++i) genome.*kTones[i].second = tones_[i].at(time);
  if (!estimates_) genome.estimatorRadius = 0;
  genome.estimatorMinimum *= genome.estimatorRadius;  // cuburn's is a fraction of the radius
  genome.quality *= samplesPerPixel_;
  return genome;
}

Genome CuburnAnimation::shapeAt(double time) const {
  Genome genome = settled(rawAt(time));
  for (std::size_t i = 0; i < genome.xforms.size(); ++i)
    genome.xforms[i].animate = turns(moving_.xforms[i]) ? 1 : 0;
  return genome;
}

Genome CuburnAnimation::still() const {
  Genome genome = at(kOpening);
  genome.time = 0;
  return genome;
}

Palette CuburnAnimation::paletteAt(double time) const {
  return film_.paletteAt((time - kOpening) / frames_);
}

Genome CuburnAnimation::extent(double first, double last) const {
  Genome genome = shapeAt((first + last) / 2);
  for (std::size_t i = 0; i < genome.xforms.size(); ++i)
    extend(genome.xforms[i], moving_.xforms[i]);
  if (genome.finalXform) extend(*genome.finalXform, *moving_.finalXform);
  return genome;
}

std::vector<MovingGenome> CuburnAnimation::curves(double first, double last) const {
  MovingGenome piece = moving_;
  piece.begin = first, piece.end = last;
  return {std::move(piece)};
}

std::shared_ptr<const CuburnAnimation> readCuburn(const fs::path& file, const fs::path& profile,
                                                  glm::ivec2 size) {
  FilmProfile how = profile.empty() ? FilmProfile{} : cuburn::readProfile(profile);
  if (size.x > 0) how.width = size.x, how.height = size.y;
  Film film = cuburn::readFilm(file);
  if (!profile.empty()) film.files.push_back(profile);
  return std::make_shared<const CuburnAnimation>(std::move(film), how);
}

}  // namespace fathom::flame
