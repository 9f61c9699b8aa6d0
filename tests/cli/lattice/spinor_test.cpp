// Spinors in files: what sscope lattice solve -o writes, and what info and field make of it.

#include <cmath>
#include <complex>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

const std::string kSolve = "lattice solve links.nersc --kappa 0.11 -o ";
constexpr std::int64_t kNumbers = 4 * 2 * 4 * 6 * 12;

struct SpinorScene : Scene {
  SpinorScene() : Scene(Empty()) { ok("lattice generate --dims 4,2,4,6 --sweeps 3 -o links.nersc"); }
};

std::complex<double> numberOf(const Volume& volume, std::int64_t i) {
  const auto at = static_cast<std::size_t>(2 * i);
  return {volume.elements<double>()[at], volume.elements<double>()[at + 1]};
}

}  // namespace

TEST_CASE("lattice solve writes its solution with a record of what it is") {
  const SpinorScene scene;
  const json solved = scene.report(kSolve + "psi.nrrd --at 1,0,2,3 --color 2 --spin 1");
  const Volume volume = scene.volume("psi.nrrd");
  REQUIRE(volume.shape() == VolumeShape{4, 2, 24, 24});
  // Sites are counted: there are no millimeters, and no patient whose left is known.
  CHECK(volume.geometry().unit.empty());
  const std::string header = scene.text("psi.nrrd").substr(0, 1000);
  CHECK_FALSE(contains(header, "left-posterior-superior"));
  CHECK(contains(header, "space dimension: 3"));
  double norm = 0;
  for (const double number : volume.elements<double>()) norm += number * number;
  const json info = scene.report("lattice info psi.nrrd");
  CHECK(info.at("schema") == "stencilscope.spinors/1");
  CHECK(info.at("dims") == json::array({4, 2, 4, 6}));
  CHECK(info.at("fields") == 1);
  CHECK(info.at("norm2").get<double>() == Approx(norm).epsilon(1e-13));
  const json& notes = info.at("notes");
  CHECK(notes.at("configuration") == "links.nersc");
  CHECK(notes.at("kappa") == "0.11");
  CHECK(notes.at("source") == "point at 1 0 2 3, color 2, spin 1");
  CHECK(std::stod(notes.at("true residual").get<std::string>()) ==
        Approx(solved.at("true_residual").get<double>()).epsilon(1e-12));
  CHECK(contains(scene.ok("lattice info psi.nrrd").out, "4x2x4x6"));
  // The solution is largest where its source is.
  const auto source = static_cast<std::int64_t>((3 * 4 + 2) * 8 + 1) * 12 + 4 * 2 + 1;
  for (std::int64_t i = 0; i < kNumbers; ++i)
    if (i != source) CHECK(std::abs(numberOf(volume, i)) < std::abs(numberOf(volume, source)));
}

TEST_CASE("lattice info takes the product of two spinor files") {
  const SpinorScene scene;
  scene.ok(kSolve + "psi.nrrd --source hash --seed 7");
  scene.ok(kSolve + "other.nrrd --source hash --seed 8");
  const Volume a = scene.volume("psi.nrrd"), b = scene.volume("other.nrrd");
  std::complex<double> product = 0;
  double norm = 0, difference = 0;
  for (std::int64_t i = 0; i < kNumbers; ++i) {
    product += std::conj(numberOf(a, i)) * numberOf(b, i);
    norm += std::norm(numberOf(b, i));
    difference += std::norm(numberOf(a, i) - numberOf(b, i));
  }
  const json found = scene.report("lattice info psi.nrrd --with other.nrrd").at("with");
  CHECK(found.at("product")[0].get<double>() == Approx(product.real()).epsilon(1e-12));
  CHECK(found.at("product")[1].get<double>() == Approx(product.imag()).epsilon(1e-12));
  CHECK(found.at("norm2").get<double>() == Approx(norm).epsilon(1e-13));
  CHECK(found.at("difference2").get<double>() == Approx(difference).epsilon(1e-13));
  CHECK(std::abs(product.imag()) > 1e-3);  // the order of the two shows
  // Two solvers find the same.
  scene.ok(kSolve + "out.nrrd --source hash --seed 7 --solver cgnr");
  const json same = scene.report("lattice info psi.nrrd --with out.nrrd").at("with");
  CHECK(same.at("difference2").get<double>() < 1e-17 * same.at("norm2").get<double>());
  CHECK(contains(scene.ok("lattice info psi.nrrd --with out.nrrd").out, "|psi - other|^2"));
}

TEST_CASE("the density of a propagator's file is its pion correlator") {
  const SpinorScene scene;
  const json solved = scene.report(kSolve + "psi.nrrd --propagator");
  CHECK(scene.report("lattice info psi.nrrd").at("fields") == 12);
  const std::string field = "lattice field psi.nrrd --observable density -o out.nrrd";
  scene.ok(field);
  const Volume density = scene.volume();
  REQUIRE(density.shape() == VolumeShape{4, 2, 4, 6});
  for (int t = 0; t < 6; ++t) {
    double sum = 0;
    for (std::int64_t i = 0; i < 4 * 2 * 4; ++i) sum += density.value(i % 4, i / 4 % 2, i / 8, t);
    CHECK(sum == Approx(solved.at("pion_correlator")[static_cast<std::size_t>(t)].get<double>()).epsilon(1e-12));
  }
  scene.ok(field + " --time-slice 4");
  CHECK(scene.volume().shape() == VolumeShape{4, 2, 4, 1});
  CHECK(scene.volume().value(3, 1, 2) == density.value(3, 1, 2, 4));
}

TEST_CASE("what is no spinors is refused in one line, and a failed solve writes none") {
  const SpinorScene scene;
  scene.write("volume.nrrd", randomVolume({4, 2, 24, 1}, ElementType::f32, 1));
  scene.refuse(kSolve + "psi.tif", 2, ".nrrd");
  scene.refuse(kSolve + "nowhere/psi.nrrd", 1, "nowhere");
  CHECK(scene.run(kSolve + "psi.nrrd --max-iterations 2").status == 1);
  CHECK_FALSE(scene.has("psi.nrrd"));
  scene.ok(kSolve + "psi.nrrd");
  scene.ok(kSolve + "other.nrrd --propagator");
  const std::string density = " --observable density -o out.nrrd";
  scene.refuse(2, {{"lattice info psi.nrrd --with other.nrrd", "no product"},
                   {"lattice info links.nersc --with psi.nrrd", "--with"},
                   {"lattice field psi.nrrd --time-slice 6" + density, "0 to 5"},
                   {"lattice field psi.nrrd --flow 1" + density, "--flow"}});
  scene.refuse(1, {{"lattice info psi.nrrd --with volume.nrrd", "spinors"},
                   {"lattice field links.nersc" + density, "links.nersc"},
                   {"lattice field volume.nrrd" + density, "spinors"}});
  // Annotations that do not fit the numbers.
  std::string content = scene.text("psi.nrrd");
  const std::size_t at = content.find("4 2 4 6");
  REQUIRE(at != std::string::npos);
  for (const auto& [extents, part] : {std::pair{"4 2 4 5", "4x2x4x5"}, {"4 2 4 x", "extents"}}) {
    scene.write("psi.nrrd", content.replace(at, 7, extents));
    scene.refuse("lattice info psi.nrrd", 1, part);
  }
}
