#include "core/lattice/ranks/dirac_check.h"

#include "core/lattice/ranks/part_input.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/lattice/workload/spinor_input.h"
#include "core/measure/verify.h"
#include "core/parts/planes_of.h"
#include "core/volume/volume.h"

namespace sscope::lattice {

Verification verifyPart(const Variant& variant, const LatticePart& part, std::shared_ptr<const GaugeField> links,
                        const WilsonParameters& parameters, SpinorField& in, const SpinorField& out,
                        const VerifyOptions& options, const Control& control) {
  // Where time is cut, the sign of its boundary is between a part and the halo.
  for (const bool ahead : {false, true}) {
    const bool atEnd = ahead ? part.end(3) == part.whole.extent(3) : part.begin[3] == 0;
    if (!part.cut[3] || parameters.timeBoundary > 0 || !atEnd) continue;
    for (const SiteRun& run : part.haloOf(3, ahead))
      for (std::int64_t k = run.extended * kSpinorElements; k < (run.extended + run.count) * kSpinorElements; ++k)
        in[static_cast<std::size_t>(k)] = -in[static_cast<std::size_t>(k)];
  }
  const DiracWorkload extended(std::move(links), parameters);
  const reach::PlanesOf own(extended, ownPlanes(part));
  const ConstArrayView input = denseView(spinorSpec(part.extended), reinterpret_cast<const std::byte*>(in.data()));
  const ConstArrayView output = denseView(spinorSpec(part.own), reinterpret_cast<const std::byte*>(out.data()));
  return sscope::verify(variant, own, {&input, 1}, {&output, 1}, options, control);
}

}  // namespace sscope::lattice
