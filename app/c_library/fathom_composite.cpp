// SPDX-License-Identifier: BSD-3-Clause
// The C interface over RankComposite: what a host hands over becomes deep images of its parts, and
// what comes back arrays again. Arguments are checked before anything is taken.
#include "app/c_library/fathom_composite.h"

#include "app/c_library/guarded.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/deep/distribute/rank_composite.h"
#include "app/engine/deep/operations/sample_list.h"
#include "app/engine/gpu/memory_account.h"
#include "app/engine/ranks/mpi_library.h"
#include "app/system/machine.h"

namespace deep = fathom::deep;
using fathom::DeepImage;
using fathom::FragmentFormat;
using fathom::Rect;
using fathom::c_library::Refused;

namespace {

using Parts = std::map<std::uint32_t, std::vector<DeepImage>>;

/// A piece of the result as arrays.
struct Piece {
  Rect place;
  std::vector<glm::vec4> picture;
  std::vector<std::uint64_t> offsets;
  std::vector<glm::vec4> colors;
  std::vector<float> front, back;
};

}  // namespace

struct fathom_composite {
  fathom_composite_setup setup;
  std::shared_ptr<fathom::ranks::MpiLibrary> mpi;
  fathom::ranks::Team team;
  Parts parts;                     // that were added
  bool hasVolumes = false;         // among them
  std::optional<Refused> refused;  // what was added last
  std::vector<Piece> pieces;
  fathom_composite_figures figures{};

  fathom_composite(MPI_Comm host, const fathom_composite_setup& s)
      : setup(s),
        mpi(fathom::ranks::MpiLibrary::over(host, std::chrono::milliseconds(s.limit_ms))),
        team(mpi) {}
};

namespace {

template <class Work>
fathom_composite_status guarded(const Work& work) {
  return fathom::c_library::guarded<fathom_composite_status>(
      "fathom_composite", work, [](const std::exception& error) {
        if (dynamic_cast<const fathom::ranks::RankLost*>(&error)) return FATHOM_COMPOSITE_RANK_LOST;
        if (dynamic_cast<const fathom::ranks::RankFailed*>(&error))
          return FATHOM_COMPOSITE_PEER_FAILED;
        if (dynamic_cast<const fathom::gpu::DoesNotFit*>(&error) ||
            dynamic_cast<const std::bad_alloc*>(&error) ||
            dynamic_cast<const std::length_error*>(&error))
          return FATHOM_COMPOSITE_TOO_LARGE;
        return FATHOM_COMPOSITE_FAILED;
      });
}

[[noreturn]] void refuse(const std::string& text, int status = FATHOM_COMPOSITE_BAD_ARGUMENT) {
  throw Refused{status, text};
}

template <class T>
void expectStruct(const T* given, const char* name) {
  if (!given) refuse(fmt::format("{}: expected one, found a null pointer", name));
  if (given->size != sizeof(T))
    refuse(fmt::format("{}.size: expected {}, found {}", name, sizeof(T), given->size));
}

void expectRange(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most))
    refuse(fmt::format("{}: expected {} to {}, found {}", name, least, most, value));
}

void check(const fathom_composite_setup* setup) {
  expectStruct(setup, "setup");
  constexpr int kMaxSide = 1 << 16;
  expectRange("setup.width", setup->width, 1, kMaxSide);
  expectRange("setup.height", setup->height, 1, kMaxSide);
  expectRange("setup.color", setup->color, 0, 1);
  expectRange("setup.where", setup->where, 0, 1);
  expectRange("setup.compression", setup->compression, 0, 12);
  expectRange("setup.thin_error", setup->thin_error, 0, 0.999);
}

/// All ranks learn that one of them was told something wrong; that one throws what it was.
void agree(fathom::ranks::Team& team, const std::optional<Refused>& refused) {
  try {
    team.collective([&] {
      if (refused) fathom::fail("{}", refused->text);
    });
  } catch (const fathom::ranks::RankLost&) {
    throw;
  } catch (const fathom::Error&) {
    if (refused) throw Refused(*refused);
    throw;
  }
}

