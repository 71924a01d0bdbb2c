// SPDX-License-Identifier: BSD-3-Clause
// What went wrong or was done, over the picture: errors stay until they are closed, notes fade.
#pragma once

#include "app/viewer/picture_view.h"

#include <chrono>
#include <string>
#include <vector>

namespace fathom::viewer {

class Messages {
 public:
  void error(std::string text);
  void note(std::string text);
  /// In the lower left of this area, newest last.
  void draw(const Area& area);
  void closeAll() { items_.clear(); }
  bool empty() const { return items_.empty(); }
  /// Since the start, closed ones too: a script's window ends with an error code then.
  int errorCount() const { return errorCount_; }
  /// True while a note has to be removed later on: the window draws again then.
  bool fading() const;
  /// True while a message has not been seen yet: its window appears a frame late, and what is read
  /// on another thread may fail long after the last event.
  bool settling() const { return framesToSettle_ > 0; }

 private:
  struct Item {
    std::string text;
    bool isError;
    std::chrono::steady_clock::time_point until;
    int count;  // how often the same came in a row
  };
  void add(std::string text, bool isError);
  std::vector<Item> items_;
  int errorCount_ = 0;
  int framesToSettle_ = 0;
};

}  // namespace fathom::viewer
