#pragma once
// The formats of gauge configurations.

#include "core/io/lattice/decoded.h"

namespace sscope::io {

// ILDG files: records of the LIME format. Sources: ILDG Binary File Format (rev. 1.1), SciDAC LIME record format.
[[nodiscard]] bool isLime(std::string_view firstBytes);
[[nodiscard]] RawLinks readLime(const ConfigurationFile& file, const std::optional<lattice::Extents>& extents,
                                const AllocateLinks& allocate, const Control& control);
void writeLime(const std::filesystem::path& path, const lattice::GaugeField& field,
               const lattice::ConfigurationWriteOptions& options, const Control& control);

// MILC's version 5: a header of 96 bytes, then links of 32 bits in either byte order.
[[nodiscard]] bool isMilc(std::string_view firstBytes);
[[nodiscard]] RawLinks readMilc(const ConfigurationFile& file, const std::optional<lattice::Extents>& extents,
                                const AllocateLinks& allocate, const Control& control);

// The NERSC archive format: a header of text lines, then the links with two or three rows.
[[nodiscard]] bool isNersc(std::string_view firstBytes);
[[nodiscard]] RawLinks readNersc(const ConfigurationFile& file, const std::optional<lattice::Extents>& extents,
                                 const AllocateLinks& allocate, const Control& control);
void writeNersc(const std::filesystem::path& path, const lattice::GaugeField& field,
                const lattice::ConfigurationWriteOptions& options, const Control& control);

}  // namespace sscope::io
