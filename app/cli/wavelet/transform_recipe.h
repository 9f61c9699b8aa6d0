#pragma once
// What of a transform changes values, as the provenance of its output has it; the same for one process and for ranks.

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/wavelet/transform_command.h"

namespace sscope::cli {

struct DwtRecipe {
  std::string direction, wavelet, convention, boundary;
  std::int64_t levels = 1, dimensions = 0;
  std::vector<std::int64_t> size{};  // to which the inverse crops; empty: nobody said
};
[[nodiscard]] TransformRecipe dwtRecipe(const DwtRecipe& recipe);

// `taps` where they are those of a file.
[[nodiscard]] TransformRecipe magicRecipe(const std::string& direction, const std::string& boundary, std::int64_t order,
                                          const std::vector<double>& taps, bool kinetic);

}  // namespace sscope::cli
