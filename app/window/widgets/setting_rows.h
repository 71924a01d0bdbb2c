// SPDX-License-Identifier: BSD-3-Clause
// Settings as rows of a panel: slider, segments, list or switch, whatever describe() declares. The
// panel knows no setting by name.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::viewer {

struct RowOptions {
  const char* group = "settings";      // the ID of the table
  std::vector<FieldValue> defaults;    // an arrow in a changed row goes back to these
  std::vector<Section> sections;       // only these; empty: all
  std::vector<std::string> elsewhere;  // names of those that have controls elsewhere
  std::string filter;                  // only those whose label, name or help holds this
  bool otherPages = false;             // also those that another page edits, as a link to it
  std::vector<std::pair<std::string, std::string>> chosen;  // what automatic values stand for
  std::function<void(const std::string& page)> openPage;
  /// The button beside a text that is the path of a file; empty: there is none.
  std::function<void(const std::string& setting, const std::vector<std::string>& endings,
                     const std::string& current)>
      chooseFile;
};

/// Draws a table of the settings and applies the user's changes.
void drawRows(const Describe& describe, const RowOptions& options);

/// How many settings these options show, and how many of those are changed.
struct RowCount {
  int shown = 0, changed = 0;
};
RowCount countRows(const Describe& describe, const RowOptions& options);

}  // namespace fathom::viewer
