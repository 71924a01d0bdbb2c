// SPDX-License-Identifier: BSD-3-Clause
// A session file: settings by section, as JSON.
//
//   { "fathom": "0.1.0", "deep": {"layout": "bia", "block-size": 4}, "window": {"width": 1600} }
//
// Settings travel through their fields, so a session knows nothing that `--set` does not.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom {

class Session {
 public:
  Session();
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// Throws Error when the file cannot be read or is no JSON object.
  static Session load(const fs::path& file);
  /// The same; an empty one where there is no file, or a damaged one, which is warned of.
  static Session kept(const fs::path& file);
  /// The same from text; `name` stands in messages.
  static Session parse(const std::string& text, const std::string& name);
  /// Written beside and renamed; the folder is made when missing. Throws Error.
  void save(const fs::path& file) const;
  std::string json() const;

  bool has(const std::string& section) const;
  void drop(const std::string& section);
  /// Keeps every setting of `describe` in a section.
  void store(const std::string& section, const Describe& describe);
  /// Sets those settings that the section names; the others keep their values. An unknown name or a
  /// value out of its domain throws Error naming file, section and setting.
  void restore(const std::string& section, const Describe& describe) const;

  /// Free values, for what is no setting: recent files, window size, inputs.
  using Value = std::variant<std::string, double, std::vector<std::string>>;
  void set(const std::string& section, const std::string& key, const Value& value);
  std::optional<std::string> text(const std::string& section, const std::string& key) const;
  std::optional<double> number(const std::string& section, const std::string& key) const;
  std::vector<std::string> texts(const std::string& section, const std::string& key) const;

 private:
  struct Document;
  std::unique_ptr<Document> document_;
};

}  // namespace fathom
