// SPDX-License-Identifier: BSD-3-Clause
// One rank of a job from its share to its figures, the same for parts in turn, and tiles put
// together on rank 0.
#include "app/engine/active_pixel/distribute/distributed.h"

#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/stopwatch.h"

namespace fathom::active_pixel {
namespace {

CompositorSetup compositorSetup(const CompositeRequest& request, int ranks) {
  const std::optional<glm::ivec2> columnsRows = parsePair(request.settings.tiles);
  if (!columnsRows)
    failUsage("--tiles: expected columns x rows like 2x1, found \"{}\"", request.settings.tiles);
  CompositorSetup setup{.format = frameFormat(request.settings),
                        .size = request.size,
                        .tiles = tilesOf(request.size, *columnsRows, ranks),
                        .strategy = request.settings.strategy,
                        .interlace = request.settings.interlace,
                        .background = request.background};
  setup.depthToo = request.depthToo || setup.format.color == Color::None;
  return setup;
}

PaintSetup paintSetup(const CompositeRequest& request, const CompositorSetup& compositor,
                      int rank) {
  PaintSetup setup{compositor.format, compositor.size, compositor.tiles, std::nullopt};
  if (request.settings.show == Show::Parts) setup.rankColor = rankColor(rank);
  return setup;
}

Camera cameraOf(const CompositeRequest& request, const Whole& whole, int frame) {
  Camera camera = whole.camera;
  if (request.place) request.place(camera);
  if (frame > 0) camera.orbit(glm::radians(request.turnDeg * float(frame)), 0);
  return camera;
}

/// Copies a tile to its place in the picture.
void place(const Frame& tile, const Region& area, Frame& picture) {
  copyRegion(tile, {0, 0, area.width, area.height}, picture, area.x, area.y);
}

Frame emptyFrame(const CompositorSetup& setup, int width, int height) {
  Frame frame(setup.format, width, height);
  if (!setup.depthToo) frame.depth.clear();
  return frame;
}

/// Tiles from whoever shows them to rank 0.
Frame assemble(Job& job, const CompositorSetup& setup, const std::vector<Frame>& shown) {
  Frame picture;
  if (job.rank() == 0) picture = emptyFrame(setup, setup.size.x, setup.size.y);
  for (std::size_t t = 0; t < setup.tiles.size(); ++t) {
    const Tile& tile = setup.tiles[t];
    Frame frame = shown[t];
    if (tile.displayRank != 0) {
      if (job.rank() == 0) frame = emptyFrame(setup, tile.area.width, tile.area.height);
      job.pass(std::as_writable_bytes(std::span(frame.color)), tile.displayRank, 0);
      job.pass(std::as_writable_bytes(std::span(frame.depth)), tile.displayRank, 0);
    }
    if (job.rank() == 0) place(frame, tile.area, picture);
  }
  return picture;
}

/// IceT's part of a frame's times. It compresses frames itself, within the time of composing.
void addCompositorTimes(FrameFigures& figures, const CompositorTimes& times, Mode mode) {
  figures.collect = times.collect;
  figures.compose = times.composite;
  figures.sentBytes = double(times.bytesSent);
  if (mode == Mode::Gpu) return;
  figures.compress = std::min(times.compress, times.composite);
  figures.compose -= figures.compress;
}

/// One rank of a job, from its share to its rows of figures.
class Rank {
 public:
  Rank(Job& job, const CompositeRequest& request) : job_(job), request_(request) {
    job_.collective([&] { load(); });
    expectSame();
    job_.collective([&] { bringUp(); });
    compositor_ = makeIcetCompositor();
    compositor_->setUp(setup_);
    bounds_ = job_.gather(std::span(&share_->bounds, 1));
  }

  /// While a frame is composited, the device draws and compresses the next.
  void frame(int index) {
    const Camera camera = cameraOf(request_, share_->whole, index);
    if (setup_.format.compositing == Compositing::Blend)
      compositor_->setOrder(frontToBack(bounds_, camera));
    const std::vector<TileInput>* taken = nullptr;
    job_.collective([&] {
      request_.progress->advance(1);
      if (index == 0) painter_->begin(camera);
      taken = &painter_->take();
      if (index + 1 < request_.frames)
        painter_->begin(cameraOf(request_, share_->whole, index + 1));
    });
    shown_.resize(setup_.tiles.size());
    for (std::size_t t = 0; t < setup_.tiles.size(); ++t)
      compositor_->composite(t, (*taken)[t], shown_[t]);
    addCompositorTimes(painter_->figures(), compositor_->times(), box_->config.mode);
    mine_.push_back(painter_->figures());
  }

