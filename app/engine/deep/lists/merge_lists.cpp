// SPDX-License-Identifier: BSD-3-Clause
// The passes of a merge: tables of the result from those of the inputs, then the fragments; which
// inputs go into which pass; the buffers that the inputs of one pass share; and edits.
#include "app/engine/deep/lists/merge_lists.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/gpu/memory_account.h"
#include "shaders/deep/view/depth_view_shared.h"

namespace fathom::deep {

// ---- Which with which

namespace {

class Planner {
 public:
  explicit Planner(std::span<const std::uint64_t> fragmentCounts)
      : counts_(fragmentCounts.begin(), fragmentCounts.end()) {
    plan_.left.resize(counts_.size());
    std::iota(plan_.left.begin(), plan_.left.end(), std::size_t(0));
  }

  /// One level of a tree: first with second, third with fourth; an odd one waits.
  void mergePairs() {
    for (std::size_t at = 0; at + 1 < plan_.left.size(); ++at) merge(at, 2);
  }
  /// Those `ways` neighbors that hold the fewest fragments.
  void mergeFewest(std::size_t ways) {
    std::size_t best = 0;
    std::uint64_t fewest = UINT64_MAX;
    for (std::size_t at = 0; at + ways <= plan_.left.size(); ++at) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < ways; ++i) sum += counts_[plan_.left[at + i]];
      if (sum < fewest) fewest = sum, best = at;
    }
    merge(best, ways);
  }
  std::size_t leftCount() const { return plan_.left.size(); }
  MergePlan take() { return std::move(plan_); }

 private:
  /// left[at .. at + ways) becomes one.
  void merge(std::size_t at, std::size_t ways) {
    const auto first = plan_.left.begin() + std::ptrdiff_t(at), last = first + std::ptrdiff_t(ways);
    std::uint64_t sum = 0;
    for (auto list = first; list != last; ++list) sum += counts_[*list];
    plan_.steps.emplace_back(first, last);
    *first = counts_.size();
    plan_.left.erase(first + 1, last);
    counts_.push_back(sum);
  }

  MergePlan plan_;
  std::vector<std::uint64_t> counts_;  // by number
};

}  // namespace

MergePlan planMerge(std::span<const std::uint64_t> fragmentCounts, Strategy strategy, bool toOne) {
  FATHOM_CHECK(strategy != Strategy::Auto);
  constexpr std::size_t ways = DEEP_MAX_WAYS;
  Planner planner(fragmentCounts);
  if (strategy == Strategy::Pairwise) {
    while (planner.leftCount() > (toOne ? 1U : 2U)) planner.mergePairs();
    return planner.take();
  }
  // Each pass takes `ways` lists and leaves one; the first takes what does not come out even.
  if (planner.leftCount() > ways) planner.mergeFewest((planner.leftCount() - 2) % (ways - 1) + 2);
  while (planner.leftCount() > ways) planner.mergeFewest(ways);
  if (toOne && planner.leftCount() > 1) planner.mergeFewest(planner.leftCount());
  return planner.take();
}

// ---- Pools

