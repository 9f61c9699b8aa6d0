#include "core/lattice/job/dirac_operator.h"

#include "core/base/ability.h"
#include "core/measure/verify_variant.h"
#include "core/volume/volume.h"

namespace sscope {

using namespace lattice;

namespace {

WilsonParameters adjointOf(WilsonParameters parameters) {
  parameters.adjoint = !parameters.adjoint;
  return parameters;
}

ConstArrayView viewOf(const Lattice& lattice, const SpinorField& field) {
  return denseView(spinorSpec(lattice), reinterpret_cast<const std::byte*>(field.data()));
}

ArrayView viewOf(const Lattice& lattice, SpinorField& field) {
  return denseView(spinorSpec(lattice), reinterpret_cast<std::byte*>(field.data()));
}

}  // namespace

DiracOperator::DiracOperator(Engine& engine, const VariantTable& variants, std::string variant,
                             std::shared_ptr<const GaugeField> field, const WilsonParameters& parameters,
                             const PrepareOptions& options, const Control& control)
    : engine_(engine),
      variants_(variants),
      variant_(std::move(variant)),
      options_(options),
      forward_(field, parameters),
      adjoint_(field, adjointOf(parameters)),
      forwardPlan_(variants.prepare(engine, forward_, variant_, options, control)),
      hopPlan_(abilityOf<HopPlan>(*forwardPlan_)) {}

const Variant& DiracOperator::row() const { return variants_.at(forward_.name(), engine_.info().kind, variant_); }

ApplyDirac DiracOperator::apply() {
  return [this](bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
    run(adjoint, in, out, control);
  };
}

WilsonSystem DiracOperator::system() {
  WilsonSystem system{apply(), forward_.field().lattice(), {}, {}};
  if (hopPlan_ != nullptr) {
    system.hops = [this](const Hops& hops, const SpinorField& in, SpinorField& out, const Control& control) {
      hop(hops, in, out, control);
    };
  } else {
    system.withoutHops = engine_.info().id + ' ' + row().name + " applies the operator to all sites at a time";
  }
  return system;
}

void DiracOperator::hop(const Hops& hops, const SpinorField& in, SpinorField& out, const Control& control) {
  report_ = hopPlan_->hop(hops, in, out, {control.stop, {}});
  kernelSeconds_ += report_.phases.kernel;
  ++hops_;
}

void DiracOperator::run(bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
  if (adjoint && !adjointPlan_) adjointPlan_ = variants_.prepare(engine_, adjoint_, variant_, options_, control);
  const Lattice& lattice = forward_.field().lattice();
  out.resize(in.size());
  const ConstArrayView from = viewOf(lattice, in);
  const ArrayView to = viewOf(lattice, out);
  // Progress is the solver's to tell.
  report_ = (adjoint ? adjointPlan_ : forwardPlan_)->run({{&from, 1}, 0}, {&to, 1}, {control.stop, {}});
  kernelSeconds_ += report_.phases.kernel;
  ++applications_;
}

Verification DiracOperator::verified(const Control& control) {
  const Lattice& lattice = forward_.field().lattice();
  const SpinorField in = hashSource(lattice, 1);
  SpinorField out(in.size());
  poison(viewOf(lattice, out));
  run(false, in, out, control);
  const ConstArrayView from = viewOf(lattice, in), to = viewOf(lattice, std::as_const(out));
  return verify(row(), forward_, {&from, 1}, {&to, 1}, {}, control);
}

}  // namespace sscope
