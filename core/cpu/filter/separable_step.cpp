#include "core/cpu/filter/separable_step.h"

#include <algorithm>

#include "core/base/divide_up.h"
#include "core/cpu/filter/mended_store.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/low_rank.h"

namespace sscope::cpu {

namespace {
// Of positions that may be negative.
constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

std::vector<std::unique_ptr<PlaneStore>> one(std::unique_ptr<PlaneStore> store) {
  std::vector<std::unique_ptr<PlaneStore>> stores;
  stores.push_back(std::move(store));
  return stores;
}

// With taps around the region for all of them.
TileSpace spaceOfPasses(const FilterWorkload& workload, const std::vector<std::size_t>& filters,
                        const AxisOrder& order) {
  std::array<std::int64_t, 3> before{0, 0, 0}, after{1, 1, 1};
  for (const std::size_t f : filters) {
    const auto size = workload.operators()[f].size(), anchor = workload.operators()[f].anchor();
    for (std::size_t a = 0; a < 3; ++a) {
      before[a] = std::max(before[a], anchor[a]);
      after[a] = std::max(after[a], size[a] - anchor[a]);
    }
  }
  return {workload,
          order,
          {before[0] + after[0], before[1] + after[1], before[2] + after[2]},
          before,
          Components::SideBySide};
}

}  // namespace

template <class T>
SeparableStep<T>::SeparableStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                                const PrecisionKernels<T>& kernels, const TileLimits& limits,
                                std::unique_ptr<PlaneStore> store)
    : SeparableStep(workload, std::vector<std::size_t>{filter}, order, kernels, limits, one(std::move(store))) {}

template <class T>
SeparableStep<T>::SeparableStep(const FilterWorkload& workload, const std::vector<std::size_t>& filters,
                                const AxisOrder& order, const PrecisionKernels<T>& kernels, const TileLimits& limits,
                                std::vector<std::unique_ptr<PlaneStore>> stores)
    : space_(spaceOfPasses(workload, filters, order)),
      kernels_(kernels),
      passes_(workload, filters, space_),
      tiling_(passes_, space_, kernels.lanes),
      stores_(std::move(stores)) {
  passes_.compile(kernels, space_);
  shape_ = tiling_.choose(limits).shape;
  count_ = {divideUp(space_.extent()[0], shape_.x), divideUp(space_.extent()[1], shape_.y),
            divideUp(space_.extent()[2], shape_.z)};
}

template <class T>
double SeparableStep<T>::predict(const FilterWorkload& workload, const std::vector<std::size_t>& filters,
                                 const AxisOrder& order, const PrecisionKernels<T>& kernels, const TileLimits& limits) {
  const TileSpace space = spaceOfPasses(workload, filters, order);
  const SeparablePasses<T> passes(workload, filters, space);
  return SeparableTiles<T>(passes, space, kernels.lanes).choose(limits).cost;
}

template <class T>
bool SeparableStep<T>::takeWeights(const FilterWorkload& workload) {
  if (!passes_.takeWeights(workload, space_)) return false;
  for (const auto& store : stores_)
    if (store) store->takeWeights(workload);
  return true;
}

template <class T>
std::int64_t SeparableStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

template <class T>
std::int64_t SeparableStep<T>::scratchBytes() const {
  return tiling_.bytes(shape_);
}

