#pragma once
// ILDG files: records of the LIME format. Sources: ILDG Binary File Format (rev. 1.1), SciDAC LIME record format.

#include "core/io/lattice/decoded.h"

namespace sscope::io {

[[nodiscard]] bool isLime(std::string_view firstBytes);
[[nodiscard]] RawLinks readLime(const ConfigurationFile& file, const std::optional<lattice::Extents>& extents,
                                const AllocateLinks& allocate, const Control& control);
void writeLime(const std::filesystem::path& path, const lattice::GaugeField& field,
               const lattice::ConfigurationWriteOptions& options, const Control& control);

}  // namespace sscope::io
