// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/smoe/io_quantize.h"

#include "app/core/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::smoe {
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
  for (const RecordField& field : recordFields(model.dims)) {
    StoredField stored{bits.*field.bits, std::numeric_limits<double>::max(),
                       std::numeric_limits<double>::lowest()};
    FATHOM_CHECK(stored.bits >= 4 && stored.bits <= 24);
    for (const Component& component : model.components) {
      const double value = mapped(component, field, model);
      stored.min = std::min(stored.min, value), stored.max = std::max(stored.max, value);
    }
    // One value only: its code is 0, and any length of the range does.
    if (!(stored.min < stored.max)) stored.max = stored.min + 1;
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
      const double value = mapped(component, recordFields(model.dims)[i], model);
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
  const std::vector<RecordField>& places = recordFields(model.dims);
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
  // W21 is stored relative to W11 and W22, which stand on both sides of it.
  for (const bool ratios : {false, true}) {
    const std::byte* at = payload.data();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if ((places[i].map == Map::AsinhRatio) == ratios) decode(i, at);
      at += fields[i].bytes(count);
    }
  }
}

}  // namespace fathom::smoe
