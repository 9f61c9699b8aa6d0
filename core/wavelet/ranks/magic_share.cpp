#include "core/wavelet/ranks/magic_share.h"

#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/measure/verify_variant.h"
#include "core/parts/planes_of.h"
#include "core/reach/halo_check.h"
#include "core/workload/noise.h"

namespace sscope {

MagicShare::MagicShare(const reach::Communicator& communicator, const ArraySpec& whole, const OptionValues& values,
                       Engine& engine, const VariantTable& variants, const reach::ShareRequest& request,
                       const Control& control)
    : variant_(variants.at("magic", engine.info().kind, request.variant)), seed_(request.seed) {
  if (!variant_.twinOf.empty())
    throw Error(ErrorKind::Unsupported, "the variant " + variant_.name + " computes nothing that could be compared",
                "choose another");
  const MagicWorkload all(whole, values);
  std::vector<Range> owned;
  std::vector<std::vector<reach::WantedPlanes>> wanted;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    MagicSlab one = magicSlab(all, values, rank, communicator.size());
    owned.push_back(one.own);
    wanted.push_back(one.halo);
    if (rank == communicator.rank()) slab_ = std::move(one);
  }
  halo_ = std::make_unique<reach::PlaneExchange>(communicator.rank(), owned, wanted);
  plan_ = variants.prepare(engine, *slab_.workload, variant_.name, {request.threads, 0, request.values, {}}, control);
  const auto& [nx, ny, nz, components] = slab_.spec.extent;
  const VolumeShape shape{nx, ny, nz, static_cast<int>(components)};
  input_ = std::make_shared<Volume>(shape, slab_.spec.type);
  const auto& [ox, oy, oz, outComponents] = slab_.workload->outputs().front().extent;
  output_ = Volume({ox, oy, oz, static_cast<int>(outComponents)}, slab_.workload->outputs().front().type);
  planeBytes_ = input_->bytes() / nz;
  const std::int64_t elements = shape.elements() / nz;
  fillNoise({{slab_.own.begin * elements, slab_.own.size() * elements, own()}}, slab_.spec.type, request.seed,
            control);
  facts_.engine = engine.info().id;
  facts_.variant = variant_.name;
  facts_.whole = whole;
  facts_.work = all.work();
  facts_.sentBytes = halo_->sentPlanes() * planeBytes_;
  facts_.messages = halo_->messages();
  facts_.computed = static_cast<double>(nz) / static_cast<double>(slab_.own.size());
}

reach::ShareTimes MagicShare::run(reach::Communicator& communicator, const Control& control) {
  Stopwatch watch;
  reach::ShareTimes times;
  halo_->begin(communicator, own(), input_->data(), planeBytes_, input_)->end(control);
  times.exchange = watch.restart();
  const ConstArrayView input = std::as_const(*input_).view();
  const ArrayView output = output_.view();
  report_ = plan_->run({{&input, 1}, 0}, {&output, 1}, control);
  times.compute = watch.seconds();
  return times;
}

void MagicShare::poison(std::uint8_t pattern) { sscope::poison(output_.view(), pattern); }

ConstArrayView MagicShare::output() const {
  const ConstArrayView all = output_.view();
  if (slab_.halo.empty()) return all;
  return viewOfBox(all, reach::slab(all.extent, 2, {slab_.before, slab_.before + slab_.own.size()}));
}

Verification MagicShare::verify(reach::Communicator& /*communicator*/, const VerifyOptions& options,
                                const Control& control) {
  const ConstArrayView input = std::as_const(*input_).view(), result = output();
  if (std::string wrong = reach::wrongHalo(slab_.halo, input_->data(), planeBytes_, slab_.spec.type, seed_, control);
      !wrong.empty()) {
    Verification failed;
    failed.failure = std::move(wrong);
    return failed;
  }
  if (slab_.halo.empty()) return sscope::verify(variant_, *slab_.workload, {&input, 1}, {&result, 1}, options, control);
  std::vector<std::int64_t> planes(static_cast<std::size_t>(slab_.own.size()));
  std::iota(planes.begin(), planes.end(), slab_.before);
  const reach::PlanesOf own(*slab_.workload, planes);
  return sscope::verify(variant_, own, {&input, 1}, {&result, 1}, options, control);
}

reach::ShareFacts MagicShare::facts() const {
  reach::ShareFacts facts = facts_;
  facts.threads = report_.threads;
  return facts;
}

}  // namespace sscope
