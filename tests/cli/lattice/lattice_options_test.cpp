// Options of sscope lattice whose results are known otherwise: the flow's curve, places of sources, links as they are,
// wrong checksums.

#include <cmath>

#include "core/lattice/job/flow_curve.h"
#include "core/lattice/observables.h"
#include "tests/cli/lattice/lattice_scene.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

// The largest relative difference of an observable's file from the densities.
double farthest(const Volume& volume, const std::vector<double>& densities) {
  const VolumeShape& n = volume.shape();
  double worst = 0;
  for (std::int64_t z = 0; z < n.nz; ++z)
    for (std::int64_t y = 0; y < n.ny; ++y)
      for (std::int64_t x = 0; x < n.nx; ++x)
        for (int t = 0; t < n.components; ++t) {
          const double exact = densities.at(static_cast<std::size_t>(((t * n.nz + z) * n.ny + y) * n.nx + x));
          worst = std::max(worst, std::abs(volume.value(x, y, z, t) - exact) / std::abs(exact));
        }
  return worst;
}

}  // namespace

TEST_CASE("lattice flow writes the curve that the library computes, as JSON, CSV and text") {
  const LatticeScene scene;
  const std::string flow = "lattice flow a.nersc --step 0.04 --to 0.1";
  const FlowCurve curve = flowCurve(scene.links("a.nersc"), {0.04, 0.1}, {});
  const json report = scene.report(flow + " --csv curve.csv");
  CHECK(report.at("schema") == "stencilscope.flow/1");
  CHECK(report.at("step") == 0.04);
  REQUIRE(curve.points.size() == 4);  // 0, 0.04, 0.08 and the shorter last step
  REQUIRE(report.at("points").size() == curve.points.size());
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const json& point = report.at("points")[i];
    const FlowCurvePoint& exact = curve.points[i];
    CHECK(point.at("t").get<double>() == exact.time);
    CHECK(point.at("energy_clover").get<double>() == Approx(exact.cloverEnergy).epsilon(1e-12));
    CHECK(point.at("t2_energy_plaquette").get<double>() == Approx(exact.scaledPlaquette()).epsilon(1e-12));
    CHECK(point.at("charge").get<double>() == Approx(exact.charge).margin(1e-12));
  }
  CHECK(report.at("points")[3].at("t").get<double>() == Approx(0.1).epsilon(1e-12));
  CHECK(report.at("t0").is_null());  // not within t = 0.1
  const std::string table = scene.text("curve.csv");
  CHECK(lineCount(table) == 5);
  CHECK(
      table.starts_with("t,energy_clover,energy_plaquette,t2_energy_clover,t2_energy_plaquette,charge,plaquette\n0,"));
  CHECK(contains(scene.ok(flow).out, "not reached by t = 0.1"));
}

TEST_CASE("lattice flow finds t0 and w0 where the curve reaches them") {
  const LatticeScene scene;
  scene.generate("b.nersc", " --beta 5 --start hot --sweeps 4");
  const json report = scene.report("lattice flow b.nersc --step 0.02 --to 0.8");
  const FlowCurve curve = flowCurve(scene.links("b.nersc"), {0.02, 0.8}, {});
  REQUIRE((curve.t0 && curve.w0));
  CHECK(report.at("t0").get<double>() == Approx(*curve.t0).epsilon(1e-10));
  CHECK(report.at("w0").get<double>() == Approx(*curve.w0).epsilon(1e-10));
  // Between two points of the file the energy passes through 0.3.
  const json& points = report.at("points");
  std::size_t i = 1;
  while (i + 1 < points.size() && points[i].at("t").get<double>() < *curve.t0) ++i;
  CHECK(points[i].at("t2_energy_clover").get<double>() >= 0.3);
  CHECK(points[i - 1].at("t2_energy_clover").get<double>() <= 0.3);
}

