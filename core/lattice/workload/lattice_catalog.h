#pragma once
// The ladders of the lattice, and their workloads on given links.

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "core/lattice/fields.h"
#include "core/workload/catalog.h"

namespace sscope {

// The ladders of this subject, in the order in which they are offered.
[[nodiscard]] std::vector<WorkloadKind> latticeLadders();

// Lattice workloads with given links (a configuration from a file) instead of generated ones.

// The options for generated links and the extent in time; not used with given links.
inline constexpr std::array<std::string_view, 2> kLinkOptions{"links", "time"};

// Whether the workload is one on a lattice.
[[nodiscard]] bool isOnLattice(const WorkloadKind& kind);
// The workload with the other options from `values`, which must be complete. Throws Error(Usage) for values out of
// range and for workloads that are not on a lattice.
[[nodiscard]] std::unique_ptr<Workload> workloadOnLinks(const WorkloadKind& kind,
                                                        std::shared_ptr<const lattice::GaugeField> links,
                                                        OptionValues values);

}  // namespace sscope
