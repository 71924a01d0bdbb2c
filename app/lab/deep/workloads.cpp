// SPDX-License-Identifier: BSD-3-Clause
// Captured scenes, and random deep images whose answer is known.
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/lab/deep/bench.h"

#include "app/engine/core/random.h"
#include "app/engine/deep/lists/scene_capture.h"
#include "app/engine/deep/reference.h"
#include "app/engine/deep/settings/variant_space.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/scene.h"

namespace fathom::deep {
const char* shortName(Layout layout) {
  static const char* const names[] = {"LL", "LA", "IA", "BIA", "RIA", "ABIA"};
  return names[int(layout)];
}

std::string labelOf(const Settings& s) {
  std::string label =
      fmt::format("{}-{}", shortName(s.layout), s.method == Method::Stepwise ? "S" : "RBM");
  if (s.block() != 4) label += fmt::format(" {}", s.block());
  if (s.slots == Slots::Raster) label += " raster";
  return label;
}

Settings paperSettings() {
  return {.method = Method::RegisterBlock,
          .links = Links::Push,
          .earlyOut = EarlyOut::Off,
          .captureFormat = CaptureFormat::Rgba8};
}

Workload::Workload(BenchRun& run, const std::string& scene, glm::ivec2 size, int shares)
    : run_(run), size_(size), pipeline_(run.gpu()) {
  const auto loaded = loadScene(fmt::format("{}:alpha=0.3", scene), run.progress());
  camera_ = loaded->camera;
  camera_.fitDepth(loaded->bounds);
  if (shares == 0) {
    parts_ = capture(loaded);
    return;
  }
  std::uint64_t triangles = 0;
  for (const ScenePart& part : loaded->parts) triangles += triangleCount(part);
  for (int i = 0; i < shares; ++i) {
    const auto edge = [&](int at) { return triangles * std::uint64_t(at) / std::uint64_t(shares); };
    const auto share =
        std::make_shared<const Scene>(cut(*loaded, rangesOf(*loaded, edge(i), edge(i + 1))));
    parts_.push_back(reference::merge(capture(share)));
  }
}

std::vector<DeepImage> Workload::capture(const std::shared_ptr<const Scene>& scene) {
  SceneRenderer renderer(run_.gpu(), scene);
  const ListShape shape = shapeOf(paperSettings(), FragmentFormat::Rgba8);
  FragmentLists lists;
  DeepImage like;
  like.format = FragmentFormat::Rgba8;
  std::vector<DeepImage> images;
  for (std::size_t part = 0; part < scene->parts.size(); ++part) {
    pipeline_.scenes.capture(renderer, part, {camera_, size_, region()}, shape, lists);
    images.push_back(downloadLists(pipeline_, lists, {0, 0}, like));
  }
  return images;
}

void Workload::deal() {
  std::vector<DeepImage> dealt;
  for (const DeepImage& part : parts_) {
    std::array<DeepImage, 2> halves{emptyLike(part, part.dataWindow),
                                    emptyLike(part, part.dataWindow)};
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

std::vector<FragmentLists>& Workload::upload(const ListShape& shape) {
  if (lists_.empty() || !(lists_[0].shape == shape)) {
    lists_.clear();
    lists_.resize(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i)
      uploadLists(pipeline_, parts_[i], {0, 0}, region(), shape, lists_[i]);
  }
  return lists_;
}

std::uint64_t Workload::fragmentCount() const {
  std::uint64_t all = 0;
  for (const DeepImage& part : parts_) all += part.fragmentCount();
  return all;
}

glm::ivec2 sizeOf(const BenchRun& run) { return run.size({240, 136}, {1280, 720}, {1920, 1080}); }

BenchCase caseOf(const Workload& workload, const std::string& scene, const Settings& settings) {
  BenchCase c = makeCase(scene, labelOf(settings), double(workload.fragmentCount()),
                         {workload.region().width, workload.region().height});
  Settings copy = settings;
  c.settings = valuesOf(describing(copy));
  return c;
}

std::int64_t traffic(std::span<const FragmentLists> lists, bool saved) {
  std::int64_t bytes = 0, written = 0;
  for (const FragmentLists& l : lists) {
    bytes += l.usedBytes();
    written += std::int64_t(l.fragmentCount) *
               (l.shape.words() * 4 + (l.shape.layout == Layout::LinkedList ? 4 : 0));
  }
  return bytes + (saved ? written : 0);
}

std::int64_t allocated(std::span<const FragmentLists> lists) {
  std::int64_t bytes = 0;
  for (const FragmentLists& l : lists) bytes += l.allocatedBytes();
  return bytes;
}

double interleavedPercent(std::span<const DeepImage> images, const Rect& region,
                          const ListShape& shape) {
  if (shape.layout == Layout::LinkedList || shape.layout == Layout::Linearized) return 0;
  const auto block = std::uint64_t(shape.layout == Layout::Interleaved ? 1 : shape.block);
  std::uint64_t interleaved = 0, all = 0;
  std::vector<std::uint64_t> counts(slotCountOf(region));
  for (const DeepImage& image : images) {
    std::fill(counts.begin(), counts.end(), 0);
    for (int y = 0; y < region.height; ++y)
      for (int x = 0; x < region.width; ++x)
        counts[slotOf(region, shape.slots, x, y)] =
            image.list(x + region.x, y + region.y).size() / std::size_t(image.stride());
    for (std::size_t g = 0; g < counts.size(); g += DEEP_GROUP) {
      const std::span<const std::uint64_t> group(&counts[g], DEEP_GROUP);
      const std::uint64_t minimum = *std::min_element(group.begin(), group.end());
      for (const std::uint64_t count : group) {
        all += count;
        const std::uint64_t reach = shape.layout == Layout::RankInterleaved ? count : minimum;
        interleaved += reach / block * block;
      }
    }
  }
  return all > 0 ? 100.0 * double(interleaved) / double(all) : 0;
}

/// Colors are at most 1 and lists hold n fragments: each step of compositing rounds by at most
/// 2^-23 of 1, in single precision, and the decoded color by as much.
CheckResult checkPicture(const Image& expected, const Image& found) {
  constexpr double kBound = 1e-4;
  double worst = 0;
  for (std::size_t i = 0; i < expected.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c) {
      const double difference = std::abs(double(expected.pixels[i][c]) - found.pixels[i][c]);
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    }
  return {worst <= kBound, fmt::format("rounding {}", kBound), fmt::format("differs by {}", worst)};
}

namespace {

constexpr double kMeanPerPixel = 12;  // of each image

class MergeWorkload : public TuneWorkload {
 public:
  MergeWorkload(gpu::Context& gpu, const TuneRequest& request, Progress&)
      : TuneWorkload(gpu, kVariants),
        pipeline_(gpu),
        region_{0, 0, request.size.x, request.size.y},
        front_(randomDeepImage(request.size, request.seed)),
        back_(randomDeepImage(request.size, request.seed + 1)),
        expected_(reference::flatten(reference::merge(front_, back_), region_)),
        picture_(gpu, "tuned image", gpu::TextureFormat::Rgba32f, request.size.x, request.size.y) {}

 private:
  void run(const Variant& variant) override {
    const Settings settings{.layout = Layout(variant[kLayout]),
                            .method = Method(variant[kMethod]),
                            .blockSize = BlockSize(variant[kBlockSize]),
                            .slots = Slots(variant[kSlots]),
                            .earlyOut = EarlyOut::Off};
    const ListShape shape = shapeOf(settings, FragmentFormat::Half);
    uploadLists(pipeline_, front_, {0, 0}, region_, shape, lists_[0]);
    uploadLists(pipeline_, back_, {0, 0}, region_, shape, lists_[1]);
    compositeLists(pipeline_, std::array{&lists_[0], &lists_[1]}, settings, picture_);
  }
  CheckResult runAndCompare(const Variant& variant) override {
    picture_.clear(glm::vec4(-1));
    run(variant);
    gpu::barrier(gpu::Access::Transfer);
    return checkPicture(expected_, picture_.downloadImage());
  }

  Pipeline pipeline_;
  Rect region_;
  DeepImage front_, back_;
  Image expected_;
  gpu::Texture picture_;
  FragmentLists lists_[2];
};

/// Without tuning: the default settings, with the method that suits the device.
Variant standardVariant(bool software) { return variantOf({}, resolve(Method::Auto, software)); }

}  // namespace

DeepImage randomDeepImage(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  DeepImage image;
  image.dataWindow = image.displayWindow = {0, 0, size.x, size.y};
  image.channels = halfRgbaAndZ();
  image.fragmentOffsets = {0};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const double wave = 1 + std::sin(x * 0.02) * std::cos(y * 0.03);
      const int count = int(kMeanPerPixel * wave * random.uniform(0.8f, 1.2f));
      float z = 1;
      for (int i = 0; i < count; ++i) {
        z += random.uniform(0.01f, 1);
        const float blue = random.uniform(), green = random.uniform();
        const glm::vec3 color(random.uniform(), green, blue);
        const float alpha = 0.3f;
        const std::uint32_t depth = std::bit_cast<std::uint32_t>(z);
        image.words.insert(image.words.end(),
                           {glm::packHalf2x16(glm::vec2(color) * alpha),
                            glm::packHalf2x16({color.b * alpha, alpha}), depth, depth});
      }
      image.fragmentOffsets.push_back(image.words.size() / 4);
    }
  return image;
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list{
      {"deep",
       "layout, method, block size and slots",
       &kVariants,
       {{kTunedWork, standardVariant(true), standardVariant(false)}},
       {320, 180},
       {1920, 1080},
       kTunedShaders,
       makeTuneWorkload<MergeWorkload>}};
  return list;
}

}  // namespace fathom::deep
