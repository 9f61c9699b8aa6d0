// Spinors in files: what sscope lattice solve -o writes, and what info and field make of it.

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

struct Files {
  TemporaryFolder folder;
  std::string links = folder / "links.nersc", psi = folder / "psi.nrrd", other = folder / "other.nrrd",
              out = folder / "out.nrrd";
  Files() { REQUIRE(run({"lattice", "generate", "--dims", "4,2,4,6", "--sweeps", "3", "-o", links}).status == 0); }
  [[nodiscard]] Arguments solve(const std::string& output) const {
    return {"lattice", "solve", links, "--kappa", "0.11", "-o", output};
  }
};

std::complex<double> numberOf(const Volume& volume, std::int64_t i) {
  const auto at = static_cast<std::size_t>(2 * i);
  return {volume.elements<double>()[at], volume.elements<double>()[at + 1]};
}

}  // namespace

TEST_CASE("lattice solve writes its solution, and says what it is") {
  const Files files;
  const json solved = reportOf(joined(files.solve(files.psi), {"--at", "1,0,2,3", "--color", "2", "--spin", "1"}));
  const Volume volume = readVolume(files.psi);
  REQUIRE(volume.shape() == VolumeShape{4, 2, 24, 24});
  // Sites are counted: no millimeters, and nobody lies in there.
  CHECK(volume.geometry().unit.empty());
  const std::string bytes = contentOf(files.psi);
  CHECK_FALSE(contains(bytes.substr(0, 1000), "left-posterior-superior"));
  CHECK(contains(bytes.substr(0, 1000), "space dimension: 3"));
  double norm = 0;
  for (const double number : volume.elements<double>()) norm += number * number;
  const json info = reportOf({"lattice", "info", files.psi});
  CHECK(info.at("schema") == "stencilscope.spinors/1");
  CHECK(info.at("dims") == json::array({4, 2, 4, 6}));
  CHECK(info.at("fields") == 1);
  CHECK(info.at("norm2").get<double>() == Approx(norm).epsilon(1e-13));
  const json& notes = info.at("notes");
  CHECK(notes.at("configuration") == "links.nersc");  // not where it lies on this machine
  CHECK(notes.at("kappa") == "0.11");
  CHECK(notes.at("source") == "point at 1 0 2 3, color 2, spin 1");
  CHECK(std::stod(notes.at("true residual").get<std::string>()) ==
        Approx(solved.at("true_residual").get<double>()).epsilon(1e-12));
  CHECK(contains(run({"lattice", "info", files.psi}).out, "4x2x4x6"));
  // The solution is largest where its source is.
  const auto source = static_cast<std::int64_t>((3 * 4 + 2) * 8 + 1) * 12 + 4 * 2 + 1;
  for (std::int64_t i = 0; i < 192 * 12; ++i)
    if (i != source) CHECK(std::abs(numberOf(volume, i)) < std::abs(numberOf(volume, source)));
}

TEST_CASE("lattice info takes the product of two spinor files") {
  const Files files;
  const Arguments hash{"--source", "hash", "--seed", "7"};
  REQUIRE(run(joined(files.solve(files.psi), hash)).status == 0);
  REQUIRE(run(joined(files.solve(files.other), {"--source", "hash", "--seed", "8"})).status == 0);
  const Volume a = readVolume(files.psi), b = readVolume(files.other);
  std::complex<double> product = 0;
  double norm = 0, difference = 0;
  for (std::int64_t i = 0; i < 192 * 12; ++i) {
    product += std::conj(numberOf(a, i)) * numberOf(b, i);
    norm += std::norm(numberOf(b, i));
    difference += std::norm(numberOf(a, i) - numberOf(b, i));
  }
  const json found = reportOf({"lattice", "info", files.psi, "--with", files.other}).at("with");
  CHECK(found.at("product")[0].get<double>() == Approx(product.real()).epsilon(1e-12));
  CHECK(found.at("product")[1].get<double>() == Approx(product.imag()).epsilon(1e-12));
  CHECK(found.at("norm2").get<double>() == Approx(norm).epsilon(1e-13));
  CHECK(found.at("difference2").get<double>() == Approx(difference).epsilon(1e-13));
  CHECK(std::abs(product.imag()) > 1e-3);  // the order of the two shows
  // Two solvers find the same.
  REQUIRE(run(joined(files.solve(files.out), joined(hash, {"--solver", "cgnr"}))).status == 0);
  const json same = reportOf({"lattice", "info", files.psi, "--with", files.out}).at("with");
  CHECK(same.at("difference2").get<double>() < 1e-17 * same.at("norm2").get<double>());
  CHECK(contains(run({"lattice", "info", files.psi, "--with", files.out}).out, "|psi - other|^2"));
}

