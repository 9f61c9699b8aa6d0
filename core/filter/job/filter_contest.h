#pragma once
// Times a bank on a volume on several engines (core/live/engine_turns.h).

#include <cstdint>
#include <memory>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/recipe.h"
#include "core/live/engine_turns.h"
#include "core/volume/volume.h"

namespace sscope {

struct FilterContest {
  Contest contest;
  std::shared_ptr<const Volume> input;
  std::uint64_t inputIdentity = 0;
  FilterBank bank;  // filters that do not fit the data are left out
  int threads = 0;
};

// All arguments must outlive the result. All engines share the outputs. Throws Error(Usage) if there is no data or no
// filter that fits it.
[[nodiscard]] EngineTurns::Prepare preparing(const EngineSet& engines, const VariantTable& variants,
                                             const FilterContest& contest);

}  // namespace sscope
