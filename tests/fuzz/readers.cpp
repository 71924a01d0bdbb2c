// SPDX-License-Identifier: BSD-3-Clause
// Pictures of every format, scenes with their materials and textures, flames of each dialect,
// palettes, documents of cuburn, sessions, profiles, lenses, pulls, bench files and packets.
// Compiled once into an ordinary test (readers_test.cpp) and with libFuzzer into a program for each
// of them
// (./dev fuzz pictures).
#include "tests/fuzz/readers.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/dof/focus_pull.h"
#include "app/engine/dof/settings.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/image_packets.h"
#include "app/engine/io/picture.h"
#include "app/engine/io/profile.h"
#include "app/engine/io/session.h"
#include "app/engine/scene/load_scene.h"
#include "app/lab/bench_file.h"
#include "app/system/process.h"
#include "tests/fuzz/fuzz.h"

namespace fathom::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder in memory, where there is one, that the file stands in with what it may refer to.
class Folder {
 public:
  Folder() {
    const fs::path memory = "/dev/shm";
    path = (fs::exists(memory) ? memory : fs::temp_directory_path()) /
           fmt::format("fathom-fuzz-{}", system::processId());
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

const fs::path& folder() {
  static const Folder one;
  return one.path;
}

void readPictures(const fs::path& file) {
  const Picture header = readPictureHeader(file), picture = readPicture(file);
  FATHOM_CHECK_OP(header.dataWindow.width, ==, picture.image.width);
  FATHOM_CHECK_OP(header.dataWindow.height, ==, picture.image.height);
  const auto pixels = std::size_t(picture.image.width) * std::size_t(picture.image.height);
  FATHOM_CHECK_OP(picture.image.pixels.size(), ==, pixels);
  FATHOM_CHECK(pixels > 0);
}

/// The material file is the scene's own, and so is the texture.
void readScene(const fs::path& file) {
  for (const char* name : {"scene", "texture.png"}) {
    fs::remove(folder() / name);  // MinGW's copy_file() never writes over one
    fs::copy_file(file, folder() / name);
  }
  Progress progress;
  const auto scene = loadScene(file.string(), progress);
  for (const std::uint32_t index : scene->indices) FATHOM_CHECK(index < scene->vertices.size());
}

/// As each kind in turn: one will do.
void readPalettes(const fs::path& file) {
  std::exception_ptr wrong;
  bool right = false;
  for (const char* ending : {".map", ".gpl", ".ggr", ".ugr"}) try {
      for (const flame::NamedPalette& palette :
           flame::parsePaletteFile(readFile(file), file.string() + ending))
        for (const glm::vec4& color : palette.colors)
          for (int c = 0; c < 4; ++c) FATHOM_CHECK(color[c] >= 0 && color[c] <= 1);
      right = true;
    } catch (const Error&) {
      wrong = std::current_exception();
    }
  if (!right) std::rethrow_exception(wrong);
}

void readCuburn(const fs::path& file) {
  if (flame::cuburn::readDocument(file).type == flame::cuburn::DocumentType::Profile)
    flame::cuburn::readProfile(file);
  else
    flame::readCuburn(file);
}

void readSession(const fs::path& file) {
  const Session session = Session::load(file);
  dof::Settings settings;
  session.restore("dof", [&](FieldVisitor& field) { describe(settings, field); });
  session.texts("recent", "files");
  FATHOM_CHECK(!session.json().empty());
}

void readPull(const fs::path& file) {
  dof::looksLikePull(file.string());
  const dof::FocusPull pull = dof::parsePull(file.string());
  const std::vector<int> frames = pull.frames();
  FATHOM_CHECK(std::is_sorted(frames.begin(), frames.end()));
  for (const int frame : frames) FATHOM_CHECK(pull.focusAt(frame).value_or(1) > 0);
}

/// A stream, and every value that it sends.
void readPackets(const fs::path& file) {
  const std::string stream = readFile(file);
  ImagePackets packets;
  try {
    packets.take(std::as_bytes(std::span(stream)), {}, [](const ImagePacket& packet) {
      for (const ImagePacket::Channel& channel : packet.channels)
        for (std::int64_t i = 0; !packet.values.empty() && i < packet.area.area(); ++i)
          packet.value(channel, i);
    });
  } catch (const Error& error) {
    fail("{}: {}", file.string(), error.what());
  }
}

constexpr Reader kReaders[] = {{"bench", [](const fs::path& file) { bench::readBenchFile(file); }},
                               {"cuburn", readCuburn},
                               {"flame", [](const fs::path& file) { flame::readGenomes(file); }},
                               {"glb", readScene},
                               {"gltf", readScene},
                               {"lens",
                                [](const fs::path& file) {
                                  dof::Settings settings;
                                  dof::applyLens(file.string(), settings);
                                }},
                               {"obj", readScene},
                               {"packets", readPackets},
                               {"palettes", readPalettes},
                               {"pictures", readPictures},
                               {"ply", readScene},
                               {"profiles", [](const fs::path& file) { Profile::load(file); }},
                               {"pull", readPull},
                               {"sessions", readSession},
                               {"stl", readScene}};

}  // namespace

std::span<const Reader> readers() { return kReaders; }

bool feed(const Reader& reader, std::string_view bytes) {
  const std::string name = reader.name;
  const bool isScene = reader.read == readScene;
  const fs::path file = folder() / ("fuzz." + (isScene ? name : "json"));
  {
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), std::streamsize(bytes.size()));
  }
  try {
    reader.read(file);
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    FATHOM_CHECK_OP(message.rfind((folder() / "").string(), 0), ==, 0u);
    return false;
  }
}

}  // namespace fathom::fuzz

#ifdef FATHOM_FUZZ_READER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const fathom::fuzz::Reader& reader : fathom::fuzz::readers())
    if (std::string_view(reader.name) == FATHOM_FUZZ_READER)
      fathom::fuzz::feed(reader, {reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
