#include "core/filter/taps_file.h"

namespace sscope {

std::string tapsFileOf(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos || spec.substr(0, colon) != "custom") return {};
  std::string file;
  for (std::string_view rest = spec.substr(colon + 1); !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    if (pair.starts_with("file=")) file = pair.substr(5);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return file;
}

}  // namespace sscope
