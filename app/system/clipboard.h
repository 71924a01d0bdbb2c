// SPDX-License-Identifier: BSD-3-Clause
// Pictures on the clipboard, which outlive this program.
#pragma once

namespace fathom::system {

/// Puts a PNG file there. False when clipboardHelper() is missing or fails.
bool copyPng(const std::string& file);
/// Writes the picture that is there as a PNG file. False when there is none.
bool pastePng(const std::string& file);
/// The program that holds the clipboard for us: for messages.
std::string clipboardHelper();

}  // namespace fathom::system
