#pragma once
// The rungs of the ladders of the lattice on the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

// The rungs of the ladder cr on the processor.
void addCrRows(VariantTable& variants);

// The rungs of the ladder dirac on the processor.
void addDiracRows(VariantTable& variants);

}  // namespace sscope::cpu
