#include "core/lattice/ranks/lattice_share.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/part_input.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/lattice/ranks/spread.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/lattice/workload/spinor_input.h"
#include "core/measure/verify.h"
#include "core/parts/planes_of.h"
#include "core/volume/volume.h"

namespace sscope::lattice {

namespace {

WilsonParameters diracParameters(const OptionValues& values) {
  WilsonParameters parameters = wilsonFrom(values);
  parameters.adjoint = std::get<bool>(values.at("adjoint"));
  requireValid(parameters);
  return parameters;
}

std::int64_t neighbors(const LatticePart& part) { return 2 * (part.halo(2) + part.halo(3)); }

}  // namespace

DiracShare::DiracShare(reach::Communicator& communicator, const ArraySpec& input, const OptionValues& values,
                       Engine& engine, const VariantTable& variants, const reach::ShareRequest& request,
                       const Control& control)
    : values_(values),
      seed_(request.seed),
      variant_(variants.at("dirac", engine.info().kind, request.variant)),
      part_(generatedPart(communicator, input, values)),
      parameters_(diracParameters(values)),
      dirac_(communicator, part_, generatedLinks(part_, values, control), parameters_, engine, variants, variant_.name,
             {request.threads, 0, request.values, {}}, control),
      in_(noiseOfOwn(part_, seed_, control)),
      out_(zeroSpinor(part_.own, control)) {
  const auto sites = static_cast<double>(part_.whole.volume());
  facts_.engine = engine.info().id;
  facts_.variant = variant_.name;
  facts_.whole = input;
  facts_.work = {kDiracOperations * sites, kDiracBytes * sites};
  facts_.messages = neighbors(part_);
  // Engines that compute rows leave the halo out.
  if (!dirac_.overlaps())
    facts_.computed = static_cast<double>(part_.extended.volume()) / static_cast<double>(part_.own.volume());
}

reach::ShareTimes DiracShare::run(reach::Communicator& communicator, const Control& control) {
  const RunReport report = dirac_.apply(communicator, false, in_, out_, control);
  facts_.threads = report.threads;
  facts_.sentBytes = static_cast<std::int64_t>(report.launch.at("halo bytes"));
  const double waited = report.launch.at("waited for halo, s");
  return {waited, report.phases.total - waited};
}

void DiracShare::poison(std::uint8_t pattern) {
  sscope::poison(denseView(spinorSpec(part_.own), reinterpret_cast<std::byte*>(out_.data())), pattern);
}

// The formula on the extended lattice, whose halo is generated too, so that received values are judged as well.
Verification DiracShare::verify(reach::Communicator& communicator, const VerifyOptions& options,
                                const Control& control) {
  const auto links =
      std::make_shared<GaugeField>(withHalo(generatedLinks(part_, values_, control), part_, communicator, control));
  SpinorField in = noiseOfExtended(part_, seed_, control);
  return verifyPart(variant_, part_, links, parameters_, in, out_, options, control);
}

namespace {

CrParameters crParameters(const OptionValues& values) {
  CrParameters parameters{wilsonFrom(values), static_cast<int>(integerOf(values, "iterations")),
                          realOf(values, "twist")};
  requireValid(parameters.wilson);
  return parameters;
}

ConstArrayView viewOf(const Lattice& lattice, const SpinorField& field) {
  return denseView(spinorSpec(lattice), reinterpret_cast<const std::byte*>(field.data()));
}

}  // namespace

CrShare::CrShare(reach::Communicator& communicator, const ArraySpec& input, const OptionValues& values, Engine& engine,
                 const VariantTable& variants, const reach::ShareRequest& request, const Control& control)
    : values_(values),
      seed_(request.seed),
      variant_(variants.at("cr", engine.info().kind, request.variant)),
      part_(generatedPart(communicator, input, values)),
      parameters_(crParameters(values)),
      cr_(communicator, part_, generatedLinks(part_, values, control), parameters_, engine, variants, variant_.name,
          {request.threads, 0, request.values, {}}, control),
      source_(noiseOfOwn(part_, seed_, control)),
      solution_(zeroSpinor(part_.own, control)) {
  facts_.engine = engine.info().id;
  facts_.variant = variant_.name;
  facts_.whole = input;
  facts_.work = CrWorkload::workOf(part_.whole.volume(), parameters_.iterations);
}

reach::ShareTimes CrShare::run(reach::Communicator& communicator, const Control& control) {
  CrRequest request;
  request.iterations = parameters_.iterations;
  const CrPlace place{source_.data(), solution_.data(), kSpinorElements * part_.own.spatialVolume()};
  CrOutcome outcome = cr_.solve(communicator, place, request, control);
  residuals_ = std::move(outcome.residuals);
  const RunReport& report = outcome.report;
  const std::int64_t exchanges = std::ssize(residuals_);  // of the first residual, and after each iteration
  facts_.threads = report.threads;
  facts_.sentBytes = exchanges * static_cast<std::int64_t>(report.launch.at("halo bytes"));
  facts_.messages = exchanges * 2 * (part_.halo(2) + part_.halo(3));
  facts_.sums = 3 * exchanges;
  const double waited = report.launch.at("waited for halo, s");
  return {waited, report.phases.total - waited};
}

void CrShare::poison(std::uint8_t pattern) {
  sscope::poison(denseView(spinorSpec(part_.own), reinterpret_cast<std::byte*>(solution_.data())), pattern);
}

Verification CrShare::verify(reach::Communicator& communicator, const VerifyOptions& options, const Control& control) {
  constexpr double kReferenceRate = 0.5e9;  // operations a second of one core, as Workload::referenceSeconds assumes
  const double seconds = 2 * facts_.work.operations / kReferenceRate;
  return seconds < options.fullBudgetSeconds ? againstReference(communicator, options, control)
                                             : byResidual(communicator, control);
}

Verification CrShare::againstReference(reach::Communicator& communicator, const VerifyOptions& options,
                                       const Control& control) const {
  const std::vector<LatticePart> parts = latticeParts(part_.whole, communicator.size());
  const SpinorField solution = collected(solution_, parts, communicator, control);
  const SpinorField source = collected(source_, parts, communicator, control);
  Verification result;
  result.verified = true;
  result.full = true;
  result.coverage = "full volume, by the first rank";
  if (communicator.rank() == 0) {
    const LatticePart all = latticeParts(part_.whole, 1).front();
    const auto links = std::make_shared<GaugeField>(generatedLinks(all, values_, control));
    const ConstArrayView input = viewOf(part_.whole, source), output = viewOf(part_.whole, solution);
    const std::string coverage = std::move(result.coverage);
    result = sscope::verify(variant_, CrWorkload(links, parameters_), {&input, 1}, {&output, 1}, options, control);
    if (result.verified) result.coverage = coverage;
  }
  return result;
}

Verification CrShare::byResidual(reach::Communicator& communicator, const Control& control) const {
  constexpr double kAccepted = 1e-9;  // of |b|: rounding in the recursion, far below the effect of a wrong element
  if (variant_.lower)
    throw Error(ErrorKind::Unsupported,
                "the variant " + variant_.name + " cannot be judged on a lattice of " + part_.whole.text(),
                "choose another variant, or a smaller --shape");
  SpinorField x = zeroSpinor(part_.extended, control);
  for (const SiteRun& run : part_.slices())
    std::copy_n(solution_.data() + run.own * kSpinorElements, run.count * kSpinorElements,
                x.data() + run.extended * kSpinorElements);
  SpinorHalo halo(part_, parameters_.wilson, SpinorHalo::Form::Whole);
  halo.end(halo.begin(communicator, solution_.data(), kSpinorElements * part_.own.spatialVolume(), control), x.data(),
           control);
  const DiracWorkload extended(
      std::make_shared<GaugeField>(withHalo(generatedLinks(part_, values_, control), part_, communicator, control)),
      parameters_.wilson);
  const ConstArrayView view = viewOf(part_.extended, x);
  const std::vector<std::int64_t> planes = ownPlanes(part_);
  const std::int64_t nx = part_.own.extent(0), ny = part_.own.extent(1);
  std::vector<double> image(static_cast<std::size_t>(nx * ny * kSpinorComponents));
  std::array<double, 2> own{};  // |b - D x - i twist gamma_5 x|^2, |b|^2
  std::size_t k = 0;            // of own elements
  for (const std::int64_t plane : planes) {
    extended.reference({&view, 1}, 0, {{0, 0, plane}, {nx, ny, plane + 1}}, image, control);
    for (std::size_t i = 0; i < image.size() / 2; ++i, ++k) {
      const Complex twisted = Complex(0, parameters_.twist * kGamma5[k % kSpins]) * solution_[k];
      own[0] += std::norm(source_[k] - Complex(image[2 * i], image[2 * i + 1]) - twisted);
      own[1] += std::norm(source_[k]);
    }
  }
  const std::vector<double> all = communicator.gather(own, control);
  double residual = 0, norm = 0;
  for (std::size_t r = 0; r < all.size(); r += 2) {
    residual += all[r];
    norm += all[r + 1];
  }
  residual = norm > 0 ? std::sqrt(residual / norm) : std::sqrt(residual);
  Verification result;
  result.relativeL2 = std::abs(residual - residuals_.back());
  result.compared = std::ssize(solution_) * 2;
  result.full = true;
  result.coverage = "the residual from the formula beside the recursion's";
  result.verified = result.relativeL2 <= kAccepted;
  if (!result.verified)
    result.failure =
        fmt::format("its residual is {:.6g} by the formula and {:.6g} by the recursion", residual, residuals_.back());
  return result;
}

}  // namespace sscope::lattice
