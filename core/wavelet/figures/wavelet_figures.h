#pragma once
// The figures of the magic filter's paper, and the ladders of magic and dwt.

#include <span>
#include <string_view>
#include <vector>

#include "core/ladder/ladder_kind.h"

namespace sscope {

[[nodiscard]] std::vector<Figure> magicFigures(std::string_view workload, std::span<const Measurement> measurements,
                                               std::span<const PublishedValue> published);

[[nodiscard]] std::vector<LadderKind> waveletLadderKinds();

}  // namespace sscope
