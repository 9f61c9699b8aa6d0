// Where the subjects are entered on devices: what each brings to the table of variants.

#include "gpu/filter/bank_rungs.h"
#include "gpu/filter/conv2d_rungs.h"
#include "gpu/filter/filter_variants.h"
#include "gpu/filter/soup_rungs.h"
#include "gpu/filter/tuned_plan.h"
#include "gpu/gpu_engines.h"
#include "gpu/lattice/cr_variants.h"
#include "gpu/lattice/dirac_variants.h"
#include "gpu/wavelet/dwt_variants.h"
#include "gpu/wavelet/magic_variants.h"

namespace sscope {

void addGpuVariants(VariantTable& variants) {
  for (const EngineKind kind : {EngineKind::OpenCl, EngineKind::Cuda}) {
    addFilterVariants(variants, kind);
    addTunedVariants(variants, kind);  // first: the default
    addBankRungs(variants, kind);
    addConv2dRungs(variants, kind);
    addSoupRungs(variants, kind);
    addDwtVariants(variants, kind);
    addMagicVariants(variants, kind);
    addDiracVariants(variants, kind);
    addCrVariants(variants, kind);
  }
}

}  // namespace sscope
