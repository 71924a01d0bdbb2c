# SPDX-License-Identifier: BSD-3-Clause
# Deep images: what the program draws. Layouts, methods and bands give the same fragments (tests/deep
# proves it), so one picture per way through the program is enough.
fathom_image_test(deep-planes LABELS deep
  COMMAND deep flatten planes:count=64,spheres=16 --size 192x128)
fathom_image_test(deep-hairball LABELS deep
  COMMAND deep flatten hairball:strands=800,spheres=24 --size 192x192)
fathom_image_test(deep-atrium LABELS deep COMMAND deep flatten atrium --size 256x144)
fathom_image_test(deep-atrium-interior LABELS deep
  COMMAND deep flatten atrium\#interior --size 256x144)
fathom_image_test(deep-heatmap FORMAT png LABELS deep
  COMMAND deep heatmap hairball:strands=800,spheres=24 --size 256x192)
