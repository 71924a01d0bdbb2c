#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run [--minutes 8] [--sizes paper|quick] [--earlier results.tar.gz]: all that Fathom wants to know of a
# machine with a GPU, the most telling first, into results/ and results.tar.gz. Started again, or with what
# another machine has brought so far, it goes on with what is missing. Stopped (Ctrl+C, SIGTERM), it ends what runs
# and packs what is there. Asks for bash, awk, tar, gzip and a driver; the archive holds the rest.
set -u
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
minutes=8 sizes=paper
while (($#)); do
  case $1 in
    --minutes) minutes=${2:?}; shift 2 ;;
    --sizes) sizes=${2:?}; shift 2 ;;
    --earlier) tar -C "$here" -xzf "${2:?}" || exit 2; shift 2 ;;
    *) echo "usage: run [--minutes N] [--sizes paper|quick] [--earlier results.tar.gz]" >&2; exit 2 ;;
  esac
done
[[ $minutes =~ ^[1-9][0-9]*$ && $sizes =~ ^(paper|quick)$ ]] || { echo "run: wrong arguments" >&2; exit 2; }

results=$here/results
mkdir -p "$results"/{steps,pictures,logs}
begin=$SECONDS total=$((minutes * 60 - 20))  # the report wants some of it
deadline=$((begin + total))
# share PERCENT: the steps that follow may go on until this share of the time is over, so that each section
# gets some; what a section leaves is the next one's. What there is by then is packed: a machine may be taken away.
# What was cut off is tried again once all has had its turn, and may then take half of what is left.
again=0
share() {
  deadline=$((begin + total * (again ? 100 : $1) / 100))
  pack
}
# At most 16 MiB: without pictures where they are too many.
pack() {
  tar -C "$here" -czf "$here/results.part" results
  (($(wc -c <"$here/results.part") <= 16 << 20)) ||
    tar -C "$here" -czf "$here/results.part" --exclude=results/pictures results
  mv "$here/results.part" "$here/results.tar.gz"
}
stopped=0 child=
trap 'stopped=1; trap - INT TERM; [[ -z $child ]] || kill "$child"' INT TERM
export FATHOM_SHADERS=$here/source FATHOM_TEST_SOURCE=$here/source XDG_CONFIG_HOME=$results/config
export TMPDIR=${TMPDIR:-/tmp}
program=$here/fathom/fathom

# Libraries of the bundle serve the tests too; loaders of OpenGL only where the machine has none.
known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null)
paths=$here/fathom/lib/fathom
for folder in "$here"/gl/* "$here"/fathom/lib/spare/*; do
  [[ -d $folder && $known != *"${folder##*/}"* ]] && paths+=:$folder
done
export LD_LIBRARY_PATH=$paths${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# NVIDIA's driver is found through a file that minimal systems lack.
for vendor in /usr/share/glvnd/egl_vendor.d /usr/local/nvidia/share/glvnd/egl_vendor.d; do
  [[ -z ${__EGL_VENDOR_LIBRARY_FILENAMES:-} && -f $vendor/10_nvidia.json ]] &&
    export __EGL_VENDOR_LIBRARY_FILENAMES=$vendor/10_nvidia.json
done

# step SECTION NAME LIMIT COMMAND...: once; the result is a line in results/steps/SECTION.NAME
step() {
  local section=$1 name=$2 limit=$3 left=$((deadline - SECONDS)) start=$SECONDS status=0 what log
  local note=$results/steps/$1.$2
  shift 3
  [[ -s $note ]] && grep -qE "^done$( ((again)) || echo '|^cut off')" "$note" && return
  if ((left < 3 || stopped)); then
    [[ -s $note ]] || printf 'not reached\t0\t\n' >"$note"
    return
  fi
  log=$results/logs/$section.$name.txt
  ((left > 12)) && left=$((left / 2))  # no step takes a section for itself
  timeout -k 5 "$((again || left < limit ? left : limit))" "$@" >"$log.all" 2>&1 &
  child=$!
  wait "$child" 2>/dev/null || status=$?
  if ((stopped)); then  # the signal ended the wait
    wait "$child" 2>/dev/null
    status=143
  fi
  child=
  tail -c 100000 "$log.all" >"$log"
  rm -f "$log.all"
  what=$(telling "$section" "$log")
  case $status in
    0) printf 'done, passed\t%s\t%s\n' $((SECONDS - start)) "$what" ;;
    77 | 124 | 129 | 13[0-9] | 14[0-9]) printf 'cut off\t%s\t%s\n' $((SECONDS - start)) "$what" ;;
    *) printf 'done, exit code %s\t%s\t%s\n' "$status" $((SECONDS - start)) "$what" ;;
  esac >"$note"
  printf '%4d s  %s %s: %s\n' "$SECONDS" "$section" "$name" "$(cut -f1 "$note")"
}

