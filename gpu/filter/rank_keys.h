#pragma once
// How devices hold the values of order statistics: as integers in the same order.

#include <cstdint>
#include <string>

#include "core/filter/workload/filter_workload.h"
#include "gpu/device/kernel_source.h"

namespace sscope {

struct RankKeys {
  ElementType ordered = ElementType::f32;  // what keys stand for (FilterWorkload::orderedAs)
  bool smallest = false;                   // NaN is the smallest key instead of the largest

  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(bytesOf(ordered)); }
  // A key's type in memory, as kernels call it.
  [[nodiscard]] std::string stored() const;
  [[nodiscard]] std::int64_t keyOf(double value) const;
  bool operator==(const RankKeys&) const = default;
};

// Definitions of rank_keys.h. `paired`: words hold two keys.
void defineKeys(KernelSource& source, const RankKeys& keys, bool paired = false);
// Definitions of rank_store.h, for outputs of this type; source.precision must hold them.
void defineRankStore(KernelSource& source, const RankKeys& keys, ElementType output);

// The arithmetic with which rank_store.h writes outputs: single precision unless keys are no integers and it is not
// enough for the workload.
[[nodiscard]] Precision storePrecision(const FilterWorkload& workload);

}  // namespace sscope
