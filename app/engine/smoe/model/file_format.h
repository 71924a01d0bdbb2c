// SPDX-License-Identifier: BSD-3-Clause
// The parts of a model file: its header (JSON, or a few bytes of a packed model), the
// numbers of a component in the order in which the payload has them (the one list that reader,
// writer, quantizer and checks go by), and the two payloads that are more than arrays of float32.
// Parsing a header checks everything that can be known without the payload, its size included.
#pragma once

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/smoe/model/file.h"

namespace fathom {
class JsonObject;
}

namespace fathom::smoe {

/// What a value goes through before it is quantized in equal steps.
enum class Map {
  Identity,
  Log,         // W11, W22: positive by construction
  AsinhRatio,  // W21: asinh(W21 / sqrt(W11 W22))
  Asinh20,     // H: asinh(20 H)
};
const std::vector<std::string>& mapWords();  // by Map

struct RecordField {
  std::string name;
  std::size_t offset;  // of 4 bytes in Component: float32, or int32 in fixed point
  bool fixedPoint;
  Map map;
  int Quantization::*bits;
};
/// All of a component: 15 for images, 22 for video, 30 for light fields.
const std::vector<RecordField>& recordFields(int dims);
/// Those that files hold: of a gray image 9, of its color and slopes one channel.
const std::vector<RecordField>& fileFields(const Model& model);

/// The 4 bytes of a field, untouched: moving fixed point through a float register may change it.
std::uint32_t bitsOf(const Component& component, const RecordField& field);
void setBits(Component& component, const RecordField& field, std::uint32_t bits);

/// The value as a number: px for centers.
double valueOf(const Component& component, const RecordField& field, const Model& model);
void setValue(Component& component, const RecordField& field, const Model& model, double value);

/// What files may hold.
namespace limits {
inline constexpr std::int64_t kComponents = 4'194'304, kSide = 16'384, kFrames = 100'000;
inline constexpr std::int64_t kViews = 64;  // along each axis
inline constexpr std::int64_t kHeaderBytes = 1 << 20, kPayloadBytes = std::int64_t(2) << 30;
}  // namespace limits

inline constexpr char kModelMagic[] = "SMOEMDL1";
/// Of packed models of one block, and of several.
inline constexpr char kPackedMagic[] = "SMOEPAC1", kBlocksMagic[] = "SMOEPAC2";
inline constexpr char kStateMagic[] = "SMOEFIT1";  // of what a checkpoint has behind the payload

/// Reads what a ByteWriter has written. Throws Error at the end of the bytes, and where a whole
/// number is out of its range.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string name)
      : rest_(bytes), name_(std::move(name)) {}
  template <class T>
  T take() {
    return load<T>(takeBytes(sizeof(T)).data());
  }
  std::int64_t takeWhole(const char* key, std::int64_t low, std::int64_t high);
  std::span<const std::byte> takeBytes(std::size_t count);
  std::span<const std::byte> rest() const { return rest_; }
  const std::string& name() const { return name_; }

 private:
  std::span<const std::byte> rest_;
  std::string name_;
};

enum class Form { Record, Mixture };
enum class NumberFormat { F32, Quantized, F64, Packed };
/// Which entries of a mixture's covariance the file has: all, those of the upper triangle, or what
/// the paper counts as 18 and 33 parameters: R_XX's upper triangle, R_YX, R_YY's diagonal.
enum class CovarianceEntries { Full, Upper, Selection };

/// How a field is stored in the quantized form: code / (2^bits - 1) of the way from min to max.
struct StoredField {
  int bits = 16;
  double min = 0, max = 1;  // after the map

  std::uint32_t largestCode() const { return (std::uint32_t(1) << bits) - 1; }
  /// Codes lie one behind the other, lowest bit first; each field begins with a byte of its own.
  std::size_t bytes(std::size_t count) const { return (count * std::size_t(bits) + 7) / 8; }
};

struct Header {
  Model model;  // without components
  std::size_t count = 0;
  Form form = Form::Record;
  NumberFormat encoding = NumberFormat::F32;
  CovarianceEntries entries = CovarianceEntries::Full;  // of a mixture
  std::vector<StoredField> fields;                      // of the quantized form
  std::size_t packedBytes = 0;                          // of the packed form
  bool firstPacked = false;                             // as Fathom 0.1.0 wrote it
  std::size_t alphaBytes = 0;                           // of the alpha part behind the payload
  std::uint32_t crc = 0;                                // of what summedUp() gives
};

/// Never more than limits::kPayloadBytes for a header that was parsed.
std::size_t payloadBytes(const Header& header);

/// Throws Error; `payload` is the rest of the bytes, of exactly the size that the header implies,
/// without the alpha part and the state of a fit behind it. Checksums are not looked at.
Header parseHeader(std::span<const std::byte> bytes, const std::string& name,
                   std::span<const std::byte>& payload);
/// Eight digits, so that a header's length does not depend on what they sum up. Throws Error.
std::uint32_t parseChecksum(const JsonObject& json, const std::string& key,
                            const std::string& name);
/// As settings, and `fathom info` of a file, call it.
std::string encodingName(Encoding encoding);
/// The encoding of a file that readModel() takes; of other software's also "quantized", "mixture".
std::string encodingOf(const fs::path& file);
/// Ready to be written before payload and alpha part.
std::vector<std::byte> headerBytes(const Header& header);
/// What a file's checksum is of: the payload; of a packed file all behind the checksum, without
/// blocks that have their own. Throws Error.
std::span<const std::byte> summedUp(std::span<const std::byte> bytes, const Header& header,
                                    std::span<const std::byte> payload, const std::string& name);

/// Extremes of the model's fields, and the bits for each.
std::vector<StoredField> storedFieldsOf(const Model& model, const Quantization& bits);

/// All codes, field by field.
std::vector<std::byte> quantize(const Model& model, const std::vector<StoredField>& fields);
/// Codes back into `model`, whose components are sized already. Throws Error when bits after the
/// last code are set.
void dequantize(std::span<const std::byte> payload, const std::vector<StoredField>& fields,
                Model& model, const std::string& name, Progress& progress);

/// Fills the model's components, which are sized already. Throws Error naming component and number.
void readMixture(std::span<const std::byte> payload, const Header& header, Model& model,
                 const std::string& name, Progress& progress);

}  // namespace fathom::smoe
