// SPDX-License-Identifier: BSD-3-Clause
// Shares of scenes (whole parts dealt out in turn, or equal numbers of triangles), of clouds of
// points (equal numbers along longitude and latitude) and of folders of scene files; and drawing
// them.
#include "app/engine/active_pixel/share/share.h"

#include "app/engine/core/jobs.h"
#include "app/engine/core/text.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/scene/built_in/points.h"
#include "app/engine/scene/load_scene.h"
#include "app/engine/scene/scene.h"
#include "app/engine/scene/scene_renderer.h"
#include "shaders/active_pixel/draw_shared.h"

namespace fathom::active_pixel {

/// Draws one kind of share.
class ShareDrawer {
 public:
  virtual ~ShareDrawer() = default;
  /// `size` is the whole picture, `region` what may be touched, from the lower left corner.
  virtual void draw(const gpu::Target& target, const Camera& camera, glm::ivec2 size,
                    const Region& region, const Format& format,
                    const shared::DrawParams& params) = 0;
};

namespace {

// ---- Scenes

constexpr float kOpaque = 0.99f;  // alpha from which on a fragment hides what is behind it

class TriangleDrawer : public ShareDrawer {
 public:
  TriangleDrawer(gpu::Context& gpu, std::shared_ptr<const Scene> scene)
      : gpu_(gpu), renderer_(gpu, std::move(scene)) {}

  void draw(const gpu::Target& target, const Camera& camera, glm::ivec2 size, const Region& region,
            const Format& format, const shared::DrawParams& params) override {
    std::vector<std::size_t> order(renderer_.scene().parts.size());
    std::iota(order.begin(), order.end(), 0u);
    SceneDraw how{true, true, gpu::Blend::Off, true};
    shared::DrawParams p = params;
    if (format.compositing == Compositing::ZBuffer || p.flatColor.w > 0)
      return drawParts(order, target, camera, size, region, p, how);
    p.alpha.x = kOpaque;
    drawParts(order, target, camera, size, region, p, how);
    p.alpha = {1.0f / 512, kOpaque, 0, p.alpha.w};
    how.depthWrite = false, how.blend = gpu::Blend::Over;
    std::ranges::sort(order, std::ranges::greater{},
                      [&](std::size_t part) { return distance(part, camera); });
    drawParts(order, target, camera, size, region, p, how);
  }

 private:
  float distance(std::size_t part, const Camera& camera) const {
    return glm::distance(renderer_.scene().parts[part].bounds.center(), camera.position);
  }

  void drawParts(const std::vector<std::size_t>& order, const gpu::Target& target,
                 const Camera& camera, glm::ivec2 size, const Region& region,
                 const shared::DrawParams& params, const SceneDraw& how) {
    gpu::RasterPass& pass = gpu_.rasterPass(
        {"draw share", "shaders/scene/scene.vert", "shaders/active_pixel/draw_share.frag", {}});
    const Rect whole{0, 0, size.x, size.y};
    for (const std::size_t part : order) {
      pass.params(AP_DRAW_BIND_PARAMS, params);
      renderer_.drawPart(pass, target, part, camera, whole, region, how);
    }
  }

