// SPDX-License-Identifier: BSD-3-Clause
// Choosing by what each entry accepts, and the message when nothing fits.

#include "app/engine/core/error.h"
#include "app/engine/engine.h"

namespace fathom {
namespace {

/// Shorter than what the reader of one technique would say, for what no technique reads at all.
std::string refusal(const std::vector<TechniqueEntry>& available, const std::string& input) {
  std::error_code ignored;
  if (!fs::exists(input, ignored)) return input + ": expected a file, found nothing";
  if (fs::is_directory(input, ignored)) return input + ": expected a file, found a folder";
  if (fs::file_size(input, ignored) == 0)
    return input + ": expected a file with contents, found an empty one";
  const std::string ending = fs::path(input).extension().string();
  for (const TechniqueEntry& entry : available)
    if (std::ranges::find(entry.info.endings, ending) != entry.info.endings.end())
      return input + ": expected the contents of a file in " + ending + ", found others";
  return input + ": expected a file or scene that a technique can show, found none of these";
}

}  // namespace

const TechniqueEntry* findTechnique(const std::vector<TechniqueEntry>& available,
                                    const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& preferred) {
  for (const std::string& name : preferred)
    for (const TechniqueEntry& entry : available)
      if (entry.info.name == name && entry.accepts(inputs)) return &entry;
  for (const TechniqueEntry& entry : available)
    if (entry.accepts(inputs)) return &entry;
  return nullptr;
}

const TechniqueEntry& chooseTechnique(const std::vector<TechniqueEntry>& available,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& preferred) {
  if (const TechniqueEntry* entry = findTechnique(available, inputs, preferred)) return *entry;
  for (const std::string& input : inputs)
    if (!findTechnique(available, {input})) throw Error(refusal(available, input));
  throw Error(inputs.back() + ": expected an input of the same kind as " + inputs.front() +
              ", found another kind");
}

std::vector<const TechniqueEntry*> techniquesFor(const std::vector<TechniqueEntry>& available,
                                                 const std::vector<std::string>& inputs) {
  std::vector<const TechniqueEntry*> found;
  for (const TechniqueEntry& entry : available)
    if (entry.accepts(inputs)) found.push_back(&entry);
  return found;
}

}  // namespace fathom
