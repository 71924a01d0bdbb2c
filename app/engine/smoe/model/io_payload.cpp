// SPDX-License-Identifier: BSD-3-Clause
// Bit packing of quantized fields, and reading mixtures with every check on their numbers.
#include "app/engine/smoe/model/io_payload.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace fathom::smoe {

// Quantized records
// -------------------------------------------------------------------------------------------------

namespace {

/// sqrt(W11 W22) of the factor that a field W21 or Wa21 belongs to.
double ratioBase(const Component& component, const RecordField& field) {
  return field.offset == offsetof(Component, w21)
             ? std::sqrt(double(component.w11) * double(component.w22))
             : std::sqrt(double(component.leadW11) * double(component.leadW22));
}

double mapped(const Component& component, const RecordField& field, const Model& model) {
  const double value = valueOf(component, field, model);
  switch (field.map) {
    case Map::Identity:
      return value;
    case Map::Log:
      return std::log(value);
    case Map::AsinhRatio:
      return std::asinh(value / ratioBase(component, field));
    case Map::Asinh20:
      break;
  }
  return std::asinh(20 * value);
}

double unmapped(double value, const Component& component, const RecordField& field) {
  switch (field.map) {
    case Map::Identity:
      return value;
    case Map::Log:
      return std::exp(value);
    case Map::AsinhRatio:
      return std::sinh(value) * ratioBase(component, field);
    case Map::Asinh20:
      break;
  }
  return std::sinh(value) / 20;
}

/// Codes of up to 24 bits, lowest bit first.
class BitWriter {
 public:
  explicit BitWriter(std::byte* at) : at_(at) {}
  void put(std::uint32_t code, int bits) {
    pending_ |= std::uint64_t(code) << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, pending_ >>= 8) *at_++ = std::byte(pending_);
  }
  void finish() {
    if (count_ > 0) *at_++ = std::byte(pending_);
  }

 private:
  std::byte* at_;
  std::uint64_t pending_ = 0;
  int count_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const std::byte* at) : at_(at) {}
  std::uint32_t take(int bits) {
    for (; count_ < bits; count_ += 8) pending_ |= std::uint64_t(*at_++) << count_;
    const auto code = std::uint32_t(pending_ & ((std::uint64_t(1) << bits) - 1));
    pending_ >>= bits;
    count_ -= bits;
    return code;
  }
  bool restIsZero() const { return pending_ == 0; }

 private:
  const std::byte* at_;
  std::uint64_t pending_ = 0;
  int count_ = 0;
};

}  // namespace

std::vector<StoredField> storedFieldsOf(const Model& model, const Quantization& bits) {
  std::vector<StoredField> result;
  for (const RecordField& field : fileFields(model)) {
    StoredField stored{bits.*field.bits, std::numeric_limits<double>::max(),
                       std::numeric_limits<double>::lowest()};
    FATHOM_CHECK(stored.bits >= 4 && stored.bits <= 24);
    for (const Component& component : model.components) {
      const double value = mapped(component, field, model);
      stored.min = std::min(stored.min, value), stored.max = std::max(stored.max, value);
    }
    // One value only: its code is 0, and any length of the range does that is not lost beside it.
    if (!(stored.min < stored.max)) stored.max = stored.min + std::max(1.0, std::abs(stored.min));
    result.push_back(stored);
  }
  return result;
}

std::vector<std::byte> quantize(const Model& model, const std::vector<StoredField>& fields) {
  const std::size_t count = model.components.size();
  std::size_t total = 0;
  for (const StoredField& stored : fields) total += stored.bytes(count);
  std::vector<std::byte> payload(total);
  std::byte* at = payload.data();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const StoredField& stored = fields[i];
    const double steps = stored.largestCode() / (stored.max - stored.min);
    BitWriter writer(at);
    for (const Component& component : model.components) {
      const double value = mapped(component, fileFields(model)[i], model);
      const double code = std::nearbyint((value - stored.min) * steps);
      writer.put(std::uint32_t(std::clamp(code, 0.0, double(stored.largestCode()))), stored.bits);
    }
    writer.finish();
    at += stored.bytes(count);
  }
  return payload;
}

