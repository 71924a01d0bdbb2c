// SPDX-License-Identifier: BSD-3-Clause
// Tiles and slots are laid out once for the whole picture; fragments are brought for the tiles
// asked for.
#include "app/engine/dof/splats/source.h"

#include "app/engine/core/jobs.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/slices.h"

namespace fathom::dof {
namespace {

constexpr std::uint32_t kLongList = 512;  // of a pixel: longer ones are sorted here
// What splat.comp goes through of a pixel on llvmpipe, which ends loops after 65,535 rounds in all.
constexpr std::uint32_t kLongestSorted = 4096, kLongestFromFile = 16384;

constexpr const char* kSceneVertices = "shaders/scene/scene.vert";

/// Pixels of tile (x, y) that lie in the picture.
std::uint32_t pixelsOf(glm::ivec2 size, int x, int y) {
  return std::uint32_t(std::min(DOF_TILE, size.x - x * DOF_TILE) *
                       std::min(DOF_TILE, size.y - y * DOF_TILE));
}

void expectShort(std::uint32_t count, std::uint32_t most) {
  if (count > most)
    fail("depth of field: expected at most {} fragments in a pixel on this renderer, found {}",
         most, count);
}

gpu::PassKey farthestKey(int step) {
  return {"see around", "shaders/dof/farthest.comp", {{"STEP", step}}};
}

/// Those that a capture dispatches, by their names.
std::vector<gpu::PassKey> dispatched(const SeenBy& lens) {
  return {gpu::keyIn("shaders/dof/", "find seen",
                     {{"ANY_LENS", lens.any ? 1 : 0}, {"MASKED", lens.mask ? 1 : 0}}),
          gpu::keyIn("shaders/dof/", "close lists"), gpu::keyIn("shaders/dof/", "index tiles")};
}

enum Drawn { kTranslucentCount, kOpaqueCount, kCapture, kCull };
std::vector<gpu::RasterPassKey> drawn() {
  const std::string count = "shaders/dof/count_fragments.frag";
  return {{"count fragments", kSceneVertices, count, {{"OPAQUE", 0}}},
          {"count fragments", kSceneVertices, count, {{"OPAQUE", 1}}},
          {"capture fragments", kSceneVertices, "shaders/dof/capture_fragments.frag", {}},
          {"cull hidden", "shaders/dof/cull_hidden.vert", "shaders/dof/cull_hidden.frag", {}}};
}

/// Asks for all programs of a capture before it begins to look behind this picture.
const gpu::Texture& requested(const gpu::Texture& front, gpu::Context& gpu, const SeenBy& lens) {
  std::vector<gpu::PassKey> keys = dispatched(lens);
  keys.push_back(gpu::scanKey(gpu));
  for (const int step : {0, 1, 2}) keys.push_back(farthestKey(step));
  gpu::request(gpu, keys, drawn());
  return front;
}

}  // namespace

Source::Source(gpu::Context& gpu, glm::ivec2 sourceSize, int margin)
    : gpu_(gpu), size_(sourceSize - 2 * margin), margin_(margin) {
  FATHOM_CHECK(size_.x > 0 && size_.y > 0);
  FATHOM_CHECK_OP(margin % DOF_TILE, ==, 0);
}

std::uint64_t Source::splatsIn(const TileArea& area) const {
  std::uint64_t sum = 0;
  for (int row = area.rows.first; row < area.rows.end(); ++row)
    sum += tileStart(area.columns.end(), row) - tileStart(area.columns.first, row);
  return sum;
}

std::uint32_t Source::mostInTile() const {
  std::uint32_t most = 0;
  for (std::size_t i = 1; i < starts_.size(); ++i)
    most = std::max(most, starts_[i] - starts_[i - 1]);
  return most;
}

std::vector<std::uint32_t> Source::shiftsOf(const TileArea& area) const {
  std::vector<std::uint32_t> shifts;
  std::uint32_t splats = 0;  // of the rows so far
  for (int row = area.rows.first; row < area.rows.end(); ++row) {
    shifts.push_back(tileStart(area.columns.first, row) - splats);
    splats += tileStart(area.columns.end(), row) - tileStart(area.columns.first, row);
  }
  return shifts;
}

std::vector<std::uint32_t> Source::pointsIn(const TileArea& area, Edges edges,
                                            const PointLists* lists) const {
  const auto columns = std::size_t(area.columns.count);
  std::vector<std::uint32_t> points(splatsIn(area));
  const std::vector<std::uint32_t> shifts = shiftsOf(area);
  parallelForEach(columns * std::size_t(area.rows.count), 4, [&](std::size_t t) {
    const auto row = int(t / columns);
    const glm::ivec2 tile(area.columns.first + int(t % columns), area.rows.first + row);
    std::uint32_t* to = points.data() + tileStart(tile.x, tile.y) - shifts[std::size_t(row)];
    for (int i = 0; i < DOF_TILE_PIXELS; ++i) {
      const glm::ivec2 at = tile * DOF_TILE + glm::ivec2(i % DOF_TILE, i / DOF_TILE);
      if (at.x >= sourceSize().x || at.y >= sourceSize().y) continue;
      const auto pixel =
          std::size_t(insideOf(at.y - margin_, size_.y, edges)) * std::size_t(size_.x) +
          std::size_t(insideOf(at.x - margin_, size_.x, edges));
      std::size_t point = lists ? lists->offsets[pixel] : pixel;
      const std::size_t end = lists ? lists->offsets[pixel + 1] : pixel + 1;
      while (point < end) *to++ = std::uint32_t(point++);
      if (lists) *to++ = kBackground;
    }
  });
  return points;
}

void Source::bindShifts(gpu::Program& pass, const TileArea& area) {
  if (!(shiftsFor_ == area)) {
    std::vector<glm::uvec4> texels;
    for (const std::uint32_t shift : shiftsOf(area)) texels.emplace_back(shift, 0, 0, 0);
    gpu::ensure(gpu_, shifts_, "dof source rows", texels.size());
    shifts_.upload(texels);
    if (!shiftTexels_.shows(shifts_)) shiftTexels_ = gpu::TexelView(gpu_, shifts_);
    shiftsFor_ = area;
  }
  pass.texels(DOF_TEXELS_SHIFTS, shiftTexels_);
}

int insideOf(int at, int size, Edges edges) {
  if (edges == Edges::Mirror && size > 1) {
    const int period = 2 * size - 2;
    at = std::abs(at) % period;
    return at < size ? at : period - at;
  }
  return std::clamp(at, 0, size - 1);
}

// ---- A flat picture

PictureSource::PictureSource(gpu::Context& gpu, const gpu::Texture& colorAndDepth, int margin,
                             const gpu::Texture* alpha)
    : Source(gpu, {colorAndDepth.width(), colorAndDepth.height()}, margin),
      picture_(colorAndDepth),
      alpha_(alpha) {
  starts_ = {0};
  for (int y = 0; y < sourceTilesY(); ++y)
    for (int x = 0; x < sourceTilesX(); ++x)
      starts_.push_back(starts_.back() + pixelsOf(sourceSize(), x, y));
  tileSplats_ = gpu::Words(gpu_, "dof tile splats", std::span<const std::uint32_t>(starts_));
}

void PictureSource::bind(gpu::Program& splat, const TileArea& area) {
  bindShifts(splat, area);
  splat.texture(DOF_TEXTURE_PICTURE, picture_)
      .texture(DOF_TEXTURE_ALPHA, alpha_ ? *alpha_ : picture_)
      .storage(DOF_BIND_TILE_SPLATS, tileSplats_);
}

// ---- Lists

ListSource::ListSource(gpu::Context& gpu, const gpu::Texture& front, int margin, int maxRadius)
    : Source(gpu, {front.width(), front.height()}, margin), front_(front), farthest_(gpu) {
  farthest_.update(front, maxRadius);
}

void ListSource::bind(gpu::Program& splat, const TileArea& area) {
  if (!(filled_ == area)) {
    filled_ = {};  // filling may be left in its middle, for good
    gpu::ensure(gpu_, fragments_, "dof fragments",
                std::uint64_t(bytesPerFragment() / 4) * splatsIn(area));
    gpu::yieldIfOverBudget();
    fill(area);
    filled_ = area;
  }
  bindShifts(splat, area);
  splat.texture(DOF_TEXTURE_PICTURE, front_)
      .texture(DOF_TEXTURE_FARTHEST, farthest_.texture())
      .storage(DOF_BIND_FRAGMENTS, fragments_)
      .storage(DOF_BIND_SLOTS, slots_)
      .storage(DOF_BIND_CURSORS, cursors_);
}

// ---- Lists from files

DeepSource::DeepSource(gpu::Context& gpu, std::shared_ptr<const PointLists> lists,
                       const gpu::Texture& front, int margin, int maxRadius, Edges edges)
    : ListSource(gpu, front, margin, maxRadius), lists_(std::move(lists)), edges_(edges) {
  FATHOM_CHECK(size_ == lists_->size);
  offsets_.reserve(slotCount() + 1);
  std::vector<std::uint32_t> counts;
  counts.reserve(slotCount());
  std::uint64_t total = 0;
  for (int ty = 0; ty < sourceTilesY(); ++ty) {
    for (int tx = 0; tx < sourceTilesX(); ++tx) {
      starts_.push_back(std::uint32_t(total));
      for (int i = 0; i < DOF_TILE_PIXELS; ++i) {
        const int x = tx * DOF_TILE + i % DOF_TILE, y = ty * DOF_TILE + i / DOF_TILE;
        offsets_.push_back(std::uint32_t(total));
        counts.push_back(0);
        if (x >= sourceSize().x || y >= sourceSize().y) continue;
        counts.back() = std::uint32_t(lists_
                                          ->list(insideOf(x - margin_, size_.x, edges_),
                                                 insideOf(y - margin_, size_.y, edges_))
                                          .size());
        if (gpu.device().software) expectShort(counts.back(), kLongestFromFile);
        total += counts.back() + 1;  // and the background
      }
    }
  }
  if (total > UINT32_MAX) fail("depth of field: expected at most 2^32 fragments, found {}", total);
  starts_.push_back(std::uint32_t(total));
  offsets_.push_back(std::uint32_t(total));
  const auto upload = [&](const char* name, const std::vector<std::uint32_t>& values) {
    return gpu::Words(gpu_, name, std::span<const std::uint32_t>(values));
  };
  tileSplats_ = upload("dof tile splats", starts_);
  slots_ = upload("dof slots", offsets_);
  cursors_ = upload("dof fragment counts", counts);
}

void DeepSource::fill(const TileArea& area) {
  const std::vector<std::uint32_t> points = pointsIn(area, edges_, lists_.get());
  std::vector<glm::uvec4> words(2 * points.size());
  parallelForEach(points.size(), 4096, [&](std::size_t i) {
    if (points[i] == kBackground) return;
    const PointFragment& f = lists_->fragments[points[i]];
    words[2 * i] = glm::floatBitsToUint(f.color);
    words[2 * i + 1] = glm::floatBitsToUint(glm::vec4(f.z, 0, f.shows, 0));
  });
  fragments_.write(words.data(), std::int64_t(words.size() * sizeof words[0]));
}

// ---- A scene

CaptureSource::CaptureSource(gpu::Context& gpu, SceneRenderer& renderer, const Camera& camera,
                             const gpu::Texture& front, int margin, const SeenBy& lens)
    : ListSource(gpu, requested(front, gpu, lens), margin, lens.maxRadius),
      renderer_(renderer),
      camera_(camera),
      hidden_(gpu, "dof hidden depths", gpu::TextureFormat::Depth32f, sourceSize().x,
              sourceSize().y),
      target_(gpu, "dof capture", nullptr, &hidden_),
      scanner_(gpu),
      lens_(lens) {
  setMask(lens.mask);
  count();
}

void CaptureSource::retake(const Camera& camera, const SeenBy& lens) {
  requested(front_, gpu_, lens);
  camera_ = camera, lens_ = lens;
  setMask(lens.mask);
  filled_ = {};
  try {
    farthest_.update(front_, lens.maxRadius);
    count();
  } catch (...) {
    lens_ = {};  // left in its middle: serves no lens
    throw;
  }
}

shared::Params CaptureSource::params(const TileArea& area) const {
  shared::Params p{};
  p.width = std::uint32_t(sourceSize().x), p.height = std::uint32_t(sourceSize().y);
  p.tilesX = std::uint32_t(sourceTilesX()), p.tilesY = std::uint32_t(sourceTilesY());
  p.sourceFirstTileRow = std::uint32_t(area.rows.first);
  return p;
}

void CaptureSource::draw(const gpu::RasterPassKey& key, const TileArea& area,
                         const SceneDraw& how) {
  gpu::RasterPass& pass = gpu_.rasterPass(key);
  const Rect region{area.columns.first * DOF_TILE, area.rows.first * DOF_TILE,
                    area.columns.count * DOF_TILE, area.rows.count * DOF_TILE};
  for (std::size_t part = 0; part < renderer_.scene().parts.size(); ++part) {
    if (!starts_.empty()) bindShifts(pass, area);
    pass.params(DOF_BIND_PARAMS, params(area))
        .storage(DOF_DRAW_SLOTS, slots_)
        .storage(DOF_DRAW_FRAGMENTS, fragments_)
        .storage(DOF_DRAW_CURSORS, cursors_)
        .storage(DOF_DRAW_SEEN, seen_)
        .texture(DOF_TEXTURE_PICTURE, front_);
    renderer_.drawPart(pass, target_, part, camera_, {0, 0, sourceSize().x, sourceSize().y}, region,
                       how);
  }
}

void CaptureSource::findSeen(const shared::Params& all) {
  gpu::ensure(gpu_, seen_, "dof seen depths", 3 * slotCount());
  shared::Optics optics{};
  optics.farRadius = lens_.farRadius, optics.farRadiusFocus = lens_.farRadiusFocus;
  optics.maxRadius = float(lens_.maxRadius);
  gpu::Pass& pass = gpu_.pass(dispatched(lens_), "find seen");
  if (mask()) pass.texture(DOF_TEXTURE_MASK, *mask());
  pass.texture(DOF_TEXTURE_PICTURE, front_)
      .texture(DOF_TEXTURE_FARTHEST, farthest_.texture())
      .storage(DOF_BIND_SEEN, seen_)
      .params(DOF_BIND_PARAMS, all)
      .params(DOF_BIND_OPTICS, optics);
  // Eight ways out from the pixel, as far as radii can differ.
  pass.dispatch(slotCount(), gpu::Each{60 + 8 * 16 * 2.0 * DOF_SEEN_REACH * lens_.maxRadius});
  gpu::barrier(gpu::Access::Storage);  // count fragments
}

void CaptureSource::cullHidden(const shared::Params& all) {
  // A few roundings of a depth near 1, where most are.
  constexpr float kRounding = 1e-6f;
  const float aspect = float(sourceSize().x) / float(sourceSize().y);
  const glm::mat4 m = camera_.projection(aspect);  // depth / w = -m22 + m32 / z, from -1 to 1
  const shared::Cull cull{0.5f - 0.5f * m[2][2], -0.5f * m[3][2], kRounding, 0};
  target_.clear(glm::vec4(0), 1.0f);
  gpu::RasterPass& pass = gpu_.rasterPass(drawn()[kCull]);
  pass.storage(DOF_DRAW_SEEN, seen_).params(DOF_BIND_PARAMS, all).params(DOF_BIND_CULL, cull);
  gpu::DrawState state;
  state.viewport = {0, 0, sourceSize().x, sourceSize().y};
  state.depthTest = state.depthWrite = true;
  pass.draw(target_, state, 0, 3);
}

/// Where the front is translucent all that lies behind is seen, which only the translucent surfaces
/// tell: they come first. Of the opaque ones, the depth test then spares what no lens sees.
void CaptureSource::countSurfaces(SceneDraw::Surfaces surfaces) {
  const bool opaque = surfaces == SceneDraw::Surfaces::Opaque;
  draw(drawn()[opaque ? kOpaqueCount : kTranslucentCount], wholeSource(),
       {.depthTest = opaque, .surfaces = surfaces});
}

void CaptureSource::count() {
  const TileArea all = wholeSource();
  starts_.clear();
  forgetShifts();
  findSeen(params(all));
  gpu::ensure(gpu_, slots_, "dof slots", slotCount() + 1);
  slots_.clear();
  gpu::ensure(gpu_, fragments_, "dof fragments", 8);
  gpu::ensure(gpu_, cursors_, "dof fragment counts", slotCount());
  cursors_.clear();  // those counted aside
  countSurfaces(SceneDraw::Surfaces::Translucent);
  gpu::barrier(gpu::Access::Storage);  // close lists

  gpu::Pass& close = gpu_.pass(dispatched(lens_), "close lists");
  close.storage(DOF_BIND_SLOTS, slots_)
      .storage(DOF_BIND_CURSORS, cursors_)
      .storage(DOF_BIND_SEEN, seen_)
      .params(DOF_BIND_PARAMS, params(all));
  close.dispatch(slotCount(), gpu::Each{40});
  gpu::barrier(gpu::Access::Storage);  // cull hidden, count fragments
  gpu::yieldIfOverBudget();
  cullHidden(params(all));
  countSurfaces(SceneDraw::Surfaces::Opaque);
  gpu::barrier(gpu::Access::Storage);  // scan
  scanner_.exclusive(slots_, slots_, slotCount());
  gpu::yieldIfOverBudget();

  gpu::ensure(gpu_, tileSplats_, "dof tile splats", tileCount() + 1);
  gpu::Pass& index = gpu_.pass(dispatched(lens_), "index tiles");
  index.storage(DOF_BIND_SLOTS, slots_)
      .storage(DOF_BIND_TILE_SPLATS, tileSplats_)
      .params(DOF_BIND_PARAMS, params(all));
  index.dispatch(tileCount() + 1, gpu::Each{10});
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // count entries; the host
  starts_ = tileSplats_.download(0, tileCount() + 1);
}

void CaptureSource::fill(const TileArea& area) {
  cursors_.clear();
  draw(drawn()[kCapture], area, {.depthTest = true});
  gpu::barrier(gpu::Access::Storage);  // splat
  if (gpu_.device().software && mostInTile() > kLongList) sortLong(area);
}

/// The order of splat.comp, which ends in the middle of such lists on llvmpipe, but goes through
/// them once they are sorted.
void CaptureSource::sortLong(const TileArea& area) {
  const std::vector<std::uint32_t> slots = slots_.download(0, slotCount() + 1),
                                   counts = cursors_.download(0, slotCount());
  const std::vector<std::uint32_t> shifts = shiftsOf(area);
  std::vector<glm::uvec4> all(splatsIn(area));
  fragments_.read(all.data(), std::int64_t(all.size() * sizeof all[0]));
  for (int row = area.rows.first; row < area.rows.end(); ++row) {
    const auto of = [&](int column) {
      return std::size_t(row * sourceTilesX() + column) * DOF_TILE_PIXELS;
    };
    for (std::size_t s = of(area.columns.first); s < of(area.columns.end()); ++s) {
      const std::uint32_t count = std::min(counts[s], slots[s + 1] - slots[s]);
      if (count <= kLongList) continue;
      expectShort(count, kLongestSorted);
      const auto first = all.begin() + (slots[s] - shifts[std::size_t(row - area.rows.first)]);
      std::sort(first, first + count, [](const glm::uvec4& a, const glm::uvec4& b) {
        return std::tuple(std::bit_cast<float>(a.z), a.x, a.y) <
               std::tuple(std::bit_cast<float>(b.z), b.x, b.y);
      });
    }
  }
  fragments_.write(all.data(), std::int64_t(all.size() * sizeof all[0]));
}

void FarthestAround::update(const gpu::Texture& picture, int maxRadius) {
  const glm::ivec2 blocks = (picture.size() + DOF_BLOCK - 1) / DOF_BLOCK;
  for (gpu::Texture* texture : {&ofBlocks_, &ofRows_})
    if (gpu::ensure(gpu_, *texture, "dof farthest", gpu::TextureFormat::R32f, blocks))
      texture->setNearest(true);
  // Radii of opposite sign differ by twice the largest; points on the lens are rounded to pixels.
  const int reach = int(std::ceil(2 * DOF_SEEN_REACH * maxRadius)) + 1;
  const int around = (reach + DOF_BLOCK - 1) / DOF_BLOCK;
  run(0, picture, ofBlocks_, 0);
  run(1, ofBlocks_, ofRows_, around);
  run(2, ofRows_, ofBlocks_, around);
}

void FarthestAround::run(int step, const gpu::Texture& from, const gpu::Texture& to, int blocks) {
  gpu::Pass& pass = gpu_.pass(farthestKey(step));
  shared::Params p{};
  p.choice = std::uint32_t(blocks);
  pass.texture(DOF_TEXTURE_PICTURE, from).image(DOF_IMAGE_RESULT, to).params(DOF_BIND_PARAMS, p);
  const double texels = step == 0 ? DOF_BLOCK * DOF_BLOCK : 2 * blocks + 1;  // of an invocation
  pass.dispatchGrid(to.size(), gpu::Each{10 + 8 * texels});
  // The next step, count and capture fragments, splat; the last step writes where the first one
  // did.
  gpu::barrier(gpu::Access::Texture | gpu::Access::Storage);
}

}  // namespace fathom::dof
