#pragma once
// Recomputing while a slider moves: the newest request wins, the last one is never dropped, the visible slices
// come first. Engines race each other on the same thread, so never beside a computation. Qt-free.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/compare/race.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/job/kept_filter.h"
#include "core/filter/recipe.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/live/quiet_gate.h"
#include "core/measure/verify.h"
#include "core/parts/large_volume.h"
#include "core/volume/losses.h"
#include "core/volume/volume.h"

namespace sscope {

struct LiveRequest {
  std::shared_ptr<const Volume> input;
  // What `input` is of where it does not fit into memory: slices across its planes only, and no whole.
  std::shared_ptr<reach::LargeVolume> large;
  std::uint64_t inputIdentity = 0;  // changes with the data, not with the bank
  FilterBank bank;
  std::string engine, variant;
  int threads = 0;
  std::array<std::int64_t, 3> crosshair{0, 0, 0};   // the visible slices
  std::size_t shownFilter = 0;                      // index among the enabled filters: its slices are previewed
  std::array<bool, 3> previewed{true, true, true};  // which slices come first: axial, coronal, sagittal
  // The same order, of `large`: slices that cross its planes, for which all of the file is read, and planes of a
  // compressed one. The bank may be empty then: slices of the source come all the same.
  std::array<bool, 3> swept{};
  bool whole = true;  // false while a slider is held on slow data: slices only
};

// One of the axial (z), coronal (y) and sagittal (x) slices of the shown filter; each comes as soon as it is there.
struct LivePreview {
  std::array<std::shared_ptr<const Volume>, 3> slices;
  std::array<std::int64_t, 3> sliceAt{0, 0, 0};
  std::array<std::shared_ptr<const Volume>, 3> sources;  // of the source, where the file was read for it
  std::vector<LeftOut> leftOut;  // enabled filters that do not fit the data; the outputs are of the others
  RunReport report;              // phases: of this slice and those of the request before it
  int count = 0;                 // of those
  bool last = false;             // no more will come for this request
};
struct LiveWhole {
  std::shared_ptr<const ResidentFilterResult> result;  // every output, where it was computed
  std::vector<LeftOut> leftOut;
  RunReport report;
  bool slicesWereOfIt = false;  // the previews of this request were read from this result
};
// Of the last LiveWhole. While a control is held, only once it has rested.
struct LiveVerified {
  RunReport report;
  Verification verification;
  bool ofSlices = false;              // of the last slice of data larger than memory: there is no whole
  std::vector<std::string> losses{};  // of values, one sentence each (core/volume/losses.h)
};
// A short race (core/compare/race.h) of engines at a bank.
struct LiveRace {
  std::vector<BenchRow> contenders;
  int repetitions = compare::kShortRepetitions;
  std::shared_ptr<const Volume> input;
  std::uint64_t inputIdentity = 0;
  FilterBank bank;  // filters that do not fit the data are left out
  int threads = 0;
};
// RaceEvent: of a short race.
using LiveNews = News<LivePreview, LiveWhole, LiveVerified, compare::RaceEvent, IdleNews>;

// A control that is held still for so long is taken to rest.
inline constexpr std::chrono::milliseconds kSliderRest{400};

class LiveRunner {
 public:
  // `deliver` is called on the worker thread, in order; news of superseded requests are not delivered
  // once a newer one was submitted (previews excepted: a finished preview is always shown).
  LiveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(LiveNews)> deliver);

  // Returns at once. Replaces a request that has not started; stops one that runs.
  std::uint64_t submit(LiveRequest request) { return worker_.submit(std::move(request)); }
  // The same for a race: its events, then IdleNews.
  std::uint64_t race(LiveRace race) { return worker_.submit(std::move(race)); }
  // While a control is held, results are verified only once nothing was submitted for a while: checking takes every
  // core, and the next setting may come at any moment.
  void setHeld(bool held) { restGate_.setHeld(held); }
  void setRest(std::chrono::milliseconds rest) { rest_ = rest; }
  // Once a device has its kernels, its plan and the data, slices are read from its result where that took, last time,
  // no more than `factor` (1) times what computing the slices took the processor.
  void setDevicePatience(double factor) { devicePatience_ = factor; }
  // While held nothing is timed: something else of the program works.
  void holdRace(bool held) { gate_.setHeld(held); }
  // Stops what runs and drops what waits; CanceledNews are delivered for it.
  void cancel() { worker_.cancel(); }
  // Nothing is kept for the next setting any more (kept_filter.h): the room has nothing to compute on. For after
  // cancel().
  void release() { static_cast<void>(worker_.submit(Release{})); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }
  // For tests and batch use.
  void waitIdle() { worker_.waitIdle(); }

