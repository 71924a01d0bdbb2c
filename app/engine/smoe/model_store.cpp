// SPDX-License-Identifier: BSD-3-Clause
// Opening, replacing and saving the current model.
#include "app/engine/smoe/model_store.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/smoe/model/io_header.h"

#include <unistd.h>
#include <filesystem>
#include <string>

namespace fathom::smoe {
namespace {

std::uint64_t modelFileBytes(const std::vector<std::string>& names) {
  std::error_code error;
  if (names.empty() || !isModelFile(names[0])) return 0;
  const std::uintmax_t bytes = std::filesystem::file_size(names[0], error);
  return error ? 0 : bytes;
}

/// Of a file that has just been read.
std::string modelFileEncoding(const std::string& name) {
  try {
    return encodingOf(name);
  } catch (const Error&) {
    return "";
  }
}

struct KeptModel : EditSnapshot {
  std::shared_ptr<const Model> model;
  std::string suggestion;
};

}  // namespace

void ModelStore::open(std::shared_ptr<const Model> model, std::vector<std::string> names) {
  model_ = std::move(model);
  inputs_ = std::move(names);
  ++generation_;
  unsaved_ = false;
  fileBytes_ = modelFileBytes(inputs_);
  fileEncoding_ = fileBytes_ ? modelFileEncoding(inputs_[0]) : "";
  suggestion_ = inputs_.empty()
                    ? "model.smoe"
                    : std::filesystem::path(inputs_[0]).replace_extension(".smoe").string();
}

void ModelStore::replace(std::shared_ptr<const Model> model) {
  model_ = std::move(model);
  ++generation_;
  unsaved_ = true;
  fileBytes_ = 0;
  fileEncoding_.clear();
}

std::size_t ModelStore::bytesAs(Encoding encoding) const {
  if (sizes_.generation != generation_) {
    for (const Encoding each : {Encoding::F32, Encoding::Archive, Encoding::Compact})
      sizes_.bytes[std::size_t(each)] = smoe::fileBytes(*model_, each);
    sizes_.generation = generation_;
  }
  return sizes_.bytes[std::size_t(encoding)];
}

std::optional<TechniqueFile> ModelStore::savable() const {
  if (!model_) return std::nullopt;
  return TechniqueFile{"model", {".smoe"}, suggestion_};
}

std::string ModelStore::content() const {
  if (!model_) return {};
  // Files of models are written by one function only, which writes files.
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("fathom-" + std::to_string(getpid()) + ".smoe");
  smoe::save(file.string(), *model_, Encoding::F32);
  std::string bytes = readFile(file);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return bytes;
}

std::unique_ptr<EditSnapshot> ModelStore::keep() {
  if (!unsaved_) return nullptr;
  auto kept = std::make_unique<KeptModel>();
  kept->model = model_;
  kept->suggestion = suggestion_;
  return kept;
}

void ModelStore::restore(std::unique_ptr<EditSnapshot> kept) {
  auto* const own = dynamic_cast<KeptModel*>(kept.get());
  FATHOM_CHECK(own != nullptr);
  replace(std::move(own->model));
  suggestion_ = std::move(own->suggestion);
}

void ModelStore::offerPacked(std::shared_ptr<const Model> of, double loss,
                             std::shared_ptr<const EncodedModel> saved) {
  packed_ = {std::move(of), loss, std::move(saved)};
}

void ModelStore::save(const std::string& file) {
  const auto loss = double(settings_.packingLoss);
  if (settings_.encoding == Encoding::Packed && packed_.of == model_ && packed_.loss == loss)
    writeEncoded(file, *packed_.saved);
  else
    smoe::save(file, *model_, settings_.encoding, loss);
  unsaved_ = false;
  inputs_ = {file};
  fileBytes_ = modelFileBytes(inputs_);
  fileEncoding_ = encodingName(settings_.encoding);
  suggestion_ = file;
}

}  // namespace fathom::smoe
