#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is drawn in a window stays there: none of these libraries and modules needs ImGui or GLFW.
# links.sh LIBRARY...
set -u
status=0
for library in "$@"; do
  if [[ $library == *.so ]]; then
    found=$(ldd "$library" | grep -E 'libglfw|libimgui' || true)
    found+=$(nm -C "$library" | grep -E 'ImGui::|glfw[A-Z]' || true)
  else
    found=$(nm -C --undefined-only "$library" 2>/dev/null | grep -E ' U (ImGui::|glfw[A-Z])' || true)
  fi
  [[ -z $found ]] && continue
  printf '%s needs what only the window may:\n%s\n' "$library" "$(sort -u <<<"$found" | head -5)"
  status=1
done
exit $status
