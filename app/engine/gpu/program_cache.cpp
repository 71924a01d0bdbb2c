// SPDX-License-Identifier: BSD-3-Clause
// A file: a line that names its kind and the hash of all that follows, the driver's format, the
// program. Written beside and renamed, so that nobody reads half of one.
#include "app/engine/gpu/program_cache.h"

#include "app/engine/gpu/gl.h"
#include "app/system/machine.h"
#include "app/system/process.h"

namespace fathom::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramMagic = "fathom program 1 ";
constexpr std::uintmax_t kMaxProgramBytes = std::uintmax_t(64) << 20;
constexpr int kSavesPerPrune = 32;

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
std::uint64_t hashOf(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

constexpr std::uint64_t kHashStart = 0xCBF29CE484222325u, kOtherStart = 0x9AE16A3B2F90404Fu;

std::string bothHashes(std::string_view text) {
  return fmt::format("{:016x}{:016x}", hashOf(text, kHashStart), hashOf(text, kOtherStart));
}

std::string readAll(const fs::path& path) {
  std::error_code missing;
  const std::uintmax_t bytes = fs::file_size(path, missing);
  if (missing || bytes > kMaxProgramBytes) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

ProgramCache::ProgramCache(fs::path folder, std::string driver) : driver_(std::move(driver)) {
  GLint formats = 0;
  glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
  if (formats > 0) folder_ = std::move(folder);
}

fs::path ProgramCache::defaultFolder() {
  if (const char* own = std::getenv("FATHOM_PROGRAM_CACHE"); own && *own) return own;
  const fs::path cache = system::cacheFolder();
  return cache.empty() ? cache : cache / "programs";
}

std::string ProgramCache::keyOf(const std::vector<std::string>& texts) const {
  std::string all = driver_;
  for (const std::string& text : texts) all += fmt::format("\n{}\n", text.size()) + text;
  return bothHashes(all);
}

fs::path ProgramCache::fileOf(const std::string& key) const { return folder_ / (key + ".program"); }

bool ProgramCache::load(GlId program, const std::string& key) const {
  if (folder_.empty()) return false;
  const std::string file = readAll(fileOf(key));
  constexpr std::size_t kHashes = 32, kStart = kProgramMagic.size() + kHashes + 1;
  if (file.size() <= kStart + sizeof(GLenum) || !file.starts_with(kProgramMagic)) return false;
  const std::string_view body = std::string_view(file).substr(kStart);
  if (file.compare(kProgramMagic.size(), kHashes, bothHashes(body)) != 0) return false;
  GLenum format = 0;
  std::memcpy(&format, body.data(), sizeof format);
  GLint count = 0;
  glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &count);
  std::vector<GLint> formats(std::size_t(std::max(0, count)));
  if (count > 0) glGetIntegerv(GL_PROGRAM_BINARY_FORMATS, formats.data());
  if (std::find(formats.begin(), formats.end(), GLint(format)) == formats.end()) return false;
  glProgramBinary(program, format, body.data() + sizeof format,
                  GLsizei(body.size() - sizeof format));
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  return linked != 0;
}

void ProgramCache::expectSave(GlId program) const {
  if (!folder_.empty()) glProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
}

void ProgramCache::save(GlId program, const std::string& key) {
  if (folder_.empty()) return;
  GLint bytes = 0;
  glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &bytes);
  if (bytes <= 0) return;
  std::string body(sizeof(GLenum) + std::size_t(bytes), '\0');
  GLenum format = 0;
  GLsizei written = 0;
  glGetProgramBinary(program, bytes, &written, &format, body.data() + sizeof format);
  std::memcpy(body.data(), &format, sizeof format);
  body.resize(sizeof format + std::size_t(written));
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const fs::path beside = folder_ / fmt::format("{}.{}.new", key, system::processId());
  {
    std::ofstream out(beside, std::ios::binary);
    out << kProgramMagic << bothHashes(body) << '\n' << body;
    if (!out.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed) fs::rename(beside, fileOf(key), failed);
  if (failed) fs::remove(beside, failed);
  if (saves_++ % kSavesPerPrune == 0) prune();
}

void ProgramCache::prune() const {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder_, ignored), end; !ignored && at != end;
       at.increment(ignored))
    files.emplace_back(at->last_write_time(ignored), at->path());
  if (files.size() <= kMaxFiles) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + kMaxFiles < files.size(); ++i) fs::remove(files[i].second, ignored);
}

}  // namespace fathom::gpu