# telling SECTION LOG: what of a log belongs into the report
telling() {
  case $1 in
    suites)
      grep -E '^\[  (PASSED|FAILED)  \]' "$2" | head -6 | tr '\n' ' '
      grep -q '^\[==========\].* ran' "$2" || echo "$(grep -c '^\[       OK' "$2") passed before" ;;
    pictures) grep -E 'psnr|expected' "$2" | head -2 | tr '\n' ' ' ;;
    bench) awk '/^  all / {here += $5; ++n} END {if (n) printf "%.3f ms in passes", here}' "$2" ;;
    *) tail -1 "$2" | cut -c1-160 ;;
  esac
}

picture() { # picture NAME FORMAT COMMAND...
  local name=$1 format=$2
  shift 2
  "$program" "$@" -o "$results/pictures/$name.$format" &&
    "$program" compare "$results/pictures/$name.$format" "$here/source/tests/baselines/$name.$format" \
      --fail-psnr-below 30
}
first() { # first FORMAT COMMAND...: with nothing compiled, and again; the driver's messages go to the log
  local format=$1 cache=$results/cache begin times=()
  shift
  rm -rf "$cache"
  mkdir "$cache"
  for _ in cold warm; do
    begin=$(date +%s%N)
    MESA_SHADER_CACHE_DIR=$cache __GL_SHADER_DISK_CACHE_PATH=$cache \
      "$program" "$@" --gl-debug --passes --json "$cache/record" -o "$cache/picture.$format" || return
    times+=("$((($(date +%s%N) - begin) / 1000000)) ms, $(grep -o '"compile_ms": [0-9]*' "$cache/record")")
  done
  rm -rf "$cache"
  echo "cold ${times[0]}, warm ${times[1]}"
}
export -f picture first
export program results here

cd "$here/source"
step info limits 60 "$program" info
# A machine without a GPU has nothing to tell, and what fails there is to be tried again elsewhere.
if ! grep -q '^  software  *no' "$results/logs/info.limits.txt"; then
  rm -f "$results/steps/info.limits"
  echo "run: expected a GPU, found $(sed -n 's/^  renderer  *//p' "$results/logs/info.limits.txt")" >&2
  exit 77
fi
first_sizes=(1920x1080 3840x2160) trials=20 tuned=()
[[ $sizes == quick ]] && first_sizes=(320x180) trials=5 tuned=(--size 64x36)
sections() {
  share 20
  step info json 60 "$program" info --json "$results/info.json"
  for technique in deep dof flame smoe active-pixel; do  # right ones, before fast ones
    read -r name format command <<<"$(awk -v t="$technique" '$3 == t {print; exit}' "$here/pictures.txt")"
    step first "right.$technique" 60 bash -c "picture $name $format $command"
  done
  for size in "${first_sizes[@]}"; do
    step first "deep.$size" 60 bash -c "first exr deep flatten atrium --size $size"
    step first "dof.$size" 60 bash -c "first exr dof render atrium --size $size --max-radius 16"
    step first "flame.$size" 60 bash -c "first png flame render assets/flame/corona.flame --size $size --quality 100"
    step first "smoe.$size" 60 bash -c "first png smoe render assets/smoe/atrium.smoe --size $size"
    step first "active-pixel.$size" 60 bash -c "first png active-pixel composite points --size $size --mode gpu"
  done
  [[ $sizes == quick ]] ||
    step first flame.1000 60 bash -c "first png flame render assets/flame/corona.flame --size 1920x1080 --quality 1000"
  share 35
  for suite in "$here"/tests/*; do step suites "$(basename "$suite")" 90 "$suite"; done
  share 52
  while read -r name _; do
    step check "$name" 60 "$program" bench "$name" --quick --check --no-profile
  done <"$here/benches.txt"
  share 75
  while read -r name _; do
    step bench "$name" 60 "$program" bench "$name" "--$sizes" --trials $trials --predict --no-profile --json "$results/bench.$name.json"
  done <"$here/benches.txt"
  share 85
  for technique in deep dof; do
    step tune "$technique" 60 "$program" tune "$technique" "${tuned[@]}" --profile "$results/profile.json"
  done
  share 100
  while read -r name format command; do
    step pictures "$name" 60 bash -c "picture $name $format $command"
  done <"$here/pictures.txt"
}
for again in 0 1; do sections; done

deadline=$((SECONDS + 15)) stopped=0
shopt -s nullglob
benches=("$results"/bench.*.json)
rm -f "$results/steps/report.page"
if ((${#benches[@]})); then
  step report page 60 "$program" report "${benches[@]}" -o "$results/report.html"
else
  printf 'not reached\t0\tno bench ended\n' >"$results/steps/report.page"
fi
# shellcheck source=/dev/null
. "$here/summary.sh" >"$results/summary.md"
cat "$results/summary.md"
pack
unfinished=$(grep -Lc '^done' "$results"/steps/* | wc -l)
echo "$unfinished steps are left; results: $here/results.tar.gz ($(du -sh "$results" | cut -f1))"
