// SPDX-License-Identifier: BSD-3-Clause
// OpenEXR's classes write into an AtomicFile; what they throw becomes an Error.
#pragma once

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"

#include <ImfIO.h>

#include <cstdint>
#include <filesystem>
#include <span>

namespace fathom {

class ExrStream : public Imf::OStream {
 public:
  explicit ExrStream(AtomicFile& file) : Imf::OStream(file.target().c_str()), file_(file) {}
  void write(const char bytes[], int count) override {
    file_.writeAt(position_, std::as_bytes(std::span(bytes, std::size_t(count))));
    position_ += std::uint64_t(count);
  }
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

 private:
  AtomicFile& file_;
  std::uint64_t position_ = 0;
};

/// Runs what calls OpenEXR's classes.
template <class Work>
void writingExr(const std::filesystem::path& path, const Work& work) {
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    fail("{}: expected to write an EXR, found: {}", path.string(), error.what());
  }
}

}  // namespace fathom
