// SPDX-License-Identifier: BSD-3-Clause
// The edits of all inputs as the settings hold them: one text per property with a value per input,
// "add,hold-out", so that flags, sessions and the panel share them.
#pragma once

#include "app/engine/deep/operations/operations.h"
#include "app/engine/deep/settings/settings.h"

namespace fathom::deep {

/// What was expected where `text` is no list of the property that the setting `name` holds; empty
/// when it is one.
std::string complaintOf(std::string_view name, const std::string& text);

/// One edit per input. Values for inputs that are not there are passed over.
std::vector<InputEdit> editsOf(const Settings& settings, std::size_t inputs);
/// Writes the lists in their shortest form: defaults at the end are left out.
void setEdits(Settings& settings, std::span<const InputEdit> edits);

/// Other inputs are open than before: those that stayed, by name, keep their edits and their order,
/// new ones have none and follow.
void carryEdits(Settings& settings, std::span<const std::string> before,
                std::span<const std::string> after);

/// The inputs from first to last, as settings.order says: numbers that count from 1; those that it
/// leaves out follow. Numbers of inputs that are not there are passed over.
std::vector<std::size_t> orderOf(const Settings& settings, std::size_t inputs);
/// Writes it; the order in which the inputs came is an empty text.
void setOrder(Settings& settings, std::span<const std::size_t> order);
/// As complaintOf().
std::string complaintOfOrder(const std::string& text);

/// "1/512" or "0.002"; 0 for an empty text.
double thinErrorOf(const std::string& text);
/// As complaintOf().
std::string complaintOfThinError(const std::string& text);

/// Everything that is done to the inputs and with what they become.
struct Edits {
  std::vector<InputEdit> inputs;   // by input
  std::vector<std::size_t> order;  // the inputs from first to last
  MergeEdit merged;
  /// Inputs take away from others.
  bool holds() const;
  /// All fragments of all inputs are merged as they are, in the order they came.
  bool isNothing() const;
};
/// Pictures of inputs with ZBack are tidied unless that is switched off, what is saved is not; only
/// what is saved is thinned: pictures stay the same.
enum class Purpose { Picture, File };
Edits editsOf(const Settings& settings, std::size_t inputs, bool volumes, Purpose purpose);

/// Throws UsageError when a list names more inputs than there are.
void checkInputCount(const Settings& settings, std::size_t inputs);

}  // namespace fathom::deep
