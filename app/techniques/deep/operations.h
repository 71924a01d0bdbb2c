// SPDX-License-Identifier: BSD-3-Clause
// What compositors do with deep images besides merging them: per input (role, Z, range) and on the
// merged image (tidy, drop hidden, thin). Here the operations on the CPU, in double and for every
// format: the reference of the GPU's (edit.cpp), and what serves images whose colors the GPU does
// not hold. Source: OpenEXR, "Interpreting Deep Pixels".
#pragma once

#include "app/core/deep_image.h"
#include "app/core/image.h"

#include <cstddef>
#include <limits>

namespace fathom::deep {

enum class Role {
  Add,      // its fragments are merged
  HoldOut,  // it takes away what it covers, and is not seen itself
  HoldIn,   // only what it covers is left
};

/// What is done with one input before it is merged.
struct InputEdit {
  bool visible = true;
  Role role = Role::Add;
  float zScale = 1, zOffset = 0;  // Z' = zScale * Z + zOffset, ZBack likewise; zScale > 0
  // Kept range of Z', ends included; volumes are cut there.
  float nearest = -std::numeric_limits<float>::infinity();
  float farthest = std::numeric_limits<float>::infinity();
  bool operator==(const InputEdit&) const = default;
  bool isNothing() const { return *this == InputEdit{}; }
};

/// What is done with the merged image, in this order.
struct MergeEdit {
  bool tidy = false;     // volumes split where others begin and end, coincident fragments merged
  float dropHidden = 0;  // above 0: fragments behind this much alpha are dropped
  int most = 0;          // above 0: so many fragments per pixel are left
  bool operator==(const MergeEdit&) const = default;
};

}  // namespace fathom::deep
