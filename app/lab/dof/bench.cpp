// SPDX-License-Identifier: BSD-3-Clause
// What is measured and tuned: how good the operators are against many lens samples (the question of
// Lier et al., which operator is worth its time), what a larger radius costs, how lists are sorted,
// and all variants of accumulation (figure 9 of Lier et al.).
#include "app/engine/core/compare.h"
#include "app/engine/core/error.h"
#include "app/engine/dof/engine.h"
#include "app/engine/dof/splats/list_reader.h"
#include "app/engine/dof/splats/reference.h"
#include "app/engine/dof/variants/workload.h"
#include "app/engine/io/picture.h"
#include "app/lab/catalog.h"
#include "app/lab/dof/quality.h"
#include "app/lab/workload.h"

namespace fathom::dof {
namespace {

// ---- Tuning

bool isCoverage(const std::string& workload) { return workload.ends_with("-coverage"); }

/// The 320, or as many of the coverage operator's as there are.
std::vector<int> competitors(const std::string& workload) {
  std::vector<int> list;
  for (int i = 0; i < kSpace.countAll(); ++i)
    if ((i >= kSpace.count()) == isCoverage(workload)) list.push_back(i);
  return list;
}

TuneKey keyOf(gpu::Context& gpu, const TuneRequest& request) {
  return {request.workload, request.size, templateHash(), nameOf(VariantRunner(gpu).backEnd())};
}

/// Of each operator and radius; the defaults are those of splats of up to 16 px.
std::vector<TuneClass> classes() {
  std::vector<TuneClass> list;
  for (const bool coverage : {false, true})
    for (const int radius : {8, 16, 32, 64}) {
      Variant standard = kSpace.parse(kDefaultVariant);
      if (coverage) standard[kOrder] = kCoverage;
      list.push_back({workloadClass(radius, coverage), standard, standard, radius == 16});
    }
  return list;
}

// ---- dof.variants

constexpr const char* kFigure9 = "Lier et al. 2016, figure 9";

void measureVariants(BenchRun& run) {
  Settings settings{.maxRadius = MaxRadius::R8};
  const glm::ivec2 size = run.size({96, 54}, {1280, 720}, {1920, 1080});
  run.sweep(describing(settings), [&] {
    VariantWorkload workload(run.gpu(), size, settings.radius(), run.seed());
    std::vector<BenchCase> cases;
    for (int i = 0; i < kSpace.count(); ++i) {
      const Variant variant = kSpace.at(i);
      BenchCase c = makeCase(workloadClass(settings.radius(), false), kSpace.id(variant),
                             double(workload.entryCount()) * DOF_TILE_PIXELS, size);
      settings.variant = c.label;
      c.settings = valuesOf(describing(settings));
      c.paper = {{kFigure9, c.workload, c.label, {}}};
      c.bytes = 16 * std::int64_t(workload.entryCount() + workload.pixelCount());
      c.trial = [&workload, variant] { workload.run(variant); };
      c.check = [&workload, variant] { return workload.check(variant); };
      cases.push_back(std::move(c));
    }
    run.measureTogether(cases);
  });
}

glm::ivec2 sizeOf(const BenchRun& run) { return run.size({240, 135}, {1280, 720}, {1920, 1080}); }

/// One trial: all but the capture, though nothing has changed.
void blurAgain(QualityScene& scene) {
  scene.technique().restartBlur();
  scene.update();
}

BenchCase caseOf(DofEngine& technique, const std::string& workload, const std::string& label) {
  BenchCase c = pictureCase(workload, label, technique.frame().size);
  c.settings = valuesOf(technique.settings());
  return c;
}

/// How near the picture comes to `truth`: beyond `bound`, or with the words of `complaint`.
std::function<CheckResult()> nearTo(QualityScene& scene, const Image& truth, double bound,
                                    const std::string& complaint) {
  return [&scene, &truth, bound, complaint] {
    const double psnr = scene.psnr(scene.technique().frame().picture->downloadImage(), truth);
    const std::string text = fmt::format("{:.2f} dB", psnr);
    return CheckResult{psnr > bound, text, text + ", " + complaint, {{"PSNR dB", psnr}}};
  };
}

// ---- dof.quality

/// All operators at one focus. What is timed is the whole way from fragments to the picture.
void measureFocus(BenchRun& run, QualityScene& scene, const std::string& workload, Focus focus) {
  scene.focus(focus);
  const Image truth = scene.truth(LensPoints::P1024);
  const double sharp = scene.psnr(scene.sharp(), truth);
  for (const QualityMethod& method : qualityMethods()) {
    scene.choose(method);
    BenchCase c = caseOf(scene.technique(), workload, method.label);
    c.trial = [&] { blurAgain(scene); };
    c.check = nearTo(scene, truth, sharp,
                     fmt::format("no better than no blur at all ({:.2f} dB)", sharp));
    run.measure(c);
  }
}

void runQuality(BenchRun& run) {
  std::vector<std::string> scenes{"planes:count=1,spheres=60,alpha=1"};
  if (run.scale() != BenchScale::Quick) scenes.insert(scenes.end(), {"hairball:alpha=1", "atrium"});
  for (const std::string& name : scenes) {
    QualityScene scene(run.gpu(), name, sizeOf(run), run.progress());
    for (const Focus focus : {Focus::Far, Focus::Mid, Focus::Near})
      measureFocus(run, scene, fmt::format("{} {}", name.substr(0, name.find(':')), nameOf(focus)),
                   focus);
  }
}

// ---- dof.faults

/// Where channels have views of their own, three of 1024 points are drawn, else one of 4096.
LensPoints pointsFor(const BenchRun& run, const Aperture& aperture) {
  if (run.scale() == BenchScale::Quick) return LensPoints::P256;
  return aperture.colored() ? LensPoints::P1024 : LensPoints::P4096;
}

/// The picture of many lens points; kept in the folder that is named on the command line, or taken
/// from there: drawing it takes a minute, and operators change more often.
Image truthOf(BenchRun& run, QualityScene& scene, std::string name) {
  DofEngine& technique = scene.technique();
  const Settings& s = technique.settingsStruct();
  const LensPoints points = pointsFor(run, technique.shot().aperture());
  if (run.files().empty()) return scene.truth(points);
  const glm::ivec2 size = technique.frame().size;
  std::replace(name.begin(), name.end(), ' ', '-');
  const fs::path file =
      fs::path(run.files()[0]) / fmt::format("{}-{}x{}-{}x{}.exr", name, size.x, size.y,
                                             64 << (2 * int(points)), s.supersamples());
  if (!fs::exists(file)) writePicture(file, scene.truth(points), {.asFloat = true});
  Image truth = readPicture(file).image;
  if (glm::ivec2(truth.width, truth.height) != size)
    fail("{}: expected an image of {} x {}, found {} x {}", file.string(), size.x, size.y,
         truth.width, truth.height);
  return truth;
}

/// The paper's operator and coverage on one layer, coverage and lens cells on all fragments, with
/// one fault of the lens.
void measureFault(BenchRun& run, QualityScene& scene, const std::string& workload,
                  const LensFault& fault) {
  DofEngine& technique = scene.technique();
  const Settings before = technique.settingsStruct();
  fault.apply(technique.settingsStruct());
  const Image truth = truthOf(run, scene, fmt::format("{} {}", workload, fault.label));
  for (const QualityMethod& method :
       {QualityMethod{"over, 1 layer", Operator::Over, Layers::First},
        QualityMethod{"coverage, 1 layer", Operator::Coverage, Layers::First},
        QualityMethod{"coverage, all fragments", Operator::Coverage, Layers::All},
        QualityMethod{"lens cells, all fragments", Operator::LensCells, Layers::All}}) {
    scene.choose(method);
    BenchCase c = caseOf(technique, workload, fmt::format("{}: {}", fault.label, method.label));
    c.trial = [&] { blurAgain(scene); };
    c.check = nearTo(scene, truth, 25, "not the same lens");
    run.measure(c);
  }
  technique.settingsStruct() = before;
}

/// A scene that can be drawn thousands of times; in slices by --set or --sweep of `fault` and
/// `focus`.
void runFaults(BenchRun& run, const std::string& name) {
  QualityScene scene(run.gpu(), name, run.size({240, 135}, {240, 135}, {480, 270}), run.progress());
  std::string onlyFault, onlyFocus;
  const Describe settings = [&](FieldVisitor& field) {
    scene.technique().settings()(field);
    field(onlyFault, text("fault", "The only fault of the lens."));
    field(onlyFocus, text("focus", "The only focus: far, mid or near."));
  };
  run.sweep(settings, [&] {
    for (const Focus focus : {Focus::Far, Focus::Mid, Focus::Near}) {
      if (!onlyFocus.empty() && onlyFocus != nameOf(focus)) continue;
      scene.technique().settingsStruct().maxRadius = MaxRadius::R8;
      scene.focus(focus);
      scene.uncut();
      for (const LensFault& fault : lensFaults())
        if (onlyFault.empty() || onlyFault == fault.label)
          measureFault(run, scene,
                       fmt::format("{} {}", name.substr(0, name.find(':')), nameOf(focus)), fault);
    }
  });
}

Bench faultsBench(const char* name, void (*run)(BenchRun&)) {
  return {name,
          "Faults of a lens against lens samples with the same, kept in a folder if one is named.",
          "pixels",
          run,
          {{"supersample", {"2"}}},
          true};
}

// ---- dof.radius

/// Half precision in alpha and colors, single precision sums, and what early out leaves away.
constexpr double kPictureBound = 0.02;

CheckResult checkPicture(const DofEngine& technique) {
  const double worst =
      compare(technique.frame().picture->downloadImage(), technique.reference()).max;
  return {worst <= kPictureBound, fmt::format("rounding {}", kPictureBound),
          fmt::format("differs by {}", worst)};
}

void runRadius(BenchRun& run) {
  QualityScene scene(run.gpu(), "atrium:alpha=1", sizeOf(run), run.progress());
  DofEngine& technique = scene.technique();
  Settings& settings = technique.settingsStruct();
  run.sweep(technique.settings(), [&] {
    scene.focus(Focus::Mid);
    settings.layers = Layers::First;
    technique.restart();
    scene.update();
    BenchCase c = caseOf(technique, "atrium", fmt::format("R = {}", settings.radius()));
    c.work = double(technique.totals().entries);
    c.memoryBytes = std::int64_t(technique.totals().entries) * 16;
    c.trial = [&] { blurAgain(scene); };
    c.check = [&] { return checkPicture(technique); };
    run.measure(c);
  });
}

// ---- dof.sort

/// Every list ascends in the order of the reference, and holds as many entries as were counted.
CheckResult checkLists(const Pipeline& pipeline) {
  const SplatList splats = ListReader(pipeline).splats();
  const std::vector<std::uint32_t> order = reference::depthOrder(splats);
  std::vector<std::uint32_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = std::uint32_t(i);
  const auto begin = pipeline.lists().tileBegin->download();
  const auto entries = ListReader(pipeline).entries();
  for (std::size_t tile = 0; tile < pipeline.lists().tileCount(); ++tile)
    for (std::size_t i = begin[tile] + 1; i < begin[tile + 1]; ++i)
      if (rank[entries[i - 1]] >= rank[entries[i]])
        return {false, "exact", fmt::format("list {} is out of order at {}", tile, i)};
  return {true, "exact", ""};
}

void runSort(BenchRun& run) {
  QualityScene scene(run.gpu(), "atrium:alpha=1", sizeOf(run), run.progress());
  DofEngine& technique = scene.technique();
  Settings& settings = technique.settingsStruct();
  Pipeline pipeline(run.gpu());
  run.sweep(technique.settings(), [&] {
    scene.focus(Focus::Mid);
    technique.restart();
    scene.update();
    PictureSource source(run.gpu(), *technique.sharp(), technique.margin());
    const ListRequest request = technique.listRequest();
    const auto build = [&] {
      pipeline.begin(source, request);
      for (std::size_t band = 0; band < pipeline.bands().size(); ++band) pipeline.build(band);
    };
    build();
    BenchCase c = caseOf(technique, "atrium",
                         fmt::format("{} R = {}", request.sort == Sort::Radix ? "radix" : "bitonic",
                                     settings.radius()));
    c.work = double(pipeline.totals().entries);
    c.trial = build;
    c.check = [&] { return checkLists(pipeline); };
    run.measure(c);
  });
}

}  // namespace

const std::vector<Bench>& benches() {
  const std::vector<SweepAxis> small{{"max-radius", {"8", "16"}, {"8"}}};
  const std::vector<SweepAxis> radii{{"max-radius", {"8", "16", "32", "64"}}};
  const std::vector<SweepAxis> sorts{{"sort", {"bitonic", "radix"}},
                                     {"max-radius", {"8", "16", "32"}}};
  static const std::vector<Bench> list{
      {"dof.variants", "All 320 variants of accumulation, in shuffled rounds.", "pixel-entry tests",
       measureVariants, small},
      {"dof.quality",
       "Operators against 1024 lens samples, at three focus settings (Lier et al. 2016, sec. 2).",
       "pixels", runQuality},
      faultsBench("dof.faults.planes",
                  [](BenchRun& run) { runFaults(run, "planes:count=1,spheres=30,alpha=1"); }),
      faultsBench("dof.faults.hairball",
                  [](BenchRun& run) { runFaults(run, "hairball:strands=80,spheres=20,alpha=1"); }),
      faultsBench("dof.faults.station", [](BenchRun& run) { runFaults(run, "station:alpha=1"); }),
      {"dof.radius", "From fragments to the image, by largest radius.", "entries", runRadius,
       radii},
      {"dof.sort", "From fragments to sorted lists, by sorting method and radius.", "entries",
       runSort, sorts},
  };
  return list;
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list{{"dof",
                                          "the variants of accumulation",
                                          &kSpace,
                                          classes(),
                                          {160, 90},
                                          {1920, 1080},
                                          "",
                                          makeTuneWorkload<VariantWorkload>,
                                          competitors,
                                          keyOf}};
  return list;
}

}  // namespace fathom::dof