// ---- What comes in

/// The picture's header: colors as planes of floats behind the words, or halves inside them.
DeepImage headerOf(const fathom_composite_setup& setup, bool volumes) {
  using fathom::ChannelType;
  const bool half = setup.color == FATHOM_COMPOSITE_COLOR_HALF;
  DeepImage header;
  header.dataWindow = header.displayWindow = {0, 0, setup.width, setup.height};
  header.format = half ? FragmentFormat::Half : FragmentFormat::Indexed;
  header.hasZBack = volumes;
  for (const char* name : {"A", "B", "G", "R"})
    header.channels.push_back({name, half ? ChannelType::Half : ChannelType::Float, {}});
  if (half) header.channels.push_back({"Z", ChannelType::Float, {}});
  if (half && volumes) header.channels.push_back({"ZBack", ChannelType::Float, {}});
  return header;
}

/// Fragments as they are checked and appended.
class Builder {
 public:
  Builder(const fathom_composite_setup& setup, const Rect& window, bool volumes)
      : image_(headerOf(setup, volumes)), half_(image_.format == FragmentFormat::Half) {
    if (window.width < 1 || window.height < 1 || window.x < 0 || window.y < 0 ||
        window.width > setup.width - window.x || window.height > setup.height - window.y)
      refuse(fmt::format("x, y, width, height: expected pixels within {} x {}, found {},{} {} x {}",
                         setup.width, setup.height, window.x, window.y, window.width,
                         window.height));
    image_.dataWindow = window;
    image_.sorted = false;
  }
  const Rect& window() const { return image_.dataWindow; }
  void reserve(std::size_t fragments) {
    image_.words.reserve(4 * fragments);
    for (fathom::DeepChannel& channel : image_.channels)
      if (!half_) channel.values.reserve(4 * fragments);
  }

  void add(const float* rgba, float front, float back) {
    const glm::vec4 color(rgba[0], rgba[1], rgba[2], rgba[3]);
    const float most = half_ ? 65504.0f : std::numeric_limits<float>::max();
    for (int c = 0; c < 4; ++c)
      if (!(std::abs(color[c]) <= most)) damaged("colors within the numbers that travel", color[c]);
    if (!(color.a >= 0 && color.a <= 1)) damaged("alpha from 0 to 1", color.a);
    if (!std::isfinite(front)) damaged("finite depths", front);
    if (!(std::isfinite(back) && back >= front)) damaged("a back behind its front", back);
    const auto z = std::bit_cast<std::uint32_t>(front), zBack = std::bit_cast<std::uint32_t>(back);
    if (half_) {
      image_.words.insert(image_.words.end(), {deep::packHalves(color.r, color.g),
                                               deep::packHalves(color.b, color.a), z, zBack});
      return;
    }
    image_.words.insert(image_.words.end(), {std::uint32_t(image_.words.size() / 4), 0, z, zBack});
    for (std::size_t c = 0; c < 4; ++c) {  // A, B, G, R
      const auto* bytes = reinterpret_cast<const std::byte*>(&color[int(3 - c)]);
      image_.channels[c].values.insert(image_.channels[c].values.end(), bytes, bytes + 4);
    }
  }
  void endPixel() { image_.fragmentOffsets.push_back(image_.words.size() / 4); }
  DeepImage take() { return std::move(image_); }

 private:
  [[noreturn]] void damaged(const char* expected, float found) const {
    refuse(
        fmt::format("fragment {}: expected {}, found {}", image_.words.size() / 4, expected, found),
        FATHOM_COMPOSITE_BAD_DATA);
  }
  DeepImage image_;
  bool half_;
};

