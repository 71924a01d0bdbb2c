// SPDX-License-Identifier: BSD-3-Clause
// The one place where the stb single-header libraries are compiled.
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
