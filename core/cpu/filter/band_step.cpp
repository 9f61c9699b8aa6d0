#include "core/cpu/filter/band_step.h"

#include <cstring>
#include "core/base/arithmetic.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// A tile under way. Input row r of the tile (0: the first that its first outputs need) lies in window row r - dropped.
template <class T>
struct BandStep<T>::Walk {
  explicit Walk(const TileRun& tileRun) : run(tileRun) {}
  const TileRun& run;
  std::array<std::int64_t, 3> begin{};  // of the outputs, in the region
  std::int64_t component = 0;
  std::int64_t width = 0, height = 0;  // outputs
  T *window = nullptr, *result = nullptr;
  PackJob job;  // of all input rows of the tile
  std::int64_t dropped = 0;
  bool direct = false;  // results need no change on their way to memory

  [[nodiscard]] T* row(std::int64_t r, std::int64_t stride) const { return window + (r - dropped) * stride; }
};

template <class T>
BandStep<T>::BandStep(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels,
                      const TileLimits& limits, std::unique_ptr<ExactRounding> rounding)
    : space_(workload, {0, 1, 2}, workload.operators()[filter].size(), workload.operators()[filter].anchor(),
             Components::SideBySide),
      kernels_(kernels),
      output_(filter),
      rounding_(std::move(rounding)) {
  const auto size = workload.operators()[filter].size();
  static_cast<void>(BandStep::takeWeights(workload));
  correlator_ = Correlator<T>(kernels, size[0], size[1], 1, space_.tapDistance());

  const auto& extent = space_.extent();
  constexpr std::int64_t kBands = 8;  // that a window holds before it is moved up
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  windowRows_ = halo() + kRows * (1 + kBands);
  // The window stays in half of the second-level cache.
  const std::int64_t budget = std::min(limits.cacheBytes / 2, limits.largestBytes / 2);
  const std::int64_t unit = 8 * kernels.lanes;
  const std::int64_t most = std::max(budget / (windowRows_ * kBytes) / unit * unit, 4 * unit);
  strips_ = divideUp(extent[0], most);
  width_ = std::min(extent[0], divideUp(divideUp(extent[0], strips_), unit) * unit);
  strips_ = divideUp(extent[0], width_);
  // A few tiles per thread, but not so flat that the rows packed first dominate.
  const std::int64_t wanted = divideUp(limits.threads * 4, strips_);
  const std::int64_t flattest = std::max<std::int64_t>(64, 8 * halo());
  height_ =
      std::min(extent[1], std::max(divideUp(divideUp(extent[1], wanted), kRows) * kRows, flattest / kRows * kRows));
  chunks_ = divideUp(extent[1], height_);
  planes_ = extent[2];
  constexpr std::int64_t kLine = 64 / kBytes;
  lead_ = (kLine - space_.anchor()[0] % kLine) % kLine;
  row_ = rowStride<T>(lead_ + divideUp(width_, kernels.lanes) * kernels.lanes + space_.hull()[0] - 1);
  outRow_ = rowStride<T>(divideUp(width_, kernels.lanes) * kernels.lanes);
  TunedShape shape = tunedTile(kernels.level, 1);
  shape.kx = size[0];
  shape.ky = size[1];
  shape.tapDistance = space_.tapDistance();
  shape.inRow = row_ * kBytes;
  shape.fetchNext = shape.kx >= shape.vectors;  // with fewer columns only parts would be fetched
  block_ = TunedBlock::make<T>(kernels.level, shape);
  if (block_ && block_->width() > width_) block_.reset();
}

template <class T>
bool BandStep<T>::takeWeights(const FilterWorkload& workload) {
  const DenseTaps dense = workload.stencil(output_).expanded();
  weights_.clear();
  for (std::int64_t x = 0; x < dense.size[0]; ++x)
    for (std::int64_t y = 0; y < dense.size[1]; ++y) weights_.push_back(static_cast<T>(dense.at(x, y, 0)));
  if (rounding_) rounding_->takeWeights(workload);
  return true;
}

template <class T>
bool BandStep<T>::suits(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels) {
  constexpr std::int64_t kEnoughVectors = 8, kEnoughRows = 32;
  const bool level = kernels.level == SimdLevel::Avx2 || kernels.level == SimdLevel::Avx512;
  const ElementType output = workload.outputType();
  return level && (output == ElementTypeOf<T>::value || isInteger(output)) &&
         workload.operators()[filter].size()[2] == 1 && workload.input().extent[3] <= kMostSideBySide &&
         workload.planned()[0] * workload.input().extent[3] >= kEnoughVectors * kernels.lanes &&
         workload.planned()[1] >= kEnoughRows;
}

