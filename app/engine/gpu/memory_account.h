// SPDX-License-Identifier: BSD-3-Clause
// Knows every buffer and texture by name and bytes, and refuses with need and limit before the
// driver does.
#pragma once

#include "app/engine/core/error.h"

namespace fathom::gpu {

/// A buffer or texture would exceed a limit of the device. Callers that can, work in smaller
/// regions instead; pieces() suggests how many.
class DoesNotFit : public Error {
 public:
  /// `need` and `limit` are in the same unit, whatever it is.
  DoesNotFit(const std::string& message, double need, double limit);
  /// How many pieces should fit, at least 2, with 15 percent to spare for pieces of unequal
  /// content.
  int pieces() const { return pieces_; }

 private:
  int pieces_;
};

class MemoryAccount {
 public:
  struct Entry {
    std::uint64_t id;
    std::string name;
    std::int64_t bytes;
  };

  /// Throws DoesNotFit ("NAME: needs 3.1 GiB in one buffer, this GPU allows 2.0 GiB") when one
  /// storage block cannot hold it, or when the sum would pass the budget, after `freedBytes` are
  /// given back.
  void expectRoom(const std::string& name, std::int64_t bytes, bool storageBlock,
                  std::int64_t freedBytes = 0) const;
  /// The same check, then adds an entry. Returns the entry's id.
  std::uint64_t add(const std::string& name, std::int64_t bytes, bool storageBlock);
  void remove(std::uint64_t id);

  struct Remove {
    std::uint64_t id = 0;
    void operator()(MemoryAccount* account) const { account->remove(id); }
  };
  /// An entry that is removed when this dies.
  using Held = std::unique_ptr<MemoryAccount, Remove>;
  Held hold(const std::string& name, std::int64_t bytes, bool storageBlock) {
    return {this, {add(name, bytes, storageBlock)}};
  }

  const std::vector<Entry>& entries() const { return entries_; }
  std::int64_t totalBytes() const { return total_; }
  std::int64_t peakBytes() const { return peak_; }

  /// The largest single storage buffer that may be made: the device's limit, or less when a test or
  /// the user asks for it (bands of every height must give the same result).
  std::int64_t blockLimit() const { return blockLimit_; }
  void setBlockLimit(std::int64_t bytes) { blockLimit_ = bytes; }
  /// All buffers together.
  std::int64_t budget() const { return budget_; }
  void setBudget(std::int64_t bytes) { budget_ = bytes; }

 private:
  std::vector<Entry> entries_;
  std::int64_t total_ = 0, peak_ = 0, blockLimit_ = INT64_MAX, budget_ = INT64_MAX;
  std::uint64_t nextId_ = 1;
};

/// "3.1 GiB", "640 KiB", "12 B".
std::string bytesText(std::int64_t bytes);

}  // namespace fathom::gpu
