// SPDX-License-Identifier: BSD-3-Clause
// Model files: ".smoe" version 1, in float32 or quantized, and mixtures from other software. All
// checks come before any allocation that a file could inflate; nothing is repaired silently.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

/// How many bits each field of the quantized form takes, 4..24.
struct Quantization {
  int center = 16, w = 16, c = 16, color = 16, h = 16;
  static Quantization archive() { return {}; }
  static Quantization compact() { return {14, 12, 12, 12, 12}; }
};

/// The ways of saving that settings and the fit page offer.
enum class Encoding { F32, Archive, Compact, Packed };
inline constexpr int kEncodings = 4;
inline constexpr int kMaxComponents = 1'000'000;  // of a fit

/// dB that the packed encoding may cost, unless told.
inline constexpr double kPackingLoss = 0.2;

/// True when the file begins as a model does.
bool isModelFile(const fs::path& file);

/// Runs on any thread. Throws Error: FILE: what was expected, what was found, naming the field and
/// the index of the component.
Model readModel(const fs::path& file, Progress& progress);
/// From the bytes of a file; `name` is used in messages.
Model readModel(std::span<const std::byte> bytes, const std::string& name, Progress& progress);

/// A part of a packed image of several blocks: the components that can weigh e^-tau of another one
/// somewhere in a window, found without reading the blocks that have none. `windowOf` is asked with
/// a model that has no components yet. None: no such window or file, which is then read as a whole.
/// Throws Error.
using PartWindow = std::function<std::optional<ViewWindow>(const Model& frame)>;
std::optional<Model> readPart(const fs::path& file, const PartWindow& windowOf, double tau);

/// What lies behind a model that readModel() takes: the state of its fit (fit/checkpoint.h), or
/// nothing.
std::span<const std::byte> behindModel(std::span<const std::byte> bytes, const std::string& name);

/// What saving in this encoding would take; not for the packed one, whose size is only known when
/// it has been made.
std::size_t fileBytes(const Model& model, Encoding encoding);

/// A model in the bytes of a file, and what reading them back gives. `loss` in dB is what the
/// packed encoding may cost; the others have their own. What rounds numbers leaves the PSNR out,
/// which is known once the file was decoded (statePsnr()), and the packed one where they came from.
/// Throws Error when a value is none that a file can hold; `name` is used in messages.
struct EncodedModel {
  std::vector<std::byte> bytes;
  Model model;
};
EncodedModel encode(const Model& model, Encoding encoding, double loss = kPackingLoss,
                    const std::string& name = "model");
/// Records as arrays, quantized to so many bits, or in float32 where `bits` is null. Values are not
/// checked.
EncodedModel encodeArrays(const Model& model, const Quantization* bits, const std::string& name);
/// Puts into the headers what decoding the file has come to, in dB; 0: unknown. Each header grows
/// by kStatedBytes at most.
void statePsnr(EncodedModel& file, double psnr, double alphaPsnr, const std::string& name);
inline constexpr int kStatedBytes = 16;
/// Writes the file in this encoding; throws Error.
void save(const std::string& file, const Model& model, Encoding encoding,
          double loss = kPackingLoss);

/// Every rule about values (finite, sigma, condition, colors, ...); throws Error.
void validate(const Model& model, const std::string& name);
/// Of these only what keeps arithmetic sound: shape, finite, positive where there is a root. A fit
/// that is still descending holds to no more than that.
void validateNumbers(const Model& model, const std::string& name);

}  // namespace fathom::smoe
