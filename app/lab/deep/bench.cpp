// SPDX-License-Identifier: BSD-3-Clause
// The paper's Tables 1 to 4 as benchmarks: its four scenes (ours, of the same mean number of
// fragments per pixel), eight bytes per fragment, alpha 0.3, no early out, lists sorted and
// resident before timing.
#include "app/lab/deep/bench.h"
#include "app/engine/deep/reference.h"
#include "app/engine/deep/settings/variant_space.h"
#include "app/lab/deep/bench_paper.h"
#include "app/lab/deep/workloads.h"

namespace fathom::deep {
namespace {

constexpr std::array<const char*, 4> kScenes{"atrium", "powerplant", "hairball", "planes"};

const std::vector<SweepAxis> kTechniques{{"layout", {"ll", "la", "ia", "bia", "abia", "ria"}},
                                         {"method", {"stepwise", "rbm"}}};
const std::vector<SweepAxis> kLayouts{{"layout", {"ll", "la", "ia", "bia", "abia", "ria"}}};

/// Calls body(workload, scene) for each scene.
template <class Body>
void forScenes(BenchRun& run, const Body& body) {
  for (const char* scene : kScenes) {
    Workload workload(run, scene, sizeOf(run));
    body(workload, scene);
  }
}

void runComposite(BenchRun& run) {
  Settings settings = paperSettings();
  forScenes(run, [&](Workload& workload, const std::string& scene) {
    const Image expected =
        reference::flatten(reference::merge(workload.parts()), workload.region());
    const gpu::Texture picture(run.gpu(), "bench picture", gpu::TextureFormat::Rgba32f,
                               workload.region().width, workload.region().height);
    run.sweep([&](FieldVisitor& field) { describe(settings, field); },
              [&] {
                auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
                BenchCase c = caseOf(workload, scene, settings);
                c.bytes = traffic(lists, false) + 16 * workload.region().area();
                c.memoryBytes = allocated(lists);
                c.paper = cellOf(kTable1, scene, settings);
                c.trial = [&] {
                  compositePair(workload.pipeline().store, lists[0], lists[1], settings, picture);
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
    run.sweep([&](FieldVisitor& field) { describe(settings, field); },
              [&] {
                auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
                const auto measure = [&](const Settings& s, const std::string& suffix,
                                         const std::vector<PaperCell>& paper) {
                  BenchCase c = caseOf(workload, scene, s);
                  c.label += suffix;
                  c.bytes = traffic(lists, true);
                  c.memoryBytes = allocated(lists);
                  c.paper = paper;
                  c.trial = [&] {
                    mergePair(workload.pipeline().store, lists[0], lists[1], s, merged);
                  };
                  c.check = [&] {
                    const DeepImage found =
                        downloadLists(workload.pipeline().store, merged, {0, 0}, expected);
                    return CheckResult{sameFragments(expected, found), "exact", "fragments differ"};
                  };
                  run.measure(c);
                };
                measure(settings, "", cellOf(kTable2, scene, settings));
                if (settings.layout == Layout::LinkedList && settings.links == Links::Push) {
                  Settings forward = settings;
                  forward.links = Links::Forward;
                  measure(forward, " forward", {});
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
    run.sweep([&](FieldVisitor& field) { describe(settings, field); },
              [&] {
                auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
                BenchCase c = caseOf(workload, scene, settings);
                c.bytes = 2 * traffic(lists, true);
                c.memoryBytes = allocated(lists);
                c.paper = cellOf(kTable3, scene, settings);
                c.trial = [&] {
                  Pipeline& pipeline = workload.pipeline();
                  mergePair(pipeline.store, lists[0], lists[1], settings, left);
                  mergePair(pipeline.store, lists[2], lists[3], settings, right);
                  mergePair(pipeline.store, left, right, settings, merged);
                };
                c.check = [&] {
                  const DeepImage found =
                      downloadLists(workload.pipeline().store, merged, {0, 0}, expected);
                  return CheckResult{sameFragments(expected, found), "exact", "fragments differ"};
                };
                run.measure(c);
              });
  });
}

void runMemory(BenchRun& run) {
  Settings settings = paperSettings();
  forScenes(run, [&](Workload& workload, const std::string& scene) {
    run.sweep(
        [&](FieldVisitor& field) { describe(settings, field); },
        [&] {
          auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
          BenchCase c = caseOf(workload, scene, settings);
          c.label = shortName(settings.layout);
          // The paper's linked lists are in a pool with a fifth of slack, and keep their counts.
          std::int64_t bytes = 0;
          for (const FragmentLists& l : lists)
            bytes += settings.layout == Layout::LinkedList
                         ? std::int64_t(1.2 * 12 * l.fragmentCount) + 8 * std::int64_t(l.slotCount)
                         : l.usedBytes();
          c.memoryBytes = bytes;
          c.paper = memoryCellOf(scene, settings.layout);
          const std::int64_t slots = lists[0].slotCount;
          c.check = [&, slots, bytes] {
            // Interleaving costs counts and minimums beyond a linearized array: 4.125 bytes per
            // slot and image; ranks 12; aligned blocks of 4 room for 3 fragments per group.
            const auto fragments = std::int64_t(workload.fragmentCount());
            const double perFragment = double(bytes) / double(fragments);
            const std::int64_t arrays = 8 * fragments + std::int64_t(lists.size()) * 4 * slots;
            const std::int64_t interleaved =
                arrays + std::int64_t(lists.size()) * (4 * slots + slots / 8);
            const std::int64_t ranked = arrays + std::int64_t(lists.size()) * 12 * slots;
            const std::int64_t aligned = interleaved + std::int64_t(lists.size()) * 8 *
                                                           (slots / DEEP_GROUP) *
                                                           (settings.block() - 1);
            bool passed = true;
            if (settings.layout == Layout::RankInterleaved) passed = bytes == ranked;
            if (settings.layout == Layout::AlignedBlocks) passed = bytes == aligned;
            if (settings.layout == Layout::Linearized) passed = bytes == arrays;
            if (settings.layout == Layout::Interleaved ||
                settings.layout == Layout::BlockInterleaved)
              passed = bytes == interleaved;
            const double share =
                interleavedPercent(workload.parts(), workload.region(), lists[0].shape);
            return CheckResult{passed,
                               "exact",
                               fmt::format("{} bytes per fragment", perFragment),
                               {{"bytes per fragment", perFragment}, {"interleaved %", share}}};
          };
          run.measure(c);
        });
  });
}

/// Every variant of the space on the hairball, whose fragments come in no order.
void runVariants(BenchRun& run) {
  Settings settings = paperSettings();
  Workload workload(run, "hairball", sizeOf(run));
  const Image expected = reference::flatten(reference::merge(workload.parts()), workload.region());
  const gpu::Texture picture(run.gpu(), "bench picture", gpu::TextureFormat::Rgba32f,
                             workload.region().width, workload.region().height);
  for (const Variant& variant : allVariants(kVariants)) {
    settings.layout = Layout(variant[kLayout]);
    settings.method = Method(variant[kMethod]);
    settings.blockSize = BlockSize(variant[kBlockSize]);
    settings.slots = Slots(variant[kSlots]);
    auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
    BenchCase c = caseOf(workload, "hairball", settings);
    c.label = kVariants.id(variant);
    c.bytes = traffic(lists, false) + 16 * workload.region().area();
    c.memoryBytes = allocated(lists);
    c.paper = cellOf(kTable1, "hairball", settings);
    c.trial = [&] {
      compositePair(workload.pipeline().store, lists[0], lists[1], settings, picture);
    };
    c.check = [&] { return checkPicture(expected, picture.downloadImage()); };
    run.measure(c);
  }
}

}  // namespace

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list{
      {"deep.composite",
       "Composite two deep images while merging them.",
       "Archer 2018, table 1",
       "fragments",
       kTechniques,
       runComposite,
       {table1()}},
      {"deep.save",
       "Merge two deep images into a third.",
       "Archer 2018, table 2",
       "fragments",
       kTechniques,
       runSave,
       {table2()}},
      {"deep.pairwise",
       "Merge four deep images by iterated pairwise merging.",
       "Archer 2018, table 3",
       "fragments",
       kTechniques,
       runPairwise,
       {table3()}},
      {"deep.kway",
       "Merge 2, 4, 8 and 16 parts: pairwise beside all in one pass.",
       "",
       "fragments",
       kLayouts,
       runKWay,
       {}},
      {"deep.memory",
       "Bytes of two deep images in each layout, and the share that is interleaved.",
       "Archer 2018, table 4",
       "fragments",
       kLayouts,
       runMemory,
       {table4()}},
      {"deep.variants",
       "Composite with each of the 64 variants, the paper's 36 first.",
       "Archer 2018, table 1",
       "fragments",
       {},
       runVariants},
  };
  return list;
}

}  // namespace fathom::deep