namespace {

/// Slices begin at multiples of 64 words, which is 256 bytes: more than any device asks of offsets.
/// In data they begin at multiples of 64 fragments.
constexpr std::uint64_t kAlignment = 64;
std::uint64_t aligned(std::uint64_t n) {
  return (std::max<std::uint64_t>(n, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

struct PooledBuffer {
  BufferSlice FragmentLists::*slice;
  const char* name;
  std::uint64_t (*need)(const FragmentLists&);  // in words
};

constexpr PooledBuffer kBuffers[] = {
    {&FragmentLists::table, "pooled tables",
     [](const FragmentLists& lists) { return aligned(std::uint64_t(lists.slotCount) + 1); }},
    {&FragmentLists::counts, "pooled counts",
     [](const FragmentLists& lists) {
       return isLinear(lists.shape) ? 0 : aligned(lists.slotCount);
     }},
    // As many links as fragments, aligned alike: a node has one place in both.
    {&FragmentLists::extra, "pooled links and minimums",
     [](const FragmentLists& lists) -> std::uint64_t {
       if (isLinear(lists.shape)) return 0;
       if (isLinked(lists.shape)) return aligned(lists.elements());
       return aligned(isRanked(lists.shape) ? 2 * std::uint64_t(lists.slotCount)
                                            : lists.groupCount());
     }},
    {&FragmentLists::data, "pooled fragments", [](const FragmentLists& lists) {
       return aligned(lists.elements()) * std::uint64_t(lists.shape.words());
     }}};

/// All buffers are checked: a region that is a little larger may have outgrown one of them alone.
bool isPooled(std::span<FragmentLists* const> lists) {
  for (const PooledBuffer& buffer : kBuffers)
    for (const FragmentLists* l : lists) {
      const std::uint64_t need = buffer.need(*l);
      const BufferSlice& slice = l->*buffer.slice;
      if (need > 0 && (!slice.sharesWith(lists[0]->*buffer.slice) || slice.count() < need))
        return false;
    }
  return true;
}

}  // namespace

void pool(ListStore& store, std::span<FragmentLists* const> lists) {
  FATHOM_CHECK(!lists.empty());
  if (isPooled(lists)) return;
  for (FragmentLists* l : lists) {
    FATHOM_CHECK(l->shape == lists[0]->shape && l->region == lists[0]->region);
    l->capacity = std::uint32_t(l->elements());
  }
  for (const PooledBuffer& buffer : kBuffers) {
    std::uint64_t words = 0;
    for (const FragmentLists* l : lists) words += buffer.need(*l);
    if (words == 0) continue;
    store.gpu().memory().expectRoom(buffer.name, std::int64_t(words * 4), true);
    const auto shared =
        std::make_shared<BufferSlice::Buffer>(store.gpu(), buffer.name, std::size_t(words));
    std::size_t first = 0;
    for (FragmentLists* l : lists) {
      BufferSlice slice(shared, first, std::size_t(buffer.need(*l)));
      BufferSlice& old = l->*buffer.slice;
      if (old) slice.copyFrom(old, std::int64_t(std::min(old.count(), slice.count()) * 4));
      old = slice;  // gives the old buffer back before the next is copied
      first += slice.count();
    }
  }
  gpu::barrier(gpu::Access::Storage);  // merge lists
}

gpu::Program& bindPool(gpu::Program& program, std::span<FragmentLists* const> inputs) {
  FATHOM_CHECK(isPooled(inputs));
  const FragmentLists& any = *inputs[0];
  program.storage(DEEP_BIND_TABLE, any.table.whole()).storage(DEEP_BIND_DATA, any.data.whole());
  if (!isLinear(any.shape))
    program.storage(DEEP_BIND_COUNTS, any.counts.whole())
        .storage(DEEP_BIND_EXTRA, any.extra.whole());
  shared::Sources sources{};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const FragmentLists& l = *inputs[i];
    const std::size_t bases[] = {l.table.first(), l.counts.first(), l.extra.first(),
                                 l.data.first() / std::size_t(l.shape.words())};
    std::copy_n(bases, 4, sources.bases[i]);
  }
  return program.params(DEEP_BIND_SOURCES, sources);
}

// ---- Costs and programs

namespace {

/// The number of lists that a program is compiled for: missing ones count as exhausted.
int waysFor(std::size_t inputs) { return inputs <= 4 ? 4 : inputs <= 8 ? 8 : DEEP_MAX_WAYS; }

/// Fragments per list that fit the registers of one invocation, all lists together: 32 words,
/// beside which cursors, counts and keys have room on every device.
int registersFor(int ways, const ListShape& shape, Method method) {
  if (method == Method::Stepwise || ways > 8) return 1;
  return std::min(shape.registers(), 32 / ways / shape.words());
}

/// A fragment of several lists is compared with the first of each, moved, and written or laid over.
gpu::DispatchCost mergeCost(std::span<FragmentLists* const> inputs) {
  return walkCost(inputs, {40 + 8 * double(inputs.size()), 1});
}

/// Of a group: its 32 slots in each input.
gpu::Each combineCost(std::size_t inputs) {
  return {12.0 * DEEP_GROUP * double(inputs + 1), DEEP_GROUP};
}

/// More than two are pooled, and those two that are saved where the device allows too few storage
/// blocks for the pass over them.
bool pools(const ListStore& store, std::span<FragmentLists* const> inputs, bool saves) {
  const int needed = isLinked(inputs[0]->shape) ? 13 : 12;
  return inputs.size() > 2 ||
         (saves && inputs.size() == 2 && store.gpu().limits().storageBlocksPerStage < needed);
}

/// Linked lists that are not all back to front are turned before they are merged.
bool descend(std::span<FragmentLists* const> inputs) {
  return std::ranges::all_of(inputs, &FragmentLists::descending);
}

void alignDirections(ListStore& store, std::span<FragmentLists* const> inputs) {
  if (descend(inputs)) return;
  for (FragmentLists* lists : inputs) store.ascend(*lists);
}

/// Binds the inputs of a pass: two by themselves, or as many as are pooled. Returns the number of
/// the list that follows them.
unsigned bindInputs(gpu::Program& program, std::span<FragmentLists* const> inputs, bool pooled) {
  if (pooled) {
    bindPool(program, inputs);
    return 1;
  }
  bind(program, *inputs[0], 0);
  bind(program, *inputs[1], 1);
  return 2;
}

/// `saves` the merged lists, or composites them.
gpu::PassKey mergeKey(const ListStore& store, std::span<FragmentLists* const> inputs,
                      const Settings& settings, bool saves) {
  FATHOM_CHECK(inputs.size() >= 2 && inputs.size() <= DEEP_MAX_WAYS);
  const ListShape shape = saves ? anySlots(inputs[0]->shape) : inputs[0]->shape;
  const Method method = resolve(settings.method, store.gpu().device().software);
  std::vector<gpu::Define> defines{{"OUTPUT", saves ? 1 : 0}};
  if (!saves)
    defines.emplace_back("EARLY_OUT", int(settings.earlyOut));
  else if (isLinked(shape))
    defines.emplace_back("LINK", int(settings.links));
  defines.emplace_back("DESCENDING", descend(inputs) ? 1 : 0);
  const bool pooled = pools(store, inputs, saves);
  if (pooled) {
    const int ways = waysFor(inputs.size());
    defines.emplace_back("WAYS", ways);
    defines.emplace_back("REGISTERS", registersFor(ways, shape, method));
  } else {
    defines.emplace_back("METHOD", int(method));
    if (method == Method::RegisterBlock) defines.emplace_back("REGISTERS", shape.registers());
  }
  const std::string name = pooled ? "merge many lists" : "merge lists";
  const char* const file = pooled ? "lists/merge_many_lists.comp" : "lists/merge_lists.comp";
  return store.key(name, file, shape, std::move(defines));
}

gpu::PassKey combineKey(const ListStore& store, std::span<FragmentLists* const> inputs) {
  std::vector<gpu::Define> defines;
  if (pools(store, inputs, true)) defines.emplace_back("POOLED", 1);
  return store.key("combine tables", "lists/combine_tables.comp", anySlots(inputs[0]->shape),
                   std::move(defines));
}

}  // namespace

// ---- In one pass

void mergeLists(ListStore& store, std::span<FragmentLists* const> inputs, const Settings& settings,
                FragmentLists& out) {
  const FragmentLists& first = *inputs[0];
  const bool linked = isLinked(first.shape);
  const bool pooled = pools(store, inputs, true);
  if (pooled) pool(store, inputs);
  std::uint64_t fragments = 0;
  for (const FragmentLists* lists : inputs) {
    FATHOM_CHECK(lists != &out && lists->shape == first.shape && lists->region == first.region);
    fragments += lists->fragmentCount;
  }
  store.prepare(out, first.region, first.shape);
  store.reserve(out, fragments);
  out.fragmentCount = std::uint32_t(fragments);
  out.longest = longestOf(inputs);
  alignDirections(store, inputs);

  shared::Params sizes = paramsOf(out);
  sizes.count = std::uint32_t(inputs.size());
  gpu::Pass& combine = store.pass(combineKey(store, inputs));
  bind(combine, out, bindInputs(combine, inputs, pooled)).params(DEEP_BIND_PARAMS, sizes);
  combine.dispatch(out.groupCount(), combineCost(inputs.size()));
  gpu::barrier(gpu::Access::Storage);  // rank lists, merge lists
  if (isRanked(out.shape)) store.rankLists(out);

  gpu::Pass& p = store.pass(mergeKey(store, inputs, settings, true));
  bind(p, out, bindInputs(p, inputs, pooled)).params(DEEP_BIND_PARAMS, sizes);
  if (linked) {
    store.summary().clear();
    p.storage(DEEP_BIND_SUMMARY, store.summary());
  }
  p.dispatch(out.slotCount, mergeCost(inputs));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // the next merge, flatten, download
  // Pushing turns the lists around; writing forward keeps the direction of the inputs.
  out.descending = linked && (first.descending != (settings.links == Links::Push));
}

void compositeLists(ListStore& store, std::span<FragmentLists* const> lists,
                    const Settings& settings, const gpu::Texture& picture) {
  const FragmentLists& first = *lists[0];
  if (lists.size() == 1) return flattenLists(store, first, settings.earlyOut, picture);
  const bool pooled = pools(store, lists, false);
  if (pooled) pool(store, lists);
  FATHOM_CHECK(first.shape == lists[1]->shape && first.region == lists[1]->region);
  alignDirections(store, lists);
  shared::Params sizes = paramsOf(first);
  sizes.count = std::uint32_t(lists.size());
  gpu::Pass& p = store.pass(mergeKey(store, lists, settings, false));
  bindInputs(p, lists, pooled);
  p.image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, sizes);
  p.dispatch(first.slotCount, mergeCost(lists));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

// ---- Any number

namespace {

/// Lists as a plan numbers them: the inputs, then the result of each step.
std::vector<FragmentLists*> numbered(const std::vector<std::size_t>& numbers,
                                     std::span<FragmentLists* const> inputs,
                                     std::vector<FragmentLists>& merged) {
  std::vector<FragmentLists*> lists;
  for (const std::size_t n : numbers)
    lists.push_back(n < inputs.size() ? inputs[n] : &merged[n - inputs.size()]);
  return lists;
}

/// Room in `merged` for the result of each step, pools for passes that read many, and all programs.
void prepareSteps(ListStore& store, std::span<FragmentLists* const> inputs, const MergePlan& plan,
                  std::vector<FragmentLists>& merged, const Settings& settings, bool composites) {
  if (merged.size() < plan.steps.size()) merged.resize(plan.steps.size());
  // All inputs of a pass over many share one pool, with room for results of earlier steps.
  std::vector<FragmentLists*> pooled;
  const auto join = [&](const std::vector<FragmentLists*>& lists) {
    if (pools(store, lists, true)) pooled.insert(pooled.end(), lists.begin(), lists.end());
  };
  std::set<gpu::PassKey> keys;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const std::vector<FragmentLists*> lists = numbered(plan.steps[i], inputs, merged);
    join(lists);
    keys.insert(combineKey(store, lists));
    keys.insert(mergeKey(store, lists, settings, true));
    std::uint64_t fragments = 0;
    for (const FragmentLists* list : lists) fragments += list->fragmentCount;
    if (fragments > UINT32_MAX)
      throw gpu::DoesNotFit("fragments: more than 2^32 in one region", double(fragments), 0x1p32);
    merged[i].shape = inputs[0]->shape;
    merged[i].region = inputs[0]->region;
    merged[i].slotCount = inputs[0]->slotCount;
    merged[i].fragmentCount = std::uint32_t(fragments);
  }
  const std::vector<FragmentLists*> left = numbered(plan.left, inputs, merged);
  join(left);
  if (composites && left.size() > 1) keys.insert(mergeKey(store, left, settings, false));
  store.gpu().request({keys.begin(), keys.end()});
  if (!pooled.empty()) pool(store, pooled);
}

}  // namespace

std::vector<FragmentLists*> mergeDown(ListStore& store, std::span<FragmentLists* const> inputs,
                                      std::vector<FragmentLists>& merged, const Settings& settings,
                                      bool toOne) {
  std::vector<std::uint64_t> counts;
  for (const FragmentLists* lists : inputs) counts.push_back(lists->fragmentCount);
  const MergePlan plan = planMerge(counts, resolve(settings.strategy, inputs.size()), toOne);
  prepareSteps(store, inputs, plan, merged, settings, !toOne);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const std::vector<FragmentLists*> lists = numbered(plan.steps[i], inputs, merged);
    mergeLists(store, lists, settings, merged[i]);
  }
  return numbered(plan.left, inputs, merged);
}