DeepImage imageOf(const fathom_composite_setup& setup, const fathom_composite_fragments& given) {
  Builder builder(setup, {given.x, given.y, given.width, given.height}, given.depth_back);
  const auto pixels = std::size_t(builder.window().area());
  if (!given.offsets) refuse("fragments.offsets: expected them, found a null pointer");
  if (given.offsets[0] != 0)
    refuse(fmt::format("offsets: expected 0 first, found {}", given.offsets[0]),
           FATHOM_COMPOSITE_BAD_DATA);
  for (std::size_t p = 0; p < pixels; ++p)
    if (given.offsets[p + 1] < given.offsets[p] || given.offsets[p + 1] > UINT32_MAX)
      refuse(fmt::format("offsets: expected numbers that rise to {} at most, found {} behind {}",
                         UINT32_MAX, given.offsets[p + 1], given.offsets[p]),
             FATHOM_COMPOSITE_BAD_DATA);
  if (given.offsets[pixels] > 0 && (!given.rgba || !given.depth))
    refuse("fragments.rgba, depth: expected both, found a null pointer");
  builder.reserve(given.offsets[pixels]);
  for (std::size_t p = 0; p < pixels; ++p) {
    for (std::uint64_t f = given.offsets[p]; f < given.offsets[p + 1]; ++f)
      builder.add(given.rgba + 4 * f, given.depth[f],
                  given.depth_back ? given.depth_back[f] : given.depth[f]);
    builder.endPixel();
  }
  return builder.take();
}

DeepImage imageOf(const fathom_composite_setup& setup, const fathom_composite_image& given) {
  Builder builder(setup, {given.x, given.y, given.width, given.height}, false);
  if (!given.rgba || !given.depth) refuse("image.rgba, depth: expected both, found a null pointer");
  for (std::size_t p = 0; p < std::size_t(builder.window().area()); ++p) {
    const float* color = given.rgba + 4 * p;
    if (color[0] != 0 || color[1] != 0 || color[2] != 0 || color[3] != 0)
      builder.add(color, given.depth[p], given.depth[p]);
    builder.endPixel();
  }
  return builder.take();
}

template <class Given>
fathom_composite_status add(fathom_composite* compositor, const Given* given, const char* name) {
  return guarded([&] {
    if (!compositor) refuse("compositor: expected one, found a null pointer");
    try {
      expectStruct(given, name);
      DeepImage image = imageOf(compositor->setup, *given);
      compositor->hasVolumes = compositor->hasVolumes || image.hasZBack;
      compositor->parts[given->part].push_back(std::move(image));
    } catch (const Refused& refused) {
      compositor->refused = refused;
      throw;
    } catch (const std::bad_alloc&) {
      compositor->refused = Refused{FATHOM_COMPOSITE_TOO_LARGE,
                                    "expected enough memory for what is added, found too little"};
      throw;
    }
  });
}

// ---- A run

/// Each part over the whole picture, its lists sorted.
DeepImage wholeOf(std::vector<DeepImage>&& images, const DeepImage& header) {
  DeepImage whole = fathom::together(std::move(images), header.dataWindow);
  whole.hasZBack = header.hasZBack;
  deep::sortByContent(whole);
  return whole;
}

/// The parts that any rank has, ascending: their places are the numbers of inputs. At least one.
std::vector<std::uint32_t> partsOfAll(fathom::ranks::Team& team, const Parts& parts) {
  std::string mine;
  for (const auto& [part, images] : parts)
    mine.append(reinterpret_cast<const char*>(&part), sizeof part);
  std::set<std::uint32_t> all;
  for (const std::string& theirs : team.gatherTexts(mine))
    for (std::size_t at = 0; at + 4 <= theirs.size(); at += 4) {
      std::uint32_t part = 0;
      std::memcpy(&part, theirs.data() + at, 4);
      all.insert(part);
    }
  if (all.empty()) all = {0};
  return {all.begin(), all.end()};
}

/// Behind what the piece holds.
void keepDeep(const DeepImage& image, Piece& piece) {
  const bool half = image.format == FragmentFormat::Half;
  if (piece.offsets.empty()) piece.offsets.push_back(0);
  const std::uint64_t base = piece.offsets.back();
  for (std::size_t p = 1; p < image.fragmentOffsets.size(); ++p)
    piece.offsets.push_back(base + image.fragmentOffsets[p]);
  for (std::size_t f = 0; f < image.fragmentCount(); ++f) {
    const std::uint32_t* words = &image.words[4 * f];
    glm::vec4 color;
    for (std::size_t c = 0; c < 4 && !half; ++c)
      std::memcpy(&color[int(3 - c)], image.channels[c].values.data() + 4 * words[0], 4);
    const fathom::Fragment fragment = fathom::decodeWords(image, words);
    if (half) color = {fragment.r, fragment.g, fragment.b, fragment.a};
    piece.colors.push_back(color);
    piece.front.push_back(std::bit_cast<float>(words[2]));
    piece.back.push_back(std::bit_cast<float>(words[3]));
  }
}

