// Where the subjects are entered, and nowhere else: what each brings to the tables of the spine.

#include <iterator>
#include <vector>

#include "core/cpu/cpu_engines.h"
#include "core/cpu/filter/filter_rows.h"
#include "core/cpu/filter/ladder_rows.h"
#include "core/cpu/lattice/cr_rows.h"
#include "core/cpu/lattice/dirac_rows.h"
#include "core/cpu/wavelet/dwt/dwt_rows.h"
#include "core/cpu/wavelet/magic/magic_rows.h"
#include "core/filter/workload/filter_catalog.h"
#include "core/lattice/workload/lattice_catalog.h"
#include "core/wavelet/workload/wavelet_catalog.h"
#include "core/workload/catalog.h"

namespace sscope {

const std::vector<WorkloadKind>& workloadCatalog() {
  static const std::vector<WorkloadKind> catalog = [] {
    std::vector<WorkloadKind> all;
    for (auto ladders : {filterLadders(), waveletLadders(), latticeLadders()})
      all.insert(all.end(), std::make_move_iterator(ladders.begin()), std::make_move_iterator(ladders.end()));
    return all;
  }();
  return catalog;
}

void addCpuVariants(VariantTable& variants) {
  cpu::addFilterRows(variants);
  cpu::addLadderRows(variants);
  cpu::addMagicRows(variants);
  cpu::addDiracRows(variants);
  cpu::addCrRows(variants);
  cpu::addDwtRows(variants);
}

}  // namespace sscope
