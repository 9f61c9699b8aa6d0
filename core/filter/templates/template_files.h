#pragma once
// The files of resources/banks, as the build embeds them.

#include <span>
#include <string_view>

namespace sscope {

struct TemplateFile {
  std::string_view name;  // "gradient.json"
  std::string_view text;
};

[[nodiscard]] std::span<const TemplateFile> templateFiles();

}  // namespace sscope
