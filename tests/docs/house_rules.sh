#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Rules of docs/architecture.md that a compiler cannot see. Run from the root of the repository;
# prints every offense and fails.
set -u
status=0
offend() { # offend RULE TEXT: TEXT is empty when all is well
  [[ -z $2 ]] && return
  printf '%s:\n%s\n' "$1" "$2"
  status=1
}

offend "gl* is called outside app/gpu" \
  "$(grep -rnE '\bgl[A-Z][A-Za-z0-9]*\(' app --include='*.cpp' --include='*.h' | grep -v '^app/gpu/')"

offend "ImGui outside app/ui, app/viewer and the panels" \
  "$(grep -rlE '#include (<imgui|"app/ui/)' app |
    grep -vE '^app/(ui|viewer)/|^app/techniques/[a-z_]+/panel[a-z_]*\.(cpp|h)$')"
offend "CLI11 outside app/commands" "$(grep -rl '#include <CLI/' app | grep -v '^app/commands/')"
offend "JSON outside app/io and app/bench" \
  "$(grep -rl '#include <nlohmann/' app | grep -vE '^app/(io|bench)/')"

# Arrows point down: each folder may include itself and the folders after the colon.
while IFS=: read -r folder below; do
  allowed=$(tr ' ' '|' <<<"$folder$below")
  offend "app/$folder includes what lies above it or beside it" \
    "$(grep -rnE '#include "app/' "app/$folder" | grep -vE "#include \"app/($allowed)/")"
done <<'RULES'
core:
io: core
gpu: core
scene: gpu io core
ui: core
techniques: ui scene gpu io core
bench: techniques scene gpu io core
viewer: bench techniques ui scene gpu io core
commands: viewer bench techniques scene gpu io core
RULES

# Techniques meet through values only.
for folder in app/techniques/*/; do
  [[ -d $folder ]] || continue
  name=$(basename "$folder")
  offend "app/techniques/$name includes another technique" \
    "$(grep -rnE '#include "app/techniques/[a-z_]+/' "$folder" |
      grep -v "#include \"app/techniques/$name/")"
done

offend "a source without its license line" \
  "$(grep -rL 'SPDX-License-Identifier: BSD-3-Clause' app tests shaders \
    --include='*.cpp' --include='*.h' --include='*.comp' --include='*.vert' --include='*.frag' \
    --include='*.glsl' --include='*.sh' | grep -v '^tests/[a-z]*/data/')"
offend "a path of somebody's machine" \
  "$(grep -rnE '/(home|Users|work|root)/[a-z]' app tests shaders docs README.md dev packages.txt CMakeLists.txt \
    -I --exclude=house_rules.sh | grep -v '/home/me')"
offend "work left undone" \
  "$(grep -rnE 'TODO|FIXME|\bXXX\b' app tests shaders docs README.md -I --exclude=house_rules.sh)"
exit $status
