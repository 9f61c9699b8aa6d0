#pragma once
// Data that may have to be read by slabs, because they take more memory than is allowed. The window and the command
// line share these rules.

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// Bytes that data and results may take: `bound`, or where it is 0 two thirds of what is free (availableMemory). 0:
// nobody knows.
[[nodiscard]] std::int64_t allowedMemory(std::int64_t bound);

// Whether a look at the sizes of the files of `path` leaves it open that data and results exceed `memory` bytes;
// `grown`: the most bytes that one byte of the data, unpacked, takes with its results.
[[nodiscard]] bool mayExceed(const VolumeIo& io, const std::string& path, double grown, std::int64_t memory);

struct StreamableInput {
  std::unique_ptr<VolumeSource> source;  // null: it cannot be read by slabs
  VolumeInfo info;
  std::string whyNot;
};
// Throws as VolumeIo::openSource and probe, but for files that are not read by slabs.
[[nodiscard]] StreamableInput openStreamable(VolumeIo& io, const std::string& path, const Control& control);

// Data that take too much with their results, and why they cannot be streamed.
[[nodiscard]] Error tooLarge(const std::string& path, double bytes, std::int64_t memory, const std::string& whyNot);

}  // namespace sscope
