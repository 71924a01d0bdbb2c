// SPDX-License-Identifier: BSD-3-Clause
// Sums and limits, and the messages about them.
#include "app/engine/gpu/memory_account.h"

#include "app/engine/gpu/stress.h"

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

DoesNotFit::DoesNotFit(const std::string& message, double need, double limit)
    : Error(message),
      pieces_(int(std::clamp(std::ceil(1.15 * need / std::max(limit, 1.0)), 2.0, 65536.0))) {}

void MemoryAccount::expectRoom(const std::string& name, std::int64_t bytes, bool storageBlock,
                               std::int64_t freedBytes) const {
  FATHOM_CHECK_OP(bytes, >=, 0);
  if (storageBlock && bytes > blockLimit_)
    throw DoesNotFit(fmt::format("{}: needs {} in one buffer, this GPU allows {}", name,
                                 bytesText(bytes), bytesText(blockLimit_)),
                     double(bytes), double(blockLimit_));
  if (stress().refuses && stress().refused.insert(name).second)
    throw DoesNotFit(name + ": refused by a test", double(bytes), double(bytes));
  const std::int64_t others = total_ - freedBytes;
  if (bytes > budget_ - others)
    throw DoesNotFit(fmt::format("{}: needs {} besides the {} in use, this GPU allows {} in all",
                                 name, bytesText(bytes), bytesText(others), bytesText(budget_)),
                     double(bytes), double(budget_ - others));
}

std::uint64_t MemoryAccount::add(const std::string& name, std::int64_t bytes, bool storageBlock) {
  expectRoom(name, bytes, storageBlock);
  entries_.push_back({nextId_, name, bytes});
  total_ += bytes;
  peak_ = std::max(peak_, total_);
  return nextId_++;
}

void MemoryAccount::remove(std::uint64_t id) {
  // Ids ascend with time, so entries are sorted by id.
  const auto entry = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  if (entry == entries_.end() || entry->id != id) return;
  total_ -= entry->bytes;
  entries_.erase(entry);
}

}  // namespace fathom::gpu
