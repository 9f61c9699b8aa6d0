#include "core/cpu/filter/separable_step.h"

#include <limits>
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {
constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
// Of positions that may be negative.
constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

// Measured on boxes of 9 to 31 taps: what beginning another row takes.
constexpr double kPerRow = 2000;
}  // namespace

template <class T>
SeparableStep<T>::SeparableStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                                const PrecisionKernels<T>& kernels, const TileLimits& limits,
                                std::unique_ptr<PlaneStore> store)
    : space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor(),
             Components::SideBySide),
      kernels_(kernels),
      output_(filter),
      store_(std::move(store)) {
  for (const SeparableTerm& source : workload.stencil(filter).terms) {
    const SeparableTerm ordered = permuted(source, order);
    Term term;
    for (std::size_t a = 0; a < 3; ++a) {
      term[a].offset = space_.anchor()[a] - ordered.axis[a].anchor * (a == 0 ? space_.tapDistance() : 1);
      term[a].identity = ordered.axis[a].identity();
      term[a].equal = takesEqualTaps(ordered.axis[a], a == 0);
      if (term[a].equal) {
        term[a].split = equalSplit(ordered.axis[a].size());
        continue;
      }
      term[a].correlator = a == 0 ? Correlator<T>(kernels, ordered.axis[a].size(), 1, 1, space_.tapDistance())
                                  : Correlator<T>(kernels, 1, ordered.axis[a].size(), 1);
    }
    terms_.push_back(std::move(term));
  }
  static_cast<void>(SeparableStep::takeWeights(workload));
  shape_ = chooseShape(limits);
  count_ = {divideUp(space_.extent()[0], shape_.x), divideUp(space_.extent()[1], shape_.y),
            divideUp(space_.extent()[2], shape_.z)};
}

template <class T>
bool SeparableStep<T>::takeWeights(const FilterWorkload& workload) {
  const auto& terms = workload.stencil(output_).terms;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      const std::vector<double>& weights = terms[t].axis[space_.order()[a]].weights;
      terms_[t][a].weights.assign(weights.begin(), weights.end());
    }
  if (store_) store_->takeWeights(workload);
  return true;
}

template <class T>
typename SeparableStep<T>::Layout SeparableStep<T>::layout(const Shape& shape) const {
  const std::int64_t width = divideUp(shape.x, kernels_.lanes) * kernels_.lanes;
  Layout l;
  l.row = rowStride<T>(divideUp(width + space_.hull()[0] - 1, kernels_.lanes) * kernels_.lanes);
  l.plane = l.row * shape.y;
  l.outRow = rowStride<T>(width);
  l.outPlane = l.outRow * shape.y;
  l.packed = l.row * (shape.y + space_.hull()[1] - 1);
  l.kept = l.plane * (shape.chunk + space_.hull()[2] - 1);
  l.summed = l.plane * shape.chunk;
  l.result = l.outPlane;
  if (streams()) l.prefix = l.plane;
  constexpr std::int64_t kPerRow = kEqualSumBytes / static_cast<std::int64_t>(sizeof(T));
  for (const Term& term : terms_) {
    if (term[0].equal) l.buffer = std::max(l.buffer, l.row + kernels_.lanes);
    if (term[1].equal) l.buffer = std::max(l.buffer, std::min(shape.y, term[1].size()) * kPerRow);
    if (term[2].equal) l.buffer = std::max(l.buffer, std::min(shape.chunk, term[2].size()) * kPerRow);
  }
  return l;
}

template <class T>
std::int64_t SeparableStep<T>::Layout::bytes(std::int64_t terms) const {
  return ScratchCarver::paddedBytes<T>(packed) + ScratchCarver::paddedBytes<T>(kept * terms) +
         ScratchCarver::paddedBytes<T>(summed * terms) + ScratchCarver::paddedBytes<T>(result) +
         ScratchCarver::paddedBytes<T>(buffer) + ScratchCarver::paddedBytes<T>(prefix);
}

template <class T>
std::int64_t SeparableStep<T>::bytes(const Shape& shape) const {
  return layout(shape).bytes(static_cast<std::int64_t>(terms_.size()));
}

// Multiply-adds per output.
template <class T>
double SeparableStep<T>::passCost(const Axis& axis, std::size_t a) const {
  const auto taps = static_cast<double>(axis.size() + 2);
  if (!axis.equal) return (a == 0 ? 2 : 1) * taps;
  return equalCost(axis.size(), a == 0).multiplyAdds;
}

template <class T>
bool SeparableStep<T>::light() const {
  return std::ranges::all_of(terms_, [](const Term& term) {
    return std::ranges::all_of(term, [](const Axis& axis) { return axis.equal || axis.identity; });
  });
}

