#pragma once
// Prepares external text for labels.

#include <QString>
#include <string_view>

namespace sscope {

// `text` with line-break opportunities inside file names, for labels that wrap.
[[nodiscard]] QString breakable(const QString& text);
// "um" as "µm"; other units as they are.
[[nodiscard]] QString unitText(std::string_view unit);

}  // namespace sscope
