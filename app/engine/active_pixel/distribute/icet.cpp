// SPDX-License-Identifier: BSD-3-Clause
// A context of one rank, borrowed for each call, so that compressing never disturbs compositing.
#include "app/engine/active_pixel/distribute/icet.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/active_pixel/distribute/icet_context.h"
#include "app/engine/active_pixel/image/reference.h"

#include <cstring>

namespace fathom::active_pixel::icet {
namespace {

// Makes a context of one rank current for a while; a compositor's context comes back afterwards.
class Borrowed {
 public:
  Borrowed() : before_(icetGetContext()) {
    static Context context;
    context.makeCurrent();
  }
  ~Borrowed() { icetSetContext(before_); }

 private:
  IceTContext before_;
};

// 4 x 3 pixels that begin and end differently, with a run across rows.
Frame checkFrame() {
  Frame frame(Format{}, 4, 3);
  const std::string_view drawn = ".##...###..#";
  for (std::size_t i = 0; i < frame.pixelCount(); ++i) {
    frame.setColor(i, glm::vec4(float(i) / 12, 0.1f, 0.9f, 1));
    if (drawn[i] == '#') frame.depth[i] = 0.25f + 0.01f * float(i);
  }
  return frame;
}

}  // namespace

std::string version() { return std::string("IceT ") + ICET_VERSION; }

double compressMs(const Frame& frame, SparseImage* result) {
  const Borrowed borrowed;
  setFormat(frame.format);
  FrameBuffer pixels(frame.width, frame.height);
  pixels.load(frame);
  std::vector<std::uint32_t> words(
      std::size_t(icetSparseImageBufferSize(frame.width, frame.height)) / 4 + 1);
  const IceTSparseImage image =
      icetSparseImageAssignBuffer(words.data(), frame.width, frame.height);
  const Stopwatch watch;
  icetCompressImage(pixels.image(), image);
  const double ms = watch.ms();
  throwIfFailed("compressing");
  if (result) {
    words.resize(std::size_t(icetSparseImageGetCompressedBufferSize(image)) / 4);
    result->words = std::move(words);
  }
  return ms;
}

struct Repeated::State {
  explicit State(const Frame& frame)
      : pixels(frame.width, frame.height),
        words(std::size_t(icetSparseImageBufferSize(frame.width, frame.height)) / 4 + 1),
        image(icetSparseImageAssignBuffer(words.data(), frame.width, frame.height)),
        format(frame.format) {
    pixels.load(frame);
  }
  FrameBuffer pixels;
  std::vector<std::uint32_t> words;
  IceTSparseImage image;
  Format format;
};

Repeated::Repeated(const Frame& frame) {
  const Borrowed borrowed;
  setFormat(frame.format);
  state_ = std::make_unique<State>(frame);
}

Repeated::~Repeated() = default;

void Repeated::run() {
  const Borrowed borrowed;
  setFormat(state_->format);
  icetCompressImage(state_->pixels.image(), state_->image);
  throwIfFailed("compressing");
}

SparseImage compressFrame(const Frame& frame) {
  SparseImage image;
  compressMs(frame, &image);
  return image;
}

Frame decompress(std::span<const std::uint32_t> words, Compositing compositing,
                 glm::vec4 background) {
  const SparseFacts facts = reference::check(words, compositing, "sparse image");
  const Borrowed borrowed;
  setFormat(facts.format);
  setBackground(background);
  std::vector<std::uint32_t> copy(
      std::size_t(icetSparseImageBufferSize(facts.width, facts.height)) / 4 + 1);
  std::copy(words.begin(), words.end(), copy.begin());
  const IceTSparseImage image = icetSparseImageUnpackageFromReceive(copy.data());
  throwIfFailed("taking in a sparse image");
  FrameBuffer pixels(facts.width, facts.height);
  icetDecompressImage(image, pixels.image());
  throwIfFailed("decompressing");
  return pixels.frame(facts.format);
}

bool acceptsCompressed() {
  if (ICET_MAJOR_VERSION != 2 || ICET_MINOR_VERSION != 2) return false;
  const Frame frame = checkFrame();
  return compressFrame(frame).words == reference::encode(frame).words;
}

}  // namespace fathom::active_pixel::icet
