// Options of sscope lattice whose results are known otherwise: the flow's curve, places of sources, links as they are,
// wrong checksums.

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/job/flow_curve.h"
#include "core/lattice/observables.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

std::string quenched(const TemporaryFolder& folder, const std::string& name,
                     const Arguments& more = {"--sweeps", "3"}) {
  const std::string file = folder / name;
  REQUIRE(run(joined({"lattice", "generate", "--dims", "4,4,2,4", "-o", file}, more)).status == 0);
  return file;
}

lattice::GaugeField linksOf(const std::string& file, bool keepLinks) {
  return makeConfigurationIo()->read(file, {.extents = {}, .keepLinks = keepLinks}, {}).field;
}

// The largest relative difference of an observable's file from the densities.
double distance(const std::string& file, const std::vector<double>& densities) {
  const Volume volume = readVolume(file);
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
  const TemporaryFolder folder;
  const std::string a = quenched(folder, "a.nersc"), csv = folder / "curve.csv";
  const Arguments flow{"lattice", "flow", a, "--step", "0.04", "--to", "0.1"};
  const FlowCurve curve = flowCurve(linksOf(a, false), {0.04, 0.1}, {});
  const json report = reportOf(joined(flow, {"--csv", csv}));
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
  const std::string table = readTextFile(csv);
  CHECK(lineCount(table) == 5);
  CHECK(table.rfind("t,energy_clover,energy_plaquette,t2_energy_clover,t2_energy_plaquette,charge,plaquette\n0,", 0) ==
        0);
  const Outcome text = run(flow);
  CHECK(text.status == 0);
  CHECK(contains(text.out, "not reached by t = 0.1"));
}

TEST_CASE("lattice flow finds t0 and w0 where the curve reaches them") {
  const TemporaryFolder folder;
  const std::string a = quenched(folder, "a.nersc", {"--beta", "5", "--start", "hot", "--sweeps", "4"});
  const json report = reportOf({"lattice", "flow", a, "--step", "0.02", "--to", "0.8"});
  const FlowCurve curve = flowCurve(linksOf(a, false), {0.02, 0.8}, {});
  REQUIRE(curve.t0);
  REQUIRE(curve.w0);
  CHECK(report.at("t0").get<double>() == Approx(*curve.t0).epsilon(1e-10));
  CHECK(report.at("w0").get<double>() == Approx(*curve.w0).epsilon(1e-10));
  // Between two points of the file the energy passes through 0.3.
  const json& points = report.at("points");
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].at("t").get<double>() >= *curve.t0) {
      CHECK(points[i].at("t2_energy_clover").get<double>() >= 0.3);
      CHECK(points[i - 1].at("t2_energy_clover").get<double>() <= 0.3);
      break;
    }
}

TEST_CASE("lattice flow refuses what is no curve") {
  const TemporaryFolder folder;
  const std::string a = quenched(folder, "a.nersc");
  expectRefusal({"lattice", "flow", a, "--step", "0"}, 2, "--step");
  expectRefusal({"lattice", "flow", a, "--to", "nan"}, 2, "nan");
  expectRefusal({"lattice", "flow", a, "--step", "0.5", "--to", "0.1"}, 2, "step");
  expectRefusal({"lattice", "flow", a, "--csv", a}, 2, "which is read");
  for (const char* step : {"0.2", "0.3", "1"})
    expectRefusal({"lattice", "flow", a, "--step", step, "--to", "3"}, 2, "not stable in steps above 0.15");
}

TEST_CASE("an operator applied until no number holds the result is refused") {
  const TemporaryFolder folder;
  const std::string file = folder / "a.nersc";
  REQUIRE(run({"lattice", "generate", "--dims", "2,2,2,2", "--sweeps", "0", "-o", file}).status == 0);
  expectRefusal({"lattice", "dirac", file, "--kappa", "10", "--apply", "1000"}, 1, "exceeds the range of numbers");
}

TEST_CASE("a point source is where --at, --color and --spin put it") {
  const TemporaryFolder folder;
  const std::string a = quenched(folder, "a.nersc");
  const lattice::GaugeField links = linksOf(a, false);
  constexpr double kKappa = 0.12;
  const Arguments dirac{"lattice", "dirac", a, "--kappa", "0.12"};
  // One hop along x from the source to the origin: -kappa (1 - gamma_x) U_x(0), with gamma_x(3, 0) = -i.
  const json report = reportOf(joined(dirac, {"--at", "1,0,0,0", "--color", "2", "--spin", "0"}));
  for (int color = 0; color < 3; ++color) {
    const lattice::Complex link = -kKappa * links.link(0, 0)(color, 2);
    const auto found = [&](int spin) {
      const json& value = report.at("first_components").at(static_cast<std::size_t>(4 * color + spin));
      return lattice::Complex(value[0], value[1]);
    };
    CHECK(std::abs(found(0) - link) < 1e-14);
    CHECK(std::abs(found(1)) < 1e-14);
    CHECK(std::abs(found(2)) < 1e-14);
    CHECK(std::abs(found(3) - lattice::Complex(0, 1) * link) < 1e-14);
  }
  CHECK(report.at("norms2")[0] == 1);
  CHECK(report.at("norms2")[1].get<double>() == Approx(1 + 16 * kKappa * kKappa).epsilon(1e-13));
  expectRefusal(joined(dirac, {"--at", "4,0,0,0"}), 2, "not on the lattice");
  expectRefusal(joined(dirac, {"--at", "0,0,-1,0"}), 2, "not on the lattice");
  expectRefusal(joined(dirac, {"--color", "3"}), 2, "--color");
  expectRefusal(joined(dirac, {"--source", "hash", "--spin", "1"}), 2, "--spin");
  expectRefusal({"lattice", "solve", a, "--kappa", "0.1", "--propagator", "--color", "1"}, 2, "--color");
}

