#pragma once
// What VTK's XML calls the types of numbers.

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/io/base/convert.h"

namespace sscope::io {

// As Stored, whose first ones are as ElementType.
inline constexpr std::array<std::string_view, 10> kVtiTypes{"UInt8", "Int8",    "UInt16",  "Int16", "UInt32",
                                                            "Int32", "Float32", "Float64", "Int64", "UInt64"};

[[nodiscard]] inline std::optional<Stored> vtiType(std::string_view name) {
  const auto known = std::ranges::find(kVtiTypes, name);
  if (known == kVtiTypes.end()) return {};
  return static_cast<Stored>(known - kVtiTypes.begin());
}

}  // namespace sscope::io
