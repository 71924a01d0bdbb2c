# SPDX-License-Identifier: BSD-3-Clause
# Flames: what the program draws of its own genomes, one per way through it. Another device draws
# other random numbers: 33 dB is the noise of this quality, and far above a wrong picture.
fathom_image_test(flame-corona FORMAT png PSNR 33 LABELS flame
  COMMAND flame render assets/flame/corona.flame --size 240x180 --quality 150)
fathom_image_test(flame-fern FORMAT png PSNR 33 LABELS flame
  COMMAND flame render assets/flame/fern.flame --size 240x180 --quality 150 --accumulate deferred)
fathom_image_test(flame-rosette FORMAT png PSNR 33 LABELS flame
  COMMAND flame render assets/flame/rosette.flame --size 240x180 --quality 150 --estimator off
          --accumulate atomic)
fathom_image_test(flame-whirlpool FORMAT exr PSNR 33 LABELS flame
  COMMAND flame render assets/flame/whirlpool.flame --size 240x180 --quality 150 --transparent)