TEST_CASE("on unit links a correlator does not depend on where its source is") {
  const TemporaryFolder folder;
  const std::string unit = quenched(folder, "unit.nersc", {"--start", "cold", "--sweeps", "0"});
  const Arguments solve{"lattice", "solve", unit, "--kappa", "0.11", "--propagator"};
  const json origin = reportOf(solve).at("pion_correlator");
  const json other = reportOf(joined(solve, {"--at", "3,1,0,2"})).at("pion_correlator");
  REQUIRE(origin.size() == 4);
  REQUIRE(other.size() == 4);
  for (std::size_t t = 0; t < 4; ++t) CHECK(other[t].get<double>() == Approx(origin[t].get<double>()).epsilon(1e-8));
  CHECK(origin[0].get<double>() > 2 * origin[2].get<double>());
}

TEST_CASE("links that were rounded are projected, and left as they are with --keep-links") {
  const TemporaryFolder folder;
  const std::string exact = quenched(folder, "exact.nersc"), rounded = folder / "rounded.nersc";
  const std::string out = folder / "out.nrrd";
  REQUIRE(run({"lattice", "convert", exact, "-o", rounded, "--precision", "32"}).status == 0);
  const Arguments field{"lattice", "field", rounded, "--observable", "plaquette", "-o", out};
  const auto densitiesOf = [&](bool keepLinks) {
    return densities(linksOf(rounded, keepLinks), lattice::Observable::Plaquette, {});
  };
  const Outcome projected = run(field);
  CHECK(projected.status == 0);
  CHECK(contains(projected.err, "note: "));
  CHECK(distance(out, densitiesOf(false)) < 1e-13);
  CHECK(distance(out, densitiesOf(true)) > 1e-10);
  const Outcome kept = run(joined(field, {"--keep-links"}));
  CHECK(kept.status == 0);
  CHECK(kept.err == "");
  CHECK(distance(out, densitiesOf(true)) < 1e-13);
  CHECK(reportOf({"lattice", "info", rounded}).at("projected") == true);
  CHECK(reportOf({"lattice", "info", exact}).at("projected") == false);
  // The other commands that compute with links take it as well.
  const auto firstEnergy = [&](const Arguments& more) {
    return reportOf(joined({"lattice", "flow", rounded, "--step", "0.1", "--to", "0.1"}, more))
        .at("points")[0]
        .at("plaquette")
        .get<double>();
  };
  CHECK(firstEnergy({}) != firstEnergy({"--keep-links"}));
  CHECK(firstEnergy({}) == Approx(firstEnergy({"--keep-links"})).epsilon(1e-6));
  const auto norm = [&](const Arguments& more) {
    return reportOf(joined({"lattice", "dirac", rounded, "--kappa", "0.12", "--source", "hash"}, more))
        .at("norms2")[1]
        .get<double>();
  };
  CHECK(norm({}) != norm({"--keep-links"}));
  CHECK(norm({}) == Approx(norm({"--keep-links"})).epsilon(1e-6));
}

TEST_CASE("a wrong checksum stops every command, or is a warning with --ignore-checksum") {
  const TemporaryFolder folder;
  const std::string a = quenched(folder, "a.nersc"), copy = folder / "copy.nersc";
  std::string content = readTextFile(a);
  const std::size_t at = content.find("CHECKSUM = ") + 11;
  REQUIRE(at < content.size());
  content[at] = content[at] == '1' ? '2' : '1';
  writeTextFile(a, content);
  expectRefusal({"lattice", "info", a}, 1, "--ignore-checksum");
  expectRefusal({"lattice", "convert", a, "-o", copy}, 1, "--ignore-checksum");
  const Outcome outcome = run({"lattice", "info", a, "--ignore-checksum", "--json", "-"});
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.err, "checksum"));
  CHECK(json::parse(outcome.out).at("checksum_ok") == false);
  CHECK(run({"lattice", "convert", a, "-o", copy, "--ignore-checksum"}).status == 0);
  CHECK(reportOf({"lattice", "info", copy}).at("checksum_ok") == true);
  CHECK(linksOf(copy, true).links().size() == 4 * 4 * 4 * 2 * 4);
}
