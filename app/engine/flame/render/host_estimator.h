// SPDX-License-Identifier: BSD-3-Clause
// Density estimation and spatial filter by the processor itself, for devices that are the
// processor: what the passes in shaders/flame/tone do, fast or exactly, but only for buckets that
// hold hits, and with tables where counts are small.
#pragma once

#include "app/engine/flame/render/filters.h"
#include "app/engine/flame/render/histogram.h"

namespace fathom::flame {

/// R G B A in a register.
struct Float4 {
  float v __attribute__((vector_size(16))) = {};
  friend Float4 operator+(Float4 a, Float4 b) { return {a.v + b.v}; }
  friend Float4 operator*(Float4 a, float b) { return {a.v * b}; }
  void operator+=(Float4 b) { v += b.v; }
};

/// A histogram where it lies.
struct HistogramRows {
  HistogramShape shape;
  int rowsPerPart = 0;
  std::vector<const std::uint32_t*> parts;
  const std::uint32_t* at(int row) const {
    return parts[std::size_t(row / rowsPerPart)] +
           std::size_t(row % rowsPerPart) * std::size_t(shape.buckets().x * shape.words());
  }
};

/// Zeros that take memory where they are first written.
class ZeroedSums {
 public:
  explicit ZeroedSums(std::size_t count = 0);
  Float4* data() { return data_.get(); }
  const Float4* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(Float4* data) const { std::free(data); }
  };
  std::unique_ptr<Float4[], Free> data_;
  std::size_t size_ = 0;
};

/// Called between bands: rows of buckets before this one are no longer read.
using RowsRead = std::function<void(int row)>;

/// The filtered picture that the tone map takes, shape.size, in 255ths: the sum of narrow and wide
/// classes, or of all kernels. The same bytes with any number of threads; the passes' values but
/// for rounding.
ZeroedSums estimatedByHost(const HistogramRows& rows, const EstimatorTable& table,
                           const EstimatorClasses& classes, const LogScale& scale,
                           const RowsRead& read = {});

}  // namespace fathom::flame
