#pragma once
// The rungs of the ladder dirac on devices.

#include <functional>
#include <optional>
#include <vector>

#include "core/engine/variant.h"
#include "gpu/lattice/dirac_design.h"

namespace sscope {

struct DiracRung {
  const char* name;
  const char* source;  // "Stencilscope", or the section of Cassagne et al., 2013
  const char* kernelFile;
  bool choosesMultiple;  // has the option "multiple"
  std::function<DiracDesign(const DiracWorkload&, const OptionValues&)> design;
  std::optional<LowerPrecision> lower{};
  bool planes = false;  // fields lie in planes: a solver around it does in one sweep what lies between two sums
};
// The first is the default.
[[nodiscard]] const std::vector<DiracRung>& diracRungs();
// A row of this rung, without what it prepares and what it cannot do.
[[nodiscard]] Variant diracRow(const DiracRung& rung, EngineKind kind);
// Empty, or why no rung can run on this engine and lattice.
[[nodiscard]] std::string diracUnsupported(const EngineInfo& engine, const lattice::Lattice& lattice);

// The first is the default.
void addDiracVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
