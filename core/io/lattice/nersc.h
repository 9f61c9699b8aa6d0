#pragma once
// The NERSC archive format: a header of text lines, then the links with two or three rows.

#include "core/io/lattice/decoded.h"

namespace sscope::io {

[[nodiscard]] bool isNersc(std::string_view firstBytes);
[[nodiscard]] RawLinks readNersc(const ConfigurationFile& file, const std::optional<lattice::Extents>& extents,
                                 const AllocateLinks& allocate, const Control& control);
void writeNersc(const std::filesystem::path& path, const lattice::GaugeField& field,
                const lattice::ConfigurationWriteOptions& options, const Control& control);

}  // namespace sscope::io
