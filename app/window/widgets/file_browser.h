// SPDX-License-Identifier: BSD-3-Clause
// A file dialog for opening, adding and saving: path field, folder contents with small pictures,
// samples and recent files. Asks before a file is replaced.
#pragma once

#include "app/engine/gpu/texture.h"

namespace fathom::viewer {

/// A field for a path; true when Enter was pressed in it. `selectStem`: the name without folder and
/// ending is to be selected, so that what is typed replaces it.
bool pathField(const char* hint, std::string& path, bool& selectStem);
/// The path without "~", and with the first of these endings where it has none of them.
std::string fullPath(std::string path, const std::vector<std::string>& endings);
/// What keeps a file of this path from being written; empty: nothing.
std::string problemOf(const std::string& path, const std::vector<std::string>& endings);

class FileBrowser {
 public:
  enum class Purpose {
    Open,
    Add,
    Reference,
    Setting,    // a setting that is the path of a file
    SavePlace,  // the path is all that is wanted: who asked for it asks before it is replaced
    SaveFile,
    SaveSession,
    SaveTimings
  };

  /// `endings` are those that the list shows (".exr"); empty: all files. `suggestion`: a path, or a
  /// name in the folder that was shown last.
  void open(Purpose purpose, std::vector<std::string> endings, const std::string& suggestion = {});
  /// The same for the value of a setting; `current`: its path now, or empty.
  void openForSetting(std::string setting, std::vector<std::string> endings,
                      const std::string& current);
  bool isOpen() const { return open_; }
  void close() { open_ = false, replacing_.clear(); }
  /// Esc: takes back the question, else closes.
  void escape();
  Purpose purpose() const { return purpose_; }
  const std::string& setting() const { return setting_; }

  /// What is listed beside the folder: a heading, or an entry to open.
  struct Place {
    std::string title, about;
    std::vector<std::string> inputs;  // empty: a heading
  };
  /// A small picture of a file, or none (null).
  using Preview = std::function<const gpu::Texture*(const fs::path&)>;
  /// Draws the dialog; returns the paths once they are chosen (several when opening, with
  /// Ctrl+click).
  std::vector<std::string> draw(const std::vector<Place>& places, const Preview& preview);

 private:
  struct Entry {
    std::string name;
    bool folder;
    std::uintmax_t bytes;
  };
  bool saving() const { return purpose_ >= Purpose::SavePlace; }
  /// The question whether a file is to be replaced.
  void drawQuestion(std::vector<std::string>& chosen);
  /// What the field or an entry names is chosen, when it can be.
  void accept(const std::string& path, std::vector<std::string>& chosen);
  void readFolder(const fs::path& folder);
  void drawPlaces(const std::vector<Place>& places, float width, std::vector<std::string>& chosen);
  void drawFolder(std::vector<std::string>& chosen, const Preview& preview);
  std::vector<std::string> selectedPaths() const;

  bool open_ = false, focusField_ = false;
  bool selectStem_ = false;  // of the suggestion: what is typed replaces it
  Purpose purpose_ = Purpose::Open;
  std::vector<std::string> endings_;
  fs::path folder_;
  std::vector<Entry> entries_;
  std::vector<bool> selected_;
  std::string path_, problem_, setting_;
  std::string replacing_;  // exists already: the answer is awaited
};

}  // namespace fathom::viewer
