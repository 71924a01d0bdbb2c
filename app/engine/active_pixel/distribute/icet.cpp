// SPDX-License-Identifier: BSD-3-Clause
// A context of IceT's with a communicator of one rank, for use without MPI; formats, backgrounds
// and errors in IceT's own terms; and its compressor, in a context that is borrowed for each call,
// so that compressing never disturbs compositing.
#include "app/engine/active_pixel/distribute/compositor.h"

#include "app/engine/active_pixel/distribute/icet_context.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/error.h"
#include "app/engine/core/image.h"

namespace fathom::active_pixel::icet {
namespace {

// A communicator with one rank: what IceT sends to itself is copied, all else has no one to wait
// for.
using Comm = IceTCommunicatorStruct;

std::size_t typeBytes(IceTEnum type) {
  if (type == ICET_SHORT) return 2;
  return type == ICET_INT || type == ICET_FLOAT ? 4 : type == ICET_DOUBLE ? 8 : 1;
}

void copy(const void* from, int count, IceTEnum type, void* to) {
  if (from != to && count > 0) std::memmove(to, from, std::size_t(count) * typeBytes(type));
}

[[noreturn]] void noPeer() { fail("IceT: expected no message of a rank alone, found one"); }

IceTCommunicator soloCommunicator() {
  static Comm solo = [] {
    Comm comm{};
    comm.Duplicate = [](Comm* self) { return self; };
    comm.Destroy = [](Comm*) {};
    comm.Subset = [](Comm* self, int, const IceTInt32*) { return self; };
    comm.Barrier = [](Comm*) {};
    comm.Send = [](Comm*, const void*, int, IceTEnum, int, int) { noPeer(); };
    comm.Recv = [](Comm*, void*, int, IceTEnum, int, int) { noPeer(); };
    comm.Sendrecv = [](Comm*, const void* from, int count, IceTEnum type, int, int, void* to, int,
                       IceTEnum, int, int) { copy(from, count, type, to); };
    comm.Gather = [](Comm*, const void* from, int count, IceTEnum type, void* to, int) {
      copy(from, count, type, to);
    };
    comm.Gatherv = [](Comm*, const void* from, int count, IceTEnum type, void* to, const int*,
                      const int* offsets, int) {
      copy(from, count, type, static_cast<char*>(to) + std::size_t(offsets[0]) * typeBytes(type));
    };
    comm.Allgather = [](Comm*, const void* from, int count, IceTEnum type, void* to) {
      copy(from, count, type, to);
    };
    comm.Alltoall = comm.Allgather;
    comm.Isend = [](Comm*, const void*, int, IceTEnum, int, int) -> IceTCommRequest { noPeer(); };
    comm.Irecv = [](Comm*, void*, int, IceTEnum, int, int) -> IceTCommRequest { noPeer(); };
    comm.Wait = [](Comm*, IceTCommRequest*) {};
    comm.Waitany = [](Comm*, int, IceTCommRequest*) { return 0; };
    comm.Comm_size = [](Comm*) { return 1; };
    comm.Comm_rank = [](Comm*) { return 0; };
    return comm;
  }();
  return &solo;
}

const char* errorName(IceTEnum error) {
  static const std::map<IceTEnum, const char*> names{
      {ICET_SANITY_CHECK_FAIL, "an inconsistent state"},
      {ICET_INVALID_ENUM, "an unknown enumerator"},
      {ICET_BAD_CAST, "a value of another type"},
      {ICET_OUT_OF_MEMORY, "too little memory"},
      {ICET_INVALID_OPERATION, "an invalid operation"},
      {ICET_INVALID_VALUE, "an invalid value"}};
  const auto name = names.find(error);
  return name == names.end() ? "an unknown error" : name->second;
}

IceTInt colorWord(glm::vec4 color) {
  return std::bit_cast<IceTInt>(
      std::array{byteOf(color.r), byteOf(color.g), byteOf(color.b), byteOf(color.a)});
}

}  // namespace

Context::Context() : Context(soloCommunicator()) {}

Context::Context(IceTCommunicator communicator) {
  context_ = icetCreateContext(communicator);
  icetDiagnostics(ICET_DIAG_OFF);  // errors reach the user through throwIfFailed()
}

Context::~Context() { icetDestroyContext(context_); }

IceTEnum singleImageStrategy(Strategy strategy) {
  constexpr IceTEnum names[] = {
      ICET_SINGLE_IMAGE_STRATEGY_AUTOMATIC, ICET_SINGLE_IMAGE_STRATEGY_BSWAP,
      ICET_SINGLE_IMAGE_STRATEGY_TREE,      ICET_SINGLE_IMAGE_STRATEGY_RADIXK,
      ICET_SINGLE_IMAGE_STRATEGY_RADIXKR,   ICET_SINGLE_IMAGE_STRATEGY_BSWAP_FOLDING};
  return names[int(strategy)];
}

void setFormat(const Format& format) {
  if (!format.valid())
    fail(
        "IceT: expected depth for the z-buffer or alpha without depth for blending, found neither");
  icetSetColorFormat(icetColorFormat(format.color));
  icetSetDepthFormat(icetDepthFormat(format.depth));
  icetCompositeMode(format.compositing == Compositing::Blend ? ICET_COMPOSITE_MODE_BLEND
                                                             : ICET_COMPOSITE_MODE_Z_BUFFER);
  throwIfFailed("setting formats");
}

void setBackground(glm::vec4 background) {
  icetStateSetBoolean(ICET_NEED_BACKGROUND_CORRECTION, ICET_FALSE);
  icetStateSetFloatv(ICET_TRUE_BACKGROUND_COLOR, 4, &background.x);
  icetStateSetInteger(ICET_TRUE_BACKGROUND_COLOR_WORD, colorWord(background));
  icetStateSetFloatv(ICET_BACKGROUND_COLOR, 4, &background.x);
  icetStateSetInteger(ICET_BACKGROUND_COLOR_WORD, colorWord(background));
}

void throwIfFailed(const std::string& doing) {
  const IceTEnum error = icetGetError();
  if (error != ICET_NO_ERROR)
    fail("IceT, {}: expected success, found {} (0x{:x})", doing, errorName(error), error);
}

FrameBuffer::FrameBuffer(int width, int height)
    : width_(width),
      height_(height),
      memory_(std::size_t(icetImageBufferSize(width, height)) / 4 + 1) {
  fresh();
  throwIfFailed("making an image");
}

IceTImage FrameBuffer::fresh() {
  return image_ = icetImageAssignBuffer(memory_.data(), width_, height_);
}

void FrameBuffer::load(const Frame& frame) {
  if (!frame.color.empty()) {
    void* color = frame.format.color == Color::Rgba8
                      ? static_cast<void*>(icetImageGetColorub(image_))
                      : static_cast<void*>(icetImageGetColorf(image_));
    std::memcpy(color, frame.color.data(), frame.color.size());
  }
  if (!frame.depth.empty())
    std::memcpy(icetImageGetDepthf(image_), frame.depth.data(), frame.depth.size() * 4);
}

void copyFrame(IceTImage image, const Format& format, Frame& frame) {
  frame.format = format;
  if (icetImageIsNull(image)) {
    frame = Frame(format, 0, 0);
    return;
  }
  frame.width = icetImageGetWidth(image);
  frame.height = icetImageGetHeight(image);
  const std::size_t pixels = std::size_t(frame.width) * std::size_t(frame.height);
  if (format.color != Color::None) {
    const void* color = format.color == Color::Rgba8
                            ? static_cast<const void*>(icetImageGetColorcub(image))
                            : static_cast<const void*>(icetImageGetColorcf(image));
    frame.color.resize(pixels * std::size_t(format.colorBytes()));
    std::memcpy(frame.color.data(), color, frame.color.size());
  }
  const bool hasDepth = icetImageGetDepthFormat(image) == ICET_IMAGE_DEPTH_FLOAT;
  frame.depth.resize(hasDepth ? pixels : 0);
  if (hasDepth) std::memcpy(frame.depth.data(), icetImageGetDepthcf(image), pixels * 4);
}

// ---- IceT's own compressor

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

/// The words are there until the next call.
auto compressing(const Frame& frame) {
  const Borrowed borrowed;
  setFormat(frame.format);
  const auto pixels = std::make_shared<FrameBuffer>(frame.width, frame.height);
  pixels->load(frame);
  const auto words = std::make_shared<std::vector<std::uint32_t>>(
      std::size_t(icetSparseImageBufferSize(frame.width, frame.height)) / 4 + 1);
  const IceTSparseImage image =
      icetSparseImageAssignBuffer(words->data(), frame.width, frame.height);
  return [pixels, words, image, format = frame.format] {
    const Borrowed again;
    setFormat(format);
    icetCompressImage(pixels->image(), image);
    throwIfFailed("compressing");
    const auto bytes = std::size_t(icetSparseImageGetCompressedBufferSize(image));
    return std::span<const std::uint32_t>(words->data(), bytes / 4);
  };
}

}  // namespace

std::string version() { return std::string("IceT ") + ICET_VERSION; }

std::function<void()> compression(const Frame& frame) { return compressing(frame); }

SparseImage compressFrame(const Frame& frame) {
  const auto compress = compressing(frame);
  const std::span<const std::uint32_t> words = compress();
  return {{words.begin(), words.end()}};
}

bool acceptsCompressed() {
  if (ICET_MAJOR_VERSION != 2 || ICET_MINOR_VERSION != 2) return false;
  const Frame frame = checkFrame();
  return compressFrame(frame).words == reference::encode(frame).words;
}

}  // namespace fathom::active_pixel::icet