template <class T>
std::int64_t BandStep<T>::scratchBytes() const {
  return ScratchCarver::paddedBytes<T>(windowRows_ * row_ + row_) + ScratchCarver::paddedBytes<T>(kRows * outRow_);
}

template <class T>
double BandStep<T>::work() const {
  const auto& n = space_.extent();
  return static_cast<double>(weights_.size()) * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string BandStep<T>::description() const {
  return "dense in bands of " + std::to_string(kRows) + " rows, strips of " + std::to_string(width_) + "x" +
         std::to_string(height_) + (block_ ? ", generated blocks" : "");
}

template <class T>
void BandStep<T>::packRows(const Walk& walk, std::int64_t row, std::int64_t count) const {
  for (std::int64_t r = 0; r < count; ++r) {
    PackJob one = walk.job;
    one.sourceIndex[1] += row + r;
    one.extent[1] = 1;
    one.tile = walk.row(row + r, row_);
    one.tileRow = row_ - lead_;
    kernels_.pack[static_cast<std::size_t>(walk.run.input.type)](one);
  }
}

// Copies the parts of kRows rows from `row` on that the blocks leave out: all before and after `done` interior columns.
template <class T>
void BandStep<T>::packEdges(const Walk& walk, std::int64_t row, std::int64_t done) const {
  const PackJob& job = walk.job;
  const std::int64_t* index = job.sourceIndex[0];
  const auto constant = static_cast<T>(job.constant);
  for (std::int64_t r = row; r < row + kRows; ++r) {
    const T* from = reinterpret_cast<const T*>(job.source) + job.sourceIndex[1][r] * job.sourceStride[1] +
                    job.sourceIndex[2][0] * job.sourceStride[2];
    T* to = walk.row(r, row_);
    const auto pack = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) to[i] = index[i] < 0 ? constant : from[index[i]];
    };
    pack(0, job.interiorBegin);
    pack(job.interiorBegin + done, job.extent[0]);
  }
}

template <class T>
bool BandStep<T>::copyable(const Walk& walk, std::int64_t row) const {
  const PackJob& job = walk.job;
  if (!block_ || walk.run.input.type != ElementTypeOf<T>::value) return false;
  if (job.sourceStride[0] != 1 || job.components > 1) return false;
  if (walk.width < block_->width() || job.sourceIndex[2][0] < 0) return false;
  const std::int64_t first = job.sourceIndex[1][row];
  for (std::int64_t r = 0; r < kRows; ++r)
    if (job.sourceIndex[1][row + r] != first + r || first < 0) return false;
  return true;
}

// Computes kRows rows of outputs from y on, straight into the output if it has the arithmetic type.
template <class T>
void BandStep<T>::generatedBand(const Walk& walk, std::int64_t y, bool copy) const {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  const ArrayView& output = walk.run.outputs[output_];
  const StoreJob place = space_.storeJob(output, walk.component, {walk.begin[0], walk.begin[1] + y, walk.begin[2]},
                                         {walk.width, kRows, 1});
  std::byte* const out = walk.direct ? place.target : reinterpret_cast<std::byte*>(walk.result);
  const std::int64_t outRow = walk.direct ? place.targetStride[1] : outRow_;
  const T* in = walk.row(y, row_);
  TunedBlock::Arguments arguments;
  arguments.in = in;
  arguments.blocks = walk.width / block_->width();
  arguments.inStep = arguments.outStep = block_->width() * kBytes;
  arguments.taps = weights_.data();
  arguments.out[0] = out;
  arguments.outRow = outRow * kBytes;
  const std::int64_t done = arguments.blocks * block_->width();
  const std::int64_t next = y + kRows + halo();
  if (copy) {
    const PackJob& job = walk.job;
    const T* from = reinterpret_cast<const T*>(job.source) + job.sourceIndex[1][next] * job.sourceStride[1] +
                    job.sourceIndex[2][0] * job.sourceStride[2] + job.sourceIndex[0][job.interiorBegin];
    arguments.copyFrom = from;
    arguments.copyFromRow = job.sourceStride[1] * kBytes;
    arguments.copyTo = walk.row(next, row_) + job.interiorBegin;
    arguments.fetch = from + kRows * job.sourceStride[1];  // fetching beyond the end is harmless
  }
  constexpr std::uintptr_t kAlignment = 64;
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % kAlignment == 0 &&
                       static_cast<std::uintptr_t>(arguments.outRow) % kAlignment == 0;
  block_->function(walk.run.streaming && walk.direct && aligned, copy)(&arguments);
  if (done < walk.width) {  // the last block ends with the row: outputs that are computed twice are equal
    const std::int64_t x = walk.width - block_->width();
    arguments.in = in + x;
    arguments.blocks = 1;
    arguments.out[0] = out + x * kBytes;
    block_->function(false, false)(&arguments);
  }
  if (copy) packEdges(walk, next, done);
  if (!walk.direct) store(walk, y, kRows);
}