  void show(int frame) {
    const Frame picture = assemble(job_, setup_, shown_);
    job_.collective([&] {
      if (job_.rank() == 0) request_.each(frame, picture);
    });
  }

  Composited finish(double wallMs) {
    Composited done;
    done.ranks = job_.ranks();
    done.mode = box_->config.mode;
    done.wallMs = wallMs;
    done.picture = assemble(job_, setup_, shown_);
    done.figures = gatherFigures();
    return done;
  }

 private:
  void load() {
    setup_ = compositorSetup(request_, job_.ranks());
    const Split split = request_.settings.split;
    const SceneShare own{job_.rank(), job_.ranks(), split == Split::Triangles};
    share_ = openInput(request_.input, *request_.progress, own)
                 ->take(job_.rank(), job_.ranks(), split, *request_.progress);
    if (job_.rank() == 0) warnOfLeftOut(request_.input, *share_, request_.settings);
    camera_ = cameraOf(request_, share_->whole, 0);
  }
  void expectSame() {
    Settings settings = request_.settings;
    const Camera& c = camera_;
    const float view[] = {c.position.x, c.position.y, c.position.z, c.target.x, c.target.y,
                          c.target.z,   c.up.x,       c.up.y,       c.up.z,     c.verticalFovDeg};
    job_.expectSame(
        request_.input,
        fmt::format("active-pixel composite, {}, camera {}, --size {}x{}, --frames {}, "
                    "depth {}, each frame {}",
                    share_->whole.content, fmt::join(view, " "), request_.size.x, request_.size.y,
                    request_.frames, request_.depthToo, bool(request_.each)),
        describing(settings));
  }
  void bringUp() {
    gpu::Context& gpu = request_.gpu();
    box_.emplace(gpu, resolveAuto(request_.settings, gpu.device().software), setup_.tiles.size());
    painter_.emplace(*box_, share_, paintSetup(request_, setup_, job_.rank()));
  }
  /// From [rank][frame] to [frame][rank].
  std::vector<FrameFigures> gatherFigures() const {
    const std::vector<FrameFigures> all = job_.gather(std::span(mine_));
    const std::size_t ranks = std::size_t(job_.ranks()), frames = mine_.size();
    std::vector<FrameFigures> figures(frames * ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (std::size_t frame = 0; frame < frames; ++frame)
        figures[frame * ranks + rank] = all[rank * frames + frame];
    return figures;
  }

  Job& job_;
  const CompositeRequest& request_;
  CompositorSetup setup_;
  std::shared_ptr<const Share> share_;
  Camera camera_;  // of the first frame
  std::optional<PaintBox> box_;
  std::optional<Painter> painter_;
  std::unique_ptr<Compositor> compositor_;
  std::vector<Box> bounds_;         // of all shares
  std::vector<Frame> shown_;        // by tile; those shown elsewhere are empty
  std::vector<FrameFigures> mine_;  // by frame
};

/// The parts of a scene, each with a painter of its own, drawn one after the other on one GPU.
class PartsInTurn {
 public:
  explicit PartsInTurn(const CompositeRequest& request)
      : request_(request),
        setup_(compositorSetup(request, 1)),
        source_(openInput(request.input, *request.progress)),
        box_(request.gpu(), resolveAuto(request.settings, request.gpu().device().software),
             setup_.tiles.size()) {
    const int parts = request.settings.parts;
    for (int part = 0; part < parts; ++part) {
      const auto share = source_->take(part, parts, request.settings.split, *request.progress);
      painters_.emplace_back(box_, share, paintSetup(request, setup_, part));
      if (part == 0) warnOfLeftOut(request.input, *share, request.settings);
      bounds_.push_back(share->bounds);
    }
  }

