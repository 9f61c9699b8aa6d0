#include "app/cli/lattice/dealt_field.h"

#include <array>
#include <vector>

#include "core/lattice/ranks/spread.h"
#include "core/parts/agreed.h"

namespace sscope::cli {

using namespace lattice;

void onFirstRank(Program& program, const std::function<void()>& work) {
  reach::agreed(program.ranks, program.control(), [&] {
    if (program.speaks()) work();
  });
}

DealtField dealtConfiguration(Program& program, const ConfigurationChoice& configuration) {
  reach::Communicator& ranks = program.ranks;
  const Control control = program.control();
  GaugeField whole;
  onFirstRank(program, [&] { whole = readConfiguration(program, configuration).field; });
  std::array<int, kDirections> extents = whole.lattice().extents();
  ranks.broadcast(std::as_writable_bytes(std::span(extents)), 0, control);
  const std::vector<LatticePart> parts = latticeParts(Lattice(extents), ranks.size());
  GaugeField links = dealtOut(whole, parts, ranks, control);
  return {parts[static_cast<std::size_t>(ranks.rank())], std::move(links)};
}

}  // namespace sscope::cli
