#include "core/cpu/filter/naive_step.h"

#include <algorithm>
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t kVoxelsOfPiece = 2'000'000;  // multiply-adds between two looks at the control

}  // namespace

std::string sameSizeRestriction(const FilterWorkload& workload) {
  for (const Operator& op : workload.operators()) {
    const Stencil* stencil = op.stencil();
    if (stencil == nullptr || stencil->separable() || stencil->dense.size != workload.operators()[0].size() ||
        stencil->dense.anchor != workload.operators()[0].anchor())
      return "it takes dense filters of one size";
  }
  if (std::ssize(workload.operators()) > kMostNaiveFilters)
    return "it takes " + std::to_string(kMostNaiveFilters) + " filters at most";
  return {};
}

NaiveRows::NaiveRows(const FilterWorkload& workload)
    : size_(workload.stencil(0).dense.size),
      filters_(std::ssize(workload.operators())),
      space_(workload, {0, 1, 2}, size_, workload.stencil(0).dense.anchor) {
  const std::int64_t perOutput = size_[0] * size_[1] * size_[2] * filters_;
  longest_ = std::clamp<std::int64_t>(kVoxelsOfPiece / perOutput, 1, extent()[0]);
  pieces_ = (extent()[0] + longest_ - 1) / longest_;
}

double NaiveRows::work() const {
  const auto& n = extent();
  return static_cast<double>(size_[0] * size_[1] * size_[2] * filters_) *
         static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

NaiveRows::Place NaiveRows::place(std::int64_t tile) const {
  Place at;
  at.begin[0] = tile % pieces_ * longest_;
  tile /= pieces_;
  for (std::size_t a = 1; a < 3; ++a) {
    at.begin[a] = tile % extent()[a];
    tile /= extent()[a];
  }
  at.component = tile;
  at.count = std::min(longest_, extent()[0] - at.begin[0]);
  return at;
}

template <class T>
NaiveStep<T>::NaiveStep(const FilterWorkload& workload, const PrecisionKernels<T>& kernels)
    : rows_(workload), kernels_(kernels) {
  const std::size_t taps = workload.stencil(0).dense.weights.size();
  for (std::size_t i = 0; i < taps; ++i)
    for (const Operator& op : workload.operators()) taps_.push_back(static_cast<T>(op.stencil()->dense.weights[i]));
}

template <class T>
std::int64_t NaiveStep<T>::scratchBytes() const {
  return ScratchCarver::paddedBytes<T>(rows_.longest() * rows_.filters());
}

template <class T>
void NaiveStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const NaiveRows::Place at = rows_.place(tile);
  NaiveJob<T> job = rows_.template job<T>(at, run.input);
  job.taps = taps_.data();
  job.out = ScratchCarver(scratch).take<T>(rows_.longest() * rows_.filters());
  kernels_.naive[static_cast<std::size_t>(run.input.type)](job);
  for (std::size_t f = 0; f < run.outputs.size(); ++f) {
    StoreJob store = rows_.storeJob(run.outputs[f], at);
    store.tile = job.out + static_cast<std::int64_t>(f) * job.outFilter;
    run.saturated[f] += kernels_.store[static_cast<std::size_t>(run.outputs[f].type)](store);
  }
}

template class NaiveStep<float>;
template class NaiveStep<double>;

NaiveSoupStep::NaiveSoupStep(const SoupWorkload& workload, const KernelTable& kernels)
    : rows_(workload), kernels_(kernels), scale_(workload.scale()) {
  for (const int tap : workload.taps()) taps_.push_back(tap);
}

std::int64_t NaiveSoupStep::scratchBytes() const { return ScratchCarver::paddedBytes<std::int32_t>(rows_.longest()); }

void NaiveSoupStep::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const NaiveRows::Place at = rows_.place(tile);
  NaiveJob<std::int32_t> job = rows_.job<std::int32_t>(at, run.input);
  job.taps = taps_.data();
  job.out = ScratchCarver(scratch).take<std::int32_t>(rows_.longest());
  kernels_.naiveSoup(job);
  const StoreJob store = rows_.storeJob(run.outputs[0], at);
  kernels_.roundSums(job.out, at.count, scale_, reinterpret_cast<std::uint8_t*>(store.target), store.targetStride[0]);
}

}  // namespace sscope::cpu
