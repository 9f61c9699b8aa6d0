#include "core/lattice/workload/cr_workload.h"

#include <oneapi/tbb/collaborative_call_once.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/lattice/random.h"
#include "core/lattice/workload/cr_reference.h"
#include "core/workload/catalog.h"

namespace sscope {

using namespace lattice;

namespace {

// A fingerprint of all bytes of the input.
std::uint64_t fingerprint(std::span<const Complex> elements) {
  std::uint64_t sums[2] = {0, 1};
  for (const Complex& z : elements) {
    std::uint64_t bits[2];
    std::memcpy(bits, &z, sizeof bits);
    sums[0] = (sums[0] ^ bits[0]) * 0x9E3779B97F4A7C15u;
    sums[1] = (sums[1] ^ bits[1]) * 0xBF58476D1CE4E5B9u;
    sums[0] ^= sums[0] >> 29;
    sums[1] ^= sums[1] >> 31;
  }
  return mix(sums[0]) ^ sums[1];
}

double amplificationOf(const CrReference& truth) {
  constexpr double kUsual = 1e-13;  // core/measure/verify.h
  const double k = truth.cancellation;
  const double expected = std::numeric_limits<double>::epsilon() * (k + k * k * truth.residuals.back());
  return std::max(1.0, kCrSafety * expected / kUsual);
}

// The method squares its source. Sources whose squares are out of range are scaled by a power of two, which changes no
// digit, since the solution is linear in the source. Returns the exponent.
int exponentFor(std::span<const Complex> source) {
  double largest = 0;
  for (const Complex& z : source) largest = std::max({largest, std::abs(z.real()), std::abs(z.imag())});
  const bool ordinary = largest == 0 || !std::isfinite(largest) || (largest > 1e-100 && largest < 1e100);
  return ordinary ? 0 : -std::ilogb(largest);
}

SpinorField timesPowerOfTwo(std::span<const Complex> field, int exponent) {
  SpinorField result(field.begin(), field.end());
  if (exponent != 0)
    for (Complex& z : result) z = {std::ldexp(z.real(), exponent), std::ldexp(z.imag(), exponent)};
  return result;
}

CrParameters parametersFrom(const OptionValues& values) {
  return {wilsonFrom(values), static_cast<int>(integerOf(values, "iterations")), realOf(values, "twist")};
}

}  // namespace

struct CrWorkload::Known {
  explicit Known(std::uint64_t of) : input(of) {}
  std::uint64_t input;
  tbb::collaborative_once_flag once;  // waiting threads help
  CrReference truth;
  double amplification = 1;  // of the accepted difference
};

struct CrWorkload::Store {
  std::mutex mutex;
  std::shared_ptr<Known> last;
};

const std::vector<Option>& CrWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all = wilsonOptions();
    all.push_back(integerOption("iterations", "Iterations", 143, 1, 100'000, "of the conjugate residual"));
    all.push_back(realOption("twist", "Twist", 0, -10, 10, "", "of the operator gamma_5 D + i twist"));
    return all;
  }();
  return options;
}

CrWorkload::CrWorkload(const ArraySpec& input, const OptionValues& values)
    : CrWorkload(linksFor(input, values), parametersFrom(values)) {}

CrWorkload::CrWorkload(std::shared_ptr<const GaugeField> field, const CrParameters& parameters)
    : field_(std::move(field)),
      parameters_(parameters),
      spec_(spinorSpec(field_->lattice())),
      store_(std::make_shared<Store>()) {
  requireValid(parameters_.wilson);
  if (parameters_.wilson.adjoint)
    throw Error(ErrorKind::Usage, "the conjugate residual is for the operator, not for its adjoint", "leave it out");
  if (parameters_.iterations < 1)
    throw Error(ErrorKind::Usage, "the number of iterations is out of range", "give 1 or more");
  if (!std::isfinite(parameters_.twist)) throw Error(ErrorKind::Usage, "the twist is not a number", "give one");
}

nlohmann::json CrWorkload::parameters() const {
  nlohmann::json json = {{"lattice", field_->lattice().extents()},
                         {"kappa", parameters_.wilson.kappa},
                         {"time_boundary", parameters_.wilson.timeBoundary == 1 ? "periodic" : "antiperiodic"},
                         {"iterations", parameters_.iterations}};
  if (parameters_.twist != 0) json["twist"] = parameters_.twist;
  return json;
}

Work CrWorkload::work() const { return workOf(field_->lattice().volume(), parameters_.iterations); }

Work CrWorkload::workOf(std::int64_t sites, int iterations) {
  const double applications = iterations + 1.0, all = static_cast<double>(sites);
  constexpr double kFieldBytes = kSpinorComponents * sizeof(double);
  return {kDiracOperations * applications * all, (kDiracBytes * applications + 11 * kFieldBytes * iterations) * all};
}

std::shared_ptr<CrWorkload::Known> CrWorkload::known(const ConstArrayView& input, const Control& control) const {
  const WholeSpinor source(input);
  const std::uint64_t print = fingerprint(source.elements());
  std::shared_ptr<Known> known;
  {
    const std::lock_guard lock(store_->mutex);
    if (!store_->last || store_->last->input != print) store_->last = std::make_shared<Known>(print);
    known = store_->last;
  }
  tbb::collaborative_call_once(known->once, [&] {
    const int exponent = exponentFor(source.elements());
    known->truth = crReference(*field_, parameters_.wilson, parameters_.twist,
                               timesPowerOfTwo(source.elements(), exponent), parameters_.iterations, control);
    if (exponent != 0) known->truth.solution = timesPowerOfTwo(known->truth.solution, -exponent);
    known->amplification = amplificationOf(known->truth);
  });
  return known;
}

std::shared_ptr<const CrReference> CrWorkload::truth(const ConstArrayView& input, const Control& control) const {
  const std::shared_ptr<Known> found = known(input, control);
  return {found, &found->truth};
}

void CrWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                           std::span<double> values, const Control& control) const {
  const std::shared_ptr<Known> found = known(inputs[0], control);
  std::size_t next = 0;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x)
        for (std::int64_t k = 0; k < kSpinorElements; ++k) {
          const std::int64_t site = x + spec_.extent[0] * (y + spec_.extent[1] * z);
          const Complex value = found->truth.solution[static_cast<std::size_t>(site * kSpinorElements + k)];
          values[next++] = value.real();
          values[next++] = value.imag();
        }
}

void CrWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                    std::span<double> values, const Control& control) const {
  reference(inputs, output, box, values, control);
  const double amplification = known(inputs[0], control)->amplification;
  for (double& value : values) value = amplification * std::abs(value);
}

std::string failureOf(const CrOutcome& outcome) {
  const std::string after = std::to_string(outcome.iterations) + " iterations";
  switch (outcome.end) {
    case CrEnd::Converged: return {};
    case CrEnd::Iterations: return "it did not converge in " + after;
    case CrEnd::ZeroImage: return "it broke down after " + after + " (A p is zero)";
    case CrEnd::ZeroProduct: return "it broke down after " + after + " ((r, A r) is zero)";
    case CrEnd::NotFinite: return "the residual is no longer finite";
  }
  return {};
}

}  // namespace sscope
