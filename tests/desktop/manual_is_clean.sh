#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# manual_is_clean.sh FATHOM: prints what groff complains about in the manual page; nothing when clean.
set -euo pipefail
"$1" --man | groff -man -Tutf8 -ww 2>&1 >/dev/null