TEST_CASE("a point source is where --at, --color and --spin put it") {
  const LatticeScene scene;
  const lattice::GaugeField links = scene.links("a.nersc");
  constexpr double kKappa = 0.12;
  const std::string dirac = "lattice dirac a.nersc --kappa 0.12 ";
  // One hop along x from the source to the origin: -kappa (1 - gamma_x) U_x(0), with gamma_x(3, 0) = -i.
  const json report = scene.report(dirac + "--at 1,0,0,0 --color 2 --spin 0");
  for (int color = 0; color < 3; ++color) {
    const lattice::Complex link = -kKappa * links.link(0, 0)(color, 2);
    const lattice::Complex exact[] = {link, 0, 0, lattice::Complex(0, 1) * link};
    for (int spin = 0; spin < 4; ++spin) {
      const json& value = report.at("first_components").at(static_cast<std::size_t>(4 * color + spin));
      CHECK(std::abs(lattice::Complex(value[0], value[1]) - exact[spin]) < 1e-14);
    }
  }
  CHECK(report.at("norms2")[0] == 1);
  CHECK(report.at("norms2")[1].get<double>() == Approx(1 + 16 * kKappa * kKappa).epsilon(1e-13));
  scene.refuse(2, {{dirac + "--at 4,0,0,0", "not on the lattice"},
                   {dirac + "--at 0,0,-1,0", "not on the lattice"},
                   {dirac + "--color 3", "--color"},
                   {dirac + "--source hash --spin 1", "--spin"},
                   {"lattice solve a.nersc --kappa 0.1 --propagator --color 1", "--color"}});
}

TEST_CASE("on unit links a correlator does not depend on where its source is") {
  const LatticeScene scene;
  scene.generate("unit.nersc", " --start cold --sweeps 0");
  const std::string solve = "lattice solve unit.nersc --kappa 0.11 --propagator";
  const json origin = scene.report(solve).at("pion_correlator"),
             other = scene.report(solve + " --at 3,1,0,2").at("pion_correlator");
  REQUIRE((origin.size() == 4 && other.size() == 4));
  for (std::size_t t = 0; t < 4; ++t) CHECK(other[t].get<double>() == Approx(origin[t].get<double>()).epsilon(1e-8));
  CHECK(origin[0].get<double>() > 2 * origin[2].get<double>());
}

TEST_CASE("links that were rounded are projected, and left as they are with --keep-links") {
  const LatticeScene scene;
  scene.ok("lattice convert a.nersc -o rounded.nersc --precision 32");
  const std::string field = "lattice field rounded.nersc --observable plaquette -o out.nrrd";
  const auto densitiesOf = [&](bool keepLinks) {
    return densities(scene.links("rounded.nersc", keepLinks), lattice::Observable::Plaquette, {});
  };
  CHECK(contains(scene.ok(field).err, "note: "));
  CHECK(farthest(scene.volume(), densitiesOf(false)) < 1e-13);
  CHECK(farthest(scene.volume(), densitiesOf(true)) > 1e-10);
  CHECK(scene.ok(field + " --keep-links").err.empty());
  CHECK(farthest(scene.volume(), densitiesOf(true)) < 1e-13);
  CHECK(scene.report("lattice info rounded.nersc").at("projected") == true);
  CHECK(scene.report("lattice info a.nersc").at("projected") == false);
  // The other commands that compute with links take it as well.
  for (const auto& [line, number] : {std::pair{"lattice flow rounded.nersc --step 0.1 --to 0.1", "/points/0/plaquette"},
                                     {"lattice dirac rounded.nersc --kappa 0.12 --source hash", "/norms2/1"}}) {
    const json::json_pointer at{std::string(number)};
    const double projected = scene.report(line).at(at), kept = scene.report(line + std::string(" --keep-links")).at(at);
    CHECK(projected != kept);
    CHECK(projected == Approx(kept).epsilon(1e-6));
  }
}

TEST_CASE("a wrong checksum stops every command, or is a warning with --ignore-checksum") {
  const LatticeScene scene;
  std::string content = scene.text("a.nersc");
  const std::size_t at = content.find("CHECKSUM = ") + 11;
  REQUIRE(at < content.size());
  content[at] = content[at] == '1' ? '2' : '1';
  scene.write("a.nersc", content);
  scene.refuse(1, {{"lattice info a.nersc", "--ignore-checksum"},
                   {"lattice convert a.nersc -o copy.nersc", "--ignore-checksum"}});
  const Outcome outcome = scene.ok("lattice info a.nersc --ignore-checksum --json -");
  CHECK(contains(outcome.err, "checksum"));
  CHECK(json::parse(outcome.out).at("checksum_ok") == false);
  scene.ok("lattice convert a.nersc -o copy.nersc --ignore-checksum");
  CHECK(scene.report("lattice info copy.nersc").at("checksum_ok") == true);
  CHECK(scene.links("copy.nersc", true).links().size() == 4 * 4 * 4 * 2 * 4);
}