// For any number of rows, and any type and layout of the output.
template <class T>
void BandStep<T>::compiledBand(const Walk& walk, std::int64_t y, std::int64_t rows) const {
  Correlation<T> job;
  job.in = walk.row(y, row_);
  job.inRow = row_;
  job.out = walk.result;
  job.outRow = outRow_;
  job.rows = rows;
  job.vectors = divideUp(walk.width, kernels_.lanes);
  job.taps = weights_.data();
  correlator_.run(job, walk.run.control);
  store(walk, y, rows);
}

// The sums of a band.
template <class T>
void BandStep<T>::store(const Walk& walk, std::int64_t y, std::int64_t rows) const {
  const ArrayView& output = walk.run.outputs[output_];
  const std::array<std::int64_t, 3> begin{walk.begin[0], walk.begin[1] + y, walk.begin[2]};
  StoreJob job = space_.storeJob(output, walk.component, begin, {walk.width, rows, 1});
  job.tile = walk.result;
  job.tileRow = outRow_;
  job.streaming = walk.run.streaming;
  walk.run.saturated[output_] += rounding_ ? rounding_->store(job, space_, walk.component, begin, {}, walk.run)
                                           : kernels_.store[static_cast<std::size_t>(output.type)](job);
}

template <class T>
void BandStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  Walk walk(run);
  walk.begin[0] = tile % strips_ * width_;
  tile /= strips_;
  walk.begin[1] = tile % chunks_ * height_;
  tile /= chunks_;
  walk.begin[2] = tile % planes_;
  walk.component = tile / planes_;
  walk.width = std::min(width_, space_.extent()[0] - walk.begin[0]);
  walk.height = std::min(height_, space_.extent()[1] - walk.begin[1]);
  ScratchCarver carver(scratch);
  walk.window = carver.take<T>(windowRows_ * row_ + row_) + lead_;
  walk.result = carver.take<T>(kRows * outRow_);
  const std::int64_t inputs = walk.height + halo();
  walk.job = space_.packJob(run.input, walk.component, walk.begin, {walk.width + space_.hull()[0] - 1, inputs, 1});

  const ArrayView& output = run.outputs[output_];
  const StoreJob place = space_.storeJob(output, walk.component, walk.begin, {walk.width, walk.height, 1});
  const bool generated = block_ && walk.width >= block_->width();
  walk.direct = output.type == ElementTypeOf<T>::value && place.targetStride[0] == 1 && place.components == 1;
  std::int64_t packed = std::min(kRows + halo(), inputs);
  packRows(walk, 0, packed);
  for (std::int64_t y = 0; y < walk.height; y += kRows) {
    run.control.check();
    const std::int64_t rows = std::min(kRows, walk.height - y);
    const std::int64_t coming = std::min(kRows, inputs - packed);
    if (packed + coming - walk.dropped > windowRows_) {  // rows that are still needed move to the start of the window
      std::memmove(walk.window, walk.row(y, row_), static_cast<std::size_t>((packed - y) * row_) * sizeof(T));
      walk.dropped = y;
    }
    const bool whole = generated && rows == kRows;
    const bool copy = whole && coming == kRows && copyable(walk, packed);
    whole ? generatedBand(walk, y, copy) : compiledBand(walk, y, rows);
    if (!copy) packRows(walk, packed, coming);
    packed += coming;
  }
}

template class BandStep<float>;
template class BandStep<double>;

}  // namespace sscope::cpu
