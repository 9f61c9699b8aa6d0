#pragma once

#include <string>

#include "core/session/session.h"
#include "core/volume/provenance.h"

namespace sscope {

// Whether a data path (a file, folder or pattern of slices, with or without a selection) exists.
[[nodiscard]] bool isThere(const std::string& name);

// A file or a sample as the provenance of its results names it.
[[nodiscard]] Provenance::Data dataOf(const DataSource& source, const VolumeInfo& info);

}  // namespace sscope