// ---- Lists that are merged

void flattenLists(ListStore& store, const FragmentLists& lists, EarlyOut earlyOut,
                  const gpu::Texture& picture) {
  gpu::Pass& p = store.pass(
      "flatten lists", "lists/flatten_lists.comp", lists.shape,
      {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}}, lists.longest);
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, paramsOf(lists));
  p.dispatch(lists.slotCount, walkCost(lists, {25, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

void peelLists(ListStore& store, const FragmentLists& lists, const Peel& peel, EarlyOut earlyOut,
               const gpu::Texture& picture) {
  gpu::Pass& p =
      store.pass("peel lists", "lists/peel_lists.comp", lists.shape,
                 {{"DESCENDING", lists.descending ? 1 : 0}, {"EARLY_OUT", int(earlyOut)}});
  shared::PeelParams window{};
  window.nearKey = zKey(peel.range.nearest);
  window.farKey = zKey(peel.range.farthest);
  window.number = std::uint32_t(peel.number);
  bind(p, lists)
      .image(DEEP_IMAGE_RESULT, picture)
      .params(DEEP_BIND_PARAMS, paramsOf(lists))
      .params(DEEP_BIND_PEEL, window);
  p.dispatch(lists.slotCount, walkCost(lists, {30, 1}));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

// ---- Edits. Each operation runs its pass twice: to count, and to write; see edit_output.glsl

namespace {

/// What a pass reads again for each fragment: nothing, the volumes that overlap there, or what
/// edit_thin.comp keeps of the list.
enum class Rescans { Nothing, Overlaps, Blocks };

struct EditPass {
  std::string name, file;
  std::array<std::uint32_t, 4> words{};  // count, spareA, spareB, spareC of its params
  bool usesScratch = false;              // 4 words per fragment of the input
  bool countsApart = false;              // a program that only counts (COUNTS 1)
  bool sorts = false;                    // lists may come out unsorted
  Rescans rescans = Rescans::Nothing;
};

/// Entries of edit_thin.comp: one per fragment, and one per 64 or less of each list that is
/// thinned, which has two at least.
std::uint64_t thinScratch(const FragmentLists& lists) {
  const std::uint64_t fragments = lists.fragmentCount;
  return fragments + fragments / 64 + std::min<std::uint64_t>(lists.slotCount, fragments / 2) + 1;
}

gpu::DispatchCost editCost(Rescans rescans, const FragmentLists& in, const FragmentLists* matte) {
  constexpr double kOverlap = 256;  // volumes, more than which no renderer lays over one another
  constexpr double kAtOnce = 16;    // reads that do not wait for one another
  const FragmentLists* const lists[] = {&in, matte ? matte : &in};
  const auto both = std::span(lists).first(matte ? 2 : 1);
  const double longest = longestOf(both);
  double again = 0;  // reads per fragment
  if (rescans == Rescans::Overlaps) again = 3 * std::min(longest, kOverlap);
  if (rescans == Rescans::Blocks) again = longest / 64 + 192;
  return walkCost(both, {40 + 8 * again, 2 + again / kAtOnce});
}

void dispatchEdit(ListStore& store, const EditPass& wanted, bool writes, FragmentLists& in,
                  FragmentLists* matte, FragmentLists& out) {
  gpu::Pass& p = store.pass(wanted.name, "operations/" + wanted.file, anySlots(in.shape),
                            {{"OUTPUT", 1}, {"COUNTS", !writes && wanted.countsApart ? 1 : 0}});
  shared::Params values = paramsOf(out);
  values.first = writes ? 1 : 0;
  values.count = wanted.words[0];
  values.spareA = wanted.words[1], values.spareB = wanted.words[2], values.spareC = wanted.words[3];
  bind(p, in, 0);
  if (matte) bind(p, *matte, 1);
  bind(p, out, matte ? 2 : 1);
  if (isLinked(in.shape) || wanted.usesScratch) p.storage(DEEP_BIND_SUMMARY, store.summary());
  if (wanted.usesScratch) p.storage(DEEP_BIND_SCRATCH, store.scratch().lists);
  p.params(DEEP_BIND_PARAMS, values);
  p.dispatch(out.slotCount, editCost(wanted.rescans, in, matte));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // what follows; the host
}

/// Runs a pass over `in` (and `matte`) that makes `out`. RIA is linearized first: these passes go
/// over lists repeatedly, and its walk is expensive (and has loops of its own, which some
/// compilers get wrong so deep inside of others). Returns summary.spare of passes that use scratch.
std::uint32_t edit(ListStore& store, const EditPass& wanted, FragmentLists& in,
                   FragmentLists* matte, FragmentLists& out) {
  FATHOM_CHECK(&out != &in && &out != matte);
  FATHOM_CHECK(!matte || (matte->shape == in.shape && matte->region == in.region));
  if (isRanked(in.shape)) {
    ListStore::Scratch& scratch = store.scratch();
    linearizeLists(store, in, scratch.plain);
    if (matte) linearizeLists(store, *matte, scratch.plainMatte);
    const std::uint32_t spare =
        edit(store, wanted, scratch.plain, matte ? &scratch.plainMatte : nullptr, scratch.plainOut);
    out.shape = in.shape;
    arrangeLists(store, scratch.plainOut, out);
    return spare;
  }
  store.ascend(in);
  if (matte) store.ascend(*matte);
  store.prepare(out, in.region, in.shape);
  if (!out.data) store.reserve(out, 1);  // something to bind while counting
  if (wanted.usesScratch)
    store.ensure(store.scratch().lists, "scratch of lists", 4 * thinScratch(in));

  // Count, make tables, write.
  dispatchEdit(store, wanted, false, in, matte, out);
  const shared::Summary summary = store.summarize(out);
  store.tabulate(out);
  store.reserve(out, summary.fragmentsLow);
  out.fragmentCount = summary.fragmentsLow;
  if (isLinked(in.shape) || wanted.usesScratch) store.summary().clear();
  dispatchEdit(store, wanted, true, in, matte, out);
  if (wanted.usesScratch) store.expectWhole();
  const std::uint32_t spare = wanted.usesScratch ? store.readSummary().spare : 0;
  if (wanted.sorts) sortLists(store, out, summary);
  return spare;
}

}  // namespace

void editDepths(ListStore& store, FragmentLists& in, const InputEdit& wanted, bool hasVolumes,
                FragmentLists& out) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  // Volumes that were cut at one depth, or whose fronts became one by rounding, need sorting.
  edit(store,
       {.name = "edit depths",
        .file = "edit_depths.comp",
        .words = {bits(wanted.zScale), bits(wanted.zOffset), bits(wanted.nearest),
                  bits(wanted.farthest)},
        .sorts = hasVolumes},
       in, nullptr, out);
}

void holdLists(ListStore& store, FragmentLists& in, FragmentLists& matte, Role role, HoldRule rule,
               FragmentLists& out) {
  edit(store,
       {.name = "hold lists",
        .file = "edit_hold.comp",
        .words = {role == Role::HoldIn ? 1u : 0u, rule == HoldRule::Fragments ? 1u : 0u},
        .rescans = Rescans::Overlaps},
       in, &matte, out);
}

void tidyLists(ListStore& store, FragmentLists& in, FragmentLists& out) {
  edit(store,
       {.name = "tidy lists",
        .file = "edit_tidy.comp",
        .countsApart = true,
        .rescans = Rescans::Overlaps},
       in, nullptr, out);
}

void dropHidden(ListStore& store, FragmentLists& in, float alpha, FragmentLists& out) {
  edit(store, {"drop hidden", "edit_hidden.comp", {std::bit_cast<std::uint32_t>(alpha)}}, in,
       nullptr, out);
}

float thinLists(ListStore& store, FragmentLists& in, int maxCount, FragmentLists& out) {
  FATHOM_CHECK_OP(maxCount, >, 0);
  const std::uint32_t move = edit(store,
                                  {.name = "thin lists",
                                   .file = "edit_thin.comp",
                                   .words = {std::uint32_t(maxCount)},
                                   .usesScratch = true,
                                   .rescans = Rescans::Blocks},
                                  in, nullptr, out);
  return std::bit_cast<float>(move);
}

void flattenTidy(ListStore& store, FragmentLists& lists, EarlyOut earlyOut,
                 const gpu::Texture& picture) {
  store.ascend(lists);
  if (isRanked(lists.shape)) {
    linearizeLists(store, lists, store.scratch().plain);
    return flattenTidy(store, store.scratch().plain, earlyOut, picture);
  }
  gpu::Pass& p = store.pass("flatten tidy", "operations/edit_tidy.comp", lists.shape,
                            {{"OUTPUT", 0}, {"EARLY_OUT", int(earlyOut)}});
  bind(p, lists).image(DEEP_IMAGE_RESULT, picture).params(DEEP_BIND_PARAMS, paramsOf(lists));
  p.dispatch(lists.slotCount, editCost(Rescans::Overlaps, lists, nullptr));
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer);  // display
}

}  // namespace fathom::deep
