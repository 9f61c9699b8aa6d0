// Enters the variants of all subjects on devices in the table of variants.

#include "core/filter/program/program_plan.h"
#include "gpu/filter/rows.h"
#include "gpu/filter/tuned_plan.h"
#include "gpu/gpu_engines.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "gpu/wavelet/rows.h"
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "gpu/lattice/rows.h"
#endif

namespace sscope {

void addGpuVariants(VariantTable& variants) {
  for (const EngineKind kind : {EngineKind::OpenCl, EngineKind::Cuda}) {
    addFilterVariants(variants, kind);
    addFormulaVariants(variants, kind);
    addProgramRows(variants, kind);    // after the rows that its stages are run with
    addTunedVariants(variants, kind);  // first: the default
    addBankRungs(variants, kind);
    addConv2dRungs(variants, kind);
    addSoupRungs(variants, kind);
#ifndef SSCOPE_WITHOUT_WAVELET
    addDwtVariants(variants, kind);
    addMagicVariants(variants, kind);
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
    addDiracVariants(variants, kind);
    addCrVariants(variants, kind);
#endif
  }
}

}  // namespace sscope