  gpu::Context& gpu_;
  SceneRenderer renderer_;
};

/// A share cut out of a scene.
std::shared_ptr<const Share> triangleShare(const Whole& whole, Scene cutOut) {
  const auto scene = std::make_shared<const Scene>(std::move(cutOut));
  const bool translucent =
      std::ranges::any_of(scene->materials, [](const auto& m) { return m.color.a < 0.5f; });
  return std::make_shared<const Share>(
      Share{whole, scene->bounds, scene->triangleCount(), translucent, scene->warnings,
            [scene](gpu::Context& gpu) { return std::make_unique<TriangleDrawer>(gpu, scene); }});
}

/// Parts rank, rank + ranks, ...; or the rank's stretch of all triangles.
std::vector<PartRange> partsOfShare(const Scene& scene, std::uint64_t triangles, int rank,
                                    int ranks, Split split) {
  if (split == Split::Triangles) {
    const std::uint64_t n = triangles, r = std::uint64_t(rank);
    return rangesOf(scene, n * r / std::uint64_t(ranks), n * (r + 1) / std::uint64_t(ranks));
  }
  std::vector<PartRange> ranges;
  for (std::size_t p = std::size_t(rank); p < scene.parts.size(); p += std::size_t(ranks))
    if (const std::uint64_t count = triangleCount(scene.parts[p])) ranges.push_back({p, 0, count});
  return ranges;
}

ShareSource openScene(const std::string& input, Progress& progress,
                      const std::optional<SceneShare>& only) {
  const std::shared_ptr<const Scene> scene = loadScene(input, progress, only);
  Whole whole{.bounds = scene->bounds, .camera = scene->camera, .content = contentOf(*scene)};
  if (const auto& own = scene->share)
    whole.bounds = own->bounds, whole.objects = own->parts, whole.triangles = own->triangles;
  else
    for (const ScenePart& part : scene->parts) {
      const std::uint64_t count = triangleCount(part);
      whole.triangles += count, whole.objects += count > 0;
    }
  return {whole, [whole, scene](int rank, int ranks, Split split, Progress&) {
            Scene share = cut(
                *scene, scene->share ? rangesOf(*scene, 0, scene->triangleCount())
                                     : partsOfShare(*scene, whole.triangles, rank, ranks, split));
            if (rank == 0) share.warnings = scene->warnings;
            return triangleShare(whole, std::move(share));
          }};
}

// ---- Clouds of points
// Points are made buffer by buffer on their way to the GPU; beside the table of cells nothing is
// kept on the CPU.

class PointDrawer : public ShareDrawer {
 public:
  PointDrawer(gpu::Context& gpu, const PointCloud& cloud, std::uint64_t first, std::uint64_t end)
      : gpu_(gpu), radius_(cloud.radius()) {
    using scene::shared::ScenePoint;
    constexpr std::uint64_t kMost = 1 << 23;  // 128 MiB
    const std::uint64_t limit = std::clamp<std::uint64_t>(
        std::uint64_t(gpu.memory().blockLimit()) / sizeof(ScenePoint), 1, kMost);
    for (std::uint64_t at = first; at < end; at += limit)
      buffers_.emplace_back(gpu, fmt::format("points {}", buffers_.size()),
                            cloud.make(at, std::min(at + limit, end)));
  }

  void draw(const gpu::Target& target, const Camera& camera, glm::ivec2 size, const Region& region,
            const Format&, const shared::DrawParams& params) override {
    gpu::RasterPass& pass = gpu_.rasterPass(
        {"draw points", "shaders/scene/points.vert", "shaders/active_pixel/draw_points.frag", {}});
    scene::shared::PointParams points{};
    points.view = camera.view();
    points.projection = camera.projection(float(size.x) / float(size.y));
    points.radius = glm::vec4(radius_, 0, 0);
    gpu::DrawState state;
    state.viewport = {0, 0, size.x, size.y};
    state.scissor = region;
    state.depthTest = state.depthWrite = true;
    pass.params(AP_DRAW_BIND_PARAMS, params).params(POINTS_BIND_PARAMS, points);
    pass.storage(POINTS_BIND_POINTS, buffers_.front());
    pass.begin(target, state);
    for (const auto& buffer : buffers_) {
      pass.storage(POINTS_BIND_POINTS, buffer);
      pass.drawRange(0, buffer.count() * 3);
    }
    pass.end();
  }

