#pragma once
// Whether a bank on a file fits into memory. The window and the command line share this rule.

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/filter/recipe.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// The data of a file, with the results of a bank. Rows that do not fit the data have none.
[[nodiscard]] double dataAndResultBytes(const FilterBank& bank, const VolumeInfo& info);

// A file that exceeds a bound, read by planes if it can be.
struct LargeFile {
  StreamableInput input;
  double bytes = 0;  // of data and results
};

// Nothing where data and results take at most `memory` bytes, or `io` reads no planes. Looks at the sizes of the files
// before it opens them. Throws as VolumeIo::openSource and VolumeIo::probe, but for files that are not read by
// planes.
[[nodiscard]] std::optional<LargeFile> largerThan(std::int64_t memory, VolumeIo& io, const std::string& path,
                                                  const FilterBank& bank, const Control& control);

}  // namespace sscope