TEST_CASE("the density of a propagator's file is its pion correlator") {
  const Files files;
  const json solved = reportOf(joined(files.solve(files.psi), {"--propagator"}));
  CHECK(reportOf({"lattice", "info", files.psi}).at("fields") == 12);
  REQUIRE(run({"lattice", "field", files.psi, "--observable", "density", "-o", files.out}).status == 0);
  const Volume density = readVolume(files.out);
  REQUIRE(density.shape() == VolumeShape{4, 2, 4, 6});
  for (int t = 0; t < 6; ++t) {
    double sum = 0;
    for (std::int64_t z = 0; z < 4; ++z)
      for (std::int64_t y = 0; y < 2; ++y)
        for (std::int64_t x = 0; x < 4; ++x) sum += density.value(x, y, z, t);
    CHECK(sum == Approx(solved.at("pion_correlator")[static_cast<std::size_t>(t)].get<double>()).epsilon(1e-12));
  }
  REQUIRE(
      run({"lattice", "field", files.psi, "--observable", "density", "--time-slice", "4", "-o", files.out}).status ==
      0);
  const Volume slice = readVolume(files.out);
  CHECK(slice.shape() == VolumeShape{4, 2, 4, 1});
  CHECK(slice.value(3, 1, 2) == density.value(3, 1, 2, 4));
}

TEST_CASE("what is no spinors is refused in one line, and a failed solve writes none") {
  const Files files;
  const std::string volume = files.folder / "volume.nrrd";
  writeNrrd(volume, randomVolume({4, 2, 24, 1}, ElementType::f32, 1));
  expectRefusal(files.solve(files.folder / "psi.tif"), 2, ".nrrd");
  expectRefusal(files.solve(files.folder / "nowhere" / "psi.nrrd"), 1, "nowhere");
  expectRefusal(joined(files.solve(files.psi), {"--json", files.psi}), 2, "two outputs");
  CHECK(run(joined(files.solve(files.psi), {"--max-iterations", "2"})).status == 1);
  CHECK_FALSE(std::filesystem::exists(files.psi));
  REQUIRE(run(files.solve(files.psi)).status == 0);
  REQUIRE(run(joined(files.solve(files.other), {"--propagator"})).status == 0);
  expectRefusal({"lattice", "info", files.psi, "--with", files.other}, 2, "no product");
  expectRefusal({"lattice", "info", files.psi, "--with", volume}, 1, "spinors");
  expectRefusal({"lattice", "info", files.links, "--with", files.psi}, 2, "--with");
  expectRefusal({"lattice", "info", files.psi, "--json", files.psi}, 2, "which is read");
  expectRefusal({"lattice", "field", files.links, "--observable", "density", "-o", files.out}, 1, "links.nersc");
  expectRefusal({"lattice", "field", volume, "--observable", "density", "-o", files.out}, 1, "spinors");
  expectRefusal({"lattice", "field", files.psi, "--observable", "density", "--time-slice", "6", "-o", files.out}, 2,
                "0 to 5");
  expectRefusal({"lattice", "field", files.psi, "--observable", "density", "--flow", "1", "-o", files.out}, 2,
                "--flow");
  // Annotations that do not fit the numbers.
  std::string content = readTextFile(files.psi);
  const std::size_t at = content.find("4 2 4 6");
  REQUIRE(at != std::string::npos);
  writeTextFile(files.psi, content.replace(at, 7, "4 2 4 5"));
  expectRefusal({"lattice", "info", files.psi}, 1, "4x2x4x5");
  writeTextFile(files.psi, content.replace(at, 7, "4 2 4 x"));
  expectRefusal({"lattice", "info", files.psi}, 1, "extents");
}
