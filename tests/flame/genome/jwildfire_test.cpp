// SPDX-License-Identifier: BSD-3-Clause
// Xforms of one variation beside JWildfire 9: the means of what it makes of a grid of points, as
// jwildfire/Witness.java recorded them in data/jwildfire.txt, and what the shaders of the
// variations say about it.
#include "app/engine/core/random.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/render/reference.h"
#include "tests/flame/genomes.h"

namespace fathom::flame {
namespace {

constexpr int kGrid = 20, kPoints = kGrid * kGrid, kRepeats = 25, kMeans = 16;
using Means = std::array<double, kMeans>;

class CountedDraws : public Draws {
 public:
  double unit() override { return ++drawn_, random_.next() * 0x1p-32; }
  int bit() override { return ++drawn_, int(random_.next() >> 31); }
  bool drew() const { return drawn_ > 0; }

 private:
  Random random_{5};
  int drawn_ = 0;
};

struct Moved {
  bool random = false;  // draws were made
  double good = 0;      // the share of points that are neither infinite nor too far away
  Means means{};        // of the terms of Witness.java
  Means variance{};     // of a term among the answers to the same point
};

double squashed(double v) { return isBad(v) ? 0 : v / (1 + std::abs(v)); }

Moved movedBy(const Xform& xform) {
  CountedDraws draws;
  Moved answer;
  std::vector<Means> sums(kPoints), squares(kPoints);
  std::vector<double> counts(kPoints);
  for (int n = 0; n < kRepeats * kPoints; ++n) {
    const auto i = std::size_t(n + n / kPoints) % kPoints;
    const double px = (double(i % kGrid) + 0.5) / kGrid * 2 - 1;
    const double py = (double(i / kGrid) + 0.5) / kGrid * 2 - 1;
    reference::Particle at{{1.7 * px, 1.6 * py}, 0.6};
    at.z = (double(i * 7 % 11) - 5) / 6;
    if (!reference::apply(xform, at, draws, true)) continue;
    const double x = squashed(at.position.x), y = squashed(at.position.y), z = squashed(at.z);
    const double wave = std::cos(17.0 * double(i)), color = at.shown < 0 ? at.color : at.shown;
    const Means terms = {
        x,     y,     z,        x * px,   y * py,   x * py, y * px,    z * px,
        x * x, y * y, x * wave, y * wave, z * wave, color,  color * x, double(at.hidden)};
    ++counts[i];
    for (std::size_t k = 0; k < kMeans; ++k)
      sums[i][k] += terms[k], squares[i][k] += terms[k] * terms[k];
  }
  const double count = std::max(std::accumulate(counts.begin(), counts.end(), 0.0), 1.0);
  for (std::size_t i = 0; i < kPoints; ++i)
    for (std::size_t k = 0; k < kMeans; ++k) {
      const double mean = sums[i][k] / std::max(counts[i], 1.0);
      answer.means[k] += sums[i][k] / count;
      answer.variance[k] += (squares[i][k] - sums[i][k] * mean) / count;
    }
  answer.random = draws.drew();
  answer.good = std::accumulate(counts.begin(), counts.end(), 0.0) / (kRepeats * kPoints);
  return answer;
}

Xform xformOf(const std::string& attributes) {
  const std::string xml = test::flameXml(
      "<xform weight='1' color='0.3' symmetry='0.2' coefs='0.9 0.2 -0.3 0.8 0.1 -0.2' " +
          attributes + "/>",
      "name='a' version='JWildfire V9.00' preserve_z='1'");
  return parseGenomes(xml, "witness").genomes.at(0).xforms.at(0);
}

/// What differs by more than noise; empty: nothing.
std::string differenceOf(const Moved& found, bool random, double good, const Means& wanted) {
  const double noise = found.random || random ? 5 : 0, count = kPoints * kRepeats;
  if (std::abs(found.good - good) > 0.006 + 0.004 * noise)
    return fmt::format("{} of points good, {} in JWildfire", found.good, good);
  for (std::size_t k = 0; k < kMeans; ++k) {
    const double spread = std::sqrt(2 * std::max(found.variance[k], 1e-3) / count);
    if (std::abs(found.means[k] - wanted[k]) > 1e-3 + noise * spread)
      return fmt::format("mean {}: {}, {} in JWildfire", k, found.means[k], wanted[k]);
  }
  return "";
}

/// What its shader says.
std::string_view besideOf(const std::string& name) {
  return variations()[std::size_t(variationNamed(name))].besideJWildfire;
}

TEST(JWildfire, MakesTheSameOfPoints) {
  std::ifstream recorded(FATHOM_SOURCE_DIR "/tests/flame/data/jwildfire.txt");
  std::set<std::string> compared{"linear3D"}, differ;  // this one beside all others
  for (std::string line; std::getline(recorded, line);) {
    const std::string attributes = line.substr(0, line.find('\t'));
    const std::string name = attributes.substr(16, attributes.find('=', 16) - 16);
    std::istringstream numbers(line.substr(attributes.size() + 1));
    std::string kind;
    double good = 0;
    Means wanted;
    numbers >> kind >> good;
    for (double& mean : wanted) numbers >> mean;
    ASSERT_TRUE(numbers) << line;
    const Moved found = movedBy(xformOf(attributes));
    const std::string difference = differenceOf(found, kind == "random", good, wanted);
    ASSERT_GE(variationNamed(name), 0) << name;
    compared.insert(name);
    if (difference.empty()) continue;
    differ.insert(name);
    EXPECT_FALSE(besideOf(name).empty()) << difference << "\n" << attributes;
  }
  EXPECT_GE(compared.size(), 410u);
  for (const VariationInfo& info : variations().first(std::size_t(variationCount()))) {
    const std::string name(info.name);
    const auto in = [&](const std::set<std::string>& names) {
      return names.contains(name) || names.contains("pre_" + name) ||
             names.contains("post_" + name);
    };
    const bool isOfFlam3 = variationNamed(name) < kFlam3Variations;  // which flam3 bears out
    EXPECT_EQ(besideOf(name) == "not compared", !in(compared) && !isOfFlam3) << name;
    EXPECT_EQ(!besideOf(name).empty(), in(differ) || (!in(compared) && !isOfFlam3)) << name;
  }
}

}  // namespace
}  // namespace fathom::flame
