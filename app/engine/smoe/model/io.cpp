// SPDX-License-Identifier: BSD-3-Clause
// Whole files: header and payload together, checksum, and the encodings that are offered.
#include "app/engine/smoe/model/io.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/checksum.h"
#include "app/engine/smoe/model/io_header.h"
#include "app/engine/smoe/model/io_payload.h"
#include "app/engine/smoe/model/packed.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

namespace fathom::smoe {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "model files are little-endian");

Header headerOf(const Model& model) {
  Header header;
  header.model = model;
  header.model.components.clear();
  header.count = model.components.size();
  return header;
}

Header headerOf(const Model& model, const Quantization& bits) {
  Header header = headerOf(model);
  header.encoding = NumberFormat::Quantized;
  header.fields = storedFieldsOf(model, bits);
  return header;
}

/// float32 records as arrays, field by field.
std::vector<std::byte> arraysOf(const Model& model) {
  const std::vector<RecordField>& fields = fileFields(model);
  std::vector<std::byte> payload(4 * fields.size() * model.components.size());
  std::byte* at = payload.data();
  for (const RecordField& field : fields)
    for (const Component& component : model.components) {
      store(at, bitsOf(component, field));
      at += 4;
    }
  return payload;
}

void readArrays(std::span<const std::byte> payload, Model& model, Progress& progress) {
  const std::byte* at = payload.data();
  const std::vector<RecordField>& fields = fileFields(model);
  for (const RecordField& field : fields) {
    for (Component& component : model.components) {
      setBits(component, field, load<std::uint32_t>(at));
      at += 4;
    }
    progress.advance(double(model.components.size()) / double(fields.size()));
  }
}

Quantization quantizationOf(Encoding encoding) {
  return encoding == Encoding::Compact ? Quantization::compact() : Quantization::archive();
}

/// Header and payload, then the alpha part, which is a file of its own.
std::vector<std::byte> assembled(Header header, std::span<const std::byte> payload,
                                 std::span<const std::byte> alpha, const std::string& name) {
  header.alphaBytes = alpha.size();
  header.crc = crc32(payload);
  const std::string text = headerText(header);
  if (text.size() > std::size_t(limits::kHeaderBytes))
    fail("{}: expected a header of at most {} bytes, found {}: \"source\" or \"fit\" is too long",
         name, limits::kHeaderBytes, text.size());
  const auto head = std::as_bytes(std::span(text));
  std::vector<std::byte> bytes(head.begin(), head.end());
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  bytes.insert(bytes.end(), alpha.begin(), alpha.end());
  return bytes;
}

std::string alphaName(const std::string& name) { return name + ": alpha"; }

/// In float32 where `bits` is null.
EncodedModel encodeArrays(const Model& model, const Quantization* bits, const std::string& name) {
  EncodedModel alpha;
  if (model.alpha) alpha = encodeArrays(*model.alpha, bits, alphaName(name));
  const Header header = bits ? headerOf(model, *bits) : headerOf(model);
  const std::vector<std::byte> payload = bits ? quantize(model, header.fields) : arraysOf(model);
  return {assembled(header, payload, alpha.bytes, name), bits ? quantized(model, *bits) : model};
}

std::size_t arrayBytes(const Model& model, const Quantization* bits) {
  Header header = bits ? headerOf(model, *bits) : headerOf(model);
  if (model.alpha) header.alphaBytes = arrayBytes(*model.alpha, bits);
  return headerText(header).size() + payloadBytes(header) + header.alphaBytes;
}

/// A part that holds one gray image and nothing else.
std::shared_ptr<const Model> readAlpha(std::span<const std::byte> part, const std::string& name,
                                       Progress& progress) {
  std::span<const std::byte> payload;
  if (parseHeader(part, name, payload).alphaBytes > 0)
    fail("{}: expected no alpha of its own, found some", name);
  if (payload.data() + payload.size() != part.data() + part.size())
    fail("{}: expected nothing behind the components, found the state of a fit", name);
  return std::make_shared<const Model>(readModel(part, name, progress));
}

void write(const fs::path& file, std::span<const std::byte> bytes) {
  AtomicFile out(file);
  out.append(bytes);
  out.commit();
}

}  // namespace

bool isModelFile(const fs::path& file) {
  char start[8]{};
  std::ifstream in(file, std::ios::binary);
  return in.read(start, 8) && std::memcmp(start, kModelMagic, 8) == 0;
}

Model readModel(const fs::path& file, Progress& progress) {
  const std::string bytes = readFile(file, 2 * limits::kPayloadBytes);
  return readModel(std::as_bytes(std::span(bytes)), file.string(), progress);
}

