#pragma once
// Inputs of the workloads dirac and cr, generated for one part of the lattice: the same links and spinors as in the
// whole.

#include <cstdint>
#include <vector>

#include "core/lattice/fields.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/options/option.h"
#include "core/parts/communicator.h"
#include "core/volume/array_view.h"

namespace sscope::lattice {

// The site of the whole for a site of the part's own lattice, or of its extended lattice.
[[nodiscard]] std::int64_t siteOfOwn(const LatticePart& part, std::int64_t site);
[[nodiscard]] std::int64_t siteOfExtended(const LatticePart& part, std::int64_t site);

// This rank's part of the lattice of such a workload. Throws Error(Usage) as latticeOf() and latticeParts().
[[nodiscard]] LatticePart generatedPart(const reach::Communicator& communicator, const ArraySpec& input,
                                        const OptionValues& values);
// The links of the part's own sites. `values`: links and seed. Throws Canceled, Error(Memory).
[[nodiscard]] GaugeField generatedLinks(const LatticePart& part, const OptionValues& values, const Control& control);
// The noise of the whole field at the part's own sites, or at the sites of its extended lattice.
[[nodiscard]] SpinorField noiseOfOwn(const LatticePart& part, std::uint64_t seed, const Control& control);
[[nodiscard]] SpinorField noiseOfExtended(const LatticePart& part, std::uint64_t seed, const Control& control);

// lattice::hashSource() of the whole, at the same sites.
[[nodiscard]] SpinorField hashOfPart(const LatticePart& part, std::uint64_t seed, bool extended);

// Planes of constant z and t of the extended lattice that are the part's own, in their order.
[[nodiscard]] std::vector<std::int64_t> ownPlanes(const LatticePart& part);

}  // namespace sscope::lattice
