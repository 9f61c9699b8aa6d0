#pragma once
// A folder with configurations of links.

#include "core/io/lattice/configuration_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace sscope::test {

// a.nersc: 4 x 4 x 2 x 4 links after three sweeps from a hot start.
struct LatticeScene : Scene {
  LatticeScene() : Scene(Empty()) { generate("a.nersc"); }
  void generate(const std::string& file, const std::string& more = "") const {
    const Outcome outcome = ok("lattice generate --dims 4,4,2,4 -o " + file + (more.empty() ? " --sweeps 3" : more));
    if (more.empty()) CHECK(contains(outcome.err, "note: 3 sweeps from a hot start are likely too few"));
    CHECK(lineCount(outcome.err) <= 1);
  }
  [[nodiscard]] lattice::GaugeField links(const std::string& file, bool keepLinks = false) const {
    return makeConfigurationIo()->read(path(file), {.extents = {}, .keepLinks = keepLinks}, {}).field;
  }
};

}  // namespace sscope::test
