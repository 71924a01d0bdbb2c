#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# pack.sh BUNDLE-FOLDER BUILD: makes BUILD/fathom-gpu.tar.xz, all that a machine with a GPU and nothing else
# needs: the bundle, the suites of the GPU, shaders, assets, baselines, and loaders of OpenGL.
set -euo pipefail
bundle=$(realpath "$1") build=$(realpath "$2")
cd "$(dirname "$0")/../.."
stage=$build/gpu/fathom-gpu
rm -rf "$build/gpu"
mkdir -p "$stage"/{tests,gl,source/tests}
cp -a "$bundle" "$stage/fathom"
cp tests/gpu_machine/run.sh "$stage/run"
cp tests/gpu_machine/summary.sh "$stage/"
chmod +x "$stage/run"

# Those that see most of a driver first: they run in the order of their names.
number=10
while read -r suite; do
  cp "$build/tests/${suite}_tests" "$stage/tests/$number-$(basename "$suite")"
  strip "$stage/tests/$number-$(basename "$suite")"
  number=$((number + 1))
done <tests/gpu_machine/suites.txt

cp -a shaders assets "$stage/source/"
find tests \( -name '*.glsl' -o -name '*.comp' -o -path '*/data/*' \) -type f -print0 |
  tar --null -T - -cf - | tar -C "$stage/source" -xf -
cp -a tests/baselines "$stage/source/tests/"

for name in libEGL.so.1 libGL.so.1 libOpenGL.so.0 libGLX.so.0 libGLdispatch.so.0; do
  path=$(ldconfig -p | awk -v name="$name" '$1 == name && /x86-64|aarch64|AArch64/ {print $NF; exit}')
  [[ -n $path ]] || continue
  mkdir -p "$stage/gl/$name"
  cp -L "$path" "$stage/gl/$name/"
done

# By priority: what the claims rest on first.
cat >"$stage/benches.txt" <<'LIST'
gpu.sort
gpu.copy
deep.composite
flame.iterate
smoe.frame
dof.radius
active-pixel.encode
deep.save
gpu.scan
gpu.reduce-by-key
flame.sort
flame.filter
smoe.lists
smoe.block
dof.sort
deep.kway
deep.pairwise
flame.accumulate
active-pixel.ratio
smoe.precision
dof.variants
deep.memory
smoe.fit
dof.quality
active-pixel.frames
LIST
# NAME FORMAT COMMAND of each image test.
cat tests/image/{deep,dof,flame,smoe,active_pixel}.cmake | tr '\n' ' ' | tr ')' '\n' |
  sed -nE 's/.*fathom_image_test\(([a-z-]+) (.*)COMMAND (.*)/\1|\2|\3/p' |
  while IFS='|' read -r name options command; do
    format=exr
    [[ $options =~ FORMAT\ ([a-z]+) ]] && format=${BASH_REMATCH[1]}
    command=${command% LABELS*}
    echo "$name $format $(tr -s ' ' <<<"${command//\\#/#}")"
  done >"$stage/pictures.txt"

XZ_OPT=-T0 tar -C "$build/gpu" -cJf "$build/fathom-gpu.tar.xz" fathom-gpu
size=$(stat -c %s "$build/fathom-gpu.tar.xz")
((size < 60 << 20)) || { echo "pack: expected less than 60 MiB, found $((size >> 20))" >&2; exit 1; }
echo "$build/fathom-gpu.tar.xz"
