# SPDX-License-Identifier: BSD-3-Clause
# Active pixels: what parts composite to. tests/active_pixel proves that modes, methods and numbers of
# parts give the same picture.
fathom_image_test(active-pixel-station LABELS active-pixel COMMAND active-pixel composite station
  --size 192x108 --parts 5)
fathom_image_test(active-pixel-parts FORMAT png LABELS active-pixel COMMAND active-pixel composite
  station --size 192x108 --parts 5 --show parts)
fathom_image_test(active-pixel-points LABELS active-pixel COMMAND active-pixel composite
  points:count=20000 --size 192x108 --parts 3)
fathom_image_test(active-pixel-blend LABELS active-pixel COMMAND active-pixel composite
  hairball:strands=300,spheres=40 --size 192x108 --parts 2 --compositing blend --color rgba32f)
