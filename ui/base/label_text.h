#pragma once
// Texts of others as labels show them.

#include <QString>
#include <string_view>

namespace sscope {

// `text` with places to break the line inside file names, for labels that wrap words.
[[nodiscard]] QString breakable(const QString& text);
// "um" as "µm"; other units as they are.
[[nodiscard]] QString unitText(std::string_view unit);

}  // namespace sscope
