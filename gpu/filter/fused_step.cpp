// Separable filters along all axes at once (filter_fused.kernel), term by term.

#include <algorithm>
#include <chrono>

#include "core/base/error.h"
#include "gpu/filter/fused_shape.h"
#include "gpu/filter/step.h"
#include "gpu/run/sizes.h"
#include "gpu/run/walk_length.h"

namespace sscope {

namespace {

std::int64_t pieces(std::int64_t n, std::int64_t of) { return (n + of - 1) / of; }

struct FusedTerm {
  SeparableTerm weights;
  FusedShape shape;
  std::int64_t tilesX = 1, tilesY = 1;
  // The structure Taps of the kernel. Shared with the build of the kernel, which may outlive the plan.
  std::shared_ptr<std::vector<std::byte>> taps;
  OwnBuffer xMap, yMap;
  TileTable zMap;
  KernelStage stage;
};

class FusedStep : public FilterStep {
 public:
  FusedStep(const FilterContext& context, const FilterMethod& method)
      : c_(context), executed_(method.executedTaps()), terms_(method.terms.size()) {
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      terms_[t].weights = method.terms[t];
      describe(terms_[t], t);
      terms_[t].stage.start(c_.engine->programs(), terms_[t].taps);
    }
  }

  [[nodiscard]] bool ready() const override {
    constexpr std::chrono::milliseconds kFromDisk(20);
    return std::ranges::all_of(terms_, [&](const FusedTerm& term) {
      return term.stage.pending.wait_for(kFromDisk) == std::future_status::ready;
    });
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    for (const FusedTerm& term : terms_) {
      const AxisTaps& taps = term.weights.axis[2];
      markSlices(outputs, taps.size(), taps.anchor, c_.workload->boundary(), needed);
    }
  }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    if (terms_.size() < 2) return;
    std::int64_t& slot = bytesAt(bytes, kSum);
    slot = std::max(slot, width() * height() * slices * c_.realBytes() + kSlackBytes);
  }