template <class T>
double SeparableStep<T>::work() const {
  double taps = 0;
  for (const auto& row : passes_.rows) taps += row.cost(1);
  for (const auto& plane : passes_.planes) taps += plane.axis.cost(2);
  for (const auto& filter : passes_.filters)
    for (const auto& term : filter.terms) taps += term.axis.cost(0);
  const auto& n = space_.extent();
  return taps * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string SeparableStep<T>::description() const {
  const std::size_t filters = passes_.filters.size();
  return (filters == 1 ? "separable" : std::to_string(filters) + " separable filters") + " in columns of " +
         std::to_string(shape_.x) + "x" + std::to_string(shape_.y) + "x" + std::to_string(shape_.z) + ", " +
         std::to_string(shape_.chunk) + " planes at once" + (stores_[0] ? std::string(", ") + stores_[0]->words() : "");
}

// Packs input plane `plane` of the column (counted with the hull) and sums it along y into kept slot `slot`.
template <class T>
void SeparableStep<T>::addPlane(const Column& column, std::int64_t plane, std::int64_t slot, const TileRun& run) const {
  const ColumnLayout& l = column.layout;
  const auto& hull = space_.hull();
  const auto& size = column.size;
  // Where no pass has taps along y, planes are packed to where they are kept.
  const bool direct = passes_.rows.size() == 1 && passes_.rows[0].identity;
  PackJob pack =
      space_.packJob(run.input, column.component, {column.begin[0], column.begin[1], column.begin[2] + plane},
                     {size[0] + hull[0] - 1, size[1] + hull[1] - 1, 1});
  pack.tile = direct ? column.memory.kept + slot * l.plane : column.memory.packed;
  pack.tileRow = l.row;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);
  if (direct) return;
  const std::byte* next = nullptr;  // the next plane, with the rows around it
  if (plane + 1 < size[2] + hull[2] - 1)
    next = space_.source(
        run.input, column.component,
        {column.begin[0], column.begin[1] - space_.anchor()[1], column.begin[2] + plane + 1 - space_.anchor()[2]});
  for (std::size_t r = 0; r < passes_.rows.size(); ++r) {
    const AxisPass<T>& axis = passes_.rows[r];
    Correlation<T> job;
    job.in = column.memory.packed + axis.offset * l.row;
    job.inRow = l.row;
    job.out = column.memory.kept + static_cast<std::int64_t>(r) * l.kept + slot * l.plane;
    job.outRow = l.row;
    job.rows = size[1];
    job.vectors = l.row / kernels_.lanes;
    job.taps = axis.weights.data();
    job.prefetch = r == 0 ? next : nullptr;
    job.prefetchElement = static_cast<std::int64_t>(bytesOf(run.input.type));
    job.prefetchRow = run.input.stride[space_.order()[1]] * job.prefetchElement;
    job.prefetchRows = divideUp(size[1] + hull[1] - 1, size[1]);
    sumRows(column, axis, 1, column.begin[1], job, run);
  }
}

// Runs a pass along tile axis `a`, 1 or 2, whose first output lies at position `first` of the region.
template <class T>
void SeparableStep<T>::sumRows(const Column& column, const AxisPass<T>& axis, std::size_t a, std::int64_t first,
                               const Correlation<T>& job, const TileRun& run) const {
  if (!axis.equal) {
    axis.correlator.run(job, run.control);
    return;
  }
  EqualSum<T> sum;
  sum.in = job.in;
  sum.inRow = job.inRow;
  sum.out = job.out;
  sum.outRow = job.outRow;
  sum.rows = job.rows;
  sum.vectors = job.vectors;
  sum.taps = axis.size();
  sum.tap = axis.weights[0];
  sum.phase = remainder(space_.origin()[a] + first - space_.anchor()[a] + axis.offset, axis.size());
  sum.buffer = column.memory.buffer;
  sum.prefetch = job.prefetch;
  sum.prefetchRow = job.prefetchRow;
  sum.prefetchElement = job.prefetchElement;
  runEqualRows(kernels_, sum, run.control);
}

// Where plane 0 of the chunk's sums along z begins.
template <class T>
T* SeparableStep<T>::sumsOf(const Column& column, std::size_t pass) const {
  const auto& plane = passes_.planes[pass];
  if (plane.axis.identity)
    return column.memory.kept + static_cast<std::int64_t>(plane.row) * column.layout.kept +
           plane.axis.offset * column.layout.plane;
  return column.memory.summed + static_cast<std::int64_t>(plane.sums) * column.layout.summed;
}

// Sums the kept planes along z and x into `planes` outputs from z on (counted in the column), and stores them.
template <class T>
void SeparableStep<T>::finishChunk(const Column& column, std::int64_t z, std::int64_t planes,
                                   const TileRun& run) const {
  const ColumnLayout& l = column.layout;
  std::vector<const T*> sums;
  for (std::size_t p = 0; p < passes_.planes.size(); ++p) {
    const auto& pass = passes_.planes[p];
    T* const out = sumsOf(column, p);
    sums.push_back(out);
    if (pass.axis.identity) continue;
    Correlation<T> job;
    job.in = column.memory.kept + static_cast<std::int64_t>(pass.row) * l.kept + pass.axis.offset * l.plane;
    job.inRow = l.plane;
    job.out = out;
    job.outRow = l.plane;
    job.rows = planes;
    job.vectors = l.plane / kernels_.lanes;
    job.taps = pass.axis.weights.data();
    sumRows(column, pass.axis, 2, column.begin[2] + z, job, run);
  }
  for (std::int64_t p = 0; p < planes; ++p) {
    for (std::size_t f = 0; f < passes_.filters.size(); ++f) storePlane(column, f, z + p, p, sums, run);
    for (const T*& plane : sums) plane += l.plane;
  }
}

