#pragma once
// Workloads that engines share by other means than parts of the outputs alone: by ranks that exchange what lies at the
// borders of their parts.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/workload/workload.h"

namespace sscope {

struct Joiner {
  std::string workload;
  // `weights`: as many as engines, of their shares, or none for equal ones. Throws what preparing throws, Error(Usage)
  // where there is not enough for so many engines.
  std::unique_ptr<Plan> (*prepare)(std::span<Engine* const> engines, const VariantTable& variants,
                                   const std::string& variant, const Workload& workload,
                                   std::span<const double> weights, const PrepareOptions& options,
                                   const Control& control);
};

// Of all subjects that are built; core/subjects.cpp.
[[nodiscard]] const std::vector<Joiner>& joiners();

}  // namespace sscope
