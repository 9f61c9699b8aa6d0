// Where the subjects are entered, and nowhere else: what each brings to the tables of the spine.

#include <iterator>
#include <vector>

#include "core/compare/case_recipe.h"
#include "core/cpu/filter/rows.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/joiners.h"
#include "core/filter/figures/filter_figures.h"
#include "core/filter/job/bank_case.h"
#include "core/filter/program/program_rows.h"
#include "core/filter/workload/filter_catalog.h"
#include "core/ladder/ladder_kind.h"
#include "core/workload/catalog.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "core/cpu/wavelet/rows.h"
#include "core/wavelet/figures/wavelet_figures.h"
#include "core/wavelet/workload/wavelet_catalog.h"
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/cpu/lattice/rows.h"
#include "core/lattice/figures/lattice_figures.h"
#include "core/lattice/ranks/lattice_joiners.h"
#include "core/lattice/workload/lattice_catalog.h"
#endif

namespace sscope {

namespace {

struct Subject {
  std::vector<WorkloadKind> (*workloads)();
  std::vector<LadderKind> (*ladders)();
  std::vector<void (*)(VariantTable&)> cpuRows;
};

// After the rows that its stages are run with.
void addProgramRowsOfProcessors(VariantTable& variants) { addProgramRows(variants, EngineKind::Cpu); }

// In the order in which they are offered.
const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {filterLadders,
       filterLadderKinds,
       {cpu::addFilterRows, cpu::addFormulaRows, addProgramRowsOfProcessors, cpu::addLadderRows}},
#ifndef SSCOPE_WITHOUT_WAVELET
      {waveletLadders, waveletLadderKinds, {cpu::addMagicRows, cpu::addDwtRows}},
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
      {latticeLadders, latticeLadderKinds, {cpu::addDiracRows, cpu::addCrRows}},
#endif
  };
  return all;
}

template <class Row>
std::vector<Row> collected(std::vector<Row> (*Subject::*rows)()) {
  std::vector<Row> all;
  for (const Subject& subject : subjects()) {
    std::vector<Row> some = (subject.*rows)();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace

const std::vector<WorkloadKind>& workloadCatalog() {
  static const std::vector<WorkloadKind> catalog = collected(&Subject::workloads);
  return catalog;
}

const std::vector<LadderKind>& ladderKinds() {
  static const std::vector<LadderKind> kinds = collected(&Subject::ladders);
  return kinds;
}

const std::vector<compare::CaseKind>& compare::caseKinds() {
  static const std::vector<CaseKind> kinds = filterCases();
  return kinds;
}

const std::vector<Joiner>& joiners() {
#ifdef SSCOPE_WITHOUT_LATTICE
  static const std::vector<Joiner> all;
#else
  static const std::vector<Joiner> all = latticeJoiners();
#endif
  return all;
}

void addCpuVariants(VariantTable& variants) {
  for (const Subject& subject : subjects())
    for (const auto add : subject.cpuRows) add(variants);
}

}  // namespace sscope
