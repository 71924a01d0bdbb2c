// SPDX-License-Identifier: BSD-3-Clause
// The paper's Tables 1 to 4 as benchmarks: three of its scenes (ours, of the same mean number of
// fragments per pixel), eight bytes per fragment, alpha 0.3, no early out, lists sorted and
// resident before timing.
#include "app/techniques/deep/bench_paper.h"
#include "app/techniques/deep/command.h"
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/reference.h"
#include "app/techniques/deep/space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace fathom::deep {
namespace {

constexpr std::array<const char*, 3> kScenes{"atrium", "hairball", "planes"};

const std::vector<SweepAxis> kTechniques{{"layout", {"ll", "la", "ia", "bia"}},
                                         {"method", {"stepwise", "rbm"}}};
const std::vector<SweepAxis> kLayouts{{"layout", {"ll", "la", "ia", "bia"}}};

std::string labelOf(const Settings& s) {
  std::string label =
      fmt::format("{}-{}", shortName(s.layout), s.method == Method::Stepwise ? "S" : "RBM");
  if (s.block() != 4) label += fmt::format(" {}", s.block());
  if (s.slots == Slots::Raster) label += " raster";
  return label;
}

Settings paperSettings() {
  Settings s;
  s.captureFormat = CaptureFormat::Rgba8;
  s.earlyOut = EarlyOut::Off;
  s.links = Links::Push;
  s.method = Method::RegisterBlock;
  return s;
}

/// A scene's parts on the GPU in one shape, and on the CPU as the device captured them.
class Workload {
 public:
  Workload(BenchRun& run, const std::string& scene, glm::ivec2 size)
      : run_(run), size_(size), pipeline_(run.gpu()) {
    const auto loaded = loadScene(fmt::format("{}:alpha=0.3", scene), run.progress());
    renderer_ = std::make_unique<SceneRenderer>(run.gpu(), loaded);
    camera_ = loaded->camera;
    camera_.fitDepth(loaded->bounds);
    const ListShape shape = shapeOf(paperSettings(), FragmentFormat::Rgba8);
    FragmentLists lists;
    DeepImage like;
    like.format = FragmentFormat::Rgba8;
    for (std::size_t part = 0; part < loaded->parts.size(); ++part) {
      pipeline_.capture(*renderer_, part, camera_, size_, region(), shape, lists);
      parts_.push_back(pipeline_.download(lists, {0, 0}, like));
    }
  }

  Rect region() const { return {0, 0, size_.x, size_.y}; }
  Pipeline& pipeline() { return pipeline_; }
  const std::vector<DeepImage>& parts() const { return parts_; }

  /// Each part dealt into two images, fragment by fragment in turns: the four inputs of Table 3.
  void deal() {
    std::vector<DeepImage> dealt;
    for (const DeepImage& part : parts_) {
      std::array<DeepImage, 2> halves{emptyLike(part), emptyLike(part)};
      for (std::size_t p = 0; p < part.pixelCount(); ++p) {
        for (std::size_t i = part.fragmentOffsets[p]; i < part.fragmentOffsets[p + 1]; ++i) {
          DeepImage& half = halves[(i - part.fragmentOffsets[p]) % 2];
          half.words.insert(half.words.end(), {part.words[2 * i], part.words[2 * i + 1]});
        }
        for (DeepImage& half : halves) half.fragmentOffsets.push_back(half.words.size() / 2);
      }
      for (DeepImage& half : halves) dealt.push_back(std::move(half));
    }
    parts_ = std::move(dealt);
  }

  /// Puts the parts on the GPU in this shape.
  std::vector<FragmentLists>& upload(const ListShape& shape) {
    if (lists_.empty() || !(lists_[0].shape == shape)) {
      lists_.clear();
      lists_.resize(parts_.size());
      for (std::size_t i = 0; i < parts_.size(); ++i)
        pipeline_.upload(parts_[i], {0, 0}, region(), shape, lists_[i]);
    }
    return lists_;
  }

  std::uint64_t fragmentCount() const {
    std::uint64_t all = 0;
    for (const DeepImage& part : parts_) all += part.fragmentCount();
    return all;
  }

 private:
  static DeepImage emptyLike(const DeepImage& image) {
    DeepImage empty;
    empty.dataWindow = image.dataWindow;
    empty.displayWindow = image.displayWindow;
    empty.format = image.format;
    return empty;
  }

