#pragma once
// Whether a bank on a file fits into memory. The window and the command line share this rule.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/filter/recipe.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// Bytes that data and results may take: `bound`, or where it is 0 two thirds of what is free (availableMemory). 0:
// nobody knows.
[[nodiscard]] std::int64_t allowedMemory(std::int64_t bound);

// "412 MiB", "1.5 GiB".
[[nodiscard]] std::string binaryBytesText(double bytes);

// The data of a file, with the results of a bank. Rows that do not fit the data have none.
[[nodiscard]] double dataAndResultBytes(const FilterBank& bank, const VolumeInfo& info);

// A file that exceeds a bound, read by planes if it can be.
struct LargeFile {
  std::unique_ptr<VolumeSource> source;  // null: it cannot be read by planes
  std::string why;                       // it cannot
  VolumeInfo info;
  double bytes = 0;  // of data and results
};

// Nothing where data and results take at most `memory` bytes, or `io` reads no planes. Looks at the sizes of the files
// before it opens them. Throws as VolumeStreams::openSource and VolumeIo::probe, but for files that are not read by
// planes.
[[nodiscard]] std::optional<LargeFile> largerThan(std::int64_t memory, VolumeIo& io, const std::string& path,
                                                  const FilterBank& bank, const Control& control);

// That nothing can be done about it.
[[nodiscard]] Error tooLarge(const std::string& path, const LargeFile& file, std::int64_t memory);

}  // namespace sscope
