// SPDX-License-Identifier: BSD-3-Clause
// Headers there and back, in JSON and in bytes; the quantized form, where each field goes in equal
// steps between its extremes after a map that spreads its values evenly; mixtures of other software
// (prior, mean and covariance per component), factored in float64 while they are read.
#include "app/engine/smoe/model/file_format.h"

#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/io/json.h"
#include "app/engine/smoe/model/packed.h"

namespace fathom::smoe {

// ---- Fields

namespace {

using Q = Quantization;

/// Numbers that lie one behind the other in a component and are stored alike.
struct FieldGroup {
  std::vector<std::string> names;
  std::size_t offset;  // of the first
  Map map = Map::Identity;
  int Quantization::*bits = &Q::center;
  std::size_t stride = 4;  // bytes from one to the next
};

void append(std::vector<RecordField>& fields, const std::vector<FieldGroup>& groups) {
  for (const FieldGroup& group : groups)
    for (std::size_t i = 0; i < group.names.size(); ++i)
      fields.push_back({group.names[i], group.offset + group.stride * i,
                        group.offset < offsetof(Component, c), group.map, group.bits});
}

std::vector<RecordField> spatialFields() {
  std::vector<RecordField> fields;
  append(
      fields,
      {{{"cx", "cy"}, offsetof(Component, cx)},
       {{"c"}, offsetof(Component, c), Map::Identity, &Q::c},
       {{"W11"}, offsetof(Component, w11), Map::Log, &Q::w},
       {{"W21"}, offsetof(Component, w21), Map::AsinhRatio, &Q::w},
       {{"W22"}, offsetof(Component, w22), Map::Log, &Q::w},
       {{"muY1", "muY2", "muY3"}, offsetof(Component, color), Map::Identity, &Q::color},
       {{"H11", "H12", "H21", "H22", "H31", "H32"}, offsetof(Component, h), Map::Asinh20, &Q::h}});
  return fields;
}

/// Without the second and the third channel.
std::vector<RecordField> grayFields() {
  std::vector<RecordField> fields = spatialFields();
  std::erase_if(fields, [](const RecordField& field) {
    const std::size_t color = offsetof(Component, color), h = offsetof(Component, h);
    return (field.offset > color && field.offset < h) || field.offset >= h + 8;
  });
  return fields;
}

std::vector<RecordField> videoFields() {
  std::vector<RecordField> fields = spatialFields();
  append(fields, {{{"t"}, offsetof(Component, leadCenter)},
                  {{"Wt"}, offsetof(Component, leadW11), Map::Log, &Q::w},
                  {{"M1", "M2"}, offsetof(Component, m), Map::Identity, &Q::center, 8},
                  {{"Ht1", "Ht2", "Ht3"}, offsetof(Component, leadH), Map::Asinh20, &Q::h, 8}});
  return fields;
}

std::vector<RecordField> lightFieldFields() {
  std::vector<RecordField> fields = spatialFields();
  append(fields, {{{"a1", "a2"}, offsetof(Component, leadCenter)},
                  {{"Wa11"}, offsetof(Component, leadW11), Map::Log, &Q::w},
                  {{"Wa21"}, offsetof(Component, leadW21), Map::AsinhRatio, &Q::w},
                  {{"Wa22"}, offsetof(Component, leadW22), Map::Log, &Q::w},
                  {{"M11", "M12", "M21", "M22"}, offsetof(Component, m)},
                  {{"Ha11", "Ha12", "Ha21", "Ha22", "Ha31", "Ha32"},
                   offsetof(Component, leadH),
                   Map::Asinh20,
                   &Q::h}});
  return fields;
}

}  // namespace

const std::vector<std::string>& mapWords() {
  static const std::vector<std::string> words = {"identity", "log", "asinh-ratio", "asinh-20"};
  return words;
}

const std::vector<RecordField>& fileFields(const Model& model) {
  static const std::vector<RecordField> gray = grayFields();
  if (isGray(model.colorSpace)) return gray;
  return recordFields(model.dims);
}

const std::vector<RecordField>& recordFields(int dims) {
  static const std::vector<RecordField> image = spatialFields(), video = videoFields(),
                                        lightField = lightFieldFields();
  FATHOM_CHECK(dims >= 2 && dims <= 4);
  return dims == 2 ? image : dims == 3 ? video : lightField;
}

std::uint32_t bitsOf(const Component& component, const RecordField& field) {
  std::uint32_t bits;
  std::memcpy(&bits, reinterpret_cast<const std::byte*>(&component) + field.offset, sizeof bits);
  return bits;
}

void setBits(Component& component, const RecordField& field, std::uint32_t bits) {
  std::memcpy(reinterpret_cast<std::byte*>(&component) + field.offset, &bits, sizeof bits);
}

double valueOf(const Component& component, const RecordField& field, const Model& model) {
  const std::uint32_t bits = bitsOf(component, field);
  if (field.fixedPoint) return std::ldexp(double(std::int32_t(bits)), -model.centerFractionBits);
  return double(std::bit_cast<float>(bits));
}

void setValue(Component& component, const RecordField& field, const Model& model, double value) {
  setBits(component, field,
          field.fixedPoint ? std::uint32_t(fixedPoint(value, model.centerFractionBits))
                           : std::bit_cast<std::uint32_t>(float(value)));
}

// ---- Header

namespace {

constexpr std::size_t kPrefix = 12;  // magic and length, or checksum

const std::vector<std::string> kForms = {"record", "gmm"};
const std::vector<std::string> kEncodingWords = {"f32", "q", "f64", "packed"};
const std::vector<std::string> kEntries = {"full", "upper", "selection"};

std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// Gray is of records of one picture.
void expectOneChannelFits(const Header& header, const std::string& name) {
  const ColorSpace space = header.model.colorSpace;
  if (isGray(space) && (header.form != Form::Record || header.model.dims != 2))
    fail("{}: \"colour\": expected \"{}\" of records with 2 dimensions only, found {} in {}", name,
         kColorSpaceWords[std::size_t(space)], header.model.dims, kForms[std::size_t(header.form)]);
  const double peak = header.model.peak;
  if (!(peak > 0 && peak <= kMaxPeak))
    fail("{}: \"peak\": expected a number above 0, up to {}, found {}", name, kMaxPeak, peak);
}

void parseShape(const JsonObject& json, Model& model) {
  model.width = int(json.integer("width", 1, limits::kSide));
  model.height = int(json.integer("height", 1, limits::kSide));
  if (model.dims == 3) model.frames = int(json.integer("frames", 1, limits::kFrames));
  if (model.dims < 4) return;
  const std::vector<std::int64_t> views = json.integers("views", 2, 1, limits::kViews);
  model.views = {int(views[0]), int(views[1])};
  const std::vector<double> origin = json.numbers("viewOrigin", 2);
  model.viewOrigin = {origin[0], origin[1]};
}

StoredField parseField(const JsonObject& json, const RecordField& field, const std::string& name) {
  json.word("name", {field.name});
  json.word("map", {mapWords()[std::size_t(field.map)]});
  StoredField stored;
  stored.bits = int(json.integer("bits", 4, 24));
  stored.min = json.number("min"), stored.max = json.number("max");
  json.expectNoOther();
  if (!(stored.min < stored.max) || !std::isfinite(stored.max - stored.min))
    fail("{}: field {}: expected \"min\" below \"max\", found {} and {}", name, field.name,
         stored.min, stored.max);
  return stored;
}

void parseFields(const JsonObject& json, Header& header, const std::string& name) {
  const std::vector<RecordField>& fields = fileFields(header.model);
  const std::vector<JsonObject> stored = json.objects("fields", fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    header.fields.push_back(parseField(stored[i], fields[i], name));
}

Header parseJson(std::string_view text, const std::string& name) {
  const JsonObject json = JsonObject::parse(text, name);
  Header header;
  json.word("format", {"smoe"});
  json.integer("version", 1, 1);
  header.model.dims = int(json.integer("dims", 2, 4));
  header.form = Form(json.word("form", kForms));
  const bool record = header.form == Form::Record;
  const NumberFormat ofRecords[] = {NumberFormat::F32, NumberFormat::Quantized,
                                    NumberFormat::Packed};
  header.encoding = record ? ofRecords[json.word("encoding", {"f32", "q", "packed"})]
                           : NumberFormat(2 * json.word("encoding", {"f32", "f64"}));
  header.firstPacked = header.encoding == NumberFormat::Packed;
  header.model.colorSpace = ColorSpace(json.word("colour", kColorSpaceWords));
  if (isAsinh(header.model.colorSpace)) header.model.peak = json.number("peak");
  expectOneChannelFits(header, name);

  header.count = std::size_t(json.integer("count", 1, limits::kComponents));
  parseShape(json, header.model);
  header.model.centerFractionBits = record
                                        ? int(json.integer("centreFracBits", 15, 20))
                                        : fractionBitsFor(header.model.width, header.model.height);
  if (!record) header.entries = CovarianceEntries(json.word("covariance", kEntries));
  if (header.encoding == NumberFormat::Quantized) parseFields(json, header, name);
  if (header.firstPacked)
    header.packedBytes = std::size_t(json.integer(
        "payloadBytes", std::int64_t(leastPackedBytes(header.model.dims, header.count)),
        limits::kPayloadBytes));
  if (header.model.dims == 2 && json.has("alphaBytes"))
    header.alphaBytes = std::size_t(json.integer("alphaBytes", 1, limits::kPayloadBytes));
  if (json.has("source")) header.model.source = json.text("source");
  if (json.has("fit")) header.model.fit = json.text("fit");
  if (json.has("psnr")) header.model.psnr = json.number("psnr");
  header.crc = parseChecksum(json, "crc32", name);
  json.expectNoOther();
  return header;
}

std::vector<std::byte> jsonHeader(const Header& header) {
  const Model& model = header.model;
  OrderedJson json{{"format", "smoe"},      {"version", 1},         {"dims", model.dims},
                   {"count", header.count}, {"width", model.width}, {"height", model.height}};
  if (model.dims == 3) json["frames"] = model.frames;
  if (model.dims == 4) {
    json["views"] = {model.views.x, model.views.y};
    json["viewOrigin"] = {model.viewOrigin.x, model.viewOrigin.y};
  }
  json["colour"] = kColorSpaceWords[std::size_t(model.colorSpace)];
  if (isAsinh(model.colorSpace)) json["peak"] = model.peak;
  json["encoding"] = kEncodingWords[std::size_t(header.encoding)];
  json["form"] = kForms[std::size_t(header.form)];
  if (header.form == Form::Record)
    json["centreFracBits"] = model.centerFractionBits;
  else
    json["covariance"] = kEntries[std::size_t(header.entries)];
  const std::vector<RecordField>& fields = fileFields(model);
  for (std::size_t i = 0; i < header.fields.size(); ++i)
    json["fields"].push_back({{"name", fields[i].name},
                              {"bits", header.fields[i].bits},
                              {"min", header.fields[i].min},
                              {"max", header.fields[i].max},
                              {"map", mapWords()[std::size_t(fields[i].map)]}});
  if (header.alphaBytes > 0) json["alphaBytes"] = header.alphaBytes;
  if (!model.source.empty()) json["source"] = model.source;
  if (!model.fit.empty()) json["fit"] = model.fit;
  if (model.psnr > 0 && std::isfinite(model.psnr)) json["psnr"] = model.psnr;
  json["crc32"] = fmt::format("{:08x}", header.crc);

  const std::string text = headerText(json);
  ByteWriter out;
  out.append(std::as_bytes(std::span(kModelMagic, 8)));
  out.put(std::uint32_t(text.size()));
  out.append(std::as_bytes(std::span(text)));
  std::vector<std::byte> bytes = out.bytes();
  bytes.resize(aligned(bytes.size()));
  return bytes;
}

// Of packed models: dims - 2, color space, whether alpha follows, whether the PSNR is known.
constexpr int kColorShift = 2, kAlphaShift = 5, kPsnrShift = 6;
constexpr double kPsnrSteps = 1000;  // per dB

const char* packedMagic(std::size_t components) {
  return components > kPackedBlock ? kBlocksMagic : kPackedMagic;
}

std::vector<std::byte> packedHeader(const Header& header) {
  const Model& model = header.model;
  const bool known = model.psnr > 0 && std::isfinite(model.psnr);
  ByteWriter out;
  out.append(std::as_bytes(std::span(packedMagic(header.count), 8)));
  out.put(header.crc);
  out.put(std::uint8_t((model.dims - 2) | int(model.colorSpace) << kColorShift |
                       int(header.alphaBytes > 0) << kAlphaShift | int(known) << kPsnrShift));
  out.putWhole(std::uint64_t(model.width)), out.putWhole(std::uint64_t(model.height));
  if (model.dims == 3) out.putWhole(std::uint64_t(model.frames));
  if (model.dims == 4)
    for (int k = 0; k < 2; ++k)
      out.putWhole(std::uint64_t(model.views[k])), out.put(model.viewOrigin[k]);
  if (isAsinh(model.colorSpace)) out.put(model.peak);
  out.putWhole(std::uint64_t(model.centerFractionBits));
  out.putWhole(header.count), out.putWhole(header.packedBytes);
  if (header.alphaBytes > 0) out.putWhole(header.alphaBytes);
  if (known) out.putWhole(std::uint64_t(std::llround(model.psnr * kPsnrSteps)));

  return out.bytes();
}

Header parsePacked(ByteReader& in) {
  in.takeBytes(8);
  Header header;
  header.crc = in.take<std::uint32_t>();
  header.encoding = NumberFormat::Packed;
  Model& model = header.model;
  const int kind = int(in.take<std::uint8_t>());
  const int space = kind >> kColorShift & 7;
  model.dims = 2 + (kind & 3);
  if (model.dims > 4 || space >= int(kColorSpaceWords.size()) || kind >> (kPsnrShift + 1) != 0)
    fail("{}: expected 2 to 4 dimensions and a color space below {}, found kind {}", in.name(),
         kColorSpaceWords.size(), kind);
  model.colorSpace = ColorSpace(space);
  model.width = int(in.takeWhole("width", 1, limits::kSide));
  model.height = int(in.takeWhole("height", 1, limits::kSide));
  if (model.dims == 3) model.frames = int(in.takeWhole("frames", 1, limits::kFrames));
  if (model.dims == 4)
    for (int k = 0; k < 2; ++k) {
      model.views[k] = int(in.takeWhole("views", 1, limits::kViews));
      model.viewOrigin[k] = in.take<double>();
    }
  if (isAsinh(model.colorSpace)) model.peak = in.take<double>();
  expectOneChannelFits(header, in.name());
  model.centerFractionBits = int(in.takeWhole("centreFracBits", 15, 20));
  header.count = std::size_t(in.takeWhole("count", 1, limits::kComponents));
  header.packedBytes = std::size_t(in.takeWhole(
      "payload", std::int64_t(leastPackedBytes(model.dims, header.count)), limits::kPayloadBytes));
  if (kind >> kAlphaShift & 1)
    header.alphaBytes = std::size_t(in.takeWhole("alpha", 1, limits::kPayloadBytes));
  if (kind >> kPsnrShift & 1) model.psnr = double(in.takeWhole("psnr", 1, 1'000'000)) / kPsnrSteps;
  return header;
}

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

}  // namespace

std::int64_t ByteReader::takeWhole(const char* key, std::int64_t low, std::int64_t high) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto next = take<std::uint8_t>();
    value |= std::uint64_t(next & 127) << shift;
    if (next < 128) break;
    if (shift == 56) fail("{}: {}: expected at most nine bytes, found more", name_, key);
  }
  if (std::int64_t(value) < low || std::int64_t(value) > high)
    fail("{}: {}: expected an integer from {} to {}, found {}", name_, key, low, high, value);
  return std::int64_t(value);
}

