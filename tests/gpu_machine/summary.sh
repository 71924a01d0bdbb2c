# SPDX-License-Identifier: BSD-3-Clause
# The page of a run: a section each for device, first images, suites, checks, benches, tuning and pictures. Sourced by
# run.sh, which knows $results.
section() { # section NAME TITLE
  local note name status seconds what
  printf '\n## %s\n\n| What | Result | Seconds | |\n|---|---|---|---|\n' "$2"
  for note in "$results/steps/$1".*; do
    [[ -f $note ]] || continue
    name=${note##*/"$1".}
    IFS=$'\t' read -r status seconds what <"$note"
    printf '| %s | %s | %s | %s |\n' "$name" "$status" "$seconds" "${what//|//}"
  done
}

printf '# Fathom on this machine\n\n%s, %s\n\n```\n' "$("$program" --version)" "$(date -u +%Y-%m-%d)"
cat "$results/logs/info.limits.txt" 2>/dev/null
printf '```\n'
section first "First images, with nothing compiled and again"
section suites "Suites of the GPU"
section check "Benches against their references"
section bench "Benches, $sizes sizes"
printf '\n## Foretold and measured\n\nOf each case: passes, ms here, and for three GPUs ms by counts (and by bytes alone).\n\n```\n'
for log in "$results"/logs/bench.*.txt; do
  [[ -f $log ]] && awk '/^  pass +times/ {head = before "\n" $0; next} !NF {head = ""} head != "" {print head; head = ""; on = 1}
    on {print} /^  all / {on = 0} {before = $0}' "$log"
done
printf '```\n'
section tune "Tuned variants"
section pictures "Pictures against baselines"
section report "Page beside the papers: report.html"
