#pragma once
// The shares of the workloads that ranks can be timed with.

#include <memory>

#include "core/compare/case.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/reach/rank_share.h"
#include "core/reach/scaling_model.h"

namespace sscope::mpi {

// Throws Error(Usage, Unsupported) where so many ranks cannot share it.
void requireShareable(const compare::Case& outline, int ranks);
// Every rank. Engine and variants outlive what is returned. Throws what its constructor throws.
[[nodiscard]] std::unique_ptr<reach::RankShare> makeShare(const compare::Case& outline,
                                                          reach::Communicator& communicator, Engine& engine,
                                                          const VariantTable& variants,
                                                          const reach::ShareRequest& request, const Control& control);

// What the rank that has most to do would do of it; empty where so many ranks cannot share it.
[[nodiscard]] std::optional<reach::RankWork> rankWork(const compare::Case& outline, int ranks);

}  // namespace sscope::mpi