 private:
  struct Release {};
  using Wish = std::variant<LiveRequest, LiveRace, Release>;
  using Worker = NewestWins<Wish>;
  // What computing one request needs.
  struct Work {
    std::uint64_t number = 0;
    const LiveRequest& request;
    FittingBank fitting;
    std::optional<std::size_t> shown;  // the shown filter among those that fit
  };
  // Of values (core/filter/program/data_unit.h).
  [[nodiscard]] double unitOf(const LiveRequest& request, const FilterBank& bank, const Control& control);
  void releaseKept(const Control& control);
  void noteDevice(const std::string& engine);
  void execute(const Wish& wish, const Worker::Turn& turn);
  void compute(const LiveRequest& request, const Worker::Turn& turn, const Control& control);
  void preview(const Work& work, const Control& control);
  // Slices for which all of the file is read.
  void sweep(const Work& work, const Control& control);
  // Of data larger than memory: the slice that was computed last, with the planes that it needs.
  void verifySlice(const Work& work, const Control& control);
  // The slices from a result on the device, which is kept for whole(); nothing where preview() is to be used.
  [[nodiscard]] std::optional<ResidentFilterResult> previewOnDevice(const Work& work, const Control& control);
  [[nodiscard]] bool deviceHasData(const LiveRequest& request) const;
  [[nodiscard]] bool paceIsKnown(const LiveRequest& request) const;
  [[nodiscard]] bool deviceIsQuick(const LiveRequest& request) const;
  void whole(const Work& work, std::optional<ResidentFilterResult> there, const Control& control);
  [[nodiscard]] ResidentFilterResult computeWhole(const Work& work, const FilterJob& job, const Control& control);
  [[nodiscard]] std::vector<std::string> lossesOf(const Work& work, const ResidentFilterResult& result,
                                                  const Verification& found, const Control& control);
  void runRace(std::uint64_t number, const LiveRace& race, const Control& control);

  const EngineSet& engines_;
  const VariantTable& variants_;
  std::function<void(LiveNews)> deliver_;
  QuietGate gate_, restGate_;
  std::atomic<std::chrono::milliseconds> rest_{kSliderRest};
  std::atomic<double> devicePatience_ = 1;
  // The last run on a device, which holds its data since.
  struct DeviceRun {
    std::string engine;
    std::uint64_t identity = 0;
  };
  std::optional<DeviceRun> onDevice_;
  std::set<std::string> devices_;  // that may keep something since they gave it back last
  // How long runs took whose results stayed on a device and gave the slices; at first, what the kernels took.
  struct DevicePace {
    std::string engine, variant;
    ArraySpec input;
    double seconds = 0;
  };
  std::optional<DevicePace> pace_;
  double previewSeconds_ = 0;             // of the last slices that the processor computed
  std::array<VolumePool, 3> slicePools_;  // of slices that were read: axial, coronal, sagittal
  // What of data larger than memory is to be verified.
  struct LargeSlice {
    FilterJob job;
    FilterResult result;
  };
  std::optional<LargeSlice> largeSlice_;
  // What results of a type cannot hold of the data, which do not change with the bank.
  struct KnownLosses {
    std::uint64_t identity = 0;
    ElementType type = ElementType::f32;
    InputLosses losses;
  };
  std::optional<KnownLosses> inputLosses_;
  std::optional<std::pair<std::uint64_t, double>> magnitude_;  // of the data with this identity
  KeptFilter whole_;
  std::array<KeptFilter, 3> slices_;  // axial, coronal, sagittal
  Worker worker_;                     // last: its thread uses the others
};

}  // namespace sscope
