#pragma once
// The files of resources/published, as the build embeds them.

#include <span>
#include <string_view>

namespace sscope {

struct PublishedFile {
  std::string_view name;  // "bank.json"
  std::string_view text;
};

[[nodiscard]] std::span<const PublishedFile> publishedFiles();

}  // namespace sscope
