// SPDX-License-Identifier: BSD-3-Clause
// The only structural move of a fit: components that hardly matter go where the error is, beside
// the component that causes it, which is split along the axis of its error.
#pragma once

#include "app/engine/smoe/fit/passes.h"

namespace fathom::smoe {

/// What fit_measure.comp finds, over all regions measured.
struct ComponentWorth {
  double removal = 0;  // growth of the squared error without it
  double blame = 0;    // squared error weighted by its gate
  glm::dvec2 z{0};     // sums of z and z z^T (11, 12, 22), weighted by that
  glm::dvec3 squares{0};
};

/// Adds the last measure() to what is there, one per component.
void addWorth(const FitPasses& passes, std::vector<ComponentWorth>& worth);

/// Whether a picture has so many pixels per component that small ones can gain by halves. Where
/// components are a few pixels wide, on views and on frames, a fit keeps to the plain rules.
bool hasRoom(const Model& frame, std::size_t components);

/// Moves up to `maxCount` components; changes them in place. Returns the indices of those that
/// changed, ascending.
std::vector<std::uint32_t> relocate(std::vector<Component>& components, const Model& frame,
                                    std::span<const ComponentWorth> worth, std::size_t maxCount);

/// Splits the `count` components with the largest blame; the new halves are appended. Returns the
/// indices of those that were split and of what was appended, ascending.
std::vector<std::uint32_t> splitWorst(std::vector<Component>& components, const Model& frame,
                                      std::span<const ComponentWorth> worth, std::size_t count);

/// Component numbers, beginning with what is missed least.
std::vector<std::uint32_t> cheapestFirst(std::span<const ComponentWorth> worth);

/// Two halves along the main axis of where the component errs, 0.6 of its sigma to either side.
struct Halves {
  Record first, second;
};
Halves split(const Record& record, const ComponentWorth& worth);

}  // namespace fathom::smoe
