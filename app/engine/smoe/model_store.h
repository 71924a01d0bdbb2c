// SPDX-License-Identifier: BSD-3-Clause
// The model that is open, and whether it has been saved. A fit replaces it again and again;
// everybody else compares generations to see that it is another one.
#pragma once

#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/settings.h"

namespace fathom::smoe {

class ModelStore {
 public:
  /// `settings` say in which encoding models are saved.
  explicit ModelStore(const Settings& settings) : settings_(settings) {}

  /// Makes a model current that was read from `names`, or made elsewhere.
  void open(std::shared_ptr<const Model> model, std::vector<std::string> names);
  /// Makes the model of a fit current: it is not saved yet.
  void replace(std::shared_ptr<const Model> model);
  /// A packed file that is better than what save() would make of this model at this loss.
  void offerPacked(std::shared_ptr<const Model> of, double loss,
                   std::shared_ptr<const EncodedModel> saved);
  /// Sets suggestion().
  void suggest(std::string file) { suggestion_ = std::move(file); }

  explicit operator bool() const { return model_ != nullptr; }
  /// Null before the first open().
  const std::shared_ptr<const Model>& current() const { return model_; }
  const Model& operator*() const { return *model_; }
  const Model* operator->() const { return model_.get(); }
  /// Counts models; 0: none yet.
  std::uint64_t generation() const { return generation_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  /// Bytes of the file that the model came from or was saved to; 0: of none.
  std::uint64_t fileBytes() const { return fileBytes_; }
  /// The encoding of that file; empty: there is none.
  const std::string& fileEncoding() const { return fileEncoding_; }
  /// Size of the file that saving would make; 0 for the packed encoding, which must be made to be
  /// known.
  std::size_t bytesAs(Encoding encoding) const;

  /// A path, or a name in the current folder, for the next save.
  const std::string& suggestion() const { return suggestion_; }
  /// The model is of a fit and in no file yet.
  bool unsaved() const { return unsaved_; }
  /// Writes the model in the encoding of the settings. Throws Error.
  void save(const std::string& file);

 private:
  const Settings& settings_;
  std::shared_ptr<const Model> model_;
  std::uint64_t generation_ = 0;
  std::vector<std::string> inputs_;
  std::string suggestion_;
  bool unsaved_ = false;
  struct {
    std::shared_ptr<const Model> of;
    double loss = 0;
    std::shared_ptr<const EncodedModel> saved;
  } packed_;
  std::uint64_t fileBytes_ = 0;
  std::string fileEncoding_;
  mutable struct {
    std::array<std::size_t, kEncodings> bytes{};  // by Encoding
    std::uint64_t generation = 0;
  } sizes_;  // of the current model, when they have been asked for
};

}  // namespace fathom::smoe