void dequantize(std::span<const std::byte> payload, const std::vector<StoredField>& fields,
                Model& model, const std::string& name, Progress& progress) {
  const std::size_t count = model.components.size();
  const std::vector<RecordField>& places = fileFields(model);
  const auto decode = [&](std::size_t i, const std::byte* at) {
    const StoredField& stored = fields[i];
    const double step = (stored.max - stored.min) / stored.largestCode();
    BitReader reader(at);
    for (Component& component : model.components) {
      const double value = stored.min + step * reader.take(stored.bits);
      setValue(component, places[i], model, unmapped(value, component, places[i]));
    }
    if (!reader.restIsZero())
      fail("{}: field {}: expected zeros after the last code, found something else", name,
           places[i].name);
    progress.advance(double(count) / double(fields.size()));
  };
  // W21 is stored relative to W11 and W22, which come before and after it.
  for (const bool ratios : {false, true}) {
    const std::byte* at = payload.data();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if ((places[i].map == Map::AsinhRatio) == ratios) decode(i, at);
      at += fields[i].bytes(count);
    }
  }
}

// Mixtures of other software
// -------------------------------------------------------------------------------------------------

namespace {

/// Row and column of each covariance entry of the file, in its order.
std::vector<std::pair<int, int>> entriesOf(int dims, CovarianceEntries entries) {
  const int p = dims, n = p + 3;
  std::vector<std::pair<int, int>> list;
  if (entries == CovarianceEntries::Selection) {
    for (int i = 0; i < p; ++i)
      for (int j = i; j < p; ++j) list.emplace_back(i, j);
    for (int i = p; i < n; ++i)
      for (int j = 0; j < p; ++j) list.emplace_back(i, j);
    for (int i = p; i < n; ++i) list.emplace_back(i, i);
    return list;
  }
  for (int i = 0; i < n; ++i)
    for (int j = entries == CovarianceEntries::Full ? 0 : i; j < n; ++j) list.emplace_back(i, j);
  return list;
}

/// The payload as arrays of `count` numbers each: prior, means, covariance entries.
class Arrays {
 public:
  Arrays(std::span<const std::byte> payload, const Header& header)
      : at_(payload.data()), count_(header.count), wide_(header.encoding == NumberFormat::F64) {}
  double operator()(std::size_t array, std::size_t component) const {
    const std::size_t i = array * count_ + component;
    return wide_ ? load<double>(at_ + 8 * i) : double(load<float>(at_ + 4 * i));
  }

 private:
  const std::byte* at_;
  std::size_t count_;
  bool wide_;
};

std::string nameOf(std::size_t array, int dims, const std::vector<std::pair<int, int>>& entries) {
  if (array == 0) return "pi";
  const std::size_t n = std::size_t(dims) + 3;
  if (array <= n) return fmt::format("mean[{}]", array - 1);
  const auto [i, j] = entries[array - 1 - n];
  return fmt::format("covariance[{}][{}]", i, j);
}

void expectSymmetric(const Gaussian& g, int n, const std::string& what) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double a = g.covariance[i][j], b = g.covariance[j][i];
      const double scale = std::sqrt(std::abs(g.covariance[i][i] * g.covariance[j][j]));
      if (!(std::abs(a - b) <= 1e-6 * scale))
        fail("{}: covariance[{}][{}]: expected its mirror {}, found {}", what, i, j, b, a);
    }
}

}  // namespace

void readMixture(std::span<const std::byte> payload, const Header& header, Model& model,
                 const std::string& name, Progress& progress) {
  const int p = model.dims, n = p + 3;
  const Arrays arrays(payload, header);
  const std::vector<std::pair<int, int>> entries = entriesOf(p, header.entries);
  const std::size_t first = 1 + std::size_t(n);  // array of the first covariance entry

  double total = 0;
  for (std::size_t k = 0; k < header.count; ++k) {
    const double prior = arrays(0, k);
    if (!(prior > 0))
      fail("{}: component {}: pi: expected a positive number, found {}", name, k, prior);
    total += prior;
  }
  if (!(std::abs(total - 1) <= 1e-3))
    fail("{}: pi: expected a sum of 1 (to 0.001), found {}", name, total);

  for (std::size_t k = 0; k < header.count; ++k) {
    const std::string what = fmt::format("{}: component {}", name, k);
    for (std::size_t array = 0; array < first + entries.size(); ++array)
      if (!std::isfinite(arrays(array, k)))
        fail("{}: {}: expected a finite number, found {}", what, nameOf(array, p, entries),
             arrays(array, k));
    Gaussian g;
    g.prior = arrays(0, k) / total;
    for (int i = 0; i < n; ++i) g.mean[i] = arrays(1 + std::size_t(i), k);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto [row, column] = entries[i];
      g.covariance[row][column] = arrays(first + i, k);
      if (header.entries != CovarianceEntries::Full)
        g.covariance[column][row] = g.covariance[row][column];
    }
    expectSymmetric(g, n, what);
    model.components[k] = rounded(whiten(g, p, what), model);
    if (k % 4096 == 0) progress.advance(double(std::min<std::size_t>(4096, header.count - k)));
  }
}

}  // namespace fathom::smoe
