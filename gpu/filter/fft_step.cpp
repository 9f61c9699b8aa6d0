// Dense filters by Fourier transforms of overlapping tiles. First every tile is judged: it is summed if transforms
// would lose too many digits or numbers are not finite; if that concerns a large part of the data, everything is
// summed.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "core/base/error.h"
#include "gpu/filter/fft_shape.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// Summing a tile here takes about four times as long as in the dense kernel.
constexpr std::int64_t kMostSummed = 8;   // one of this many tiles
constexpr std::int64_t kWalkLength = 64;  // outputs along z of a work item that adds slices up
constexpr std::size_t kFixedRange = 12, kFixedDepth = 3;
constexpr std::int32_t kNothing = -2;  // NOTHING in fft_common.h

FftShape shapeFor(const FilterContext& context, const std::array<std::int64_t, 3>& taps) {
  const auto& planned = context.workload->planned();
  const auto shape = fftShape(taps, {planned[0], planned[1], planned[2], context.components()}, context.precision(),
                              context.engine->device().properties());
  if (shape) return *shape;
  throw Error(ErrorKind::Unsupported,
              "tiles for Fourier transforms with this many taps do not fit into the local memory of " +
                  context.engine->info().id,
              "use the variant dense");
}

class FftStep final : public FilterStep {
 public:
  FftStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        name_(method.name),
        taps_(method.taps),
        shape_(shapeFor(context, method.taps.size)),
        tilesX_(shape_.tilesX(context.region().size(0))),
        tiles_(tilesX_ * shape_.tilesY(context.region().size(1)) * context.components()),
        pairs_((tiles_ + 1) / 2),
        dense_(makeDenseStep(context, densely(method))) {
    describeRange();
    describeJudge();
    for (KernelStage* stage : {&there_, &back_}) describeTransform(*stage);
    if (deep()) describeDepth();
    describeSums();
    for (KernelStage* stage : stages()) stage->start(c_.engine->programs());
  }

