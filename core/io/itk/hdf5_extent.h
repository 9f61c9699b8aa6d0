#pragma once
// How long an HDF5 file says that it is.

#include <cstdint>
#include <optional>
#include <string>

namespace sscope::io {

// The end of the file in its superblock (HDF5 File Format Specification, section II.A), in bytes; empty where the file
// does not begin with a superblock of a known version, or cannot be read.
[[nodiscard]] std::optional<std::int64_t> hdf5Bytes(const std::string& path);

}  // namespace sscope::io