  int count() const { return int(painters_.size()); }
  Mode mode() const { return box_.config.mode; }

  /// All parts of a frame, folded. While a part is folded, the device draws and compresses the
  /// next, of this frame or the one after.
  InProcess frame(int index) {
    const Camera camera = cameraOf(request_, source_->whole, index);
    InProcess fold(setup_);
    const std::vector<int> parts = order(camera);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      request_.progress->advance(1);
      Painter& painter = painters_[std::size_t(parts[i])];
      if (i == 0 && index == 0) painter.begin(camera);
      const std::vector<TileInput>& taken = painter.take();
      if (i + 1 < parts.size()) {
        painters_[std::size_t(parts[i + 1])].begin(camera);
      } else if (index + 1 < request_.frames) {
        const Camera next = cameraOf(request_, source_->whole, index + 1);
        painters_[std::size_t(order(next).front())].begin(next);
      }
      const Stopwatch folding;
      for (std::size_t t = 0; t < taken.size(); ++t) fold.add(t, taken[t].image());
      painter.figures().compose += folding.ms();
    }
    return fold;
  }
  void appendFigures(std::vector<FrameFigures>& figures) {
    for (Painter& painter : painters_) figures.push_back(painter.figures());
  }
  Frame picture(InProcess& fold) const {
    Frame picture = emptyFrame(setup_, setup_.size.x, setup_.size.y);
    for (std::size_t t = 0; t < setup_.tiles.size(); ++t)
      place(fold.take(t), setup_.tiles[t].area, picture);
    return picture;
  }

