#pragma once
// The figures of the lattice ladder's paper, of Wilson's operator and of the solver that applies it; their ladders.

#include <span>
#include <string_view>
#include <vector>

#include "core/ladder/ladder_kind.h"

namespace sscope {

[[nodiscard]] std::vector<Figure> latticeFigures(std::string_view workload, std::span<const Measurement> measurements,
                                                 std::span<const PublishedValue> published);

[[nodiscard]] std::vector<LadderKind> latticeLadderKinds();

}  // namespace sscope
