// SPDX-License-Identifier: BSD-3-Clause
// Spheres are drawn by their equation; ranks print their figures as numbers in a line each.
#include "app/lab/deep/rank_scaling.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/core/random.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/ranks/job.h"
#include "app/system/machine.h"
#include "app/system/process.h"

#include <half.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

namespace fathom::deep {
namespace {

constexpr int kSpheres = 2048, kFrames = 9;
constexpr float kLeastRadius = 0.03f, kMostRadius = 0.12f;  // of the picture's width
constexpr double kMeanRadius = (kLeastRadius + kMostRadius) / 2;
constexpr std::size_t kNumbers = sizeof(RankFigures) / sizeof(double);
constexpr const char* kTermNames[] = {"pack", "encode", "decode", "merge", "bytes"};

/// Milliseconds or bytes of a run, of all ranks or of the one with most.
double valueOf(const RankFigures& f, ScalingModel::Term term) {
  const double values[] = {f.pack, f.encode, f.decode, f.merge, f.sentBytes};
  return values[term];
}

/// Front and back of every sphere of this rank, as points.
DeepImage spheresOf(glm::ivec2 size, int rank, int ranks) {
  std::vector<std::vector<std::array<std::uint32_t, 4>>> lists(std::size_t(size.x) *
                                                               std::size_t(size.y));
  Random random(7);
  for (int s = 0; s < kSpheres; ++s) {
    const auto drawn = [&] { return random.uniform(); };
    const glm::vec3 center(drawn() * float(size.x), drawn() * float(size.y), 100 * drawn());
    const float radius = float(size.x) * glm::mix(kLeastRadius, kMostRadius, drawn()),
                alpha = 0.05f + 0.3f * drawn();
    const glm::vec3 color = alpha * glm::vec3(drawn(), drawn(), drawn());
    if (s % ranks != rank) continue;
    for (int y = std::max(0, int(center.y - radius));
         y < std::min(size.y, int(center.y + radius) + 1); ++y)
      for (int x = std::max(0, int(center.x - radius));
           x < std::min(size.x, int(center.x + radius) + 1); ++x) {
        const glm::vec2 off = glm::vec2(float(x) + 0.5f, float(y) + 0.5f) - glm::vec2(center);
        const float inside = radius * radius - glm::dot(off, off);
        for (const float side : {-1.0f, 1.0f}) {
          if (inside <= 0) continue;
          const float light = 0.4f + 0.6f * std::sqrt(inside) / radius;
          const glm::vec3 seen = color * light;
          const auto z = std::bit_cast<std::uint32_t>(center.z + side * std::sqrt(inside));
          lists[std::size_t(y) * std::size_t(size.x) + std::size_t(x)].push_back(
              {half(seen.r).bits() | std::uint32_t(half(seen.g).bits()) << 16,
               half(seen.b).bits() | std::uint32_t(half(alpha).bits()) << 16, z, z});
        }
      }
  }
  DeepImage image;
  image.dataWindow = image.displayWindow = {0, 0, size.x, size.y};
  image.channels = halfRgbaAndZ();
  for (const auto& list : lists) {
    for (const auto& words : list)
      image.words.insert(image.words.end(), words.begin(), words.end());
    image.fragmentOffsets.push_back(image.words.size() / 4);
  }
  sortLists(image);
  return image;
}

/// Frame after frame; the figures of the quickest.
RankFigures compositeSpheres(ranks::Job& job, glm::ivec2 size, std::uint32_t& picture) {
  DeepImage own = spheresOf(size, job.rank(), job.ranks());
  const RankPicture whole{emptyLike(own, own.dataWindow), 1};
  RankFigures best;
  HostMerge merge({});
  const RankOptions options{.bands = 1, .memoryBytes = UINT64_MAX / 4};
  std::vector<ImageShare::Input> inputs;
  inputs.push_back({0, std::move(own)});
  ImageShare share(1, 0, std::move(inputs));
  for (int frame = 0; frame < kFrames; ++frame) {
    const double packedBefore = share.figures().pack;
    RankComposite composite(job, whole, share, merge, options);
    Progress progress;
    composite.flatten(progress, [&](const Rect&, Image&& rows) {
      picture = crc32(std::as_bytes(std::span(rows.pixels)));
    });
    RankFigures figures = composite.figures();
    figures.pack -= packedBefore;
    figures.fragments /= frame + 1;
    if (frame == 0 || figures.phases() < best.phases()) best = figures;
  }
  return best;
}

}  // namespace

void runScalingRank(glm::ivec2 size) {
  bool first = true;
  ranks::Job::run([&](ranks::Job& job) {
    std::uint32_t picture = 0;
    const RankFigures mine = compositeSpheres(job, size, picture);
    const auto* figures = reinterpret_cast<const double*>(&mine);
    std::vector<double> numbers(figures, figures + kNumbers);
    numbers.push_back(double(system::peakMemoryBytes()));
    const std::vector<double> all = job.gather(std::span<const double>(numbers));
    first = job.rank() == 0;
    if (!first) return;
    fmt::print("{} {}\n", job.ranks(), picture);
    for (std::size_t i = 0; i < all.size(); ++i)
      fmt::print("{}{}", all[i], (i + 1) % (kNumbers + 1) ? " " : "\n");
  });
  if (!first) throw PeerFailed(0);
}

ScalingRun parseScalingRun(const std::string& text) {
  std::istringstream in(text);
  ScalingRun run;
  in >> run.ranks >> run.picture;
  std::array<double, kNumbers> sum{}, most{};
  for (int rank = 0; rank < run.ranks && in; ++rank) {
    for (std::size_t i = 0; i < kNumbers; ++i) {
      double value = 0;
      in >> value;
      sum[i] += value, most[i] = std::max(most[i], value);
    }
    double memory = 0;
    in >> memory;
    run.memoryBytes = std::max(run.memoryBytes, memory);
  }
  if (!in || run.ranks < 1)
    fail("bench ranks: expected the figures of all ranks, found \"{}\"", text.substr(0, 60));
  std::memcpy(static_cast<void*>(&run.sum), sum.data(), sizeof run.sum);
  std::memcpy(static_cast<void*>(&run.most), most.data(), sizeof run.most);
  return run;
}

std::vector<ScalingRun> measureScaling(const std::vector<int>& ranks, glm::ivec2 size,
                                       Progress& progress) {
  if (!ranks::mpiAvailable()) throw NotBuiltError(ranks::mpiMissing());
  const std::string mpirun = system::findProgram("mpirun");
  if (mpirun.empty()) fail("mpirun: expected it in PATH, found none");
  system::setVariable("FATHOM_RANKS_IN_TURN", "1");  // for the ranks
  // Hundreds of them take their time to start; with display :0, which MPI looks at, they would end.
  // Memory stays theirs from frame to frame, whatever its size (glibc).
  const std::pair<const char*, const char*> unset[] = {{"FATHOM_RANKS_START", "900"},
                                                       {"MALLOC_TRIM_THRESHOLD_", "1073741824"},
                                                       {"MALLOC_MMAP_THRESHOLD_", "1073741824"},
                                                       {"HWLOC_COMPONENTS", "-gl"},
                                                       {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                       {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  for (const auto& [name, value] : unset) system::setVariable(name, value, false);
  const TemporaryFolder folder("fathom-ranks");
  const std::string figures = (folder.path() / "figures").string();
  std::vector<ScalingRun> runs;
  progress.begin("ranks", double(ranks.size()));
  for (const int count : ranks) {
    const std::optional<int> ended =
        system::run({mpirun, "--oversubscribe", "--bind-to", "none", "-q", "-n",
                     std::to_string(count), system::programFile().string(), "bench", "ranks",
                     "--size", fmt::format("{}x{}", size.x, size.y)},
                    {}, figures);
    if (ended != 0)
      fail("mpirun -n {}: expected it to end well, found exit status {}", count,
           ended.value_or(127));
    runs.push_back(parseScalingRun(readFile(figures, 1 << 24)));
    if (runs.back().picture != runs.front().picture)
      fail("{} ranks: expected the image of {}, found another", count, runs.front().ranks);
    progress.advance(1);
  }
  return runs;
}

// ---- The model

namespace {

using Term = ScalingModel::Term;

/// What the factors of a term are multiplied with. A stream is sent where a rank has a sphere in
/// the rows of another, which decodes and merges it over all pixels of these rows. What is packed
/// is the smallest window around the spheres of a rank. Lists of several ranks are sorted.
glm::dvec4 basis(Term term, int ranks, double fragments, glm::ivec2 size) {
  const double n = ranks, spheres = kSpheres / n, dealt = std::min(n, double(size.y));
  const double width = 2 * kMeanRadius, height = width * size.x / size.y;
  const double meets = 1 - std::pow(1 - std::min(1.0, height + 1 / dealt), spheres);
  const double range = std::max(0.0, (spheres - 1) / (spheres + 1));  // of random numbers 0..1
  const double window = std::min(1.0, range + width) * std::min(1.0, range + height);
  const double others = term == Term::Merge ? double(ranks > 1) : (n - 1) / n;
  const bool packs = term == Term::Pack;  // ahead of any stream
  return {fragments, fragments * others, packs ? 0 : n * dealt * meets,
          double(size.x) * size.y * n * (packs ? window : meets)};
}

struct Sample {
  int ranks;
  glm::dvec4 basis;
  double value;
};

/// Factors of least squared relative error, none negative: the best of all choices of terms. Runs
/// are weighted by the square root of their ranks, since the model extrapolates to more.
glm::dvec4 leastSquares(const std::vector<Sample>& samples) {
  glm::dvec4 best(0);
  double bestError = INFINITY;
  for (int chosen = 1; chosen < 16; ++chosen) {
    const int count = std::popcount(unsigned(chosen));
    if (count > int(samples.size())) continue;
    Eigen::MatrixXd a(samples.size(), count);
    Eigen::VectorXd weights(samples.size());
    for (Eigen::Index row = 0; row < weights.size(); ++row) {
      const Sample& s = samples[std::size_t(row)];
      weights[row] = std::sqrt(s.ranks);
      for (int term = 0, column = 0; term < 4; ++term)
        if (chosen >> term & 1) a(row, column++) = weights[row] * s.basis[term] / s.value;
    }
    const Eigen::VectorXd x = a.colPivHouseholderQr().solve(weights);
    const double error = (a * x - weights).squaredNorm();
    if (!(x.minCoeff() >= 0) || !(error < bestError)) continue;
    bestError = error;
    for (int term = 0, column = 0; term < 4; ++term)
      best[term] = chosen >> term & 1 ? x[column++] : 0;
  }
  return best;
}

double phasesOf(const ScalingModel& model, int ranks) {
  double sum = 0;
  for (int term = 0; term < ScalingModel::Bytes; ++term)
    sum += model.of(ScalingModel::Term(term), ranks);
  return sum;
}

double phasesOf(const RankFigures& f) { return f.pack + f.encode + f.decode + f.merge; }

}  // namespace

ScalingModel ScalingModel::fitted(const std::vector<ScalingRun>& runs, glm::ivec2 size, int most) {
  ScalingModel model{.size = size, .fragments = runs.at(0).sum.fragments};
  for (int term = 0; term < kTerms; ++term) {
    std::vector<Sample> samples;
    for (const ScalingRun& run : runs)
      if (const double value = valueOf(run.sum, Term(term)); run.ranks <= most && value > 0)
        samples.push_back({run.ranks, basis(Term(term), run.ranks, model.fragments, size), value});
    model.terms[std::size_t(term)] = leastSquares(samples);
  }
  return model;
}

double ScalingModel::of(Term term, int ranks) const {
  return glm::dot(terms[std::size_t(term)], basis(term, ranks, fragments, size));
}

double ScalingModel::wall(int ranks) const {
  constexpr double kRoundMs = 0.02, kMessageMs = 0.002, kByteMs = 1e-6;
  const double link = ranks > 1 ? 2 * kRoundMs + 2 * std::min(ranks, size.y) * kMessageMs +
                                      of(Bytes, ranks) / ranks * kByteMs
                                : 0;
  return phasesOf(*this, ranks) / ranks + link;
}

std::string scalingTables(const std::vector<ScalingRun>& runs, const ScalingModel& model,
                          int fittedTo) {
  std::string text = fmt::format(
      "{:.0f} fragments of {} spheres, {} x {} pixels; processor time; the images of all runs "
      "are "
      "equal; the model is fitted to at most {} ranks.\n\n| Ranks | Bytes per rank | Model | Pack, "
      "ms | Encode | Decode | Merge | Sum of all ranks, ms | Model | Skew | Memory per rank, MiB "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n",
      model.fragments, kSpheres, model.size.x, model.size.y, fittedTo);
  const auto off = [](double expected, double found) {
    return found > 0 ? fmt::format("{:+.0f} %", 100 * (expected / found - 1)) : std::string("-");
  };
  for (const ScalingRun& run : runs) {
    const double n = run.ranks;
    text += fmt::format(
        "| {} | {:.0f} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {} | {:.2f} | {:.0f} "
        "|\n",
        run.ranks, run.sum.sentBytes / n,
        off(model.of(ScalingModel::Bytes, run.ranks), run.sum.sentBytes), run.sum.pack / n,
        run.sum.encode / n, run.sum.decode / n, run.sum.merge / n, phasesOf(run.sum),
        off(phasesOf(model, run.ranks), phasesOf(run.sum)),
        run.most.mergedFragments / std::max(1.0, run.sum.mergedFragments / n),
        run.memoryBytes / (1 << 20));
  }
  text += "\n| Ranks | Expected wall time, ms | Efficiency | Most of it |\n|---|---|---|---|\n";
  for (int ranks = 1; ranks <= 1024; ranks *= 4) {
    double most = -1;
    int limit = 0;
    for (int term = 0; term < ScalingModel::Bytes; ++term)
      if (const double ms = model.of(ScalingModel::Term(term), ranks); ms > most)
        most = ms, limit = term;
    text += fmt::format("| {} | {:.2f} | {:.2f} | {} |\n", ranks, model.wall(ranks),
                        model.efficiency(ranks), kTermNames[limit]);
  }
  return text;
}

std::string scalingJson(const std::vector<ScalingRun>& runs, const ScalingModel& model,
                        int fittedTo) {
  nlohmann::ordered_json json{{"fathom", FATHOM_VERSION},
                              {"command", "bench ranks"},
                              {"size", {model.size.x, model.size.y}},
                              {"fragments", model.fragments},
                              {"fitted_to", fittedTo}};
  for (const ScalingRun& run : runs) {
    nlohmann::ordered_json row{{"ranks", run.ranks},
                               {"bytes_sent", run.sum.sentBytes},
                               {"bytes_model", model.of(ScalingModel::Bytes, run.ranks)},
                               {"memory_bytes", run.memoryBytes}};
    for (int term = 0; term < ScalingModel::Bytes; ++term) {
      row[fmt::format("{}_ms", kTermNames[term])] = valueOf(run.sum, ScalingModel::Term(term));
      row[fmt::format("{}_model_ms", kTermNames[term])] =
          model.of(ScalingModel::Term(term), run.ranks);
    }
    json["runs"].push_back(row);
  }
  json["efficiency_1024"] = model.efficiency(1024);
  return json.dump(1) + "\n";
}

}  // namespace fathom::deep
