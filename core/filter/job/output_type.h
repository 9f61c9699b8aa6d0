#pragma once
// Which element type the results of a bank have in files. The window, the command line and ranks share this rule.

#include <optional>
#include <string>
#include <vector>

#include "core/filter/recipe.h"
#include "core/volume/volume_io.h"

namespace sscope {

// Pictures hold no f32: where nobody chose a type and the files of `pattern` hold the input's but not the one that the
// results need, `bank` gets the input's. The notice of that, or nothing.
[[nodiscard]] std::optional<std::string> settleOutputType(const VolumeIo& io, const std::string& pattern,
                                                          const VolumeShape& input, ElementType type, FilterBank& bank);

// Of data whose values name regions (VolumeInfo::labels): each result that computes with them as numbers.
[[nodiscard]] std::vector<std::string> labelNotices(const FilterBank& bank);

}  // namespace sscope
