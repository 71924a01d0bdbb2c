// SPDX-License-Identifier: BSD-3-Clause
// Merging 2, 4, 8 and 16 parts of one scene: by pairs in levels and all in one pass, beside each
// other, with the bytes that either moves (the paper has four images, pairwise: its Table 3).
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/reference.h"
#include "app/lab/deep/workloads.h"

namespace fathom::deep {
namespace {

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

}  // namespace

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
    const gpu::Texture picture(run.gpu(), "bench picture", gpu::TextureFormat::Rgba32f,
                               region.width, region.height);
    struct Results {
      std::vector<FragmentLists> merged;
      std::vector<FragmentLists*> left;
    };
    std::array<Results, 2> results;  // by strategy
    run.sweep([&](FieldVisitor& field) { describe(settings, field); },
              [&] {
                auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
                std::vector<BenchCase> cases;
                for (const Strategy strategy : {Strategy::Pairwise, Strategy::KWay}) {
                  Settings s = settings;
                  s.strategy = strategy;
                  const bool save = s.saveMerged;
                  BenchCase c = caseOf(workload, name, s);
                  c.label += strategy == Strategy::Pairwise ? " pairwise" : " k-way";
                  c.bytes =
                      bytesMoved(lists, resolve(strategy, lists.size()), save, 16 * region.area());
                  c.memoryBytes = allocated(lists);
                  Results& r = results[std::size_t(strategy)];
                  c.trial = [&workload, &r, &lists, &picture, s, save] {
                    Pipeline& pipeline = workload.pipeline();
                    r.left = mergeDown(pipeline.store, lists, r.merged, s, save);
                    if (!save) compositeLists(pipeline.store, r.left, s, picture);
                  };
                  const std::vector<std::pair<std::string, double>> values{
                      {"moved MiB", double(c.bytes) / 1048576}};
                  c.check = [&workload, &r, &expected, &flat, &picture, save, values] {
                    CheckResult checked;
                    if (save) {
                      const DeepImage found =
                          downloadLists(workload.pipeline().store, *r.left[0], {0, 0}, expected);
                      checked = {sameFragments(expected, found), "exact", "fragments differ"};
                    } else {
                      checked = checkPicture(flat, picture.downloadImage());
                    }
                    checked.values = values;
                    return checked;
                  };
                  cases.push_back(std::move(c));
                }
                run.measureTogether(cases);
              });
  }
}

}  // namespace fathom::deep