Model readModel(std::span<const std::byte> bytes, const std::string& name, Progress& progress) {
  std::span<const std::byte> payload;
  const Header header = parseHeader(bytes, name, payload);
  if (const std::uint32_t crc = crc32(payload); crc != header.crc)
    fail("{}: expected a payload with CRC {:08x}, found {:08x}: it is damaged", name, header.crc,
         crc);
  Model model = header.model;
  model.components.resize(header.count);
  progress.begin("reading", double(header.count));
  if (header.form == Form::Mixture)
    readMixture(payload, header, model, name, progress);
  else if (header.encoding == NumberFormat::Packed)
    unpack(payload, model, name, progress);
  else if (header.encoding == NumberFormat::Quantized)
    dequantize(payload, header.fields, model, name, progress);
  else
    readArrays(payload, model, progress);
  if (model.colorSpace == ColorSpace::Gray) model = asGray(std::move(model));
  if (header.alphaBytes > 0)
    model.alpha =
        readAlpha({payload.data() + payload.size(), header.alphaBytes}, alphaName(name), progress);
  validate(model, name);
  return model;
}

std::span<const std::byte> behindModel(std::span<const std::byte> bytes, const std::string& name) {
  std::span<const std::byte> payload;
  const Header header = parseHeader(bytes, name, payload);
  const auto used = std::size_t(payload.data() + payload.size() - bytes.data());
  return bytes.subspan(used + header.alphaBytes);
}

void writeModel(const fs::path& file, const Model& model) {
  validate(model, file.string());
  write(file, encodeArrays(model, nullptr, file.string()).bytes);
}

void writeModel(const fs::path& file, const Model& model, const Quantization& bits) {
  validate(model, file.string());
  write(file, encodeArrays(model, &bits, file.string()).bytes);
}

Model quantized(const Model& model, const Quantization& bits) {
  const std::vector<StoredField> fields = storedFieldsOf(model, bits);
  Model result = model;
  Progress progress;
  dequantize(quantize(model, fields), fields, result, "quantized", progress);
  if (model.colorSpace == ColorSpace::Gray) result = asGray(std::move(result));
  if (model.alpha) result.alpha = std::make_shared<const Model>(quantized(*model.alpha, bits));
  return result;
}

std::size_t fileBytes(const Model& model) { return arrayBytes(model, nullptr); }

std::size_t fileBytes(const Model& model, const Quantization& bits) {
  return arrayBytes(model, &bits);
}

std::size_t fileBytes(const Model& model, Encoding encoding) {
  FATHOM_CHECK(encoding != Encoding::Packed);
  return encoding == Encoding::F32 ? fileBytes(model) : fileBytes(model, quantizationOf(encoding));
}

EncodedModel encode(const Model& model, Encoding encoding, double loss, const std::string& name) {
  validate(model, name);
  if (encoding == Encoding::Packed) return encodePacked(Packer(model), loss, name);
  const Quantization bits = quantizationOf(encoding);
  return encodeArrays(model, encoding == Encoding::F32 ? nullptr : &bits, name);
}

EncodedModel encodePacked(const Packer& packer, double loss, const std::string& name,
                          const Refitter& refit) {
  EncodedModel alpha;
  if (packer.alpha()) alpha = encodePacked(*packer.alpha(), loss, alphaName(name), refit);
  // Rounding may carry a value over a limit: one that suits the picture where the picture says
  // nothing of it (a flat one), others that were close to it. Then numbers are rounded by
  // themselves, and then with finer steps.
  for (int tries = 0;; ++tries) {
    if (tries > 1) loss /= 16;
    Header header = headerOf(packer.model());
    header.encoding = NumberFormat::Packed;
    const std::vector<std::byte> payload = packer.pack(loss, tries == 0 ? refit : Refitter{});
    header.packedBytes = payload.size();
    EncodedModel result{assembled(header, payload, alpha.bytes, name), packer.model()};
    Progress progress;
    unpack(payload, result.model, name, progress);
    if (result.model.colorSpace == ColorSpace::Gray) result.model = asGray(std::move(result.model));
    if (packer.alpha()) result.model.alpha = std::make_shared<const Model>(alpha.model);
    try {
      validate(result.model, name);
      return result;
    } catch (const Error&) {
      if (tries == 3) throw;
    }
  }
}

void writeEncoded(const fs::path& file, const EncodedModel& encoded) { write(file, encoded.bytes); }

void save(const std::string& file, const Model& model, Encoding encoding, double loss) {
  write(file, encode(model, encoding, loss, file).bytes);
}

}  // namespace fathom::smoe
