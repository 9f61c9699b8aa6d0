#pragma once
// Distributes fields from the first rank to the parts of all ranks, and collects them there.

#include <span>
#include <vector>

#include "core/lattice/fields.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/parts/communicator.h"

namespace sscope::lattice {

// Called by every rank; `whole` is read on the first rank only. Returns the part's links, or spinors. Throws Canceled,
// Error(Io, Memory).
[[nodiscard]] GaugeField dealtOut(const GaugeField& whole, std::span<const LatticePart> parts,
                                  reach::Communicator& communicator, const Control& control);
[[nodiscard]] SpinorField dealtOut(const SpinorField& whole, std::span<const LatticePart> parts,
                                   reach::Communicator& communicator, const Control& control);
// Every rank: the whole on the first one, empty on the others.
[[nodiscard]] GaugeField collected(const GaugeField& own, std::span<const LatticePart> parts,
                                   reach::Communicator& communicator, const Control& control);
// The same for one value per site.
[[nodiscard]] std::vector<double> collected(const std::vector<double>& own, std::span<const LatticePart> parts,
                                            reach::Communicator& communicator, const Control& control);
[[nodiscard]] SpinorField collected(const SpinorField& own, std::span<const LatticePart> parts,
                                    reach::Communicator& communicator, const Control& control);

}  // namespace sscope::lattice
