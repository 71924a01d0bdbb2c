// SPDX-License-Identifier: BSD-3-Clause
// The paper's Tables 1 to 4 as benchmarks: its four scenes (ours, of the same mean number of
// fragments per pixel), eight bytes per fragment, alpha 0.3, no early out, lists sorted and
// resident before timing; beside them what it printed, and merging 2, 4, 8 and 16 parts by pairs
// and all in one pass (the paper has four images, pairwise).
#include "app/lab/deep/bench.h"

#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/reference.h"

namespace fathom::deep {
namespace {

// ---- What the paper printed

constexpr const char* kTable1 = "Archer 2018, table 1";
constexpr const char* kTable2 = "Archer 2018, table 2";
constexpr const char* kTable3 = "Archer 2018, table 3";
constexpr const char* kTable4 = "Archer 2018, table 4";

std::string rowOf(std::string scene) {
  scene[0] = char(std::toupper(scene[0]));
  return scene;
}

/// The cell of tables 1 to 3; none for variants that the paper does not time.
std::vector<PaperCell> cellOf(const char* table, const std::string& scene, const Settings& s) {
  if (s.block() != 4 || s.slots != Slots::Tile2x8 || s.layout > Layout::BlockInterleaved) return {};
  return {{table,
           rowOf(scene),
           std::string(shortName(s.layout)) + (s.method == Method::Stepwise ? "-S" : "-RBM"),
           {}}};
}

// ---- Benches

constexpr std::array<const char*, 4> kScenes{"atrium", "powerplant", "hairball", "planes"};

const std::vector<SweepAxis> kTechniques{{"layout", {"ll", "la", "ia", "bia", "abia", "ria"}},
                                         {"method", {"stepwise", "rbm"}}};
const std::vector<SweepAxis> kLayouts{{"layout", {"ll", "la", "ia", "bia", "abia", "ria"}}};

/// Calls body(lists, case) for each point of the sweep, the lists as the settings say.
template <class Body>
void sweepLists(BenchRun& run, Workload& workload, const std::string& name, Settings& settings,
                const Body& body) {
  run.sweep(describing(settings), [&] {
    auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
    BenchCase c = caseOf(workload, name, settings);
    c.memoryBytes = allocated(lists);
    body(lists, c);
  });
}

/// Calls body(workload, scene) for each scene.
template <class Body>
void forScenes(BenchRun& run, const Body& body) {
  for (const char* scene : kScenes) {
    Workload workload(run, scene, sizeOf(run));
    body(workload, scene);
  }
}

gpu::Texture pictureFor(BenchRun& run, const Rect& region) {
  return {run.gpu(), "bench image", gpu::TextureFormat::Rgba32f, region.width, region.height};
}

CheckResult checkLists(Workload& workload, const FragmentLists& merged, const DeepImage& expected) {
  const DeepImage found = downloadLists(workload.pipeline(), merged, {0, 0}, expected);
  return {sameFragments(expected, found), "exact", "fragments differ"};
}

void runComposite(BenchRun& run) {
  Settings settings = paperSettings();
  forScenes(run, [&](Workload& workload, const std::string& scene) {
    const Rect region = workload.region();
    const Image expected = reference::flatten(reference::merge(workload.parts()), region);
    const gpu::Texture picture = pictureFor(run, region);
    sweepLists(run, workload, scene, settings, [&](auto& lists, BenchCase& c) {
      c.bytes = traffic(lists, false) + 16 * region.area();
      c.paper = cellOf(kTable1, scene, settings);
      c.trial = [&] {
        compositeLists(workload.pipeline(), std::array{&lists[0], &lists[1]}, settings, picture);
      };
      c.check = [&] { return checkPicture(expected, picture.downloadImage()); };
      run.measure(c);
    });
  });
}

void runSave(BenchRun& run) {
  Settings settings = paperSettings();
  forScenes(run, [&](Workload& workload, const std::string& scene) {
    const DeepImage expected = reference::merge(workload.parts());
    FragmentLists merged;
    sweepLists(run, workload, scene, settings, [&](auto& lists, BenchCase& c) {
      const auto measure = [&](const Settings& s) {
        c.bytes = traffic(lists, true);
        c.trial = [&] {
          mergeLists(workload.pipeline(), std::array{&lists[0], &lists[1]}, s, merged);
        };
        c.check = [&] { return checkLists(workload, merged, expected); };
        run.measure(c);
      };
      c.paper = cellOf(kTable2, scene, settings);
      measure(settings);
      if (settings.layout == Layout::LinkedList && settings.links == Links::Push) {
        Settings forward = settings;
        forward.links = Links::Forward;
        c = caseOf(workload, scene, forward);
        c.label += " forward";
        c.memoryBytes = allocated(lists);
        measure(forward);
      }
    });
  });
}

void runPairwise(BenchRun& run) {
  Settings settings = paperSettings();
  forScenes(run, [&](Workload& workload, const std::string& scene) {
    workload.deal();
    // The same tree of merges as below: (1 + 2) + (3 + 4).
    const std::vector<DeepImage>& p = workload.parts();
    const DeepImage expected =
        reference::merge(reference::merge(p[0], p[1]), reference::merge(p[2], p[3]));
    FragmentLists left, right, merged;
    sweepLists(run, workload, scene, settings, [&](auto& lists, BenchCase& c) {
      c.bytes = 2 * traffic(lists, true);
      c.paper = cellOf(kTable3, scene, settings);
      c.trial = [&] {
        Pipeline& pipeline = workload.pipeline();
        mergeLists(pipeline, std::array{&lists[0], &lists[1]}, settings, left);
        mergeLists(pipeline, std::array{&lists[2], &lists[3]}, settings, right);
        mergeLists(pipeline, std::array{&left, &right}, settings, merged);
      };
      c.check = [&] { return checkLists(workload, merged, expected); };
      run.measure(c);
    });
  });
}

void runMemory(BenchRun& run) {
  Settings settings = paperSettings();
  forScenes(run, [&](Workload& workload, const std::string& scene) {
    sweepLists(run, workload, scene, settings, [&](auto& lists, BenchCase& c) {
      c.label = shortName(settings.layout);
      // The paper's linked lists are in a pool with a fifth of slack, and keep their counts.
      std::int64_t bytes = 0;
      for (const FragmentLists& l : lists)
        bytes += settings.layout == Layout::LinkedList
                     ? std::int64_t(1.2 * 12 * l.fragmentCount) + 8 * std::int64_t(l.slotCount)
                     : l.usedBytes();
      c.memoryBytes = bytes;
      if (settings.layout <= Layout::BlockInterleaved)
        c.paper = {{kTable4, rowOf(scene), shortName(settings.layout), {}}};
      c.check = [&, bytes] {
        // Interleaving costs counts and minimums beyond a linearized array: 4.125 bytes per
        // slot and image; ranks 12; aligned blocks of 4 room for 3 fragments per group.
        const ListShape& shape = lists[0].shape;
        const auto fragments = std::int64_t(workload.fragmentCount());
        const auto images = std::int64_t(lists.size()), slots = std::int64_t(lists[0].slotCount);
        std::int64_t expected = 8 * fragments + images * 4 * slots;
        if (isRanked(shape)) expected += images * 12 * slots;
        if (hasMinimums(shape)) expected += images * (4 * slots + slots / 8);
        if (shape.layout == Layout::AlignedBlocks)
          expected += images * 8 * (slots / DEEP_GROUP) * (shape.block - 1);
        const double perFragment = double(bytes) / double(fragments);
        const double share = interleavedPercent(workload.parts(), workload.region(), shape);
        return CheckResult{isLinked(shape) || bytes == expected,
                           "exact",
                           fmt::format("{} bytes per fragment", perFragment),
                           {{"bytes per fragment", perFragment}, {"interleaved %", share}}};
      };
      run.measure(c);
    });
  });
}

/// Bytes that the steps read and write, tables included; the picture too when not all is saved.
std::int64_t bytesMoved(std::span<const FragmentLists> inputs, Strategy strategy, bool toOne,
                        std::int64_t pictureBytes) {
  std::vector<FragmentLists> lists;  // headers alone: sizes without buffers
  std::vector<std::uint64_t> counts;
  const auto add = [&](std::uint32_t fragments) {
    FragmentLists header;
    header.shape = inputs[0].shape;
    header.slotCount = inputs[0].slotCount;
    header.fragmentCount = fragments;
    lists.push_back(std::move(header));
  };
  for (const FragmentLists& input : inputs) {
    add(input.fragmentCount);
    counts.push_back(input.fragmentCount);
  }
  const MergePlan plan = planMerge(counts, strategy, toOne);
  std::int64_t bytes = 0;
  for (const std::vector<std::size_t>& step : plan.steps) {
    std::uint32_t fragments = 0;
    for (const std::size_t list : step) {
      bytes += lists[list].usedBytes();
      fragments += lists[list].fragmentCount;
    }
    add(fragments);
    bytes += lists.back().usedBytes();
  }
  if (toOne) return bytes;
  for (const std::size_t list : plan.left) bytes += lists[list].usedBytes();
  return bytes + pictureBytes;
}

/// By pairs in levels and all in one pass, beside each other, with the bytes that either moves.
void runKWay(BenchRun& run) {
  Settings settings = paperSettings();
  settings.links = Links::Forward;
  settings.method = resolve(Method::Auto, run.gpu().device().software);
  settings.saveMerged = true;
  for (const int parts : {2, 4, 8, 16}) {
    Workload workload(run, "hairball", sizeOf(run), parts);
    const std::string name = fmt::format("hairball in {}", parts);
    const DeepImage expected = reference::merge(workload.parts());
    const Rect region = workload.region();
    const Image flat = reference::flatten(expected, region);
    const gpu::Texture picture = pictureFor(run, region);
    struct Results {
      std::vector<FragmentLists> merged;
      std::vector<FragmentLists*> left;
    };
    std::array<Results, 2> results;  // by strategy
    run.sweep(describing(settings), [&] {
      auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
      std::vector<BenchCase> cases;
      for (const Strategy strategy : {Strategy::Pairwise, Strategy::KWay}) {
        Settings s = settings;
        s.strategy = strategy;
        const bool save = s.saveMerged;
        BenchCase c = caseOf(workload, name, s);
        c.label += strategy == Strategy::Pairwise ? " pairwise" : " k-way";
        c.bytes = bytesMoved(lists, resolve(strategy, lists.size()), save, 16 * region.area());
        c.memoryBytes = allocated(lists);
        Results& r = results[std::size_t(strategy)];
        c.trial = [&workload, &r, &lists, &picture, s, save] {
          Pipeline& pipeline = workload.pipeline();
          std::vector<FragmentLists*> inputs;
          for (FragmentLists& one : lists) inputs.push_back(&one);
          r.left = mergeDown(pipeline, inputs, r.merged, s, save);
          if (!save) compositeLists(pipeline, r.left, s, picture);
        };
        const std::vector<std::pair<std::string, double>> values{
            {"moved MiB", double(c.bytes) / 1048576}};
        c.check = [&workload, &r, &expected, &flat, &picture, save, values] {
          CheckResult checked = save ? checkLists(workload, *r.left[0], expected)
                                     : checkPicture(flat, picture.downloadImage());
          checked.values = values;
          return checked;
        };
        cases.push_back(std::move(c));
      }
      run.measureTogether(cases);
    });
  }
}

}  // namespace

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list{
      {"deep.composite", "Composite two deep images while merging them.", "fragments", runComposite,
       kTechniques},
      {"deep.save", "Merge two deep images into a third.", "fragments", runSave, kTechniques},
      {"deep.pairwise", "Merge four deep images by iterated pairwise merging.", "fragments",
       runPairwise, kTechniques},
      {"deep.kway", "Merge 2, 4, 8 and 16 parts: pairwise, and all in one pass.", "fragments",
       runKWay, kLayouts},
      {"deep.memory", "Bytes of two deep images in each layout, and the share that is interleaved.",
       "fragments", runMemory, kLayouts},
  };
  return list;
}

}  // namespace fathom::deep
