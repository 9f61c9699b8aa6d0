#pragma once
// A part's image under Wilson's operator, compared with the formula.

#include <memory>

#include "core/engine/variant.h"
#include "core/lattice/fields.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/wilson.h"
#include "core/measure/verify.h"

namespace sscope::lattice {

// `links`: with the halo that the hops of the part need. `in`: on the extended lattice, as the whole field has it
// there; changed. `out`: on the part's own sites. By the bounds of the variant. Throws Canceled.
[[nodiscard]] Verification verifyPart(const Variant& variant, const LatticePart& part,
                                      std::shared_ptr<const GaugeField> links, const WilsonParameters& parameters,
                                      SpinorField& in, const SpinorField& out, const VerifyOptions& options,
                                      const Control& control);

}  // namespace sscope::lattice
