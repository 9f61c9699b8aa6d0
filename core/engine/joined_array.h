#pragma once
// A result whose parts live on several devices, each where it was computed.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/resident_array.h"

namespace sscope {

// `parts` follow each other along `axis` and have everything else in common; at least one. `engine`: the id of the
// engines together.
[[nodiscard]] std::shared_ptr<ResidentArray> joinedArray(std::string engine, std::size_t axis,
                                                         std::vector<std::shared_ptr<ResidentArray>> parts);

}  // namespace sscope
