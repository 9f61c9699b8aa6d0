// Links that a file rounded to 32 bits: energy, charge and flow are the documented formulas, which take them for SU(3).

#include <array>
#include <cmath>
#include <numbers>

#include "core/io/lattice/configuration_io.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/observables.h"
#include "core/lattice/wilson_flow.h"
#include "tests/lattice/configuration_support.h"
#include "tests/lattice/flow_reference.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope::lattice {

namespace {

const Extents kRoundedExtents{4, 2, 3, 5};

// A walk along signed directions (1 to 4, negative backward), as the product of the links on it.
Matrix3 along(const GaugeField& field, std::int64_t site, const std::array<int, 4>& path) {
  Matrix3 product = identity3();
  for (const int step : path) {
    const int mu = std::abs(step) - 1;
    if (step < 0) site = field.lattice().backward(site, mu);
    product = product * (step > 0 ? field.link(site, mu) : adjoint(field.link(site, mu)));
    if (step > 0) site = field.lattice().forward(site, mu);
  }
  return product;
}

// F by the four leaves of the clover, each walked around from the site.
Matrix3 fourLeaves(const GaugeField& field, std::int64_t site, int mu, int nu) {
  const int m = mu + 1, n = nu + 1;
  const Matrix3 sum = along(field, site, {m, n, -m, -n}) + along(field, site, {n, -m, -n, m}) +
                      along(field, site, {-m, -n, m, n}) + along(field, site, {-n, m, n, -m});
  Matrix3 f = Complex(0, -1.0 / 8) * (sum - adjoint(sum));
  const Complex third = trace(f) / 3.0;
  for (int i = 0; i < 3; ++i) f(i, i) -= third;
  return f;
}

struct Densities {
  double energy = 0, charge = 0;
};

Densities formula(const GaugeField& field, std::int64_t site) {
  const auto product = [&](int a, int b, int c, int d) {
    return trace(fourLeaves(field, site, a, b) * fourLeaves(field, site, c, d)).real();
  };
  Densities result;
  for (int mu = 0; mu < kDirections; ++mu)
    for (int nu = mu + 1; nu < kDirections; ++nu) result.energy += product(mu, nu, mu, nu);
  result.charge =
      (product(0, 1, 2, 3) - product(0, 2, 1, 3) + product(0, 3, 1, 2)) / (4 * std::numbers::pi * std::numbers::pi);
  return result;
}

double worstLink(const GaugeField& field) {
  double worst = 0;
  for (const Matrix3& link : field.links()) worst = std::max(worst, unitarityError(link));
  return worst;
}

// Every kind of file that can hold links of 32 bits.
std::vector<std::filesystem::path> roundedFiles(const test::TemporaryFolder& folder, const GaugeField& field) {
  const auto io = makeConfigurationIo();
  io->write(folder / "nersc", field, {ConfigurationFormat::Nersc, 32, false}, {});
  io->write(folder / "rows", field, {ConfigurationFormat::Nersc, 32, true}, {});
  io->write(folder / "ildg", field, {ConfigurationFormat::Ildg, 32, false}, {});
  test::putContent(folder / "milc", test::milcFile(field, true));
  return {folder / "nersc", folder / "rows", folder / "ildg", folder / "milc"};
}

}  // namespace

TEST_CASE("Energy, charge and plaquette of links rounded to 32 bits are those of the formula") {
  const test::TemporaryFolder folder;
  const GaugeField exact = test::someField(kRoundedExtents);
  for (const auto& file : roundedFiles(folder, exact)) {
    INFO(file.string());
    const Configuration read = makeConfigurationIo()->read(file, {}, {});
    const GaugeField& field = read.field;
    CHECK(test::distance(field, exact) < 2e-7);
    CHECK(read.info.projected);
    CHECK(read.info.maxUnitarityError > 1e-9);
    CHECK_THAT(read.info.notices.back(), Catch::Matchers::ContainsSubstring("projected"));
    CHECK(worstLink(field) < 2e-15);
    const std::vector<double> energy = densities(field, Observable::Energy, {}),
                              charge = densities(field, Observable::Charge, {});
    for (std::int64_t x = 0; x < field.lattice().volume(); ++x) {
      const Densities known = formula(field, x);
      const auto k = static_cast<std::size_t>(x);
      REQUIRE(std::abs(energy[k] - known.energy) < 1e-13);
      REQUIRE(std::abs(charge[k] - known.charge) < 1e-14);
    }
    double plaquette = 0;
    for (std::int64_t x = 0; x < field.lattice().volume(); ++x)
      for (int mu = 0; mu < kDirections; ++mu)
        for (int nu = mu + 1; nu < kDirections; ++nu)
          plaquette += trace(along(field, x, {mu + 1, nu + 1, -mu - 1, -nu - 1})).real() / 3;
    plaquette /= 6 * static_cast<double>(field.lattice().volume());
    CHECK(cloverSums(field).plaquette == Approx(plaquette).margin(1e-14));
    CHECK(std::abs(read.info.plaquette - plaquette) < 1e-6);  // that of the file, before
  }
}

