#include "core/lattice/ranks/joined_parts.h"

#include <algorithm>
#include <thread>

namespace sscope::lattice {

std::vector<LatticePart> partsFor(const Lattice& whole, std::size_t engines, std::span<const double> weights) {
  return weights.empty() ? latticeParts(whole, static_cast<int>(engines)) : latticeParts(whole, weights);
}

std::vector<PrepareOptions> sharesOf(std::span<Engine* const> engines, const PrepareOptions& options) {
  const auto own = std::count_if(engines.begin(), engines.end(), [](Engine* e) { return e->info().hasThreads(); });
  const int all = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  std::vector<PrepareOptions> shares(engines.size(), options);
  for (std::size_t k = 0; k < engines.size(); ++k)
    if (engines[k]->info().hasThreads()) shares[k].threads = std::max(1, all / static_cast<int>(own));
  return shares;
}

RunReport joinedReport(std::span<const RunReport> reports, const Work& work) {
  RunReport all = reports.front();
  all.operations = work.operations;
  all.bytes = work.bytes;
  for (const RunReport& one : reports.subspan(1)) {
    all.engine += '+' + one.engine;
    if (one.variant != reports.front().variant) all.variant += '+' + one.variant;
    all.threads += one.threads;
    all.executedOperations += one.executedOperations;
    all.phases.compile = std::max(all.phases.compile, one.phases.compile);
    all.phases.upload = std::max(all.phases.upload, one.phases.upload);
    all.phases.kernel = std::max(all.phases.kernel, one.phases.kernel);
    all.phases.download = std::max(all.phases.download, one.phases.download);
    for (const auto& [name, value] : one.launch)
      if (name == "halo bytes") all.launch[name] += value;
  }
  return all;
}

}  // namespace sscope::lattice
