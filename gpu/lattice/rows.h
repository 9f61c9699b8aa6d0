#pragma once
// The rungs of the ladders dirac and cr on devices.

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
  bool choosesMultiple;  // whether it has the option "multiple"
  std::function<DiracDesign(const DiracWorkload&, const OptionValues&)> design;
  std::optional<LowerPrecision> lower{};
  bool planes = false;  // fields are stored in planes, so a solver does all updates between two sums in one pass
};
// The first is the default.
[[nodiscard]] const std::vector<DiracRung>& diracRungs();
// The rung's row, without `prepare` and `unsupported`.
[[nodiscard]] Variant diracRow(const DiracRung& rung, EngineKind kind);
// Empty, or why no rung can run on this engine and lattice.
[[nodiscard]] std::string diracUnsupported(const EngineInfo& engine, const lattice::Lattice& lattice);

// The first is the default.
void addDiracVariants(VariantTable& variants, EngineKind kind);

// The rungs of the ladder cr on devices: those of dirac, with the solver around them.

// The first is the default.
void addCrVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
