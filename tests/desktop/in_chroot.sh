#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# in_chroot.sh PACKAGE.deb BUNDLE.tar.xz: installs the package in a fresh Debian 12 and unpacks the
# bundle in another, both with nothing but a GL driver, and runs the program there: pictures from
# every technique, the manual page, and the window when this script has a display. Asks for root, a
# network and debootstrap; takes about five minutes.
set -euo pipefail
package=$(realpath "$1") bundle=$(realpath "$2")
assets=$(realpath "$(dirname "$0")/../../assets")
work=$(mktemp -d)
cleanup() {
  for root in "$work"/*/; do
    umount "$root/tmp/.X11-unix" "$root/proc" 2>/dev/null || true
  done
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

say() { printf '== %s\n' "$*"; }

# fresh NAME: a minimal system in $work/NAME
fresh() {
  if [[ ! -d $work/base ]]; then
    debootstrap --variant=minbase bookworm "$work/base" http://deb.debian.org/debian >"$work/log" 2>&1
    cp /etc/resolv.conf "$work/base/etc/"
  fi
  cp -a "$work/base" "$work/$1"
  mount -t proc proc "$work/$1/proc"
}

inside() { chroot "$work/$1" env HOME=/root LC_ALL=C.UTF-8 sh -ec "$2"; }

# try NAME FATHOM: what a user would do first
try() {
  cp -a "$assets" "$work/$1/assets"
  inside "$1" "
    $2 --version
    $2 info | grep -E 'renderer|version'
    $2 deep capture atrium --size 320x180 -o /tmp/a.exr
    $2 deep flatten /tmp/a.exr -o /tmp/deep.png
    $2 smoe render /assets/smoe/atrium.smoe --size 320x180 -o /tmp/smoe.png
    $2 dof render atrium --size 160x90 -o /tmp/dof.png
    $2 active-pixel composite station --size 320x180 -o /tmp/station.png
    $2 flame render /assets/flame/corona.flame --quality 5 -o /tmp/flame.png
    ls -l /tmp/*.png"
  if [[ -n ${DISPLAY:-} && -d /tmp/.X11-unix ]]; then
    mkdir -p "$work/$1/tmp/.X11-unix"
    mount --bind /tmp/.X11-unix "$work/$1/tmp/.X11-unix"
    inside "$1" "DISPLAY=$DISPLAY $2 view atrium --frames 2 --size 1280x720 --screenshot /tmp/window.png"
    ls -l "$work/$1/tmp/window.png"
  fi
}

say "the package"
fresh package
cp "$package" "$work/package/fathom.deb"
inside package "apt-get update -q >/dev/null
  apt-get install -y -q --no-install-recommends /fathom.deb man-db desktop-file-utils shared-mime-info >/tmp/log 2>&1 ||
    { cat /tmp/log; exit 1; }"
inside package "man fathom | wc -l; desktop-file-validate /usr/share/applications/org.fathom.Fathom.desktop
  update-mime-database /usr/share/mime; grep -c fathom /usr/share/mime/globs2; du -sh --exclude=/proc / | tail -1"
try package fathom

say "the bundle"
fresh bundle
inside bundle "apt-get update -q >/dev/null
  apt-get install -y -q --no-install-recommends libegl1 libgl1 libgl1-mesa-dri >/tmp/log 2>&1"
tar -C "$work/bundle" -xJf "$bundle"
try bundle "/$(basename "$bundle" .tar.xz)/fathom"
say "both run"
