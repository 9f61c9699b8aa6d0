#pragma once
// MILC's version 5: a header of 96 bytes, then links of 32 bits in either byte order.

#include "core/io/lattice/decoded.h"

namespace sscope::io {

[[nodiscard]] bool isMilc(std::string_view firstBytes);
[[nodiscard]] RawLinks readMilc(const ConfigurationFile& file, const std::optional<lattice::Extents>& extents,
                                const AllocateLinks& allocate, const Control& control);

}  // namespace sscope::io
