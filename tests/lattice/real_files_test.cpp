// Configurations from elsewhere, and the numbers that other programs found on them.

#include <cmath>
#include <numeric>
#include <random>

#include "core/base/error.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/observables.h"
#include "core/lattice/correlator.h"
#include "core/lattice/vector_space.h"
#include "core/lattice/wilson_flow.h"
#include "tests/lattice/configuration_support.h"
#include "tests/lattice/lattice_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope::lattice {

namespace {

std::optional<std::filesystem::path> realFiles() {
  const auto shared = test::sharedData();
  if (!shared || !std::filesystem::exists(*shared / "lattice")) return std::nullopt;
  return *shared / "lattice";
}

const WilsonParameters kRealWilson{0.12, -1, false};

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double meanEnergy(const GaugeField& field) {
  return sum(densities(field, Observable::Energy, {})) / static_cast<double>(field.lattice().volume());
}

std::string mutated(std::string content, std::mt19937& random) {
  const auto place = [&] {
    return random() % (random() % 4 == 0 ? content.size() : std::min<std::size_t>(content.size(), 1200));
  };
  switch (random() % 4) {
    case 0:
      for (unsigned n = 1 + random() % 8; n > 0; --n) content[place()] = static_cast<char>(random());
      break;
    case 1: content.resize(1 + random() % content.size()); break;
    case 2: {
      const char* const kNumbers[] = {"0", "-1", "1e30", "65536", "4294967297", "99999999999999999999", "nan", ""};
      const std::size_t digit = content.find_first_of("0123456789", place());
      if (digit == std::string::npos) break;
      const std::size_t end = content.find_first_not_of("0123456789", digit);
      content.replace(digit, (end == std::string::npos ? content.size() : end) - digit, kNumbers[random() % 8]);
      break;
    }
    default: content.insert(place(), std::string(1 + random() % 64, static_cast<char>(random())));
  }
  return content;
}

}  // namespace

TEST_CASE("Real configurations pass their own checks") {
  const auto folder = realFiles();
  if (!folder) SSCOPE_SKIP("no real configurations beside the checkout");
  const auto io = makeConfigurationIo();
  const Configuration nersc = io->read(*folder / "atb_nersc.l8t4b3360", {}, {});
  CHECK(nersc.field.lattice().extents() == Extents{8, 8, 8, 4});
  CHECK(nersc.info.checksummed);
  CHECK(nersc.info.plaquette == Approx(0.5038664469).margin(1e-10));
  CHECK(nersc.info.linkTrace == Approx(0.005406083858).margin(1e-12));
  const Configuration ildg = io->read(*folder / "atb_ildg.l8t4b3360", {}, {});
  CHECK(test::distance(ildg.field, nersc.field) < 1e-15);  // both were rounded from more digits
  const Configuration half = io->read(*folder / "gen_8888_b6.nersc", {}, {});
  CHECK(half.info.plaquette == Approx(0.590803332823).margin(1e-10));
  CHECK(half.info.maxUnitarityError < 1e-6);
  const Configuration single = io->read(*folder / "qlua_random-gauge.nersc", {}, {});
  CHECK(single.info.precision == 32);
  CHECK(single.field.lattice().extents() == Extents{4, 4, 4, 8});
  const Configuration weak = io->read(*folder / "pyquda_weak_field.lime", {}, {});
  CHECK(weak.field.lattice().extents() == Extents{4, 4, 4, 8});
  CHECK((weak.info.checksummed || !weak.info.notices.empty()));
}

TEST_CASE("The numbers of the real configuration are found to their last digits") {
  const auto folder = realFiles();
  if (!folder) SSCOPE_SKIP("no real configurations beside the checkout");
  const GaugeField field = makeConfigurationIo()->read(*folder / "atb_nersc.l8t4b3360", {}, {}).field;
  const Lattice& lattice = field.lattice();

  CHECK(meanEnergy(field) == Approx(2.3792399321).margin(1e-10));
  CHECK(sum(densities(field, Observable::Charge, {})) == Approx(-0.5011871833).margin(1e-10));
  const GaugeField smooth = flowed(field, 1, kFlowStep, {});
  CHECK(meanEnergy(smooth) == Approx(0.3423307924).margin(1e-8));
  CHECK(sum(densities(smooth, Observable::Charge, {})) == Approx(0.7631869920).margin(1e-8));

  SpinorField psi = pointSource(lattice, 0, 0, 0);
  for (const double known : {0.0, 1.983199027699, 0.0, 7.542164884624}) {
    psi = test::applied(field, kRealWilson, psi);
    if (known > 0) CHECK(norm2(psi, {}) == Approx(known).margin(1e-11));
  }
  psi = hashSource(lattice, 0);
  CHECK(norm2(psi, {}) == Approx(4099.191460626993).margin(1e-8));
  const SpinorField image = test::applied(field, kRealWilson, psi);
  CHECK(norm2(image, {}) == Approx(5063.122206412822).margin(1e-8));
  CHECK(image[0].real() == Approx(0.623736659554).margin(1e-11));
  CHECK(image[0].imag() == Approx(-0.030782596110).margin(1e-11));
}

