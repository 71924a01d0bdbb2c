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

only() { # only RULE PATTERN FOLDER: what matches in app stands below that folder alone
  offend "$1" "$(grep -rnE "$2" app --include='*.cpp' --include='*.h' | grep -vE "^$3")"
}
only "gl* is called outside app/engine/gpu" '\bgl[A-Z][A-Za-z0-9]*\(' 'app/engine/gpu/'
only "ImGui outside app/window" '#include (<imgui|"app/window/ui/)' 'app/window/'
only "GLFW outside app/window" '#include <GLFW/' 'app/window/'
only "CLI11 outside app/cli" '#include <CLI/' 'app/cli/'
only "the operating system outside app/system" \
  '#include <(unistd|fcntl|signal|poll|spawn|termios|ucontext|dlfcn|pwd|sys/[a-z]+|netinet/[a-z]+|arpa/[a-z]+|EGL/[a-z]+|X11/[A-Za-z]+|windows|winsock2|io)\.h>|\b_WIN32\b' 'app/system/'

# Arrows point down: each folder may include itself and the folders after the colon.
while IFS=: read -r folder below; do
  allowed=$(tr ' ' '|' <<<"$folder$below")
  offend "app/$folder includes what lies above it or beside it" \
    "$(grep -rnE '#include "app/' "app/$folder" | grep -vE "#include \"app/($allowed)/")"
done <<'RULES'
system:
engine: system
window: lab engine system
lab: engine system
cli: window lab engine system
python: cli lab engine system
engine/core: system
engine/io: engine/core system
engine/gpu: engine/core system
engine/scene: engine/gpu engine/io engine/core system
engine/ranks: engine/core system
RULES

# Techniques meet through values only.
techniques='active_pixel|deep|dof|flame|smoe'
for folder in app/{engine,window,lab,cli}/{active_pixel,deep,dof,flame,smoe}/; do
  name=$(basename "$folder")
  offend "$folder includes another technique" \
    "$(grep -rnE "#include \"app/[a-z]+/($techniques)/" "$folder" | grep -vE "#include \"app/[a-z]+/$name/")"
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
offend "a pass walks lists without expectWhole() at its end" \
  "$(grep -lE '\b(fetch|store|addressOf|emit)\(' shaders/deep/*/*.comp | xargs grep -L 'expectWhole();')"
# Fuzz targets are only built on demand: what moves away would be missed then.
offend "a fuzz target names a source that is not there" \
  "$(grep -oE '\$\{app\}/[a-z_/0-9]+\.cpp' tests/fuzz/CMakeLists.txt | sed 's|^\${app}|app|' | sort -u |
    while read -r file; do [[ -f $file ]] || echo "$file"; done)"

offend "a path of somebody's machine" \
  "$(grep -rnE '/(home|Users|work|root)/[a-z]' app tests shaders docs README.md dev packages.txt CMakeLists.txt \
    -I --exclude=house_rules.sh | grep -v '/home/me')"
offend "work left undone" \
  "$(grep -rnE 'TODO|FIXME|\bXXX\b' app tests shaders docs README.md -I --exclude=house_rules.sh)"
exit $status
