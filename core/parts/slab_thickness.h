#pragma once
// How thick the slabs are into which a volume larger than memory is cut.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace sscope::reach {

// Down to a multiple of `grain`, but not below one of them.
[[nodiscard]] std::int64_t wholeGrains(std::int64_t planes, std::int64_t grain);

// Where there is room for more, slabs stay so small that reading and writing overlap with computing, but thick enough
// that what is read and computed twice around them is little. `planeBytes`: of a plane of data and results; `around`:
// planes that one plane of the results reads.
[[nodiscard]] std::int64_t thickestUseful(std::int64_t planeBytes, std::int64_t around);

// The first thickness that fits, of ever thinner multiples of `grain` from `thick` down; empty where not even one grain
// does.
[[nodiscard]] std::optional<std::int64_t> thickestThatFits(std::int64_t thick, std::int64_t grain,
                                                           const std::function<bool(std::int64_t)>& fits);

// Which slabs are compared with the reference: the first, the last and up to seven between them.
[[nodiscard]] bool isVerified(std::size_t part, std::size_t parts);

}  // namespace sscope::reach
