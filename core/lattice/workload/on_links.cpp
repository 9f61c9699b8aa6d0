#include "core/lattice/workload/on_links.h"

#include "core/base/error.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/dirac_workload.h"

namespace sscope {

namespace {

// The workload's parameters are what it takes from the values on the smallest lattice there is.
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
