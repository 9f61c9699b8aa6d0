#include "core/lattice/workload/lattice_catalog.h"

#include "core/base/error.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

// The shape is that of space.
std::array<std::int64_t, 4> spinorExtent(const std::array<std::int64_t, 3>& shape, const OptionValues& values) {
  return {shape[0], shape[1], shape[2] * integerOf(values, "time"), kSpinorComponents};
}

}  // namespace

std::vector<WorkloadKind> latticeLadders() {
  return {
      {"dirac",
       "Wilson's operator",
       "The stencil of lattice QCD: at every site of a lattice of four dimensions, eight neighbors' spinors are "
       "multiplied "
       "by 3 x 3 matrices. There is little arithmetic for the bytes that are moved; the ladder shows what finer "
       "threads, sparse spin matrices, the order of the links and, at last, half spinors are worth.",
       "A. Cassagne, B. Mortier, D. Pasqualinotto and V. Frechaud, Portage d'un code de lattice QCD sur GPU, 2013",
       DiracWorkload::options(),
       {16, 16, 16},
       {8, 8, 8},
       3,
       [](const OptionValues&) { return ElementType::f64; },
       makeWorkload<DiracWorkload>,
       spinorExtent},
      {"cr",
       "Conjugate residual",
       "A fixed number of iterations of a solver on Wilson's operator, all of it on the engine: the benchmark of the "
       "paper. Beside the operator of dirac there are sums over all sites and updates of whole fields; the ladder "
       "shows how much of the time the operator takes, and what it is worth to walk the fields less often.",
       "A. Cassagne, B. Mortier, D. Pasqualinotto and V. Frechaud, Portage d'un code de lattice QCD sur GPU, 2013",
       CrWorkload::options(),
       {16, 16, 16},
       {4, 4, 4},
       3,
       [](const OptionValues&) { return ElementType::f64; },
       makeWorkload<CrWorkload>,
       spinorExtent},
  };
}

namespace {

// The workload's parameters follow from the values on the smallest lattice.
template <class T>
T onOneSite(OptionValues values) {
  values["links"] = std::string("unit");
  values["time"] = std::int64_t{1};
  return T(spinorSpec(lattice::Lattice({1, 1, 1, 1})), values);
}

}  // namespace

bool isOnLattice(const WorkloadKind& kind) { return kind.name == "dirac" || kind.name == "cr"; }

std::unique_ptr<Workload> workloadOnLinks(const WorkloadKind& kind, std::shared_ptr<const lattice::GaugeField> links,
                                          OptionValues values) {
  if (kind.name == "dirac")
    return std::make_unique<DiracWorkload>(std::move(links), onOneSite<DiracWorkload>(std::move(values)).wilson());
  if (kind.name == "cr")
    return std::make_unique<CrWorkload>(std::move(links), onOneSite<CrWorkload>(std::move(values)).cr());
  throw Error(ErrorKind::Usage, "the workload " + kind.name + " is not on a lattice", "choose another input");
}

}  // namespace sscope