std::span<const std::byte> ByteReader::takeBytes(std::size_t count) {
  if (rest_.size() < count)
    fail("{}: expected {} bytes more, found {}", name_, count, rest_.size());
  const std::span<const std::byte> taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

std::uint32_t parseChecksum(const JsonObject& json, const std::string& key,
                            const std::string& name) {
  const std::string text = json.text(key);
  const auto value = numberIn<std::uint32_t>(text, 16);
  if (text.size() != 8 || !value)
    fail("{}: \"{}\": expected 8 hexadecimal digits, found {} other characters", name, key,
         text.size());
  return *value;
}

std::size_t payloadBytes(const Header& header) {
  const auto dims = std::size_t(header.model.dims);
  if (header.encoding == NumberFormat::Packed) return header.packedBytes;
  if (header.encoding == NumberFormat::Quantized) {
    std::size_t bytes = 0;
    for (const StoredField& field : header.fields) bytes += field.bytes(header.count);
    return bytes;
  }
  // Of a mixture: prior, mean, covariance.
  const std::size_t numbers = header.form == Form::Record
                                  ? fileFields(header.model).size()
                                  : 1 + dims + 3 + entriesOf(int(dims), header.entries).size();
  return header.count * numbers * (header.encoding == NumberFormat::F64 ? 8 : 4);
}

// The largest payload there is: no product above can overflow.
static_assert(limits::kComponents * (1 + 7 + 49) * 8 <= limits::kPayloadBytes);

namespace {

/// The payload in what lies behind a header: the alpha part and the state of a fit may follow it.
std::span<const std::byte> payloadIn(std::span<const std::byte> rest, const Header& header,
                                     const std::string& name) {
  const std::size_t own = payloadBytes(header), expected = own + header.alphaBytes;
  const bool state =
      rest.size() >= expected + 8 && std::memcmp(rest.data() + expected, kStateMagic, 8) == 0;
  if (rest.size() != expected && !state)
    fail("{}: expected {} bytes of payload for {} components{}, found {}", name, expected,
         header.count, header.alphaBytes > 0 ? " and their alpha" : "", rest.size());
  return rest.first(own);
}

}  // namespace

Header parseHeader(std::span<const std::byte> bytes, const std::string& name,
                   std::span<const std::byte>& payload) {
  const auto begins = [&](const char* magic) {
    return bytes.size() >= kPrefix && std::memcmp(bytes.data(), magic, 8) == 0;
  };
  if (begins(kPackedMagic) || begins(kBlocksMagic)) {
    ByteReader in(bytes, name + ": header");
    const Header header = parsePacked(in);
    if (const char* magic = packedMagic(header.count); !begins(magic))
      fail("{}: expected {} before {} packed components, found {}: damaged, or of an older program",
           name, magic, header.count, begins(kPackedMagic) ? kPackedMagic : kBlocksMagic);
    payload = payloadIn(in.rest(), header, name);
    return header;
  }
  if (!begins(kModelMagic))
    fail("{}: expected a .smoe model, found a file of {} bytes that is none", name, bytes.size());
  const auto length = std::size_t(load<std::uint32_t>(bytes.data() + 8));
  if (length < 1 || length > std::size_t(limits::kHeaderBytes))
    fail("{}: expected a header of 1 to {} bytes, found {}", name, limits::kHeaderBytes, length);
  const std::size_t start = aligned(kPrefix + length);
  if (bytes.size() < start)
    fail("{}: expected a header of {} bytes, found {} bytes in all", name, length, bytes.size());

  const char* text = reinterpret_cast<const char*>(bytes.data()) + kPrefix;
  const Header header = parseJson({text, length}, name + ": header");
  if (!std::all_of(text + length, reinterpret_cast<const char*>(bytes.data()) + start,
                   [](char c) { return c == 0; }))
    fail("{}: expected zeros between header and payload, found something else", name);
  payload = payloadIn(bytes.subspan(start), header, name);
  return header;
}

std::vector<std::byte> headerBytes(const Header& header) {
  return header.encoding == NumberFormat::Packed ? packedHeader(header) : jsonHeader(header);
}

std::span<const std::byte> summedUp(std::span<const std::byte> bytes, const Header& header,
                                    std::span<const std::byte> payload, const std::string& name) {
  if (header.encoding != NumberFormat::Packed || header.firstPacked) return payload;
  const std::vector<PackedBlock> blocks =
      packedBlocks(payload, header.model.dims, header.count, name);
  const auto start = std::size_t(payload.data() - bytes.data()) + blocks[0].begin;
  return bytes.first(blocks.size() > 1 ? start : bytes.size()).subspan(kPrefix);
}

std::string encodingName(Encoding encoding) {
  constexpr const char* kNames[kEncodings] = {"f32", "archive", "compact", "packed"};
  return kNames[std::size_t(encoding)];
}

std::string encodingOf(const fs::path& file) {
  const std::string bytes = readFile(file, 2 * limits::kPayloadBytes);
  std::span<const std::byte> payload;
  const Header header = parseHeader(std::as_bytes(std::span(bytes)), file.string(), payload);
  if (header.form == Form::Mixture) return "mixture";
  if (header.encoding != NumberFormat::Quantized)
    return kEncodingWords[std::size_t(header.encoding)];
  const std::vector<RecordField>& fields = fileFields(header.model);
  const auto are = [&](const Quantization& bits) {
    return std::equal(fields.begin(), fields.end(), header.fields.begin(), header.fields.end(),
                      [&](const RecordField& field, const StoredField& stored) {
                        return stored.bits == bits.*field.bits;
                      });
  };
  return are(Quantization::archive())   ? "archive"
         : are(Quantization::compact()) ? "compact"
                                        : "quantized";
}

// ---- Quantized records

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

// ---- Mixtures of other software

namespace {

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