  [[nodiscard]] bool ready() const override {
    constexpr std::chrono::milliseconds kFromDisk(20);
    const auto built = [&](const KernelStage& stage) {
      return stage.pending.wait_for(kFromDisk) == std::future_status::ready;
    };
    return built(range_) && built(judge_) && built(there_) && built(sums_) &&
           (!deep() || (built(depth_) && built(back_))) && dense_->ready();
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    markSlices(outputs, taps_.size[2], taps_.anchor[2], c_.workload->boundary(), needed);
  }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    const auto need = [&](Slot slot, std::int64_t all) {
      bytesAt(bytes, slot) = std::max(bytesAt(bytes, slot), all + kSlackBytes);
    };
    const std::int64_t planes = slices + taps_.size[2] - 1, pair = 2 * shape_.all() * pairs_ * c_.realBytes();
    need(kSum, 3 * tiles_ * planes * c_.realBytes());
    need(kUnits, 4 * tiles_ * slices);
    if (deep()) need(kAfterZ, pair * planes), need(kAfterY, pair * slices);
    dense_->needBytes(slices, bytes);
  }

  void finish(const Control& control) override {
    for (KernelStage* stage : stages()) stage->finish(control);
    dense_->finish(control);
    counter_ = device().allocate(sizeof(std::uint64_t));
    putTaps(device(), twiddles_, fftTwiddles(shape_), c_.precision(), control);
    xMap_ = makeTable(device(), places(0, tilesX_, c_.components()), control);
    yMap_ = makeTable(device(), places(1, shape_.tilesY(c_.region().size(1)), 1), control);
    put(control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    if (method.taps.size != taps_.size || method.taps.anchor != taps_.anchor) return false;
    taps_ = method.taps;
    put(control);
    return dense_->takeWeights(densely(method), control);
  }

  void begin() override { summed_ = judged_ = 0; }

  void addTo(RunReport& report) const override { reportSummedTiles(report, name_, summed_, judged_); }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const std::int64_t planes = tile.size() + taps_.size[2] - 1, all = tiles_ * tile.size();
    zMap_.put(device(),
              placesInTile(placesOf({tile.begin, tile.end}, taps_.size[2], taps_.anchor[2], c_.input().extent[2],
                                    c_.workload->boundary(), 0),
                           tile),
              run.control);
    range_.rows = tiles_ * planes;
    judge_.rows = tile.size();
    const std::int64_t summed = run.counted(counter_, 1, [&] {
      run.launch(range_);
      run.launch(judge_);
    })[0];
    finished(0.2);
    judged_ += all;
    const auto rest = [&](double share) { finished(0.2 + 0.8 * share); };
    if (summed * kMostSummed > all) {
      summed_ += all;
      return dense_->compute(run, tile, rest);
    }
    summed_ += summed;
    there_.rows = pairs_ * planes;
    run.launch(there_, &Phases::kernel, [&](double share) { rest(0.4 * share); });
    if (deep()) {
      placeDepth(tile.size());
      run.launch(depth_);
      back_.rows = pairs_ * tile.size();
      run.launch(back_, &Phases::kernel, [&](double share) { rest(0.6 + 0.4 * share); });
    }
    sums_.rows = summed;
    if (summed > 0) run.launch(sums_);
    finished(1);
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(taps_.count()); }

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] bool deep() const { return taps_.size[2] > 1; }
  [[nodiscard]] std::vector<KernelStage*> stages() {
    if (!deep()) return {&range_, &judge_, &there_, &sums_};
    return {&range_, &judge_, &there_, &depth_, &back_, &sums_};
  }
  static FilterMethod densely(FilterMethod method) {
    method.kind = MethodKind::Dense;
    return method;
  }

  void put(const Control& control) {
    const FftTapScale scale = fftTapScale(taps_, c_.precision());
    putTaps(device(), tables_, scale.tables, c_.precision(), control);
    putTaps(device(), spectra_, fftTapSpectra(taps_, shape_), c_.precision(), control);
    putTaps(device(), weights_, taps_.weights, c_.precision(), control);
    range_.arguments.resize(kFixedRange);
    for (const std::int64_t n : {scale.beginX, scale.beginY, scale.sizeX, scale.sizeY})
      range_.arguments.emplace_back(int32(n));
    judge_.arguments.back() = int32(scale.sizeX * scale.sizeY);
  }

  // The place of each position of the tiles along an axis, in elements.
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, std::int64_t tiles, std::int64_t step) const {
    const Range outputs{c_.region().begin[axis], c_.region().end[axis]};
    auto found =
        placesOf(outputs, taps_.size[axis], taps_.anchor[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
    for (std::int32_t& place : found) place = place < 0 ? place : int32(place * step);
    found.resize(static_cast<std::size_t>((tiles - 1) * shape_.outputs[axis] + shape_.points[axis]), kNothing);
    return found;
  }

  [[nodiscard]] KernelSource sourceOf(const char* entry) const {
    KernelSource source{entry, {"fft_common.h"}, c_.precision(), 1, {shape_.items, 1}, {}};
    source.localBytes = shape_.localBytes(c_.realBytes());
    source.define("IN", std::string(toString(c_.input().type)));
    source.define("OUT", std::string(toString(c_.workload->outputType())));
    source.define("COMPONENTS", c_.components());
    for (std::size_t a = 0; a < 2; ++a) {
      const std::string axis = a == 0 ? "X" : "Y";
      const auto radices = fftRadices(shape_.points[a]);
      source.define("N" + axis, shape_.points[a]);
      source.define(axis + "1", radices[0]);
      source.define(axis + "2", radices[1]);
      source.define("OUT_" + axis, shape_.outputs[a]);
    }
    source.define("SIZE_Z", taps_.size[2]);
    source.define("ROOT_8", kernelLiteral(std::sqrt(0.5), c_.precision()));
    source.define("COS_16", kernelLiteral(0.9238795325112867561281831893967882868224, c_.precision()));
    source.define("SIN_16", kernelLiteral(0.3826834323650897717284599840303988667613, c_.precision()));
    return source;
  }

  // The tiles and their source.
  void addPlaces(KernelStage& stage) const {
    const std::int64_t row = c_.input().extent[0] * c_.components();
    for (const StageArgument& argument : std::initializer_list<StageArgument>{
             realArgument(c_.workload->constant(), c_.precision()), row * c_.input().extent[1], int32(row),
             int32(c_.region().size(0)), int32(c_.region().size(1)), int32(tilesX_), int32(tiles_)})
      stage.arguments.push_back(argument);
    stage.columns = shape_.items;
  }

  void describeRange() {
    range_.source = sourceOf("fft_range");
    const auto [nx, ny] = shape_.points;
    range_.source.localBytes = (2 * ny * (nx + 1) + 2 * shape_.items) * c_.realBytes();
    range_.elementsPerRow = shape_.all();
    range_.operationsPerElement = 20;
    range_.arguments = {kInput, kSum, &xMap_, &yMap_, zMap_.buffer()};
    addPlaces(range_);
    range_.arguments.resize(kFixedRange + 4, std::int32_t{0});
  }

  void describeJudge() {
    // In unit roundoffs, as in core/cpu/filter/fft_range.cpp: the errors of transforms have a standard deviation below
    // 0.6 sqrt(log2 points) of the root mean square; 16.8 sqrt(taps) and more is accepted.
    judge_.source = {"fft_judge", {}, c_.precision(), 1, {64, 1}, {}};
    const double doublings = std::log2(static_cast<double>(shape_.all() * taps_.size[2]));
    judge_.source.define("SIZE_Z", taps_.size[2]);
    judge_.source.define("OF_MEAN", kernelLiteral(6 * std::sqrt(doublings), c_.precision()));
    judge_.source.define("OF_LARGEST", kernelLiteral(4, c_.precision()));
    judge_.source.define("ACCEPTED", kernelLiteral(16 * std::sqrt(static_cast<double>(taps_.count())), c_.precision()));
    judge_.source.define("MOST", kernelLiteral(c_.precision() == Precision::f32 ? 0x1p40 : 0x1p250, c_.precision()));
    judge_.columns = tiles_;
    judge_.elementsPerRow = tiles_;
    judge_.operationsPerElement = 10 * static_cast<double>(taps_.size[2]);
    judge_.arguments = {kSum, &tables_, kUnits, &counter_, int32(tiles_), std::int32_t{0}};
  }

  void describeTransform(KernelStage& stage) {
    const bool back = &stage == &back_;
    stage.source = sourceOf("fft_tile");
    stage.source.define("FORWARD", back ? 0 : 1);
    stage.source.define("BACKWARD", back || !deep() ? 1 : 0);
    stage.elementsPerRow = 2 * shape_.all();
    stage.operationsPerElement = 10 * std::log2(static_cast<double>(shape_.all()));
    stage.arguments = {kInput,
                       deep() && !back ? StageArgument(kNoBuffer) : StageArgument(kOutput),
                       deep() ? StageArgument(kAfterZ) : StageArgument(kNoBuffer),
                       deep() ? StageArgument(kAfterY) : StageArgument(kNoBuffer),
                       &spectra_,
                       &twiddles_,
                       &xMap_,
                       &yMap_,
                       zMap_.buffer()};
    addPlaces(stage);
    stage.arguments.emplace_back(int32(pairs_));
  }

  void describeDepth() {
    depth_.source = sourceOf("fft_depth");
    depth_.source.localBytes = 0;
    depth_.source.group = {128, 1};
    depth_.columns = shape_.all();
    depth_.operationsPerElement = 8 * static_cast<double>(taps_.size[2]);
    depth_.arguments = {kAfterZ, kAfterY, &spectra_};
    placeDepth(1);
  }

  void placeDepth(std::int64_t slices) {
    const std::int64_t walk = std::min(slices, kWalkLength);
    depth_.rows = pairs_ * ((slices + walk - 1) / walk);
    depth_.elementsPerRow = shape_.all() * walk;
    depth_.arguments.resize(kFixedDepth);
    for (const std::int64_t n : {slices, pairs_, walk}) depth_.arguments.emplace_back(int32(n));
  }

  void describeSums() {
    sums_.source = sourceOf("fft_sums");
    sums_.elementsPerRow = shape_.outputs[0] * shape_.outputs[1];
    sums_.operationsPerElement = 2 * static_cast<double>(taps_.count());
    sums_.arguments = {kInput, kOutput, &weights_, &xMap_, &yMap_, zMap_.buffer(), kUnits};
    addPlaces(sums_);
  }

  FilterContext c_;
  std::string name_;
  DenseTaps taps_;
  FftShape shape_;
  std::int64_t tilesX_, tiles_, pairs_;  // of a slice; tiles of all components
  std::unique_ptr<FilterStep> dense_;
  OwnBuffer xMap_, yMap_, twiddles_, spectra_, tables_, weights_, counter_;
  TileTable zMap_;
  KernelStage range_, judge_, there_, depth_, back_, sums_;
  std::int64_t summed_ = 0, judged_ = 0;  // tiles of this run
};

}  // namespace

std::unique_ptr<FilterStep> makeFftStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<FftStep>(context, method);
}

}  // namespace sscope
