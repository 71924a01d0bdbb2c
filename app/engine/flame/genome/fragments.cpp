// SPDX-License-Identifier: BSD-3-Clause
// Xforms are written and read within a flame that holds nothing else.
#include "app/engine/flame/genome/fragments.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/io.h"

namespace fathom::flame {
namespace {

constexpr const char* kName = "clipboard";
constexpr std::size_t kMaxBytes = 16 << 20;

/// A text with every ` chaos="..."` taken out.
std::string withoutChaos(std::string text) {
  constexpr std::string_view kAttribute = "chaos=";
  for (std::size_t at = 0; (at = text.find(kAttribute, at)) != std::string::npos;) {
    const std::size_t open = at + kAttribute.size();
    const bool begins = at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1]));
    const std::size_t close =
        begins && open < text.size() ? text.find(text[open], open + 1) : std::string::npos;
    if (close == std::string::npos)
      at = open;
    else
      text.erase(at, close + 1 - at);
  }
  return text;
}

/// A flame of the dialect that holds one xform and this text.
std::string wrapped(const std::string& inside, const Genome& dialectOf) {
  Genome around;
  around.name = kName;
  around.dialect = dialectOf.dialect;
  for (const auto& attribute : dialectOf.other)
    if (attribute.first == "version") around.other.push_back(attribute);
  around.xforms.emplace_back().weight = 1;
  std::string text = genomesXml(std::span(&around, 1));
  return text.insert(text.rfind("</flame>"), inside);
}

}  // namespace

std::string xformsXml(const Genome& genome, std::span<const std::size_t> indices) {
  Genome part;
  for (const std::size_t index : indices) {
    if (index < genome.xforms.size())
      part.xforms.push_back(genome.xforms[index]);
    else
      part.finalXform = genome.finalXform;
  }
  for (Xform& xform : part.xforms) xform.chaos.clear();
  const std::string xml = genomesXml(std::span(&part, 1));
  const std::size_t first = xml.find('\n') + 1;
  return xml.substr(first, xml.rfind("</flame>") - first);
}

Fragment parseFragment(const std::string& text, const Genome& dialectOf) {
  const auto holds = [&](const char* tag) { return text.find(tag) != std::string::npos; };
  if (text.size() > kMaxBytes) fail("{}: expected at most 16 MiB of text, found more", kName);
  if (holds("<flame") || holds("<jwf-flame")) return {parseGenomes(text, kName).genomes, {}, {}};
  if (!holds("<xform") && !holds("<finalxform"))
    fail("{}: expected <flame> or <xform> elements, found {}", kName,
         text.empty() ? "nothing" : "other text");
  Genome genome = parseGenomes(wrapped(withoutChaos(text), dialectOf), kName).genomes.at(0);
  genome.xforms.erase(genome.xforms.begin());
  return {{}, std::move(genome.xforms), std::move(genome.finalXform)};
}

}  // namespace fathom::flame
