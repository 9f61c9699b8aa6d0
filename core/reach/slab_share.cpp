#include "core/reach/slab_share.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/boundary/boundary.h"
#include "core/measure/verify_variant.h"
#include "core/reach/halo_check.h"
#include "core/workload/noise.h"

namespace sscope::reach {

namespace {

std::unique_ptr<Workload> partOf(const Workload& whole, const Range& planes) {
  const std::array<std::int64_t, 4> extent = whole.outputs().front().extent;
  const std::array<std::int64_t, 4> input = whole.inputs().front().extent;
  const std::size_t axis = slowestAxis(input);
  auto part = extent[axis] == input[axis] ? whole.cutTo(slab(extent, axis, planes)) : nullptr;
  if (!part)
    throw Error(ErrorKind::Unsupported,
                "the workload " + std::string(whole.name()) + " cannot be cut into parts for ranks",
                "use one rank, or another workload");
  return part;
}

// Of the input, beside the rank's own planes.
std::vector<WantedPlanes> wantedBy(const Workload& whole, const Range& own) {
  const auto part = partOf(whole, own);
  const std::array<std::int64_t, 4> extent = part->outputs().front().extent;
  std::vector<WantedPlanes> wanted;
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    if (end > begin) wanted.push_back({begin, end - begin, begin});
  };
  for (const Range& range :
       part->reachAlong(slowestAxis(whole.inputs().front().extent), {{0, 0, 0}, {extent[0], extent[1], extent[2]}})) {
    add(range.begin, std::min(range.end, own.begin));
    add(std::max(range.begin, own.end), range.end);
  }
  return wanted;
}

PlaneExchange exchangeOf(const Communicator& communicator, const Workload& whole, std::span<const Range> owned) {
  std::vector<std::vector<WantedPlanes>> wanted;
  for (const Range& own : owned) wanted.push_back(wantedBy(whole, own));
  return {communicator.rank(), owned, wanted};
}

std::int64_t planesOf(const Workload& whole) {
  const std::array<std::int64_t, 4> extent = whole.inputs().front().extent;
  return extent[slowestAxis(extent)];
}

}  // namespace

std::vector<Range> planesOfRanks(std::int64_t planes, int ranks) {
  if (planes < ranks)
    throw Error(ErrorKind::Usage,
                "there are fewer planes (" + std::to_string(planes) + ") than ranks (" + std::to_string(ranks) + ")",
                (planes == 1 ? "start one rank" : "start at most " + std::to_string(planes) + " ranks") +
                    ", or take data of more planes");
  return evenly(planes, ranks);
}

std::int64_t planesAround(const Workload& whole, const Range& own) {
  std::int64_t planes = 0;
  for (const WantedPlanes& run : wantedBy(whole, own)) planes += run.count;
  return planes;
}

SlabShare::SlabShare(const Communicator& communicator, const Workload& whole, Engine& engine,
                     const VariantTable& variants, const ShareRequest& request, const Control& control)
    : variant_(variants.at(whole.name(), engine.info().kind, request.variant)),
      seed_(request.seed),
      input_(std::make_shared<SparseVolume>(whole.inputs().front())),
      own_(planesOfRanks(planesOf(whole), communicator.size())[static_cast<std::size_t>(communicator.rank())]),
      wanted_(wantedBy(whole, own_)),
      halo_(exchangeOf(communicator, whole, planesOfRanks(planesOf(whole), communicator.size()))) {
  if (!variant_.twinOf.empty())
    throw Error(ErrorKind::Unsupported, "the variant " + variant_.name + " computes nothing that could be compared",
                "choose another");
  part_ = partOf(whole, own_);
  plan_ = variants.prepare(engine, *part_, variant_.name, {request.threads, 0, request.values, {}}, control);
  const std::int64_t elements = input_->planeBytes() / static_cast<std::int64_t>(bytesOf(input_->volume().spec().type));
  fillNoise({{own_.begin * elements, own_.size() * elements, input_->plane(own_.begin)}}, input_->volume().spec().type,
            request.seed, control);
  for (const ArraySpec& spec : part_->outputs()) {
    const auto& [nx, ny, nz, components] = spec.extent;
    outputs_.emplace_back(VolumeShape{nx, ny, nz, static_cast<int>(components)}, spec.type);
  }
  facts_.engine = engine.info().id;
  facts_.variant = variant_.name;
  facts_.whole = input_->volume().spec();
  facts_.work = whole.work();
  facts_.sentBytes = halo_.sentPlanes() * input_->planeBytes();
  facts_.messages = halo_.messages();
}

std::vector<ArrayView> SlabShare::views() {
  std::vector<ArrayView> views;
  for (Volume& output : outputs_) views.push_back(output.view());
  return views;
}

ShareTimes SlabShare::run(Communicator& communicator, const Control& control) {
  Stopwatch watch;
  ShareTimes times;
  halo_.begin(communicator, input_->plane(own_.begin), input_->plane(0), input_->planeBytes(), input_)->end(control);
  times.exchange = watch.restart();
  const ConstArrayView input = input_->volume().view();
  const std::vector<ArrayView> outputs = views();
  report_ = plan_->run({{&input, 1}, 0}, outputs, control);
  times.compute = watch.seconds();
  return times;
}

void SlabShare::poison(std::uint8_t pattern) {
  for (Volume& output : outputs_) sscope::poison(output.view(), pattern);
}

Verification SlabShare::verify(Communicator& /*communicator*/, const VerifyOptions& options, const Control& control) {
  VerifyOptions how = options;
  how.writtenOut = report_.writtenOut;
  const ConstArrayView input = input_->volume().view();
  std::vector<ConstArrayView> outputs;
  for (const Volume& output : outputs_) outputs.push_back(output.view());
  if (std::string wrong =
          wrongHalo(wanted_, input_->plane(0), input_->planeBytes(), input_->volume().spec().type, seed_, control);
      !wrong.empty()) {
    Verification result;
    result.failure = std::move(wrong);
    return result;
  }
  return sscope::verify(variant_, *part_, {&input, 1}, outputs, how, control);
}

ShareFacts SlabShare::facts() const {
  ShareFacts facts = facts_;
  facts.threads = report_.threads;
  facts.variant = report_.variant.empty() ? facts.variant : report_.variant;
  return facts;
}

}  // namespace sscope::reach