 private:
  gpu::Context& gpu_;
  glm::vec2 radius_;
  std::vector<gpu::Buffer<scene::shared::ScenePoint>> buffers_;
};

ShareSource openPoints(const std::string& input, PointCloud made) {
  const auto cloud = std::make_shared<const PointCloud>(std::move(made));
  const std::uint64_t n = cloud->count();
  const Whole whole{cloud->bounds(), cloud->camera(), 1, n, n, input};
  return {whole, [whole, cloud, n](int rank, int ranks, Split, Progress&) {
            const std::uint64_t r = std::uint64_t(rank), all = std::uint64_t(ranks),
                                first = n * r / all, end = n * (r + 1) / all;
            const auto makeDrawer = [cloud, first, end](gpu::Context& gpu) {
              return std::make_unique<PointDrawer>(gpu, *cloud, first, end);
            };
            return std::make_shared<const Share>(
                Share{whole, cloud->boundsOf(first, end), end - first, false, {}, makeDrawer});
          }};
}

// ---- Folders of scene files, each an object
// Every rank measures all files, so that all agree on bounds and counts, and then reads only its
// own: OBJ in a quick pass over its text, other formats by reading them.

constexpr std::size_t kChunkBytes = 1 << 20;

bool isSceneFile(const fs::path& file) {
  return std::ranges::count(sceneEndings(), endingOf(file)) > 0;
}

struct Measured {
  Box bounds;
  std::uint64_t triangles = 0;
  std::uint32_t checksum = 0;  // of the file and of its materials
  void add(std::uint32_t sum) {
    const std::uint32_t both[] = {checksum, sum};
    checksum = crc32(std::as_bytes(std::span(both)));
  }
};

/// The next number or word of a line.
std::string_view nextToken(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return line = {};
  const std::size_t end = std::min(line.find_first_of(" \t\r", first), line.size());
  const std::string_view token = line.substr(first, end - first);
  line.remove_prefix(end);
  return token;
}

/// Vertices widen the bounds, faces count by the triangles of their fan. What is wrong with a line
/// is said by the rank that reads the file.
void measureLine(std::string_view line, const fs::path& folder, Measured& measured) {
  const std::string_view word = nextToken(line);
  if (word == "v") {
    glm::vec3 p(0);
    for (int i = 0; i < 3; ++i) {
      std::string_view token = nextToken(line);
      if (!token.empty() && token[0] == '+') token.remove_prefix(1);
      std::from_chars(token.data(), token.data() + token.size(), p[i]);
    }
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) measured.bounds.add(p);
  } else if (word == "f") {
    std::uint64_t corners = 0;
    while (!nextToken(line).empty()) ++corners;
    if (corners > 2) measured.triangles += corners - 2;
  } else if (word == "mtllib") {
    if (const std::string_view name = trimmed(line); !name.empty())
      measured.add(checksumOfFile(folder / name));
  }
}

Measured measure(const fs::path& file, const Progress& progress) {
  progress.throwIfCancelled();
  if (endingOf(file) != ".obj") {
    Progress own;
    const auto scene = loadScene(file.string(), own);
    const std::string content = contentOf(*scene);
    return {scene->bounds, scene->triangleCount(), crc32(std::as_bytes(std::span(content)))};
  }
  std::ifstream stream = openFile(file);
  Measured measured;
  std::string text;
  for (bool more = true; more;) {
    progress.throwIfCancelled();
    const std::size_t kept = text.size();
    text.resize(kept + kChunkBytes);
    stream.read(text.data() + kept, std::streamsize(kChunkBytes));
    text.resize(kept + std::size_t(stream.gcount()));
    more = bool(stream);
    measured.add(crc32(std::as_bytes(std::span(text).subspan(kept))));
    const std::string_view all(text);
    std::size_t at = 0;
    for (std::size_t end; (end = all.find('\n', at)) != std::string_view::npos; at = end + 1)
      measureLine(all.substr(at, end - at), file.parent_path(), measured);
    if (!more) measureLine(all.substr(at), file.parent_path(), measured);
    text.erase(0, at);
  }
  if (stream.bad()) fail("{}: expected a readable OBJ file, reading failed", file.string());
  return measured;
}

struct Folder {
  std::string name;
  std::vector<fs::path> files;  // in the order of their names
  std::vector<Measured> measured;
  Whole whole;
};

/// The share of file `index` that belongs to a rank, as a range of its triangles 0..1.
struct TriangleRange {
  std::size_t file;
  double first, end;
};

std::vector<TriangleRange> rangesOfShare(const Folder& folder, int rank, int ranks, Split split) {
  std::vector<TriangleRange> ranges;
  if (split == Split::Objects) {
    for (std::size_t i = std::size_t(rank); i < folder.files.size(); i += std::size_t(ranks))
      ranges.push_back({i, 0, 1});
    return ranges;
  }
  const double all = double(folder.whole.triangles);
  const double first = all * rank / ranks, end = all * (rank + 1) / ranks;
  double before = 0;
  for (std::size_t i = 0; i < folder.files.size(); ++i) {
    const auto count = double(folder.measured[i].triangles);
    if (count > 0 && before < end && before + count > first)
      ranges.push_back(
          {i, std::max(0.0, (first - before) / count), std::min(1.0, (end - before) / count)});
    before += count;
  }
  return ranges;
}

std::shared_ptr<const Share> takeOf(const Folder& folder, int rank, int ranks, Split split,
                                    Progress& progress) {
  Scene share;
  share.name = folder.name;
  for (const TriangleRange& range : rangesOfShare(folder, rank, ranks, split)) {
    Scene object;
    object.name = folder.files[range.file].string();
    loadSceneFile(object, folder.files[range.file], "all", progress);
    for (ScenePart& part : object.parts) part.name = folder.files[range.file].stem().string();
    if (range.first > 0 || range.end < 1) {
      const auto count = double(object.triangleCount());
      Scene part = cut(object, rangesOf(object, std::uint64_t(range.first * count),
                                        std::uint64_t(range.end * count)));
      part.warnings = std::move(object.warnings);
      object = std::move(part);
    }
    append(share, object);
  }
  return triangleShare(folder.whole, std::move(share));
}

/// In the order of their names.
std::vector<fs::path> sceneFilesIn(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (isSceneFile(it->path())) files.push_back(it->path());
  std::ranges::sort(files);
  return files;
}

ShareSource openFolder(const std::string& name, Progress& progress) {
  Folder folder{.name = name, .files = sceneFilesIn(name), .measured = {}, .whole = {}};
  std::error_code error;
  if (folder.files.empty())
    fail("{}: expected a scene, a scene file or a folder of scene files, found {}", name,
         fs::is_directory(name, error) ? "a folder without them" : "none of these");
  folder.measured.resize(folder.files.size());
  progress.begin("measuring files", double(folder.files.size()));
  parallelForEach(folder.files.size(), 1, [&](std::size_t i) {
    folder.measured[i] = measure(folder.files[i], progress);
    progress.advance(1);
  });
  Whole& whole = folder.whole;
  Measured all;
  for (const Measured& m : folder.measured) {
    whole.bounds.add(m.bounds);
    whole.triangles += m.triangles;
    all.add(m.checksum);
  }
  whole.objects = folder.files.size();
  whole.content = fmt::format("{} files of checksum {:08x}", whole.objects, all.checksum);
  whole.camera.position = {0.7f, 0.5f, 1.0f};
  whole.camera.target = {0, 0, 0};
  whole.camera.frame(whole.bounds, 16.0f / 9.0f);
  return {whole, [folder](int rank, int ranks, Split split, Progress& shown) {
            return takeOf(folder, rank, ranks, split, shown);
          }};
}

// ---- From an input to shares

/// New textures and target when size or format differ from the last ones.
void prepare(gpu::Context& gpu, ShareTargets& targets, glm::ivec2 size, const Format& format) {
  const bool hasColor = format.color != Color::None;
  bool made = gpu::ensure(gpu, targets.depth, "share depth", gpu::TextureFormat::Depth32f, size);
  if (hasColor)
    made |= gpu::ensure(
        gpu, targets.color, "share color",
        format.color == Color::Rgba8 ? gpu::TextureFormat::Rgba8 : gpu::TextureFormat::Rgba32f,
        size);
  else
    made |= bool(std::exchange(targets.color, {}));
  if (!made) return;
  ++targets.made;
  if (hasColor) targets.color.setNearest(true);
  targets.depth.setNearest(true);
  targets.target = gpu::Target(gpu, "share", hasColor ? &targets.color : nullptr, &targets.depth);
}

}  // namespace

