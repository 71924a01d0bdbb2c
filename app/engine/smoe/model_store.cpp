// SPDX-License-Identifier: BSD-3-Clause
// Opening, replacing and saving the current model.
#include "app/engine/smoe/model_store.h"

#include "app/engine/core/error.h"
#include "app/engine/smoe/model/file_format.h"

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
