// SPDX-License-Identifier: BSD-3-Clause
// A file dialog for opening, adding and saving: path field, folder contents, recent files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fathom::viewer {

class FileBrowser {
 public:
  enum class Purpose { Open, Add, SaveFile, SavePicture, SaveSession, SaveTimings };

  /// `endings` are those that the list shows (".exr"); empty: all files. `suggestion`: a path, or a
  /// name in the folder that was shown last.
  void open(Purpose purpose, std::vector<std::string> endings, const std::string& suggestion = {});
  bool isOpen() const { return open_; }
  void close() { open_ = false; }
  Purpose purpose() const { return purpose_; }

  /// Draws the dialog; returns the paths once they are chosen (several when opening, with
  /// Ctrl+click). `recent` inputs and built-in `scenes` are listed beside the folder.
  std::vector<std::string> draw(const std::vector<std::string>& recent,
                                const std::vector<std::pair<std::string, std::string>>& scenes);

 private:
  struct Entry {
    std::string name;
    bool folder;
    std::uintmax_t bytes;
  };
  bool saving() const { return purpose_ != Purpose::Open && purpose_ != Purpose::Add; }
  void readFolder(const std::filesystem::path& folder);
  void drawPlaces(const std::vector<std::string>& recent,
                  const std::vector<std::pair<std::string, std::string>>& scenes, float width,
                  std::vector<std::string>& chosen);
  void drawFolder(std::vector<std::string>& chosen);
  std::vector<std::string> selectedPaths() const;

  bool open_ = false, focusField_ = false;
  Purpose purpose_ = Purpose::Open;
  std::vector<std::string> endings_;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::vector<bool> selected_;
  std::string path_, problem_;
};

}  // namespace fathom::viewer