bool acceptsInput(const std::string& input) {
  return isSceneSpec(input) || !sceneFilesIn(input).empty();
}

std::shared_ptr<const ShareSource> openInput(const std::string& input, Progress& progress,
                                             const std::optional<SceneShare>& only) {
  std::optional<PointCloud> cloud = PointCloud::fromSpec(input, progress);
  return std::make_shared<const ShareSource>(cloud ? openPoints(input, std::move(*cloud))
                                             : isSceneSpec(input) ? openScene(input, progress, only)
                                                                  : openFolder(input, progress));
}

void warnOfLeftOut(const std::string& input, const Share& share, const Settings& settings) {
  if (share.translucent && settings.blending == Blending::ZBuffer)
    log::warn("{}: alpha below 0.5 is left out; --compositing blend shows it", input);
}

Format frameFormat(const Settings& settings) {
  const bool blended = settings.blending == Blending::Blend;
  constexpr Color kColors[] = {Color::Rgba8, Color::Rgba32f, Color::None};
  const Format format{kColors[int(settings.color)], blended ? Depth::None : Depth::Float32,
                      blended ? Compositing::Blend : Compositing::ZBuffer};
  if (!format.valid())
    throw UsageError("--color: expected rgba8 or rgba32f for blending, found none");
  return format;
}

