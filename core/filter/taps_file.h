#pragma once

#include <string>
#include <string_view>

namespace sscope {

// The file that the filter spec "custom:file=taps.json" reads; empty for all others.
[[nodiscard]] std::string tapsFileOf(std::string_view spec);

}  // namespace sscope
