// SPDX-License-Identifier: BSD-3-Clause
// Messages over the picture: errors stay until they are closed, notes disappear after a while.
#pragma once

#include "app/window/ui/layout.h"

namespace fathom::viewer {

class Messages {
 public:
  void error(std::string text);
  /// The same for one that is told elsewhere.
  void countError(const std::string& text);
  void note(std::string text);
  /// In the lower left of this area, newest last.
  void draw(const Area& area);
  void closeAll() { items_.clear(); }
  bool empty() const { return items_.empty(); }
  /// Since the start, including closed ones; decides the exit code of scripts.
  int errorCount() const { return errorCount_; }
  /// True while a note is shown that will disappear by itself.
  bool fading() const;
  /// True while a new message needs more frames: its window appears a frame late, and a failure on
  /// another thread may come long after the last event.
  bool settling() const { return framesToSettle_ > 0; }

 private:
  struct Item {
    std::string text;
    bool isError;
    std::chrono::steady_clock::time_point until;
    int count;  // how often it was repeated
  };
  void add(std::string text, bool isError);
  std::vector<Item> items_;
  int errorCount_ = 0;
  int framesToSettle_ = 0;
};

}  // namespace fathom::viewer