// Sums along x and stores output plane z of the column for one filter. `sums`: of that plane, for each pass along z.
template <class T>
void SeparableStep<T>::storePlane(const Column& column, std::size_t f, std::int64_t z, std::int64_t plane,
                                  std::span<const T* const> sums, const TileRun& run) const {
  const auto& filter = passes_.filters[f];
  const ArrayView& output = run.outputs[filter.output];
  const std::array<std::int64_t, 3> begin{column.begin[0], column.begin[1], column.begin[2] + z};
  StoreJob store = space_.storeJob(output, column.component, begin, {column.size[0], column.size[1], 1});
  store.streaming = run.streaming;
  if (const auto& first = filter.terms[0]; filter.terms.size() == 1 && first.axis.identity) {
    store.tile = sums[first.plane] + first.axis.offset;
    store.tileRow = column.layout.row;
  } else {
    sumAlongX(column, filter, sums, run);
    store.tile = column.memory.result;
    store.tileRow = column.layout.outRow;
  }
  // A single term's sums along y, as long as they are kept.
  KeptSums from{nullptr, column.layout.row, column.layout.plane};
  if (plane >= 0 && filter.terms.size() == 1) {
    const auto& along = passes_.planes[filter.terms[0].plane];
    from.sums = column.memory.kept + static_cast<std::int64_t>(along.row) * column.layout.kept +
                (along.axis.offset + plane) * column.layout.plane + filter.terms[0].axis.offset;
  }
  const auto& own = stores_[f];
  run.saturated[filter.output] += own ? own->store(store, space_, column.component, begin, from, run)
                                      : kernels_.store[static_cast<std::size_t>(output.type)](store);
}

// Planes are summed as EqualSum's rows are: the planes of a block are added up as they come, and once the block is
// complete, each becomes the sum from it to the block's end, which the windows of the next block's planes begin with.
template <class T>
void SeparableStep<T>::runStream(const Column& column, const TileRun& run) const {
  const AxisPass<T>& axis = passes_.planes[0].axis;
  EqualPlanes<T> job;
  job.planes = column.memory.kept;
  job.stride = column.layout.plane;
  job.vectors = column.layout.plane / kernels_.lanes;
  job.tap = axis.weights[0];
  job.prefix = column.memory.prefix;
  const std::int64_t taps = axis.size(), planes = column.size[2] + taps - 1;
  const std::int64_t phase = remainder(space_.origin()[2] + column.begin[2] - space_.anchor()[2], taps);
  std::fill_n(job.prefix, job.stride, T{0});
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    run.control.check();
    const std::int64_t at = (phase + plane) % taps, z = plane - taps + 1;
    addPlane(column, plane, at, run);
    const bool complete = at == taps - 1;
    if (complete) {
      kernels_.sumEqualBlock(job, std::max<std::int64_t>(at - plane, 0), at);
      std::fill_n(job.prefix, job.stride, T{0});
    } else {
      job.out = z >= 0 ? column.memory.summed : nullptr;
      kernels_.addEqualPlane(job, at);
    }
    const T* const sums = complete ? job.planes : job.out;
    if (z >= 0) storePlane(column, 0, z, -1, {&sums, 1}, run);
  }
}

template <class T>
void SeparableStep<T>::sumColumns(const Column& column, const AxisPass<T>& axis, const Correlation<T>& job,
                                  const TileRun& run) const {
  EqualColumnSum<T> sum;
  sum.in = job.in;
  sum.inRow = job.inRow;
  sum.out = job.out;
  sum.outRow = job.outRow;
  sum.rows = job.rows;
  sum.vectors = job.vectors;
  sum.first = axis.split.first;
  sum.firsts = axis.split.firsts;
  sum.singles = axis.split.singles;
  sum.tapDistance = space_.tapDistance();
  sum.tap = axis.weights[0];
  sum.accumulate = job.accumulate;
  sum.buffer = column.memory.buffer;
  runEqualColumns(kernels_, sum, run.control);
}

