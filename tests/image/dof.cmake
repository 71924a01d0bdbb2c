# SPDX-License-Identifier: BSD-3-Clause
# Depth of field: one picture per operator and per kind of aperture. tests/dof proves that sorting
# methods, bands and variants give the same picture. A small scale makes discs large enough to tell
# apertures and operators apart.
fathom_image_test(dof-over LABELS dof COMMAND dof render planes:count=1,spheres=60,alpha=1,seed=4
  --size 192x108 --mm-per-unit 150 --focus-distance 20 --f-number 0.5 --operator over --layers first)
fathom_image_test(dof-coverage LABELS dof COMMAND dof render
  planes:count=1,spheres=60,alpha=1,seed=4 --size 192x108 --mm-per-unit 150 --focus-distance 20 --f-number 0.5)
fathom_image_test(dof-blades LABELS dof COMMAND dof render
  planes:count=1,spheres=60,alpha=1,seed=4 --size 192x108 --mm-per-unit 150 --focus-distance 20 --f-number 0.5
  --blades 5)
fathom_image_test(dof-atrium LABELS dof COMMAND dof render atrium --size 192x108 --mm-per-unit 150
  --focus-distance 20 --f-number 0.7)
fathom_image_test(dof-circles FORMAT png LABELS dof COMMAND dof render
  planes:count=1,spheres=60,alpha=1,seed=4 --size 192x108 --mm-per-unit 150 --focus-distance 8 --show circles)
