#include "core/cpu/filter/dense_step.h"

#include <limits>
#include "core/base/arithmetic.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

struct Hull {
  std::array<std::int64_t, 3> size{1, 1, 1}, anchor{0, 0, 0};
};

// The smallest box that holds the taps of all chosen filters.
Hull hullOf(const FilterWorkload& workload, const std::vector<std::size_t>& filters) {
  std::array<std::int64_t, 3> after{0, 0, 0};
  Hull hull;
  for (const std::size_t f : filters) {
    const auto size = workload.operators()[f].size(), anchor = workload.operators()[f].anchor();
    for (std::size_t a = 0; a < 3; ++a) {
      hull.anchor[a] = std::max(hull.anchor[a], anchor[a]);
      after[a] = std::max(after[a], size[a] - 1 - anchor[a]);
    }
  }
  for (std::size_t a = 0; a < 3; ++a) hull.size[a] = hull.anchor[a] + 1 + after[a];
  return hull;
}

TileSpace spaceOf(const FilterWorkload& workload, const std::vector<std::size_t>& filters, const AxisOrder& order) {
  const Hull hull = hullOf(workload, filters);
  return {workload, order, hull.size, hull.anchor, Components::SideBySide};
}

}  // namespace

template <class T>
DenseStep<T>::DenseStep(const FilterWorkload& workload, std::vector<std::size_t> filters, const AxisOrder& order,
                        const PrecisionKernels<T>& kernels, const TileLimits& limits,
                        std::vector<std::unique_ptr<ExactRounding>> rounding)
    : space_(spaceOf(workload, filters, order)), kernels_(kernels) {
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const std::size_t f = filters[i];
    Taps taps;
    taps.output = f;
    if (!rounding.empty()) taps.rounding = std::move(rounding[i]);
    taps.size = permuted(workload.operators()[f].size(), order);
    const auto anchor = permuted(workload.operators()[f].anchor(), order);
    for (std::size_t a = 0; a < 3; ++a)
      taps.offset[a] = space_.anchor()[a] - anchor[a] * (a == 0 ? space_.tapDistance() : 1);
    taps.correlator = Correlator<T>(kernels_, taps.size[0], taps.size[1], taps.size[2], space_.tapDistance());
    taps_.push_back(std::move(taps));
  }
  static_cast<void>(DenseStep::takeWeights(workload));
  tile_ = chooseTile(limits);
  for (std::size_t a = 0; a < 3; ++a) count_[a] = divideUp(space_.extent()[a], tile_[a]);
}

template <class T>
bool DenseStep<T>::takeWeights(const FilterWorkload& workload) {
  for (Taps& taps : taps_) {
    const DenseTaps dense = permuted(workload.stencil(taps.output).expanded(), space_.order());
    taps.weights.clear();
    taps.weights.reserve(dense.weights.size());
    for (std::int64_t z = 0; z < dense.size[2]; ++z)
      for (std::int64_t x = 0; x < dense.size[0]; ++x)
        for (std::int64_t y = 0; y < dense.size[1]; ++y) taps.weights.push_back(static_cast<T>(dense.at(x, y, z)));
    if (taps.rounding) taps.rounding->takeWeights(workload);
  }
  return true;
}

template <class T>
typename DenseStep<T>::Layout DenseStep<T>::layout(const std::array<std::int64_t, 3>& tile) const {
  const std::int64_t width = divideUp(tile[0], kernels_.lanes) * kernels_.lanes;
  Layout l;
  l.row = rowStride<T>(width + space_.hull()[0] - 1);
  l.plane = l.row * (tile[1] + space_.hull()[1] - 1);
  l.packed = l.plane * (tile[2] + space_.hull()[2] - 1);
  l.outRow = rowStride<T>(width);
  l.result = l.outRow * kStrip;
  return l;
}

