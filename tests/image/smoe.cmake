# SPDX-License-Identifier: BSD-3-Clause
# SMoE: the stored models through the program. tests/smoe proves that lists, tiles and sizes give the
# picture of the reference; another device rounds otherwise, far above 50 dB.
fathom_image_test(smoe-picture PSNR 50 FORMAT png LABELS smoe
  COMMAND smoe render assets/smoe/atrium.smoe)
fathom_image_test(smoe-near PSNR 50 LABELS smoe
  COMMAND smoe render assets/smoe/atrium.smoe --window 150,120,48,32 --size 288x192 --bits 14)
fathom_image_test(smoe-view PSNR 50 FORMAT png LABELS smoe
  COMMAND smoe render assets/smoe/light-field.smoe --view 1.5,-0.75)
fathom_image_test(smoe-disparity PSNR 40 FORMAT png LABELS smoe
  COMMAND smoe render assets/smoe/light-field.smoe --show disparity)
