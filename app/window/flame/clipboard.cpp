// SPDX-License-Identifier: BSD-3-Clause
// What the clipboard's text means for the flame that is open.
#include "app/window/flame/clipboard.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/io.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::flame {

void XformClipboard::copyFlame() {
  if (editor_.open()) ImGui::SetClipboardText(genomesXml(std::span(&editor_.genome(), 1)).c_str());
}

void XformClipboard::copyXforms() {
  if (editor_.xformCount() == 0) return;
  ImGui::SetClipboardText(xformsXml(editor_.genome(), editor_.selection()).c_str());
}

void XformClipboard::paste() {
  if (!editor_.open() || !editor_.editable()) return;
  problem_.clear();
  const char* const text = ImGui::GetClipboardText();
  Genome next = editor_.genome();
  try {
    Fragment fragment = parseFragment(text ? text : "", next);
    if (!fragment.flames.empty()) {
      Genome& flame = fragment.flames.front();
      flame.time = next.time;
      editor_.select(0);
      return editor_.take(std::move(flame), "pasted");
    }
    const std::size_t first = next.xforms.size();
    next.xforms.insert(next.xforms.end(), fragment.xforms.begin(), fragment.xforms.end());
    if (fragment.finalXform) next.finalXform = std::move(fragment.finalXform);
    const std::size_t end = next.xforms.size();
    editor_.change(std::move(next));
    editor_.select(first);
    for (std::size_t i = first + 1; i < end; ++i) editor_.toggle(i);
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

void XformClipboard::drawProblem() const {
  if (problem_.empty()) return;
  ui::wrappedText(ui::fonts().small, ui::color::kError, problem_);
  ui::Landmarks::note("xml:problem");
}

}  // namespace fathom::flame
