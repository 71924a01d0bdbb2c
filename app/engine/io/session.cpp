// SPDX-License-Identifier: BSD-3-Clause
// A JSON document kept as it was read, so that sections unknown to this version survive saving.
#include "app/engine/io/session.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"

namespace fathom {
namespace {

constexpr std::uint64_t kMaxSessionBytes = 16u << 20;

/// A setting's value as JSON: numbers and booleans unquoted.
OrderedJson storedValue(const FieldValue& value) {
  if (value.kind == FieldValue::Kind::Bool) return value.text == "on";
  if (value.kind == FieldValue::Kind::Number) return OrderedJson::parse(value.text, nullptr, false);
  return value.text;
}

/// Back to the text that assign() takes; numbers in the form in which the file has them.
std::string textOf(const OrderedJson& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

}  // namespace

struct Session::Document {
  OrderedJson root;
  std::string name = "session";

  const OrderedJson* find(const std::string& section, const std::string& key) const {
    const auto at = root.find(section);
    if (at == root.end() || !at->is_object()) return nullptr;
    const auto value = at->find(key);
    return value == at->end() ? nullptr : &*value;
  }
};

Session::Session() : document_(std::make_unique<Document>()) {
  document_->root = {{"fathom", FATHOM_VERSION}};
}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Session Session::kept(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  try {
    return load(file);
  } catch (const Error& e) {
    log::warn("{}", e.what());
    return {};
  }
}

Session Session::parse(const std::string& text, const std::string& name) {
  Session session;
  session.document_->root = parseOrderedJson(text, name, "a session (JSON)");
  if (!session.document_->root.is_object())
    fail("{}: expected a session (a JSON object), found {}", name,
         session.document_->root.type_name());
  session.document_->name = name;
  return session;
}

Session Session::load(const fs::path& file) {
  return parse(readFile(file, kMaxSessionBytes), file.string());
}

std::string Session::json() const { return documentText(document_->root); }

void Session::save(const fs::path& file) const {
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  writeFile(file, json());
}

bool Session::has(const std::string& section) const { return document_->root.contains(section); }

void Session::drop(const std::string& section) { document_->root.erase(section); }

void Session::store(const std::string& section, const Describe& describe) {
  OrderedJson& target = document_->root[section];
  if (!target.is_object()) target = OrderedJson::object();
  for (const FieldValue& value : valuesOf(describe)) target[value.name] = storedValue(value);
}

void Session::restore(const std::string& section, const Describe& describe) const {
  const auto at = document_->root.find(section);
  if (at == document_->root.end()) return;
  if (!at->is_object())
    fail("{}: expected settings in \"{}\", found {}", document_->name, section, at->type_name());
  for (const auto& [name, value] : at->items()) {
    try {
      assign(describe, name, textOf(value));
    } catch (const Error& error) {
      fail("{}: section \"{}\": {}", document_->name, section, error.what());
    }
  }
}

void Session::set(const std::string& section, const std::string& key, const Value& value) {
  std::visit([&](const auto& held) { document_->root[section][key] = held; }, value);
}

std::optional<std::string> Session::text(const std::string& section, const std::string& key) const {
  const OrderedJson* value = document_->find(section, key);
  if (!value || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

std::optional<double> Session::number(const std::string& section, const std::string& key) const {
  const OrderedJson* value = document_->find(section, key);
  if (!value || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::vector<std::string> Session::texts(const std::string& section, const std::string& key) const {
  std::vector<std::string> texts;
  const OrderedJson* value = document_->find(section, key);
  if (value && value->is_array())
    for (const OrderedJson& item : *value)
      if (item.is_string()) texts.push_back(item.get<std::string>());
  return texts;
}

}  // namespace fathom