// Vector operations of one column, in rough units of one multiply-add.
template <class T>
double SeparableStep<T>::cost(const Shape& shape) const {
  const Layout l = layout(shape);
  const auto planesIn = static_cast<double>(shape.z + space_.hull()[2] - 1);
  const auto planesOut = static_cast<double>(shape.z);
  const auto plane = static_cast<double>(l.plane), outPlane = static_cast<double>(l.outPlane);
  double sum = planesIn * static_cast<double>(l.packed) * 4;  // packing reads memory
  sum += planesOut * outPlane * 4;                            // and storing writes it
  for (const Term& term : terms_)
    sum += planesIn * plane * passCost(term[1], 1) + planesOut * plane * passCost(term[2], 2) +
           planesOut * outPlane * passCost(term[0], 0);
  if (!streams())
    sum += planesIn / static_cast<double>(shape.chunk) * plane *
           static_cast<double>(space_.hull()[2]);  // moving kept planes
  if (light()) sum += planesIn * static_cast<double>(shape.y + space_.hull()[1] - 1) * kPerRow;
  return sum + 2000;
}

// Tiles of other passes stay in the core's own cache. Where arithmetic is light, packing is what takes time: rows are
// better long, and halos small beside the tile, even if planes are kept in a cache behind.
template <class T>
double SeparableStep<T>::total(const Shape& shape, const TileLimits& limits) const {
  const auto& extent = space_.extent();
  const std::int64_t columns =
      divideUp(extent[0], shape.x) * divideUp(extent[1], shape.y) * divideUp(extent[2], shape.z) * space_.components();
  auto rounds = static_cast<double>(divideUp(columns, limits.threads));
  const auto size = static_cast<double>(bytes(shape));
  if (light()) {
    if (limits.threads > 1) rounds += 0.25;  // threads take turns better with more columns
    rounds *= 1 + 0.02e-6 * size;
  } else if (size > 0.625 * static_cast<double>(limits.cacheBytes)) {
    rounds *= 1.5;
  }
  if (size > static_cast<double>(limits.largestBytes)) rounds *= 1e6 * size;
  return cost(shape) * rounds;
}

template <class T>
typename SeparableStep<T>::Shape SeparableStep<T>::chooseShape(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  Shape best;
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {64, 128, 256, 512, 1024, 2048, 4096}) {
    if (x > 1024 && !light()) break;
    for (const std::int64_t y : {1, 2, 4, 8, 16, 32, 64, 128})
      for (const std::int64_t z : {16, 32, 64, 128, 256, 512, 1024})
        for (const std::int64_t chunk : {5, 10, 20, 40}) {
          if (streams() && chunk > 5) break;
          const Shape shape{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2]),
                            streams() ? 1 : std::min(chunk, extent[2])};
          if (const double now = total(shape, limits); now < bestCost) {
            bestCost = now;
            best = shape;
          }
        }
  }
  return best;
}

template <class T>
std::int64_t SeparableStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

template <class T>
std::int64_t SeparableStep<T>::scratchBytes() const {
  return bytes(shape_);
}

template <class T>
double SeparableStep<T>::work() const {
  double taps = 0;
  for (const Term& term : terms_)
    for (std::size_t a = 0; a < 3; ++a) taps += passCost(term[a], a);
  const auto& n = space_.extent();
  return taps * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string SeparableStep<T>::description() const {
  return "separable in columns of " + std::to_string(shape_.x) + "x" + std::to_string(shape_.y) + "x" +
         std::to_string(shape_.z) + ", " + std::to_string(shape_.chunk) + " planes at once" +
         (store_ ? std::string(", ") + store_->words() : "");
}

// Packs input plane `plane` of the column (counted with the hull) and sums it along y into kept slot `slot`.
template <class T>
void SeparableStep<T>::addPlane(const Column& column, std::int64_t plane, std::int64_t slot, const TileRun& run) const {
  const Layout& l = column.layout;
  const auto& hull = space_.hull();
  const auto& size = column.size;
  // A single term without taps along y needs no sum: its planes are packed to where they are kept.
  const bool direct = terms_.size() == 1 && terms_[0][1].identity;
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
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Axis& axis = terms_[t][1];
    Correlation<T> job;
    job.in = column.memory.packed + axis.offset * l.row;
    job.inRow = l.row;
    job.out = column.memory.kept + static_cast<std::int64_t>(t) * l.kept + slot * l.plane;
    job.outRow = l.row;
    job.rows = size[1];
    job.vectors = l.row / kernels_.lanes;
    job.taps = axis.weights.data();
    job.prefetch = t == 0 ? next : nullptr;
    job.prefetchElement = static_cast<std::int64_t>(bytesOf(run.input.type));
    job.prefetchRow = run.input.stride[space_.order()[1]] * job.prefetchElement;
    job.prefetchRows = divideUp(size[1] + hull[1] - 1, size[1]);
    sumRows(column, axis, 1, column.begin[1], job, run);
  }
}

