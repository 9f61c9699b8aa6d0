#pragma once
// Configuration files of any kind, made in memory.

#include <filesystem>
#include <string>

#include "core/lattice/configuration.h"
#include "tests/support/support.h"

namespace sscope::test {

void putContent(const std::filesystem::path& path, const std::string& content);

// A field with something in every link.
[[nodiscard]] lattice::GaugeField someField(const lattice::Extents& extents);
// MILC v5, with its checksums.
[[nodiscard]] std::string milcFile(const lattice::GaugeField& field, bool bigEndian);
// The largest difference of two links' elements.
[[nodiscard]] double distance(const lattice::GaugeField& a, const lattice::GaugeField& b);

}  // namespace sscope::test
