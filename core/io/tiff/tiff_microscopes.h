#pragma once
// What microscopes store in tags of their own.

#include <cstdint>
#include <optional>

#include "core/io/tiff/tiff_calibration.h"
#include "core/io/tiff/tiff_tags.h"

namespace sscope::io {

struct MicroscopeTags {
  TiffCalibration calibration;
  TiffOrder order;  // of its planes, but for channels in the samples of a pixel
};

// Zeiss LSM, whose pages alternate with small copies.
[[nodiscard]] std::optional<MicroscopeTags> readLsm(TiffTags& tags, std::uint64_t directory);
// MetaMorph's stacks: one page, behind whose pixels those of all others lie.
[[nodiscard]] std::optional<MicroscopeTags> readStk(TiffTags& tags, std::uint64_t directory);

}  // namespace sscope::io
