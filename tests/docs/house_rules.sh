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

offend "gl* is called outside app/engine/gpu" \
  "$(grep -rnE '\bgl[A-Z][A-Za-z0-9]*\(' app --include='*.cpp' --include='*.h' | grep -v '^app/engine/gpu/')"

offend "ImGui outside app/window/ui, app/window and the panels" \
  "$(grep -rlE '#include (<imgui|"app/window/ui/)' app |
    grep -vE '^app/(ui|viewer)/|^app/engine/[a-z_/]+/panel[a-z_]*\.(cpp|h)$')"
offend "CLI11 outside app/cli" "$(grep -rl '#include <CLI/' app | grep -v '^app/cli/')"
offend "JSON outside app/engine/io and app/lab" \
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
ranks: core
techniques: ranks ui scene gpu io core
bench: techniques scene gpu io core
viewer: bench techniques ui scene gpu io core
viewer/window: techniques ui gpu core
viewer/document: techniques scene gpu io core
viewer/picture: viewer/document viewer/window techniques ui scene gpu io core
viewer/widgets: viewer/picture viewer/document viewer/window techniques ui scene gpu io core
viewer/workspace: viewer/widgets viewer/picture viewer/document viewer/window bench techniques ui scene gpu io core
viewer/panels: viewer/workspace viewer/widgets viewer/picture viewer/document viewer/window bench techniques ui scene gpu io core
python: commands bench techniques ranks scene gpu io core
commands: viewer bench techniques scene gpu io core
RULES

# Techniques meet through values only.
for folder in app/engine/*/; do
  [[ -d $folder ]] || continue
  name=$(basename "$folder")
  offend "app/engine/$name includes another technique" \
    "$(grep -rnE '#include "app/engine/[a-z_]+/' "$folder" |
      grep -v "#include \"app/engine/$name/")"
done

offend "a source without its license line" \
  "$(grep -rL 'SPDX-License-Identifier: BSD-3-Clause' app tests shaders \
    --include='*.cpp' --include='*.h' --include='*.comp' --include='*.vert' --include='*.frag' \
    --include='*.glsl' --include='*.sh' | grep -v '^tests/[a-z]*/data/')"
offend "a source that does not open with what lives there (line 2 is no comment)" \
  "$(find app shaders -name '*.cpp' -o -name '*.h' -o -name '*.comp' -o -name '*.vert' -o -name '*.frag' \
    -o -name '*.glsl' | while read -r file; do
    sed -n 2p "$file" | grep -q '^// ..' || echo "$file"
  done)"
offend "more than 40 files in one folder" \
  "$(find app shaders tests -type d -not -path 'shaders/flame/variations' -not -path '*/corpus/*' |
    while read -r folder; do
      count=$(find "$folder" -maxdepth 1 -type f | wc -l)
      ((count <= 40)) || echo "$folder: $count"
    done)"
offend "a header of more than 250 lines" \
  "$(find app -name '*.h' | while read -r file; do
    count=$(wc -l <"$file")
    ((count <= 250)) || echo "$file: $count"
  done)"

# Fuzz targets are only built on demand: what moves away would be missed then.
offend "a fuzz target names a source that is not there" \
  "$(grep -oE '\$\{app\}/[a-z_/0-9]+\.cpp' tests/fuzz/CMakeLists.txt | sed 's|^\${app}|app|' | sort -u |
    while read -r file; do [[ -f $file ]] || echo "$file"; done)"

# app/engine/gpu/dispatch_cost.h: each dispatch stands beside what it costs at most.
offend "a dispatch without an estimate" \
  "$(grep -rnE '(\.|->)dispatch(Groups|Grid|Indirect)?\(' app --include='*.cpp' --include='*.h' |
    grep -v '^app/engine/gpu/pass.cpp')"

# Words that were given up; docs/architecture.md says which took their place.
offend "a retired word in a name" \
  "$(grep -rnE '\bk(Most|Least)[A-Z]|Wish\b|\borAsk\b|\bwhenSaved\b|workAside|ByChance\b|SaidElsewhere|RunTrial|handFed|\bQuickness\b|QuickMotion|techniqueWords' \
    app tests shaders --include='*.cpp' --include='*.h' --include='*.comp' --include='*.glsl')"
offend "a retired phrase in a text that users see" \
  "$(grep -rnE '"(Nearer|Farther|Leave|Turn about|Move sideways|Only (red|green|blue|alpha)|Read (the inputs|the shaders) again|Take the [a-z]+ away|Keep the settings)' \
    app --include='*.cpp' --include='*.h')"

offend "a path of somebody's machine" \
  "$(grep -rnE '/(home|Users|work|root)/[a-z]' app tests shaders docs README.md dev packages.txt CMakeLists.txt \
    -I --exclude=house_rules.sh | grep -v '/home/me')"
offend "work left undone" \
  "$(grep -rnE 'TODO|FIXME|\bXXX\b' app tests shaders docs README.md -I --exclude=house_rules.sh)"
exit $status
