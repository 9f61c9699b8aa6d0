#pragma once
// Planes that lie in files of their own: pictures of a pattern or folder, each decoded by the confined reader when its
// plane is read.

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// Whether `name` is a pattern of pictures, or a folder of them; slices of DICOM, which know their places, are none.
[[nodiscard]] bool namesPictures(const std::string& name);

// `program` is the reader. Throws Error(Unsupported) where frames, channels or a series are selected, and what reading
// the header of the first picture throws.
[[nodiscard]] std::unique_ptr<VolumeSource> openSlices(const std::filesystem::path& program, const std::string& name,
                                                       const Control& control);

}  // namespace sscope::io
