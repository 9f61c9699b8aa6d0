// The lattice on several engines at once, on the command line.

#include "tests/cli/known_ceilings.h"
#include "tests/cli/lattice/lattice_scene.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("the lattice is benchmarked and solved on several engines, and refuses more than there are planes") {
  useKnownCeilings();
  const LatticeScene scene;
  const std::string two = "cpu:scalar+cpu:sse4";
  for (const std::string workload : {"dirac", "cr"}) {
    const json row =
        scene.report("bench " + workload + " --shape 4,4,4 --param time=4 --engine " + two).at("results").at(0);
    CHECK(row.at("engine") == two);
    CHECK(row.at("verified") == true);
    const json& launch = row.at("launch");
    CHECK(launch.at("cpu:scalar share").get<double>() + launch.at("cpu:sse4 share").get<double>() == Approx(1));
  }
  const json report = scene.report("lattice solve a.nersc --kappa 0.11 --engine " + two);
  CHECK(report.at("converged") == true);
  CHECK(contains(report.dump(), two));
  std::string many = "cpu:scalar";
  for (int i = 0; i < 16; ++i) many += "+cpu:scalar";
  scene.refuse("lattice solve a.nersc --kappa 0.11 --engine " + many, 2, "");
}
