// SPDX-License-Identifier: BSD-3-Clause
// The one place where the stb single-header libraries are compiled. Of the pictures those remain
// that Fathom reads by it: PNG and JPEG, and BMP and TGA for textures of scenes. The others have
// known faults in the versions that distributions carry (SECURITY.md).
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#include <stb_image.h>