// Runs a pass along tile axis `a`, 1 or 2, whose first output lies at position `first` of the region.
template <class T>
void SeparableStep<T>::sumRows(const Column& column, const Axis& axis, std::size_t a, std::int64_t first,
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

// Sums the kept planes along z and x into `planes` outputs from z on (counted in the column), and stores them.
template <class T>
void SeparableStep<T>::finishChunk(const Column& column, std::int64_t z, std::int64_t planes,
                                   const TileRun& run) const {
  const Layout& l = column.layout;
  const bool single = terms_.size() == 1;
  std::int64_t t = 0;
  for (const Term& term : terms_) {
    const Axis& axis = term[2];
    if (single && axis.identity) break;
    Correlation<T> job;
    job.in = column.memory.kept + t * l.kept + axis.offset * l.plane;
    job.inRow = l.plane;
    job.out = column.memory.summed + t * l.summed;
    job.outRow = l.plane;
    job.rows = planes;
    job.vectors = l.plane / kernels_.lanes;
    job.taps = axis.weights.data();
    sumRows(column, axis, 2, column.begin[2] + z, job, run);
    ++t;
  }
  const T* summed =
      single && terms_[0][2].identity ? column.memory.kept + terms_[0][2].offset * l.plane : column.memory.summed;

  for (std::int64_t p = 0; p < planes; ++p)
    storePlane(column, z + p, summed + p * l.plane,
               single ? column.memory.kept + (terms_[0][2].offset + p) * l.plane : nullptr, run);
}

// Sums along x and stores output plane z of the column.
template <class T>
void SeparableStep<T>::storePlane(const Column& column, std::int64_t z, const T* summed, const T* kept,
                                  const TileRun& run) const {
  const ArrayView& output = run.outputs[output_];
  StoreJob store = space_.storeJob(output, column.component, {column.begin[0], column.begin[1], column.begin[2] + z},
                                   {column.size[0], column.size[1], 1});
  store.streaming = run.streaming;
  if (terms_.size() == 1 && terms_[0][0].identity) {
    store.tile = summed;
    store.tileRow = column.layout.row;
  } else {
    sumAlongX(column, summed, run);
    store.tile = column.memory.result;
    store.tileRow = column.layout.outRow;
  }
  const KeptSums from{kept == nullptr ? nullptr : kept + terms_[0][0].offset, column.layout.row, column.layout.plane};
  run.saturated[output_] += store_ ? store_->store(store, space_, column.component,
                                                   {column.begin[0], column.begin[1], column.begin[2] + z}, from, run)
                                   : kernels_.store[static_cast<std::size_t>(output.type)](store);
}

// Planes are summed as EqualSum's rows are: the planes of a block are added up as they come, and once the block is
// complete, each becomes the sum from it to the block's end, which the windows of the next block's planes begin with.
template <class T>
void SeparableStep<T>::runStream(const Column& column, const TileRun& run) const {
  const Axis& axis = terms_[0][2];
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
    if (z >= 0) storePlane(column, z, complete ? job.planes : job.out, nullptr, run);
  }
}

template <class T>
void SeparableStep<T>::sumColumns(const Column& column, const Axis& axis, const Correlation<T>& job,
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
void SeparableStep<T>::sumAlongX(const Column& column, const T* plane, const TileRun& run) const {
  const Layout& l = column.layout;
  bool accumulate = false;
  for (const Term& term : terms_) {
    const Axis& axis = term[0];
    Correlation<T> job;
    job.in = plane + axis.offset;
    job.inRow = l.row;
    job.out = column.memory.result;
    job.outRow = l.outRow;
    job.rows = column.size[1];
    job.vectors = divideUp(column.size[0], kernels_.lanes);
    job.taps = axis.weights.data();
    job.accumulate = accumulate;
    axis.equal ? sumColumns(column, axis, job, run) : axis.correlator.run(job, run.control);
    accumulate = true;
    plane += l.summed;
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
  const Layout& l = column.layout = layout({column.size[0], column.size[1], column.size[2], shape_.chunk});
  const auto terms = static_cast<std::int64_t>(terms_.size());
  ScratchCarver carver(scratch);
  column.memory.packed = carver.take<T>(l.packed);
  column.memory.kept = carver.take<T>(l.kept * terms);
  column.memory.summed = carver.take<T>(l.summed * terms);
  column.memory.result = carver.take<T>(l.result);

  column.memory.buffer = carver.take<T>(l.buffer);
  column.memory.prefix = carver.take<T>(l.prefix);
  if (streams()) {
    runStream(column, run);
    return;
  }
  const std::int64_t halo = space_.hull()[2] - 1;
  for (std::int64_t plane = 0; plane < halo; ++plane) addPlane(column, plane, plane, run);
  for (std::int64_t z = 0; z < column.size[2]; z += shape_.chunk) {
    const std::int64_t planes = std::min(shape_.chunk, column.size[2] - z);
    for (std::int64_t p = 0; p < planes; ++p) addPlane(column, halo + z + p, halo + p, run);
    finishChunk(column, z, planes, run);
    for (std::int64_t t = 0; t < terms; ++t) {
      T* kept = column.memory.kept + t * l.kept;
      std::copy(kept + planes * l.plane, kept + (planes + halo) * l.plane, kept);
    }
  }
}

template class SeparableStep<float>;
template class SeparableStep<double>;

}  // namespace sscope::cpu
