// SPDX-License-Identifier: BSD-3-Clause
// Opening, replacing and saving the current model.
#include "app/techniques/smoe/window/model_store.h"

#include <filesystem>

namespace fathom::smoe {

void ModelStore::open(std::shared_ptr<const Model> model, std::vector<std::string> names) {
  model_ = std::move(model);
  inputs_ = std::move(names);
  ++generation_;
  unsaved_ = false;
  suggestion_ = inputs_.empty()
                    ? "model.smoe"
                    : std::filesystem::path(inputs_[0]).replace_extension(".smoe").string();
}

void ModelStore::replace(std::shared_ptr<const Model> model) {
  model_ = std::move(model);
  ++generation_;
  unsaved_ = true;
}

std::size_t ModelStore::bytesAs(Encoding encoding) const {
  if (sizes_.generation != generation_) {
    for (const Encoding each : {Encoding::F32, Encoding::Archive, Encoding::Compact})
      sizes_.bytes[std::size_t(each)] = savedBytes(*model_, each);
    sizes_.generation = generation_;
  }
  return sizes_.bytes[std::size_t(encoding)];
}

std::optional<TechniqueFile> ModelStore::savable() const {
  if (!model_) return std::nullopt;
  return TechniqueFile{"model", {".smoe"}, suggestion_};
}

void ModelStore::save(const std::string& file) {
  smoe::save(file, *model_, settings_.encoding);
  unsaved_ = false;
  inputs_ = {file};
  suggestion_ = file;
}

}  // namespace fathom::smoe
