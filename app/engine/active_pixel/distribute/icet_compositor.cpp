// SPDX-License-Identifier: BSD-3-Clause
// Compositing with IceT over MPI. Images that were compressed elsewhere go straight to its
// compositing functions; whole frames, and all images when IceT lays them out differently from this
// program, go through icetCompositeImage.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/distribute/icet_context.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/error.h"
#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/ranks/mpi_library.h"

#include <IceTMPI.h>

namespace fathom::active_pixel {
namespace {

double timingMs(IceTEnum name) {
  IceTDouble seconds = 0;
  icetGetDoublev(name, &seconds);
  return seconds * 1000;
}

/// What a rank brings to a tile; all ranks know it of each other before they composite.
enum class Brings : unsigned char { Nothing, Sparse, Frame, Refused };

std::unique_ptr<icet::Context> makeContext() {
  const std::shared_ptr<ranks::MpiLibrary> mpi = ranks::MpiLibrary::acquire();
  const IceTCommunicator communicator = icetCreateMPICommunicator(mpi->world());
  auto context = std::make_unique<icet::Context>(communicator);
  icetDestroyMPICommunicator(communicator);
  return context;
}

class IcetCompositor : public Compositor {
 public:
  explicit IcetCompositor(bool acceptsCompressed)
      : acceptsCompressed_(acceptsCompressed), context_(makeContext()) {
    order_.resize(std::size_t(ranks()));
    std::iota(order_.begin(), order_.end(), 0);
  }

  int rank() const override { return mpi_->rank(); }
  int ranks() const override { return mpi_->ranks(); }
  void setUp(const CompositorSetup& setup) override;
  void setOrder(std::span<const int> order) override;
  void composite(std::size_t tile, const TileInput& input, Frame& result) override;
  const CompositorTimes& times() const override { return times_; }

 private:
  bool blends() const { return setup_.format.compositing == Compositing::Blend; }
  std::vector<Brings> exchange(Brings mine);
  void checkSparse(const Tile& tile, const TileInput& input) const;
  void compositeSparse(const Tile& tile, const TileInput& input, std::span<const Brings> brought,
                       Frame& result);
  void compositeFrame(const Tile& tile, const TileInput& input, Frame& result);
  Frame background(const Tile& tile) const;
  /// What IceT has collected, on the display rank.
  void takeWhole(const Tile& tile, IceTImage whole, Frame& result) const {
    if (tile.displayRank == rank())
      icet::copyFrame(whole, setup_.format, result);
    else
      result = {};
  }

