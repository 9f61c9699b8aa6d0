#pragma once
// The files of resources/transfer_functions, as the build embeds them.

#include <span>
#include <string_view>

namespace sscope {

struct TransferFile {
  std::string_view name;  // "ct.json"
  std::string_view text;
};

[[nodiscard]] std::span<const TransferFile> transferFiles();

}  // namespace sscope