  BenchRun& run_;
  glm::ivec2 size_;
  Pipeline pipeline_;
  std::unique_ptr<SceneRenderer> renderer_;
  Camera camera_;
  std::vector<DeepImage> parts_;
  std::vector<FragmentLists> lists_;
};

glm::ivec2 sizeOf(const BenchRun& run) { return run.size({320, 180}, {1280, 720}, {1920, 1080}); }

/// Calls body(workload, scene) for each scene.
template <class Body>
void forScenes(BenchRun& run, const Body& body) {
  for (const char* scene : kScenes) {
    Workload workload(run, scene, sizeOf(run));
    body(workload, scene);
  }
}

BenchCase caseOf(const Workload& workload, const std::string& scene, const Settings& settings) {
  BenchCase c;
  c.workload = scene;
  c.label = labelOf(settings);
  c.size = {workload.region().width, workload.region().height};
  Settings copy = settings;
  c.settings = valuesOf([&](FieldVisitor& field) { describe(copy, field); });
  c.work = double(workload.fragmentCount());
  return c;
}

/// Fragments read once, tables once; what is saved is written once (a linked list's links both
/// ways).
std::int64_t traffic(const std::vector<FragmentLists>& lists, bool saved) {
  std::int64_t bytes = 0, written = 0;
  for (const FragmentLists& l : lists) {
    bytes += l.usedBytes();
    written += std::int64_t(l.fragmentCount) *
               (l.shape.words() * 4 + (l.shape.layout == Layout::LinkedList ? 4 : 0));
  }
  return bytes + (saved ? written : 0);
}

std::int64_t allocated(const std::vector<FragmentLists>& lists) {
  std::int64_t bytes = 0;
  for (const FragmentLists& l : lists) bytes += l.allocatedBytes();
  return bytes;
}

/// Colors are at most 1 and lists hold n fragments: each step of compositing rounds by at most
/// 2^-23 of 1, in single precision, and the decoded color by as much.
Checked checkPicture(const Image& expected, const Image& found) {
  constexpr double kBound = 1e-4;
  double worst = 0;
  for (std::size_t i = 0; i < expected.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c) {
      const double difference = std::abs(double(expected.pixels[i][c]) - found.pixels[i][c]);
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    }
  return {worst <= kBound, fmt::format("rounding {}", kBound), fmt::format("differs by {}", worst)};
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
                  workload.pipeline().mergeComposite(lists[0], lists[1], settings, picture);
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
                  c.trial = [&] { workload.pipeline().merge(lists[0], lists[1], s, merged); };
                  c.check = [&] {
                    const DeepImage found = workload.pipeline().download(merged, {0, 0}, expected);
                    return Checked{sameFragments(expected, found), "exact", "fragments differ"};
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
                  pipeline.merge(lists[0], lists[1], settings, left);
                  pipeline.merge(lists[2], lists[3], settings, right);
                  pipeline.merge(left, right, settings, merged);
                };
                c.check = [&] {
                  const DeepImage found = workload.pipeline().download(merged, {0, 0}, expected);
                  return Checked{sameFragments(expected, found), "exact", "fragments differ"};
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
          // The paper's linked lists stand in a pool with a fifth of slack, and keep their counts.
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
            // slot and image.
            const auto fragments = std::int64_t(workload.fragmentCount());
            const double perFragment = double(bytes) / double(fragments);
            const std::int64_t arrays = 8 * fragments + std::int64_t(lists.size()) * 4 * slots;
            const std::int64_t interleaved =
                arrays + std::int64_t(lists.size()) * (4 * slots + slots / 8);
            bool passed = true;
            if (settings.layout == Layout::Linearized) passed = bytes == arrays;
            if (settings.layout == Layout::Interleaved ||
                settings.layout == Layout::BlockInterleaved)
              passed = bytes == interleaved;
            return Checked{passed, "exact", fmt::format("{} bytes per fragment", perFragment)};
          };
          run.measure(c);
        });
  });
}

/// Every variant of the space on the hairball, whose lists are the longest of the three scenes.
void runVariants(BenchRun& run) {
  Settings settings = paperSettings();
  Workload workload(run, "hairball", sizeOf(run));
  const Image expected = reference::flatten(reference::merge(workload.parts()), workload.region());
  const gpu::Texture picture(run.gpu(), "bench picture", gpu::TextureFormat::Rgba32f,
                             workload.region().width, workload.region().height);
  for (const gpu::Variant& variant : gpu::allVariants(kSpace)) {
    settings.layout = Layout(variant[kLayout]);
    settings.method = Method(variant[kMethod]);
    settings.blockSize = BlockSize(variant[kBlockSize]);
    settings.slots = Slots(variant[kSlots]);
    auto& lists = workload.upload(shapeOf(settings, FragmentFormat::Rgba8));
    BenchCase c = caseOf(workload, "hairball", settings);
    c.label = kSpace.id(variant);
    c.bytes = traffic(lists, false) + 16 * workload.region().area();
    c.memoryBytes = allocated(lists);
    c.paper = cellOf(kTable1, "hairball", settings);
    c.trial = [&] { workload.pipeline().mergeComposite(lists[0], lists[1], settings, picture); };
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
      {"deep.memory",
       "Bytes of two deep images in each layout.",
       "Archer 2018, table 4",
       "fragments",
       kLayouts,
       runMemory,
       {table4()}},
      {"deep.variants",
       "Composite with each of the 36 variants.",
       "Archer 2018, table 1",
       "fragments",
       {},
       runVariants},
  };
  return list;
}

}  // namespace fathom::deep