  void finish(const Control& control) override {
    for (FusedTerm& term : terms_) {
      term.stage.finish(control);
      const FusedShape& s = term.shape;
      term.xMap = makeTable(device(), elementsAlongX(term), control);
      const AxisTaps& y = term.weights.axis[1];
      std::vector<std::int32_t> rows =
          placesOf(region(1), y.size(), y.anchor, c_.input().extent[1], c_.workload->boundary(), 0);
      rows.resize(static_cast<std::size_t>(term.tilesY * s.ty + y.size()), -1);
      term.yMap = makeTable(device(), rows, control);
    }
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& /*control*/) override {
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      terms_[t].weights = method.terms[t];
      *terms_[t].taps = tapsOf(terms_[t]);
    }
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const auto all = static_cast<double>(terms_.size());
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      FusedTerm& term = terms_[t];
      const AxisTaps& z = term.weights.axis[2];
      term.zMap.put(device(),
                    placesInTile(placesOf({tile.begin, tile.end}, z.size(), z.anchor, c_.input().extent[2],
                                          c_.workload->boundary(), 0),
                                 tile),
                    run.control);
      place(term, tile.size());
      const auto before = static_cast<double>(t);
      run.launch(term.stage, &Phases::kernel, [&](double share) { finished((before + share) / all); });
    }
  }

  [[nodiscard]] double executedTaps() const override { return executed_; }

 private:
  static constexpr std::size_t kFixedArguments = 11;

  Device& device() const { return c_.engine->device(); }
  Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  std::int64_t width() const { return region(0).size() * c_.components(); }
  std::int64_t height() const { return region(1).size(); }
  std::int64_t rowElements() const { return c_.input().extent[0] * c_.components(); }

  FusedShape shapeFor(const SeparableTerm& term) const {
    if (const auto shape = fusedShape(device().properties(), fusedNeeds(*c_.workload, term, c_.precision())))
      return *shape;
    throw Error(ErrorKind::Unsupported,
                "the axes cannot be filtered at once on " + c_.engine->info().id +
                    ": no tile with its surroundings fits into local memory, or a slice is too large",
                "use the variant separable");
  }

  // The place in a row of each element that tiles fetch, or -1 where the constant stands and where nobody needs it.
  std::vector<std::int32_t> elementsAlongX(const FusedTerm& term) const {
    const FusedShape& s = term.shape;
    const AxisTaps& taps = term.weights.axis[0];
    const std::int64_t nc = c_.components(), needed = width() + (taps.size() - 1) * nc;
    std::vector<std::int32_t> places(static_cast<std::size_t>(term.tilesX * s.tx + s.rowPitch), -1);
    for (std::int64_t i = 0; i < needed; ++i) {
      const std::int64_t voxel = region(0).begin - taps.anchor + i / nc;
      const std::int64_t at = boundaryIndex(voxel, c_.input().extent[0], c_.workload->boundary());
      if (at >= 0) places[static_cast<std::size_t>(s.left + i)] = int32(at * nc + i % nc);
    }
    return places;
  }

  std::vector<std::byte> tapsOf(const FusedTerm& term) const {
    std::vector<double> all;
    for (const AxisTaps& axis : term.weights.axis) all.insert(all.end(), axis.weights.begin(), axis.weights.end());
    const std::vector<float> narrow(all.begin(), all.end());
    const auto bytes =
        c_.precision() == Precision::f64 ? std::as_bytes(std::span(all)) : std::as_bytes(std::span(narrow));
    return {bytes.begin(), bytes.end()};
  }

  // Of a work item, when a unit holds all the groups that it shall.
  std::int64_t registersFor(const FusedShape& s) const {
    constexpr std::int64_t kUnitRegisters = 65536;  // NVIDIA's since capability 7, where the driver does not tell
    const std::int64_t told = device().properties().unitRegisters;
    return std::min<std::int64_t>(255, (told > 0 ? told : kUnitRegisters) / (s.items() * s.groupsPerUnit) / 8 * 8);
  }

  KernelSource sourceOf(const FusedTerm& term, bool last, bool accumulate) const {
    const FusedShape& s = term.shape;
    KernelSource source{"filter_fused", {}, c_.precision(), s.vector, {s.items(), 1}, {}};
    defineStore(source, last ? c_.outputType() : c_.realType(), accumulate, false);
    source.extra.emplace_back("fused_window.h");
    source.localBytes = s.localBytes;
    source.define("IN", std::string(toString(c_.input().type)));
    source.define("BYTES_IN", static_cast<std::int64_t>(bytesOf(c_.input().type)));
    source.define("COMPONENTS", c_.components());
    source.define("TAPS_X", term.weights.axis[0].size());
    source.define("TAPS_Y", term.weights.axis[1].size());
    source.define("TAPS_Z", term.weights.axis[2].size());
    source.define("TX", s.tx);
    source.define("RX", s.rx);
    source.define("RY", s.ry);
    source.define("FETCH", s.fetch);
    source.define("LEFT", s.left);
    source.define("ROW_PITCH", s.rowPitch);
    source.define("FILTERED_PITCH", s.filteredPitch);
    source.define("STAGES", s.stages);
    source.define("BUFFERS", s.buffers);
    source.define("ASYNC", s.async ? 1 : 0);
    source.define("RAW", s.raw ? 1 : 0);
    source.define("WIDE", c_.precision() == Precision::f64 ? 1 : 0);
    if (s.raw && s.async)
      source.define("FETCH_REALS", s.fetch * static_cast<std::int64_t>(bytesOf(c_.input().type)) / c_.realBytes());
    source.define("LEAST_GROUPS", s.groupsPerUnit);
    if (device().properties().lockstep > 0) source.define("MOST_REGISTERS", registersFor(s));
    return source;
  }

  void describe(FusedTerm& term, std::size_t number) const {
    const bool first = number == 0, last = number + 1 == terms_.size();
    term.shape = shapeFor(term.weights);
    term.tilesX = pieces(width(), term.shape.tx);
    term.tilesY = pieces(height(), term.shape.ty);
    term.stage.source = sourceOf(term, last, !first);
    term.stage.columns = term.shape.items();
    double taps = 0;
    for (const AxisTaps& axis : term.weights.axis) taps += static_cast<double>(axis.size());
    term.stage.operationsPerElement = 2 * taps;
    term.taps = std::make_shared<std::vector<std::byte>>(tapsOf(term));
    term.stage.arguments = {kInput,
                            last ? c_.output : kSum,
                            first ? StageArgument(kNoBuffer) : StageArgument(kSum),
                            c_.saturated,
                            &term.xMap,
                            &term.yMap,
                            term.zMap.buffer(),
                            term.taps.get(),
                            realArgument(c_.workload->constant(), c_.precision()),
                            c_.input().extent[1] * rowElements(),
                            int32(rowElements())};
    place(term, 0);
  }

  // What depends on the tile: how many slices there are, and how they are cut into walks.
  void place(FusedTerm& term, std::int64_t slices) const {
    const FusedShape& s = term.shape;
    const std::int64_t tiles = term.tilesX * term.tilesY;
    const std::int64_t resident = s.groupsPerUnit * std::max(1, device().properties().computeUnits);
    const std::int64_t walk =
        std::max<std::int64_t>(1, walkLength(std::max<std::int64_t>(1, slices), term.weights.axis[2].size(), resident,
                                             [&](std::int64_t walks) { return tiles * walks; }));
    term.stage.rows = tiles * pieces(slices, walk);
    term.stage.elementsPerRow = s.tx * s.ty * walk;
    term.stage.arguments.resize(kFixedArguments);
    for (const std::int64_t n : {width(), height(), slices, term.tilesX, tiles, walk})
      term.stage.arguments.emplace_back(int32(n));
  }

  FilterContext c_;
  double executed_;
  std::vector<FusedTerm> terms_;
};

}  // namespace

std::unique_ptr<FilterStep> makeFusedStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<FusedStep>(context, method);
}

}  // namespace sscope
