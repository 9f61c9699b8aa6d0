#pragma once
// Text as it stands in XML and HTML, in elements and attributes.

#include <string>
#include <string_view>

namespace sscope {

[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace sscope