std::vector<int> frontToBack(std::span<const Box> shares, const Camera& camera) {
  std::vector<int> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  const auto distance = [&](int i) {
    const Box& box = shares[std::size_t(i)];
    return box.empty() ? 1e30f : glm::distance(box.center(), camera.position);
  };
  std::ranges::stable_sort(order, [&](int a, int b) { return distance(a) < distance(b); });
  return order;
}

Region projectedRegion(const Box& bounds, const Camera& camera, glm::ivec2 size) {
  if (bounds.empty()) return {};
  const glm::mat4 toClip = camera.projection(float(size.x) / float(size.y)) * camera.view();
  glm::vec2 low(1e30f), high(-1e30f);
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec4 p = toClip * glm::vec4(bounds.corner(corner), 1);
    if (!(p.w > 0)) return {0, 0, size.x, size.y};
    const glm::vec2 pixel = (glm::vec2(p.x, p.y) / p.w * 0.5f + 0.5f) * glm::vec2(size);
    low = glm::min(low, pixel), high = glm::max(high, pixel);
  }
  const auto inside = [](float v, int extent) { return std::clamp(v, 0.0f, float(extent)); };
  const int x0 = int(inside(std::floor(low.x), size.x)),
            y0 = int(inside(std::floor(low.y), size.y));
  const int x1 = int(inside(std::ceil(high.x), size.x)),
            y1 = int(inside(std::ceil(high.y), size.y));
  if (x1 <= x0 || y1 <= y0) return {};
  return {x0, y0, x1 - x0, y1 - y0};
}

glm::vec3 rankColor(int part) {
  // Hues a golden angle apart; every other turn is paler.
  const float hue = 0.58f + 0.61803399f * float(part);
  const float pale = part % 2 == 0 ? 0.12f : 0.3f;
  const auto channel = [&](float shift) {
    const float wave = 0.5f + 0.5f * std::cos(6.2831853f * (hue + shift));
    return 0.9f * (wave * wave * (1 - pale) + pale * 0.6f) + 0.02f;
  };
  return {channel(0), channel(-1 / 3.0f), channel(-2 / 3.0f)};
}

// ---- Drawing

ShareRenderer::ShareRenderer(gpu::Context& gpu, std::shared_ptr<const Share> share,
                             std::shared_ptr<ShareTargets> targets)
    : gpu_(gpu), share_(std::move(share)), targets_(std::move(targets)) {
  if (!share_->bounds.empty()) drawer_ = share_->makeDrawer(gpu_);
}

ShareRenderer::~ShareRenderer() = default;

ShareRenderer::Drawn ShareRenderer::draw(const Camera& camera, glm::ivec2 size,
                                         const Format& format,
                                         const std::optional<glm::vec3>& rankColor, bool shaded) {
  prepare(gpu_, *targets_, size, format);
  targets_->target.clear(glm::vec4(0), 1.0f);
  Camera fitted = camera;
  fitted.fitDepth(share_->whole.bounds);
  Drawn drawn{};
  drawn.color = targets_->color ? &targets_->color : nullptr;
  drawn.depth = format.depth == Depth::Float32 ? &targets_->depth : nullptr;
  drawn.region = projectedRegion(share_->bounds, fitted, size);
  drawn.made = targets_->made;
  if (drawn.region.empty() || !drawer_) return drawn;
  shared::DrawParams params{};
  if (rankColor) params.flatColor = glm::vec4(*rankColor, shaded ? 0.5f : 1.0f);
  params.alpha = {0.5f, 2, 1, format.color == Color::Rgba8 ? 1.0f : 0.0f};
  drawer_->draw(targets_->target, fitted, size, drawn.region, format, params);
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // compressor; read-back
  return drawn;
}

void readBack(const ShareRenderer::Drawn& drawn, const Format& format, glm::ivec2 size,
              const Region& region, Frame& frame) {
  const auto pixels = std::size_t(size.x) * std::size_t(size.y);
  frame.format = format, frame.width = size.x, frame.height = size.y;
  frame.color.resize(pixels * std::size_t(format.colorBytes()));
  frame.depth.resize(format.depth == Depth::Float32 ? pixels : 0);
  if (region.empty()) return;
  const auto first = std::size_t(region.y) * std::size_t(size.x) + std::size_t(region.x);
  if (format.color != Color::None)
    drawn.color->readRegion(region, frame.color.data() + first * std::size_t(format.colorBytes()),
                            size.x);
  if (!frame.depth.empty()) drawn.depth->readRegion(region, frame.depth.data() + first, size.x);
}

}  // namespace fathom::active_pixel
