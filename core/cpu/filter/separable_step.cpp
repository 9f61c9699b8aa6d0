#include "core/cpu/filter/separable_step.h"

#include <limits>
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {
constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
}  // namespace

template <class T>
SeparableStep<T>::SeparableStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                                const PrecisionKernels<T>& kernels, const TileLimits& limits)
    : space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor(),
             Components::SideBySide),
      kernels_(kernels),
      output_(filter) {
  for (const SeparableTerm& source : workload.stencil(filter).terms) {
    const SeparableTerm ordered = permuted(source, order);
    Term term;
    for (std::size_t a = 0; a < 3; ++a) {
      term[a].offset = space_.anchor()[a] - ordered.axis[a].anchor * (a == 0 ? space_.tapDistance() : 1);
      term[a].identity = ordered.axis[a].identity();
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
  return l;
}

template <class T>
std::int64_t SeparableStep<T>::bytes(const Shape& shape) const {
  const Layout l = layout(shape);
  return ScratchCarver::paddedBytes<T>(l.packed) +
         ScratchCarver::paddedBytes<T>(l.kept * static_cast<std::int64_t>(terms_.size())) +
         ScratchCarver::paddedBytes<T>(l.summed * static_cast<std::int64_t>(terms_.size())) +
         ScratchCarver::paddedBytes<T>(l.result);
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
    sum += planesIn * plane * static_cast<double>(term[1].size() + 2) +
           planesOut * plane * static_cast<double>(term[2].size() + 2) +
           planesOut * outPlane * 2 * static_cast<double>(term[0].size() + 2);
  sum += planesIn / static_cast<double>(shape.chunk) * plane *
         static_cast<double>(space_.hull()[2]);  // moving kept planes
  return sum + 2000;
}

template <class T>
typename SeparableStep<T>::Shape SeparableStep<T>::chooseShape(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  Shape best;
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {64, 128, 256, 512, 1024})
    for (const std::int64_t y : {1, 2, 4, 8, 16, 32, 64, 128})
      for (const std::int64_t z : {16, 32, 64, 128, 256, 512, 1024})
        for (const std::int64_t chunk : {5, 10, 20, 40}) {
          const Shape shape{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2]),
                            std::min(chunk, extent[2])};
          const std::int64_t columns = divideUp(extent[0], shape.x) * divideUp(extent[1], shape.y) *
                                       divideUp(extent[2], shape.z) * space_.components();
          double total = cost(shape) * static_cast<double>(divideUp(columns, limits.threads));
          const auto size = static_cast<double>(bytes(shape));
          if (size > 0.625 * static_cast<double>(limits.cacheBytes)) total *= 1.5;
          if (size > static_cast<double>(limits.largestBytes)) total *= 1e6 * size;
          if (total < bestCost) {
            bestCost = total;
            best = shape;
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
    for (const Axis& axis : term) taps += static_cast<double>(axis.size());
  const auto& n = space_.extent();
  return taps * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string SeparableStep<T>::description() const {
  return "separable in columns of " + std::to_string(shape_.x) + "x" + std::to_string(shape_.y) + "x" +
         std::to_string(shape_.z) + ", " + std::to_string(shape_.chunk) + " planes at once";
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
  const std::byte* next =
      space_.source(run.input, column.component,
                    {column.begin[0], column.begin[1], column.begin[2] + plane + 1 - space_.anchor()[2]});
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
    axis.correlator.run(job, run.control);
  }
}

// Sums the kept planes along z and x into `planes` outputs from z on (counted in the column), and stores them.
template <class T>
void SeparableStep<T>::finishChunk(const Column& column, std::int64_t z, std::int64_t planes,
                                   const TileRun& run) const {
  const Layout& l = column.layout;
  const auto& size = column.size;
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
    axis.correlator.run(job, run.control);
    ++t;
  }
  const T* summed =
      single && terms_[0][2].identity ? column.memory.kept + terms_[0][2].offset * l.plane : column.memory.summed;

  const ArrayView& output = run.outputs[output_];
  for (std::int64_t p = 0; p < planes; ++p) {
    StoreJob store = space_.storeJob(
        output, column.component, {column.begin[0], column.begin[1], column.begin[2] + z + p}, {size[0], size[1], 1});
    store.streaming = run.streaming;
    if (single && terms_[0][0].identity) {
      store.tile = summed + p * l.plane;
      store.tileRow = l.row;
    } else {
      sumAlongX(column, summed + p * l.plane, run);
      store.tile = column.memory.result;
      store.tileRow = l.outRow;
    }
    run.saturated[output_] += kernels_.store[static_cast<std::size_t>(output.type)](store);
  }
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
    axis.correlator.run(job, run.control);
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