 private:
  std::vector<int> order(const Camera& camera) const {
    if (setup_.format.compositing == Compositing::Blend) return frontToBack(bounds_, camera);
    std::vector<int> order(painters_.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  const CompositeRequest& request_;
  CompositorSetup setup_;
  std::shared_ptr<const ShareSource> source_;
  PaintBox box_;
  std::deque<Painter> painters_;
  std::vector<Box> bounds_;  // of all shares
};

}  // namespace

Composited compositeOverMpi(Job& job, const CompositeRequest& request) {
  Rank rank(job, request);
  request.progress->begin("compositing", request.frames);
  const Stopwatch watch;
  for (int frame = 0; frame < request.frames; ++frame) {
    rank.frame(frame);
    if (request.each) rank.show(frame);
  }
  return rank.finish(watch.ms());
}

Composited compositeParts(const CompositeRequest& request) {
  PartsInTurn parts(request);
  Composited done;
  done.ranks = parts.count();
  done.mode = parts.mode();
  request.progress->begin("compositing", double(request.frames) * parts.count());
  const Stopwatch watch;
  for (int frame = 0; frame < request.frames; ++frame) {
    InProcess fold = parts.frame(frame);
    parts.appendFigures(done.figures);
    if (request.each || frame + 1 == request.frames) done.picture = parts.picture(fold);
    if (request.each) request.each(frame, done.picture);
  }
  done.wallMs = watch.ms();
  return done;
}

std::string figuresCsv(const CompositeRequest& request, const Composited& done) {
  std::string csv =
      "workload,width,height,ranks,mode,frame,rank,render_ms,read_ms,compress_ms,compose_ms,"
      "collect_ms,raw_bytes,region_bytes,sparse_bytes,sent_bytes\n";
  for (std::size_t i = 0; i < done.figures.size(); ++i) {
    const FrameFigures& f = done.figures[i];
    const std::size_t ranks = std::size_t(done.ranks);
    csv += fmt::format(
        "{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.0f},{:.0f},{:.0f},{:.0f}\n",
        request.input, request.size.x, request.size.y, ranks, kModeNames[int(done.mode)], i / ranks,
        i % ranks, f.render, f.read, f.compress, f.compose, f.collect, f.rawBytes, f.regionBytes,
        f.sparseBytes, f.sentBytes);
  }
  return csv;
}

// ---- One rank's frames: begin queues, take waits once; by then the device has gone on

namespace {

/// Milliseconds of the newest slice that has finished; `before` where there is none.
double newest(gpu::SliceTimer& timer, double before) {
  timer.rate();  // takes in those that have finished
  while (const auto slice = timer.take()) before = slice->ms;
  return before;
}

}  // namespace

Painter::Painter(PaintBox& box, std::shared_ptr<const Share> share, const PaintSetup& setup)
    : box_(box),
      renderer_(box.gpu, std::move(share), box.targets),
      setup_(setup),
      slots_(setup.tiles.size(), -1),
      lastBytes_(setup.tiles.size()),
      taken_(setup.tiles.size()),
      tileFrames_(setup.tiles.size()) {}

void Painter::begin(const Camera& camera) {
  FATHOM_CHECK(!begun_);
  begun_ = true;
  renderTimer_.begin();
  drawn_ = renderer_.draw(camera, setup_.size, setup_.format, setup_.rankColor, true);
  renderTimer_.end(1);
  if (box_.config.mode != Mode::Gpu) return;
  if (box_.compressesLate)
    box_.gpu.pace();  // sent off
  else
    compressTiles();
}

void Painter::compressTiles() {
  compressTimer_.begin();
  for (std::size_t t = 0; t < setup_.tiles.size(); ++t) {
    const Region shown = intersect(drawn_.region, setup_.tiles[t].area);
    slots_[t] = -1;
    if (!shown.empty()) compress(t, shown);
  }
  compressTimer_.end(1);
}

void Painter::compress(std::size_t tile, const Region& shown) {
  const Region& area = setup_.tiles[tile].area;
  CompressRequest request{drawn_.color,     drawn_.depth, setup_.format,
                          area.width,       area.height,  Placement{shown, shown},
                          lastBytes_[tile], &box_.source};
  request.placement->target.x -= area.x;
  request.placement->target.y -= area.y;
  if (box_.sourceOf != drawn_.made) {
    box_.source = TextureSource(box_.gpu, request);
    box_.sourceOf = drawn_.made;
  }
  slots_[tile] = box_.compressor.compress(request, box_.config.method);
}

const std::vector<TileInput>& Painter::take() {
  FATHOM_CHECK(begun_);
  begun_ = false;
  const double payload = setup_.format.payloadBytes();
  if (box_.config.mode == Mode::Gpu && box_.compressesLate) compressTiles();
  figures_ = {newest(renderTimer_, figures_.render), 0, newest(compressTimer_, figures_.compress)};
  figures_.rawBytes = payload * double(setup_.size.x) * double(setup_.size.y);
  figures_.regionBytes = payload * double(drawn_.region.area());
  const Stopwatch watch;
  if (box_.config.mode != Mode::Gpu && !drawn_.region.empty()) {
    const Region all{0, 0, setup_.size.x, setup_.size.y};
    readBack(drawn_, setup_.format, setup_.size,
             box_.config.mode == Mode::Generic ? all : drawn_.region, picture_);
  }
  for (std::size_t t = 0; t < taken_.size(); ++t) {
    taken_[t] = {};
    if (box_.config.mode != Mode::Gpu) {
      taken_[t] = readTile(t);
    } else if (slots_[t] >= 0) {
      const Compressor::Result result = box_.compressor.result(slots_[t]);
      lastBytes_[t] = result.words.size_bytes();
      figures_.sparseBytes += double(lastBytes_[t]);
      taken_[t] = {result.words, result.capacityBytes, nullptr, {}};
    }
  }
  figures_.read = watch.ms();
  return taken_;
}

TileInput Painter::readTile(std::size_t index) {
  const Region& area = setup_.tiles[index].area;
  // The paper's plain mode knows of no region: the whole frame goes through.
  const Region shown = box_.config.mode == Mode::Generic ? area : intersect(drawn_.region, area);
  if (drawn_.region.empty() || shown.empty()) return {};
  const bool whole = area == Region{0, 0, setup_.size.x, setup_.size.y};
  if (Frame& tile = tileFrames_[index]; !whole) {
    if (tile.width != area.width || tile.height != area.height || tile.format != picture_.format)
      tile = Frame(picture_.format, area.width, area.height);
    copyRegion(picture_, area, tile, 0, 0);
  }
  const Region valid{shown.x - area.x, shown.y - area.y, shown.width, shown.height};
  return {{}, 0, whole ? &picture_ : &tileFrames_[index], valid};
}

}  // namespace fathom::active_pixel
