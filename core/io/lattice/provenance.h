#pragma once
// Provenance of a configuration: the entries of NERSC's header that do not follow from the links, and ILDG's logical
// file name.

#include <string>
#include <string_view>

#include "core/lattice/configuration.h"

namespace sscope::io {

// ILDG's logical file name among the entries of a provenance.
inline constexpr std::string_view kLogicalFileName = "ILDG_DATA_LFN";

// The provenance in a NERSC header: all entries except those that describe the links and their storage.
[[nodiscard]] lattice::Provenance provenanceOf(const lattice::Provenance& header);
// The value of an entry, or empty.
[[nodiscard]] std::string valueOf(const lattice::Provenance& provenance, std::string_view key);
// Adds the entries that every NERSC header has: ENSEMBLE_ID, ENSEMBLE_LABEL, SEQUENCE_NUMBER (always an integer, which
// other readers require) and CREATOR come first, then the rest in order. CREATION_DATE and ARCHIVE_DATE are kept, else
// taken from SOURCE_DATE_EPOCH where it is set, else omitted, so that equal links give equal bytes.
[[nodiscard]] lattice::Provenance completed(const lattice::Provenance& provenance);

// "KEY = value" lines, and back. Other lines are skipped.
[[nodiscard]] std::string linesOf(const lattice::Provenance& provenance);
[[nodiscard]] lattice::Provenance fromLines(std::string_view text);

}  // namespace sscope::io