  std::shared_ptr<ranks::MpiLibrary> mpi_ = ranks::MpiLibrary::acquire();
  bool acceptsCompressed_;
  std::unique_ptr<icet::Context> context_;
  CompositorSetup setup_;
  std::vector<int> order_;
  std::optional<icet::FrameBuffer> collected_;
  glm::ivec2 collectedSize_{0};
  Frame blank_;  // for a rank that has drawn nothing, where IceT wants pixels
  CompositorTimes times_;
};

void IcetCompositor::setUp(const CompositorSetup& setup) {
  context_->makeCurrent();
  setup_ = setup;
  for (const Tile& tile : setup.tiles)
    if (tile.displayRank < 0 || tile.displayRank >= ranks())
      fail("tile: expected a display rank below {}, found {}", ranks(), tile.displayRank);
  icet::setFormat(setup.format);
  icetStrategy(ICET_STRATEGY_SEQUENTIAL);
  icetSingleImageStrategy(icet::singleImageStrategy(setup.strategy));
  const auto enable = [](IceTEnum what, bool on) { on ? icetEnable(what) : icetDisable(what); };
  enable(ICET_ORDERED_COMPOSITE, blends());
  enable(ICET_INTERLACE_IMAGES, setup.interlace);
  enable(ICET_COMPOSITE_ONE_BUFFER, !setup.depthToo);
  icetCompositeOrder(order_.data());
  icetBoundingVertices(0, ICET_VOID, 0, 0, nullptr);
  icet::throwIfFailed("setting up");
  collected_.reset();
  blank_ = {};
}

void IcetCompositor::setOrder(std::span<const int> order) {
  context_->makeCurrent();
  FATHOM_CHECK_OP(order.size(), ==, order_.size());
  order_.assign(order.begin(), order.end());
  icetCompositeOrder(order_.data());
  icet::throwIfFailed("setting the order");
}

std::vector<Brings> IcetCompositor::exchange(Brings mine) {
  std::vector<Brings> all(static_cast<std::size_t>(ranks()));
  MPI_Request request;
  MPI_Iallgather(&mine, 1, MPI_UNSIGNED_CHAR, all.data(), 1, MPI_UNSIGNED_CHAR, mpi_->world(),
                 &request);
  mpi_->wait(request);
  return all;
}

/// IceT looks at the header only, and would read past the end of runs that do not add up.
void IcetCompositor::checkSparse(const Tile& tile, const TileInput& input) const {
  const auto& words = input.sparse;
  const std::uint64_t needed = bufferBytes(setup_.format, tile.area.width, tile.area.height);
  if (input.sparseCapacity < needed)
    fail("sparse image: expected a buffer of {} bytes, found {}", needed, input.sparseCapacity);
  const auto expected = header(setup_.format, tile.area.width, tile.area.height, words.size() * 4);
  if (words.size() < kHeaderWords || !std::equal(expected.begin(), expected.end(), words.begin()))
    fail("sparse image: expected a header for {} x {} pixels and {} bytes, found another",
         tile.area.width, tile.area.height, words.size() * 4);
#ifndef NDEBUG
  reference::check(words, setup_.format.compositing, "sparse image");
#endif
}

void IcetCompositor::composite(std::size_t tileIndex, const TileInput& input, Frame& result) {
  context_->makeCurrent();
  if (tileIndex == 0) times_ = {};
  icetStateResetTiming();
  const Tile& tile = setup_.tiles.at(tileIndex);
  const bool sparse = !input.sparse.empty();
  Brings mine = sparse ? Brings::Sparse : input.frame ? Brings::Frame : Brings::Nothing;
  TileInput given = input;
  Frame decoded;
  std::optional<Error> refusal;
  try {
    if (sparse) checkSparse(tile, input);
    if (sparse && !acceptsCompressed_) {
      decoded = reference::decode(input.sparse, setup_.format.compositing, glm::vec4(0));
      given = {{}, 0, &decoded, {0, 0, decoded.width, decoded.height}};
      mine = Brings::Frame;
    }
  } catch (const Error& error) {
    refusal = error;
    mine = Brings::Refused;
  }
  const std::vector<Brings> brought = exchange(mine);
  if (refusal) throw *refusal;
  const auto count = [&](Brings what) { return std::count(brought.begin(), brought.end(), what); };
  if (count(Brings::Refused)) throw Error("compositing: another rank's image was refused");
  if (count(Brings::Frame) && count(Brings::Sparse))
    throw Error("compositing: expected frames or sparse images of all ranks, found both");
  if (count(Brings::Frame))
    compositeFrame(tile, given, result);
  else if (count(Brings::Sparse))
    compositeSparse(tile, given, brought, result);
  else
    result = background(tile);
  times_.compress += timingMs(ICET_COMPRESS_TIME);
  times_.blend += timingMs(ICET_BLEND_TIME);
  IceTInt bytes = 0;
  icetGetIntegerv(ICET_BYTES_SENT, &bytes);
  times_.bytesSent += std::uint64_t(bytes);
  if (blends() && tile.displayRank == rank()) putBehind(result, setup_.background);
}

/// No rank has drawn anything.
Frame IcetCompositor::background(const Tile& tile) const {
  if (tile.displayRank != rank()) return {};
  return Frame(setup_.format, tile.area.width, tile.area.height,
               blends() ? glm::vec4(0) : setup_.background);
}

void IcetCompositor::compositeSparse(const Tile& tile, const TileInput& input,
                                     std::span<const Brings> brought, Frame& result) {
  // Ranks with nothing to draw are left out of the group.
  std::vector<IceTInt> group;
  for (const int member : order_)
    if (brought[std::size_t(member)] == Brings::Sparse) group.push_back(member);
  const auto at = std::find(group.begin(), group.end(), tile.displayRank);
  const auto destination = at == group.end() ? IceTInt(0) : IceTInt(at - group.begin());

  icet::setBackground(blends() ? glm::vec4(0) : setup_.background);
  const Stopwatch watch;
  IceTSparseImage piece = icetSparseImageNull();
  IceTSizeType offset = 0;
  if (!input.sparse.empty()) {
    const IceTSparseImage own = icetSparseImageUnpackageFromReceive(input.sparse.data());
    icetSingleImageCompose(group.data(), IceTInt(group.size()), destination, own, &piece, &offset);
  }
  times_.composite += watch.ms();

  const Stopwatch collecting;
  const glm::ivec2 size(tile.area.width, tile.area.height);
  if (!collected_ || collectedSize_ != size) collected_.emplace(size.x, size.y);
  collectedSize_ = size;
  const IceTImage whole = collected_->fresh();
  icetSingleImageCollect(piece, tile.displayRank, offset, whole);
  times_.collect += collecting.ms();
  icet::throwIfFailed("compositing");
  takeWhole(tile, whole, result);
}

void IcetCompositor::compositeFrame(const Tile& tile, const TileInput& input, Frame& result) {
  const Frame* frame = input.frame;
  const int width = tile.area.width, height = tile.area.height;
  if (!frame) {
    if (blank_.width != width || blank_.height != height) blank_ = {setup_.format, width, height};
    frame = &blank_;
  }
  FATHOM_CHECK(frame->width == width && frame->height == height);
  const Region valid = input.frame ? input.valid : Region{};
  const IceTInt viewport[4] = {valid.x, valid.y, valid.width, valid.height};
  glm::vec4 back = blends() ? glm::vec4(0) : setup_.background;
  // Here IceT makes bytes of it by itself, and does not round.
  if (setup_.format.color == Color::Rgba8)
    for (int c = 0; c < 4; ++c) back[c] = (float(byteOf(back[c])) + 0.5f) / 255.0f;

  icetResetTiles();
  icetAddTile(0, 0, width, height, tile.displayRank);
  const Stopwatch watch;
  const IceTImage whole = icetCompositeImage(frame->color.empty() ? nullptr : frame->color.data(),
                                             frame->depth.empty() ? nullptr : frame->depth.data(),
                                             viewport, nullptr, nullptr, &back.x);
  const double collect = timingMs(ICET_COLLECT_TIME);
  times_.collect += collect;
  times_.composite += std::max(0.0, watch.ms() - collect);
  icet::throwIfFailed("compositing frames");
  takeWhole(tile, whole, result);
}

}  // namespace

bool icetAvailable() { return true; }
std::string icetMissing() { return ""; }

std::unique_ptr<Compositor> makeIcetCompositor(bool acceptsCompressed) {
  if (acceptsCompressed && !icet::acceptsCompressed()) {
    acceptsCompressed = false;
    log::warn("{} lays out images differently: it compresses by itself", icet::version());
  }
  return std::make_unique<IcetCompositor>(acceptsCompressed);
}

}  // namespace fathom::active_pixel