/// Pieces of rows as they come, or put together to the whole.
void keep(fathom_composite& c, const Rect& place, fathom::Image&& rows, const DeepImage* lists) {
  const bool whole = c.setup.where == FATHOM_COMPOSITE_WHOLE;
  if (c.pieces.empty() || !whole) c.pieces.emplace_back().place = place;
  Piece& piece = c.pieces.back();
  if (whole) piece.place = {0, 0, c.setup.width, place.bottom()};
  piece.picture.insert(piece.picture.end(), rows.pixels.begin(), rows.pixels.end());
  if (lists) keepDeep(*lists, piece);
}

void takeFigures(fathom_composite& c, const deep::RankFigures& f) {
  double bound = 0;
  for (const double error : c.team.gather(std::span(&f.errorSum, 1))) bound += error;
  const auto count = [](double value) { return std::uint64_t(value); };
  c.figures = {sizeof(fathom_composite_figures),
               count(f.fragments),
               count(f.sentFragments),
               count(f.mergedFragments),
               count(f.rawBytes),
               count(f.sentBytes),
               count(f.gatheredBytes),
               count(f.messages),
               count(f.regions),
               f.pack + f.encode,
               f.exchange,
               f.decode + f.merge,
               f.wall,
               bound};
}

void run(fathom_composite& c) {
  c.pieces.clear();
  Parts parts = std::exchange(c.parts, {});
  agree(c.team, std::exchange(c.refused, std::nullopt));
  std::uint64_t volumes = std::exchange(c.hasVolumes, false);
  c.team.largest(std::span(&volumes, 1));
  const std::vector<std::uint32_t> numbers = partsOfAll(c.team, parts);
  const deep::RankPicture picture{headerOf(c.setup, volumes != 0), numbers.size()};
  std::vector<deep::ImageShare::Input> own;
  c.team.collective([&] {
    for (auto& [part, images] : parts) {
      const auto at = std::lower_bound(numbers.begin(), numbers.end(), part);
      own.push_back(
          {std::uint32_t(at - numbers.begin()), wholeOf(std::move(images), picture.header)});
    }
  });
  deep::ImageShare share(numbers.size(), c.setup.thin_error, std::move(own));
  deep::MergeEdit edit;
  edit.tidy = volumes != 0;
  deep::HostMerge merge(edit);
  deep::RankOptions options;
  options.level = c.setup.compression, options.bands = 1;
  options.gathers = c.setup.where == FATHOM_COMPOSITE_WHOLE;
  options.memoryBytes = c.setup.memory_bytes;
  deep::RankComposite composite(c.team, picture, share, merge, options);
  fathom::Progress progress;
  if (c.setup.deep)
    composite.merge(progress, picture.header, [&](DeepImage&& lists) {
      keep(c, lists.dataWindow,
           deep::flattenEdited(deep::withEdits(std::span(&lists, 1)), {}, lists.dataWindow),
           &lists);
    });
  else
    composite.flatten(progress, [&](const Rect& place, fathom::Image&& rows) {
      keep(c, place, std::move(rows), nullptr);
    });
  takeFigures(c, composite.figures());
}

const Piece& pieceAt(const fathom_composite* compositor, std::int32_t index) {
  if (!compositor) refuse("compositor: expected one, found a null pointer");
  if (index < 0 || std::size_t(index) >= compositor->pieces.size())
    refuse(fmt::format("index: expected one below {}, found {}", compositor->pieces.size(), index));
  return compositor->pieces[std::size_t(index)];
}

