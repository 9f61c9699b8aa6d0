#include "core/lattice/ranks/rank_dirac.h"

#include <algorithm>
#include <utility>

#include "core/base/ability.h"
#include "core/base/stopwatch.h"
#include "core/lattice/parallel.h"
#include "core/parts/agreed.h"
#include "core/volume/volume.h"

namespace sscope::lattice {

namespace {

WilsonParameters adjointOf(WilsonParameters parameters, bool adjoint) {
  if (adjoint) parameters.adjoint = !parameters.adjoint;
  return parameters;
}

}  // namespace

RankDirac::RankDirac(reach::Communicator& communicator, const LatticePart& part, const GaugeField& links,
                     const WilsonParameters& parameters, Engine& engine, const VariantTable& variants,
                     std::string variant, const PrepareOptions& options, const Control& control)
    : RankDirac(communicator, part, std::make_shared<GaugeField>(withHalo(links, part, communicator, control)),
                parameters, engine, variants, std::move(variant), options, control) {}

RankDirac::RankDirac(reach::Communicator& communicator, const LatticePart& part,
                     std::shared_ptr<const GaugeField> links, const WilsonParameters& parameters, Engine& engine,
                     const VariantTable& variants, std::string variant, const PrepareOptions& options,
                     const Control& control)
    : part_(part),
      parameters_(parameters),
      engine_(engine),
      variants_(variants),
      variant_(std::move(variant)),
      options_(options),
      links_(std::move(links)),
      thirdRowsFollow_(reach::everywhere(lattice::thirdRowsFollow(*links_), communicator, control)),
      forward_(prepared(false, control)),
      in_(zeroSpinor(part_.extended, control)) {
  if (forward_.rows != nullptr) {
    rows_ = sortedRows(part_);
  } else {
    out_ = zeroSpinor(part_.extended, control);
  }
}

RankDirac::Side RankDirac::prepared(bool adjoint, const Control& control) {
  Side side;
  const WilsonParameters parameters = adjointOf(parameters_, adjoint);
  const DiracWorkload workload(links_, parameters, thirdRowsFollow_);
  const Variant& row = variants_.at(workload.name(), engine_.info().kind, variant_);
  side.plan = variants_.prepare(engine_, workload, variant_, options_, control);
  side.rows = abilityOf<RowPlan>(*side.plan);
  side.halo =
      std::make_unique<SpinorHalo>(part_, parameters, row.lower ? SpinorHalo::Form::Whole : SpinorHalo::Form::Half);
  return side;
}

RunReport RankDirac::apply(reach::Communicator& communicator, bool adjoint, std::span<const Complex> in,
                           std::span<Complex> out, const Control& control) {
  return apply(communicator, adjoint, {in.data(), out.data(), kSpinorElements * part_.own.spatialVolume()}, control);
}

RunReport RankDirac::apply(reach::Communicator& communicator, bool adjoint, const Place& place,
                           const Control& control) {
  const Stopwatch watch;
  Side& side = adjoint ? adjoint_ : forward_;
  if (!side.plan) side = prepared(adjoint, control);
  Pending halo = side.halo->begin(communicator, place.in, place.slice, control);
  fill(place, control);
  RunReport report;
  if (side.rows != nullptr) {
    const Stopwatch kernel;
    applyRows(side, std::move(halo), place, control);
    report = side.rows->rowReport();
    report.phases.kernel = kernel.seconds();
  } else {
    report = applyWhole(side, std::move(halo), place, control);
  }
  const double sites = static_cast<double>(part_.own.volume());
  report.operations = kDiracOperations * sites;
  report.bytes = kDiracBytes * sites;
  report.launch["halo bytes"] = static_cast<double>(side.halo->bytes());
  report.launch["waited for halo, s"] = side.halo->waited();
  report.phases.total = watch.seconds();
  return report;
}

void RankDirac::fill(const Place& place, const Control& control) {
  std::int64_t t = 0;
  for (const SiteRun& run : part_.slices()) {
    const Complex* from = place.in + t++ * place.slice;
    Complex* to = in_.data() + run.extended * kSpinorElements;
    forPieces(run.count, control, [&](std::int64_t begin, std::int64_t end) {
      std::copy(from + begin * kSpinorElements, from + end * kSpinorElements, to + begin * kSpinorElements);
    });
  }
}

void RankDirac::applyRows(Side& side, Pending halo, const Place& place, const Control& control) {
  const auto* in = reinterpret_cast<const double*>(in_.data());
  const auto rangesOf = [&](const std::vector<PartRows>& rows) {
    std::vector<RowRange> ranges;
    for (const PartRows& one : rows) {
      Complex* to = place.out + one.slice * place.slice + one.site * kSpinorElements;
      ranges.push_back({one.begin, one.end, reinterpret_cast<double*>(to), nullptr});
    }
    return ranges;
  };
  side.rows->applyRows(in, rangesOf(rows_.inner), control);
  side.halo->end(std::move(halo), in_.data(), control);
  side.rows->applyRows(in, rangesOf(rows_.outer), {control.stop, {}});
}

RunReport RankDirac::applyWhole(Side& side, Pending halo, const Place& place, const Control& control) {
  side.halo->end(std::move(halo), in_.data(), control);
  const ArraySpec spec = spinorSpec(part_.extended);
  const ConstArrayView from = denseView(spec, reinterpret_cast<const std::byte*>(in_.data()));
  const ArrayView to = denseView(spec, reinterpret_cast<std::byte*>(out_.data()));
  RunReport report = side.plan->run({{&from, 1}, 0}, {&to, 1}, control);
  std::int64_t t = 0;
  for (const SiteRun& run : part_.slices())
    std::copy_n(out_.data() + run.extended * kSpinorElements, run.count * kSpinorElements,
                place.out + t++ * place.slice);
  return report;
}

std::string RankDirac::description() const {
  return forward_.plan->description() +
         (overlaps() ? ", the inside while the halo is on its way" : ", once the halo is there");
}

std::int64_t RankDirac::scratchBytes() const {
  const auto bytes = [](std::size_t elements) { return static_cast<std::int64_t>(elements * sizeof(Complex)); };
  return bytes(in_.size()) + bytes(out_.size()) + static_cast<std::int64_t>(links_->links().size() * sizeof(Matrix3)) +
         forward_.plan->scratchBytes();
}

}  // namespace sscope::lattice