TEST_CASE("The flow of links rounded to 32 bits is the formula's") {
  const test::TemporaryFolder folder;
  const GaugeField field =
      makeConfigurationIo()->read(roundedFiles(folder, test::someField(kRoundedExtents)).front(), {}, {}).field;
  GaugeField known = field;
  for (int step = 0; step < 3; ++step) known = flowStepReference(known, 0.01);
  CHECK(test::distance(flowed(field, 0.03, 0.01, {}), known) < 1e-13);
}

TEST_CASE("Links are left as the file has them where that is asked for, and where they are exact") {
  const test::TemporaryFolder folder;
  const GaugeField exact = test::someField(kRoundedExtents);
  const auto io = makeConfigurationIo();
  const auto files = roundedFiles(folder, exact);
  const Configuration kept = io->read(files.front(), {.keepLinks = true}, {});
  CHECK_FALSE(kept.info.projected);
  for (std::size_t k = 0; k < exact.links().size(); ++k)
    for (std::size_t e = 0; e < 9; ++e) {
      const Complex& value = kept.field.links()[k].element[e];
      REQUIRE(value.real() == static_cast<double>(static_cast<float>(exact.links()[k].element[e].real())));
      REQUIRE(value.imag() == static_cast<double>(static_cast<float>(exact.links()[k].element[e].imag())));
    }
  io->write(folder / "double", exact, {}, {});
  const Configuration doubles = io->read(folder / "double", {}, {});
  CHECK(doubles.field == exact);
  CHECK_FALSE(doubles.info.projected);
  // Rounded to 32 bits once, and kept in 64 by somebody.
  io->write(folder / "double", kept.field, {}, {});
  const Configuration widened = io->read(folder / "double", {}, {});
  CHECK(widened.info.projected);
  CHECK(widened.field == io->read(files.front(), {}, {}).field);
}

TEST_CASE("The projection is the nearest of the group") {
  const Matrix3 exact = hotStart(Lattice({1, 1, 1, 1}), 9).link(0, 1);
  for (const double size : {1e-7, 1e-3, 3e-2}) {
    // A positive matrix times a phase: what the projection takes away.
    Matrix3 stretch = identity3();
    stretch(0, 0) += size;
    stretch(1, 1) -= size / 2;
    stretch(0, 2) = Complex(size, -size);
    stretch(2, 0) = Complex(size, size);
    const Matrix3 found = projectedToSu3(std::polar(1.0, size) * (exact * stretch));
    double worst = 0;
    for (std::size_t e = 0; e < 9; ++e) worst = std::max(worst, std::abs(found.element[e] - exact.element[e]));
    CHECK(worst < 1e-14);
    CHECK(unitarityError(found) < 1e-14);
  }
}

TEST_CASE("A wrong checksum is passed over where that is asked for, and told") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = test::someField(kRoundedExtents);
  io->write(folder / "nersc", field, {}, {});
  io->write(folder / "ildg", field, {ConfigurationFormat::Ildg, 64, false}, {});
  test::putContent(folder / "milc", test::milcFile(field, true));
  for (const char* name : {"nersc", "ildg", "milc"}) {
    INFO(name);
    std::string content = test::contentOf(folder / name);
    std::size_t end = content.size();
    if (std::string(name) == "ildg") {
      if (content.find("scidac-checksum") == std::string::npos) continue;  // a build that cannot compute it writes none
      end = content.find("ildg-data-lfn") - 16;
    }
    content[end - 1] ^= 1;  // the last bit of the last number
    test::putContent(folder / name, content);
    CHECK_THROWS_WITH(io->read(folder / name, {}, {}), Catch::Matchers::ContainsSubstring("--ignore-checksum"));
    const Configuration read = io->read(folder / name, {.ignoreChecksum = true}, {});
    CHECK(read.info.checksumWrong);
    CHECK_FALSE(read.info.checksummed);
    CHECK_THAT(read.info.notices.front(), Catch::Matchers::ContainsSubstring("checksum"));
    CHECK(test::distance(read.field, field) < 2e-7);
  }
}

}  // namespace sscope::lattice
