#pragma once
// The ladders bank, conv2d and soup, and the figures of their papers.

#include <span>
#include <string_view>
#include <vector>

#include "core/ladder/ladder_kind.h"

namespace sscope {

[[nodiscard]] std::vector<Figure> bankFigures(std::string_view workload, std::span<const Measurement> measurements,
                                              std::span<const PublishedValue> published);
[[nodiscard]] std::vector<Figure> conv2dFigures(std::string_view workload, std::span<const Measurement> measurements,
                                                std::span<const PublishedValue> published);

// The kinds of bank, conv2d and soup.
[[nodiscard]] std::vector<LadderKind> filterLadderKinds();

}  // namespace sscope
