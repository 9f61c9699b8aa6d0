#include "core/lattice/ranks/dirac_share.h"

#include "core/lattice/ranks/dirac_check.h"
#include "core/lattice/ranks/part_input.h"
#include "core/lattice/workload/spinor_input.h"
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
  // Engines that compute rows by themselves leave the halo out.
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

// The formula on the extended lattice, whose halo is generated too: what a rank received is judged as well.
Verification DiracShare::verify(reach::Communicator& communicator, const VerifyOptions& options,
                                const Control& control) {
  const auto links =
      std::make_shared<GaugeField>(withHalo(generatedLinks(part_, values_, control), part_, communicator, control));
  SpinorField in = noiseOfExtended(part_, seed_, control);
  return verifyPart(variant_, part_, links, parameters_, in, out_, options, control);
}

}  // namespace sscope::lattice