// Tries a few sizes per axis and selects the cheapest: the halo costs packing, incomplete vectors cost arithmetic. More
// than 80 rows of an image whose row stride is a power of two would evict each other from the cache.
template <class T>
std::array<std::int64_t, 3> DenseStep<T>::chooseTile(const TileLimits& limits) const {
  double tapCount = 0;
  for (const Taps& taps : taps_) tapCount += static_cast<double>(taps.weights.size());
  const auto& extent = space_.extent();
  // A quarter of the cache: the next tile and the results use the cache at the same time.
  const double preferred = 0.25 * static_cast<double>(limits.cacheBytes);
  std::array<std::int64_t, 3> best{};
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {32, 64, 128, 256, 512, 1024})
    for (const std::int64_t y : {5, 10, 20, 40, 80})
      for (const std::int64_t z : {1, 2, 4, 8, 16}) {
        const std::array<std::int64_t, 3> tile{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2])};
        const Layout l = layout(tile);
        const auto bytes = static_cast<double>((l.packed + l.result) * static_cast<std::int64_t>(sizeof(T)));
        std::int64_t tiles = space_.components();
        for (std::size_t a = 0; a < 3; ++a) tiles *= divideUp(extent[a], tile[a]);
        const std::int64_t rounds = divideUp(tiles, limits.threads);  // uneven shares leave threads idle
        const auto width = static_cast<double>(divideUp(tile[0], kernels_.lanes) * kernels_.lanes);
        const double arithmetic =
            tapCount * width * static_cast<double>(tile[1] * tile[2]) / static_cast<double>(kernels_.lanes);
        const double packing = static_cast<double>(l.packed) * 0.5 + 500;
        double cost = (arithmetic + packing) * static_cast<double>(rounds);
        if (bytes > preferred) cost *= 2 + bytes / preferred;
        if (bytes > static_cast<double>(limits.largestBytes)) cost *= 1e6 * bytes;
        if (cost < bestCost) {
          bestCost = cost;
          best = tile;
        }
      }
  return best;
}

template <class T>
std::int64_t DenseStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

template <class T>
std::int64_t DenseStep<T>::scratchBytes() const {
  const Layout l = layout(tile_);
  return ScratchCarver::paddedBytes<T>(l.packed) + ScratchCarver::paddedBytes<T>(l.result);
}

template <class T>
double DenseStep<T>::work() const {
  double taps = 0;
  for (const Taps& t : taps_) taps += static_cast<double>(t.weights.size());
  const auto& n = space_.extent();
  return taps * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string DenseStep<T>::description() const {
  return "dense in tiles of " + std::to_string(tile_[0]) + "x" + std::to_string(tile_[1]) + "x" +
         std::to_string(tile_[2]) + (taps_.front().correlator.generated() ? ", generated blocks" : "");
}

template <class T>
typename DenseStep<T>::Place DenseStep<T>::place(std::int64_t tile) const {
  Place at;
  for (std::size_t a = 0; a < 3; ++a) {
    at.begin[a] = tile % count_[a] * tile_[a];
    tile /= count_[a];
  }
  at.component = tile;
  return at;
}

template <class T>
void DenseStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const Place at = place(tile);
  std::array<std::int64_t, 3> size{}, packed{};
  for (std::size_t a = 0; a < 3; ++a) {
    size[a] = std::min(tile_[a], space_.extent()[a] - at.begin[a]);
    packed[a] = size[a] + space_.hull()[a] - 1;
  }
  const Layout l = layout(size);
  ScratchCarver carver(scratch);
  T* input = carver.take<T>(l.packed);
  T* result = carver.take<T>(l.result);

  PackJob pack = space_.packJob(run.input, at.component, at.begin, packed);
  pack.tile = input;
  pack.tileRow = l.row;
  pack.tilePlane = l.plane;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);

  const Place next = place(std::min(tile + 1, tiles() - 1));
  for (const Taps& taps : taps_) {
    const ArrayView& output = run.outputs[taps.output];
    for (std::int64_t z = 0; z < size[2]; ++z)
      for (std::int64_t y = 0; y < size[1]; y += kStrip) {
        Correlation<T> job;
        job.in = input + (z + taps.offset[2]) * l.plane + (y + taps.offset[1]) * l.row + taps.offset[0];
        job.inRow = l.row;
        job.inPlane = l.plane;
        job.out = result;
        job.outRow = l.outRow;
        job.rows = std::min(kStrip, size[1] - y);
        job.vectors = divideUp(size[0], kernels_.lanes);
        job.taps = taps.weights.data();
        if (&taps == &taps_.front())
          job.prefetch =
              space_.source(run.input, next.component, {next.begin[0], next.begin[1] + y, next.begin[2] + z});
        job.prefetchElement = static_cast<std::int64_t>(bytesOf(run.input.type));
        job.prefetchRow = run.input.stride[space_.order()[1]] * job.prefetchElement;
        taps.correlator.run(job, run.control);

        StoreJob store = space_.storeJob(output, at.component, {at.begin[0], at.begin[1] + y, at.begin[2] + z},
                                         {size[0], job.rows, 1});
        store.tile = result;
        store.tileRow = l.outRow;
        store.streaming = run.streaming;
        run.saturated[taps.output] +=
            taps.rounding ? taps.rounding->store(store, space_, at.component,
                                                 {at.begin[0], at.begin[1] + y, at.begin[2] + z}, {}, run)
                          : kernels_.store[static_cast<std::size_t>(output.type)](store);
      }
  }
}

template class DenseStep<float>;
template class DenseStep<double>;

}  // namespace sscope::cpu