/// Size, place and part.
template <class Given>
void place(const Piece& piece, Given& given) {
  given = {};
  given.size = sizeof(Given);
  given.x = piece.place.x, given.y = piece.place.y;
  given.width = piece.place.width, given.height = piece.place.height;
}

}  // namespace

extern "C" {

int fathom_composite_version(void) { return FATHOM_COMPOSITE_VERSION; }
const char* fathom_composite_message(void) { return fathom::c_library::message().c_str(); }

fathom_composite_status fathom_composite_create(MPI_Comm communicator,
                                                const fathom_composite_setup* setup,
                                                fathom_composite** compositor) {
  return guarded([&] {
    // Ranks that are told something wrong still meet the others, who would wait for them.
    int started = 0;
    MPI_Initialized(&started);
    if (!started) refuse("communicator: expected MPI to be started, found it is not");
    if (communicator == MPI_COMM_NULL) refuse("communicator: expected one, found MPI_COMM_NULL");
    if (!compositor) refuse("compositor: expected where to put it, found a null pointer");
    *compositor = nullptr;
    std::optional<Refused> refused;
    try {
      check(setup);
    } catch (const Refused& wrong) {
      refused = wrong;
    }
    auto made = std::make_unique<fathom_composite>(communicator,
                                                   refused ? fathom_composite_setup{} : *setup);
    if (made->setup.memory_bytes == 0) {
      const auto local = std::uint64_t(made->mpi->ranksHere());
      made->setup.memory_bytes = fathom::system::memoryBytes() / 4 / local;
    }
    agree(made->team, refused);
    const fathom_composite_setup& s = made->setup;
    made->team.expectSame("setup",
                          fmt::format("width {}, height {}, color {}, where {}, deep {}, "
                                      "compression {}, thin_error {}, limit_ms {}",
                                      s.width, s.height, int(s.color), int(s.where), s.deep != 0,
                                      s.compression, s.thin_error, s.limit_ms),
                          [](fathom::FieldVisitor&) {});
    *compositor = made.release();
  });
}

void fathom_composite_destroy(fathom_composite* compositor) { delete compositor; }

fathom_composite_status fathom_composite_add_fragments(
    fathom_composite* compositor, const fathom_composite_fragments* fragments) {
  return add(compositor, fragments, "fragments");
}

fathom_composite_status fathom_composite_add_image(fathom_composite* compositor,
                                                   const fathom_composite_image* image) {
  return add(compositor, image, "image");
}

fathom_composite_status fathom_composite_run(fathom_composite* compositor) {
  return guarded([&] {
    if (!compositor) refuse("compositor: expected one, found a null pointer");
    run(*compositor);
  });
}

int32_t fathom_composite_piece_count(const fathom_composite* compositor) {
  return compositor ? int32_t(compositor->pieces.size()) : 0;
}

fathom_composite_status fathom_composite_piece(const fathom_composite* compositor, int32_t index,
                                               fathom_composite_image* piece) {
  return guarded([&] {
    const Piece& found = pieceAt(compositor, index);
    expectStruct(piece, "piece");
    place(found, *piece);
    piece->rgba = &found.picture[0].x;
  });
}

fathom_composite_status fathom_composite_deep_piece(const fathom_composite* compositor,
                                                    int32_t index,
                                                    fathom_composite_fragments* piece) {
  return guarded([&] {
    const Piece& found = pieceAt(compositor, index);
    expectStruct(piece, "piece");
    if (found.offsets.empty()) refuse("deep: expected a setup that asks for it, found none");
    place(found, *piece);
    piece->offsets = found.offsets.data();
    piece->rgba = reinterpret_cast<const float*>(found.colors.data());
    piece->depth = found.front.data(), piece->depth_back = found.back.data();
  });
}

fathom_composite_status fathom_composite_get_figures(const fathom_composite* compositor,
                                                     fathom_composite_figures* figures) {
  return guarded([&] {
    if (!compositor) refuse("compositor: expected one, found a null pointer");
    expectStruct(figures, "figures");
    *figures = compositor->figures;
    figures->size = sizeof *figures;
  });
}

}  // extern "C"
