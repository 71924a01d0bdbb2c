// SPDX-License-Identifier: BSD-3-Clause
#include "app/gpu/memory_account.h"

#include "app/core/error.h"

#include <algorithm>
#include <iterator>

namespace fathom::gpu {

std::string bytesText(std::int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = double(bytes);
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < std::size(kUnits)) value /= 1024, ++unit;
  return value < 99.95 ? fmt::format("{:.1f} {}", value, kUnits[unit])
                       : fmt::format("{:.0f} {}", value, kUnits[unit]);
}

std::uint64_t MemoryAccount::add(const std::string& name, std::int64_t bytes, bool storageBlock) {
  FATHOM_CHECK_OP(bytes, >=, 0);
  if (storageBlock && bytes > blockLimit_)
    fail("{}: needs {} in one buffer, this GPU allows {}", name, bytesText(bytes),
         bytesText(blockLimit_));
  if (bytes > budget_ - total_)
    fail("{}: needs {} besides the {} in use, this GPU allows {} in all", name, bytesText(bytes),
         bytesText(total_), bytesText(budget_));
  entries_.push_back({nextId_, name, bytes});
  total_ += bytes;
  peak_ = std::max(peak_, total_);
  return nextId_++;
}

void MemoryAccount::remove(std::uint64_t id) {
  // Ids ascend with time, so entries are sorted by id.
  const auto entry = std::lower_bound(entries_.begin(), entries_.end(), id,
                                      [](const Entry& e, std::uint64_t i) { return e.id < i; });
  if (entry == entries_.end() || entry->id != id) return;
  total_ -= entry->bytes;
  entries_.erase(entry);
}

}  // namespace fathom::gpu
