#pragma once
// Whether the planes that a rank has received are those of the whole.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/parts/plane_exchange.h"
#include "core/volume/element_type.h"

namespace sscope::reach {

// Of noise (core/workload/noise.h), which anybody can make again: "the planes 4 to 6 that were received are wrong", or
// empty. What a rank computes from a wrong halo agrees with the reference on that halo. `slots`: the place of slot 0.
// Throws Canceled, Error(Memory).
[[nodiscard]] std::string wrongHalo(std::span<const WantedPlanes> wanted, const std::byte* slots,
                                    std::int64_t planeBytes, ElementType type, std::uint64_t seed,
                                    const Control& control);

}  // namespace sscope::reach
