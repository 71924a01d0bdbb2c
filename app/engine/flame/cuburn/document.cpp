// SPDX-License-Identifier: BSD-3-Clause
// A document together with what it inherits, file by file; a file that inherits from itself is
// refused.
#include "app/engine/flame/cuburn/document.h"

#include "app/engine/io/atomic_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace fathom::flame::cuburn {
namespace {

namespace fs = std::filesystem;
using Kind = JsonTree::Kind;

constexpr std::array<std::string_view, 4> kTypes{"node", "edge", "animation", "profile"};

Place placeIn(const fs::path& file, const std::string& path) {
  return Place(file.string()).in(quote(path));
}

void flatten(const JsonTree& tree, const std::string& prefix, const fs::path& file,
             Fields& fields) {
  for (std::size_t i = 0; i < tree.keys.size(); ++i) {
    const std::string path = prefix.empty() ? tree.keys[i] : prefix + "." + tree.keys[i];
    const JsonTree& value = tree.items[i];
    if (value.is(Kind::Object))
      flatten(value, path, file, fields);
    else if (!fields.emplace(path, value).second)
      placeIn(file, path).fail("each field once, nested or as a dotted path", "both");
  }
}

std::optional<DocumentType> typeOf(const JsonTree* value) {
  if (!value || !value->is(Kind::Text)) return std::nullopt;
  const auto at = std::find(kTypes.begin(), kTypes.end(), value->text);
  if (at == kTypes.end()) return std::nullopt;
  return DocumentType(at - kTypes.begin());
}

/// Own fields go before inherited ones; null removes what is inherited under its path.
void inherit(Fields& own, Fields&& base) {
  for (const auto& [path, value] : own)
    if (value.is(Kind::Null))
      std::erase_if(base, [start = path + "."](const auto& field) {
        return field.first.compare(0, start.size(), start) == 0;
      });
  own.merge(base);
}

/// A document and below it what it inherits; `chain` holds those that inherit from it.
Fields readFields(const fs::path& file, std::vector<fs::path>& chain) {
  std::error_code ignored;
  const fs::path known = fs::weakly_canonical(file, ignored);
  if (std::find(chain.begin(), chain.end(), known) != chain.end())
    placeIn(chain.back(), "base")
        .fail("a document that does not inherit from this one", quote(file.string()));
  if (chain.size() >= kMaxBases)
    placeIn(chain.back(), "base").fail(fmt::format("at most {} bases in a row", kMaxBases), "more");
  chain.push_back(known);

  const JsonTree root =
      JsonTree::parse(readFile(file, kMaxDocumentBytes), file.string(), kMaxDocumentDepth);
  if (!root.is(Kind::Object))
    fail("{}: expected a JSON object, found {}", file.string(), root.shown());
  Document own{file, DocumentType::Node, {}};
  flatten(root, "", file, own.fields);
  const std::string base = own.text("base");
  if (!base.empty()) inherit(own.fields, readFields(resolved(own, "base", base), chain));
  std::erase_if(own.fields, [](const auto& field) { return field.second.is(Kind::Null); });
  return std::move(own.fields);
}

/// File names that "nodes/ID" may mean, from the folder of the document.
/// A document in a folder "nodes" or "edges" has its kin in the folders beside that.
std::vector<fs::path> candidates(const std::string& kind, const std::string& id,
                                 const fs::path& folder) {
  const std::string file = id + ".json";
  std::vector<fs::path> list;
  const fs::path own = folder.filename();
  if ((own == "nodes" || own == "edges" || own == "profiles") && own != kind)
    list.push_back(fs::path("..") / kind / file);
  if (kind == "nodes") list.push_back(file);
  if (kind == "edges") list.push_back("edge." + file);
  if (kind == "profiles") list.push_back("profile." + file);
  list.push_back(fs::path(kind) / file);
  list.push_back(fs::path("..") / kind / file);
  return list;
}

}  // namespace

const JsonTree* Document::find(const std::string& path) const {
  const auto at = fields.find(path);
  return at == fields.end() ? nullptr : &at->second;
}

Place Document::place(const std::string& path) const { return placeIn(file, path); }

double numberAt(const JsonTree& value, const Place& place, const std::string& expected, double low,
                double high) {
  if (!value.is(Kind::Number)) place.fail(expected, value.shown());
  if (!(value.number >= low && value.number <= high))
    place.fail(fmt::format("a number from {} to {}", textOf(low), textOf(high)), value.shown());
  return value.number;
}

double Document::number(const std::string& path, double fallback, double low, double high) const {
  const JsonTree* value = find(path);
  return value ? numberAt(*value, place(path), "a number", low, high) : fallback;
}

std::string Document::text(const std::string& path, const std::string& fallback) const {
  const JsonTree* value = find(path);
  if (!value || value->is(Kind::Null)) return fallback;
  if (!value->is(Kind::Text)) place(path).fail("text", value->shown());
  return value->text;
}

Document readDocument(const fs::path& file) {
  std::vector<fs::path> chain;
  Document document{file, DocumentType::Node, readFields(file, chain)};
  const JsonTree* type = document.find("type");
  const std::optional<DocumentType> known = typeOf(type);
  if (!known)
    document.place("type").fail(fmt::format("\"{}\"", fmt::join(kTypes, "\" or \"")),
                                type ? type->shown() : "no such field");
  document.type = *known;
  return document;
}

fs::path resolved(const Document& document, const std::string& field, const std::string& path) {
  const std::size_t slash = path.find('/');
  const std::string kind = path.substr(0, slash);
  const std::string id = slash == std::string::npos ? "" : path.substr(slash + 1);
  // An id is a part of a file's name and leads nowhere else.
  const bool plain = !id.empty() && id.find('/') == std::string::npos && id[0] != '.' &&
                     id.find('\0') == std::string::npos;
  const bool known = kind == "nodes" || kind == "edges" || kind == "profiles";
  if (!plain || !known) document.place(field).fail("a path such as nodes/ID", quote(path));
  const fs::path folder = document.file.parent_path();
  std::error_code unknown;
  const std::vector<fs::path> files =
      candidates(kind, id, fs::absolute(document.file, unknown).parent_path());
  for (const fs::path& file : files) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / file, ignored)) return folder / file;
  }
  document.place(field).fail(
      fmt::format("{} or {} beside the file", quote(files[0].string()), quote(files[1].string())),
      "neither");
}

bool looksLikeDocument(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  try {
    std::ifstream in(file, std::ios::binary);
    char first = 0;
    in >> std::ws;
    if (!in.get(first) || (first != '{' && first != '\xef')) return false;  // or a byte order mark
    const std::string text = readFile(file, kMaxDocumentBytes);
    // A damaged one is recognized by its fields; reading it reports what is wrong.
    const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
    if (has("\"xforms") || has("\"link")) return true;
    const JsonTree root = JsonTree::parse(text, "", kMaxDocumentDepth);
    const JsonTree *type = root.find("type"), *base = root.find("base");
    return typeOf(type) || (!type && base && base->is(Kind::Text));  // it may inherit its type
  } catch (const Error&) {
    return false;
  }
}

}  // namespace fathom::flame::cuburn
