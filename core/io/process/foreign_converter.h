#pragma once
// Runs Bio-Formats' bfconvert on files of microscopes' makers (core/volume/foreign_files.h).

#include <filesystem>
#include <string>

#include "core/base/control.h"
#include "core/volume/foreign_files.h"

namespace sscope::io {

// Empty: it is not in PATH.
[[nodiscard]] std::filesystem::path foreignConverter();
// As ForeignFiles::convert().
[[nodiscard]] ForeignCopy convertForeign(const std::string& path, const std::filesystem::path& folder,
                                         const Control& control);

}  // namespace sscope::io