// Sums one plane along x, adding the terms.
template <class T>
void SeparableStep<T>::sumAlongX(const Column& column, const typename SeparablePasses<T>::Filter& filter,
                                 std::span<const T* const> sums, const TileRun& run) const {
  const ColumnLayout& l = column.layout;
  bool accumulate = false;
  for (const auto& term : filter.terms) {
    const AxisPass<T>& axis = term.axis;
    Correlation<T> job;
    job.in = sums[term.plane] + axis.offset;
    job.inRow = l.row;
    job.out = column.memory.result;
    job.outRow = l.outRow;
    job.rows = column.size[1];
    job.vectors = divideUp(column.size[0], kernels_.lanes);
    job.taps = axis.weights.data();
    job.accumulate = accumulate;
    axis.equal ? sumColumns(column, axis, job, run) : axis.correlator.run(job, run.control);
    accumulate = true;
  }
}

template <class T>
void SeparableStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  Column column;
  const std::array<std::int64_t, 3> full{shape_.x, shape_.y, shape_.z};
  for (std::size_t a = 0; a < 3; ++a) {
    column.begin[a] = tile % count_[a] * full[a];
    tile /= count_[a];
    column.size[a] = std::min(full[a], space_.extent()[a] - column.begin[a]);
  }
  column.component = tile;
  const ColumnLayout& l = column.layout =
      tiling_.layout({column.size[0], column.size[1], column.size[2], shape_.chunk});
  const auto rows = static_cast<std::int64_t>(passes_.rows.size());
  ScratchCarver carver(scratch);
  column.memory.packed = carver.take<T>(l.packed);
  column.memory.kept = carver.take<T>(l.kept * rows);
  column.memory.summed = carver.take<T>(l.summed * static_cast<std::int64_t>(passes_.sums));
  column.memory.result = carver.take<T>(l.result);

  column.memory.buffer = carver.take<T>(l.buffer);
  column.memory.prefix = carver.take<T>(l.prefix);
  if (tiling_.stream()) {
    runStream(column, run);
    return;
  }
  const std::int64_t halo = space_.hull()[2] - 1;
  for (std::int64_t plane = 0; plane < halo; ++plane) addPlane(column, plane, plane, run);
  for (std::int64_t z = 0; z < column.size[2]; z += shape_.chunk) {
    const std::int64_t planes = std::min(shape_.chunk, column.size[2] - z);
    for (std::int64_t p = 0; p < planes; ++p) addPlane(column, halo + z + p, halo + p, run);
    finishChunk(column, z, planes, run);
    for (std::int64_t r = 0; r < rows; ++r) {
      T* kept = column.memory.kept + r * l.kept;
      std::copy(kept + planes * l.plane, kept + (planes + halo) * l.plane, kept);
    }
  }
}

template class SeparableStep<float>;
template class SeparableStep<double>;

namespace {

// The workload with one dense filter in terms; its dense taps stay beside them.
FilterWorkload inTerms(const FilterWorkload& workload, std::size_t filter) {
  std::vector<Operator> operators = workload.operators();
  auto& stencil = std::get<Stencil>(operators[filter].kind);
  stencil.terms = lowRankSum(stencil.dense, workload.precision())->terms;
  const FilterWorkload whole(std::move(operators), workload.boundary(), workload.constant(), workload.input(),
                             workload.outputType());
  return whole.restricted(workload.region()).plannedAs(workload.planned());
}

}  // namespace

template <class T>
LowRankStep<T>::LowRankStep(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels,
                            const TileLimits& limits)
    : filter_(filter) {
  const FilterWorkload terms = inTerms(workload, filter);
  const AxisOrder order = separableOrder(terms, filter);
  std::unique_ptr<PlaneStore> store;
  if (MendedStore<T>::needed(terms)) store = std::make_unique<MendedStore<T>>(terms, filter, order, kernels);
  terms_ = terms.stencil(filter).terms.size();
  passes_ = std::make_unique<SeparableStep<T>>(terms, filter, order, kernels, limits, std::move(store));
}

template <class T>
std::string LowRankStep<T>::description() const {
  return std::to_string(terms_) + " terms" + (sizeof(T) == 8 ? " in double precision: " : ": ") +
         passes_->description();
}

template <class T>
bool LowRankStep<T>::takeWeights(const FilterWorkload& workload) {
  return passes_->takeWeights(inTerms(workload, filter_));
}

template class LowRankStep<float>;
template class LowRankStep<double>;

}  // namespace sscope::cpu