TEST_CASE("The ladder's solver takes the known number of iterations on the real configuration") {
  const auto folder = realFiles();
  if (!folder) SSCOPE_SKIP("no real configurations beside the checkout");
  const GaugeField field = makeConfigurationIo()->read(*folder / "atb_nersc.l8t4b3360", {}, {}).field;
  SolverOptions options;
  options.solver = Solver::Cr;
  const SolverResult result =
      solve(test::referenceOperator(field, kRealWilson), hashSource(field.lattice(), 0), options, {});
  CHECK(result.converged);
  CHECK(result.iterations == 146);
  CHECK(result.residuals[10] == Approx(0.0931).margin(5e-5));
}

TEST_CASE("The pion correlator of the real configuration is the known one") {
  const auto folder = realFiles();
  if (!folder) SSCOPE_SKIP("no real configurations beside the checkout");
  const GaugeField field = makeConfigurationIo()->read(*folder / "atb_nersc.l8t4b3360", {}, {}).field;
  SolverOptions options;
  options.tolerance = 1e-12;
  std::vector<double> correlator;
  for (int k = 0; k < kSpinorElements; ++k)
    addToPionCorrelator(field.lattice(),
                        solve(test::referenceOperator(field, kRealWilson),
                              pointSource(field.lattice(), 0, k / kSpins, k % kSpins), options, {})
                            .solution,
                        0, correlator);
  const std::array<double, 4> known{14.43822671944, .6258195341392, .1046451731866, .6149939826297};
  for (std::size_t t = 0; t < known.size(); ++t) CHECK(correlator[t] == Approx(known[t]).epsilon(1e-10));
}

TEST_CASE("Damaged copies of real files are refused or read, and nothing else") {
  const auto folder = realFiles();
  if (!folder) SSCOPE_SKIP("no real configurations beside the checkout");
  const test::TemporaryFolder scratch;
  const auto io = makeConfigurationIo();
  // A hundred of another five hundred a run.
  const test::Sampling sampling = test::Sampling::ofRun();
  INFO(test::Sampling::howToRepeat());
  std::mt19937 random = sampling.random();
  int refused = 0;
  std::vector<std::string> originals;
  for (const char* name : {"qlua_random-gauge.nersc", "pyquda_weak_field.lime", "atb_nersc.l8t4b3360",
                           "atb_ildg.l8t4b3360", "gen_8888_b6.nersc"})
    originals.push_back(test::contentOf(*folder / name));
  originals.push_back(test::milcFile(test::someField({2, 4, 2, 2}), true));
  io->write(scratch / "ildg", test::someField({4, 2, 2, 2}), {ConfigurationFormat::Ildg, 32, false}, {});
  originals.push_back(test::contentOf(scratch / "ildg"));
  for (std::size_t k = 0; k < (sampling.all ? 500U : 100U); ++k) {
    test::putContent(scratch / "damaged", mutated(originals[k % originals.size()], random));
    try {
      const std::optional<Extents> extents =
          k % originals.size() == 1 ? std::optional<Extents>({4, 4, 4, 8}) : std::nullopt;
      const Configuration read = io->read(scratch / "damaged", {.extents = extents}, {});
      for (const Matrix3& u : read.field.links()) REQUIRE(unitarityError(u) < 2e-5);
    } catch (const Error& error) {
      const std::string text = error.what();
      CHECK(text.find("cannot read") == 0);
      CHECK(text.find('\n') == std::string::npos);
      ++refused;
    }
  }
  CHECK(refused > (sampling.all ? 300 : 50));
}

}  // namespace sscope::lattice
