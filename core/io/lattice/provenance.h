#pragma once
// Where a configuration comes from, as files say it: the entries of NERSC's header that do not follow from the links,
// and ILDG's logical file name.

#include <string>
#include <string_view>

#include "core/lattice/configuration.h"

namespace sscope::io {

// ILDG's logical file name among the entries of a provenance.
inline constexpr std::string_view kLogicalFileName = "ILDG_DATA_LFN";

// What of a NERSC header is provenance: all but what the links and the way they are written say.
[[nodiscard]] lattice::Provenance provenanceOf(const lattice::Provenance& header);
// The value of an entry, or empty.
[[nodiscard]] std::string valueOf(const lattice::Provenance& provenance, std::string_view key);
// With what every NERSC header has: ENSEMBLE_ID, ENSEMBLE_LABEL, SEQUENCE_NUMBER (always a whole number, for which
// other readers look) and CREATOR first, then the rest in its order. CREATION_DATE and ARCHIVE_DATE are what came, or
// the time of SOURCE_DATE_EPOCH where that is set, and else left out, so that the same links are the same bytes.
[[nodiscard]] lattice::Provenance completed(const lattice::Provenance& provenance);

// "KEY = value" lines, and back. Lines that are none are passed over.
[[nodiscard]] std::string linesOf(const lattice::Provenance& provenance);
[[nodiscard]] lattice::Provenance fromLines(std::string_view text);

}  // namespace sscope::io
