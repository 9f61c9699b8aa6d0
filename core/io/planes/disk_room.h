#pragma once
// Room on a disk, taken before a file is written.

#include <cstdint>
#include <filesystem>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"

namespace sscope::io {

// Takes `bytes` of the disk for a file, so that it cannot be full later, where the file system can. Errors name
// `shown`. Throws Error(Io), with the bytes that are needed and free where these are too few, and Canceled with a part
// of it taken.
void takeRoom(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown, const Control& control);
// The same, but on file systems in memory only looks whether there is room: they fill what they reserve with zeros, and
// give it back page by page. 1 GiB takes them half a second each time, in which nothing is canceled.
void reserveRoom(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown,
                 const Control& control = {});

}  // namespace sscope::io
