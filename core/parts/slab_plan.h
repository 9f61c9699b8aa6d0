#pragma once
// The slabs into which a computation on a volume larger than memory is cut, and the memory that they take
// (docs/dev/decisions/039-larger-than-memory.md).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/boundary/boundary.h"

namespace sscope::reach {

// Bytes that a job takes beside what is resident already and its slabs: stacks, pieces on their way to files, and pages
// that belong to a slab in part.
inline constexpr std::int64_t kSlabOverhead = std::int64_t{8} << 20;

struct SlabPlan {
  std::int64_t thick = 1;                  // planes of a slab of the results; the last may have fewer
  std::vector<Range> slabs;                // planes of the results
  std::vector<std::vector<Range>> needed;  // planes of the input that each slab reads: ascending, without contact
  std::int64_t bytes = 0;                  // of memory that slabs take
  int verifiers = 0;                       // threads that compare a slab with the reference
};

// A computation as far as its slabs depend on it.
struct SlabNeeds {
  std::int64_t planes = 0;       // of the results
  std::int64_t inputPlanes = 0;  // of the input
  std::int64_t planeBytes = 0;   // of a plane of the input and one of all results
  std::int64_t around = 1;       // planes of the input that one plane of the results reads
  std::int64_t grain = 1;        // slabs begin at multiples of so many planes (Plan::grain)
  std::function<std::vector<std::vector<Range>>(const std::vector<Range>& slabs)> read;  // planes of the input, by slab
  // Bytes of input and results that are in memory at once; that computing a slab takes besides; and that each thread
  // takes which compares one with the reference (empty: nothing is compared).
  std::function<std::int64_t(const SlabPlan& plan)> held, toRun, toVerify;
  std::string verb, readers;  // for messages: "filtering", "filters"
  std::string advice;         // ", or choose filters that reach less far", where the slabs are what takes the memory
};

// The thickest slabs, of at most `most` planes (0: as many as are of use), with which the whole process stays within
// `memory` bytes. Throws Error(Memory), with the bytes that it takes, where not even the thinnest do, what the functions
// throw, and Canceled.
[[nodiscard]] SlabPlan planSlabs(const SlabNeeds& needs, std::int64_t memory, std::int64_t most, const Control& control);

// Down to a multiple of `grain`, but not below one of them.
[[nodiscard]] std::int64_t wholeGrains(std::int64_t planes, std::int64_t grain);

// The most planes of the input that are in memory at once: those of a slab and of the next one.
[[nodiscard]] std::int64_t mostPlanes(const std::vector<std::vector<Range>>& needed);

// Which slabs are compared with the reference: the first, the last and some between them, at most `most`.
[[nodiscard]] bool isVerified(std::size_t slab, std::size_t slabs, std::size_t most = 9);

}  // namespace sscope::reach
