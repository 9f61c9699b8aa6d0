#pragma once
// Configurations that the first rank reads, and every rank has a part of.

#include <functional>

#include "app/cli/lattice/lattice_command.h"
#include "core/lattice/ranks/lattice_part.h"

namespace sscope::cli {

// Every rank: what the first one does alone, such as writing a file; its error is that of all.
void onFirstRank(Program& program, const std::function<void()>& work);

struct DealtField {
  lattice::LatticePart part;
  lattice::GaugeField links;  // of the part's own sites
};
// Every rank. Throws, on all ranks, what reading throws, and as latticeParts().
[[nodiscard]] DealtField dealtConfiguration(Program& program, const ConfigurationChoice& configuration);

}  // namespace sscope::cli
