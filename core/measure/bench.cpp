#include "core/measure/bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"
#include "core/engine/tuning_store.h"
#include "core/measure/buffer_ring.h"
#include "core/measure/ceilings.h"
#include "core/measure/cpu_time.h"
#include "core/measure/judged_parts.h"
#include "core/measure/machine.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"

namespace sscope {

namespace {

// Whether an array holds these dense bytes, bit for bit. Reads some slices at a time, because a copy may not fit into
// memory.
bool holds(ResidentArray& array, const ConstArrayView& expected, const Control& control) {
  constexpr std::int64_t kPiece = std::int64_t{32} << 20;
  const auto [nx, ny, nz, nc] = array.spec().extent;
  const std::int64_t slice = array.spec().bytes() / nz, step = std::clamp<std::int64_t>(kPiece / slice, 1, nz);
  Volume piece({nx, ny, step, static_cast<int>(nc)}, array.spec().type);
  for (std::int64_t z = 0; z < nz; z += step) {
    BoxCopy copy{wholeBox(array.spec()), piece.view()};
    copy.box.begin[2] = z;
    copy.box.end[2] = std::min(nz, z + step);
    copy.to.extent[2] = copy.box.size(2);
    poison(copy.to);
    array.read({&copy, 1}, control);
    if (std::memcmp(piece.data(), expected.data + z * slice, static_cast<std::size_t>(copy.to.extent[2] * slice)) != 0)
      return false;
  }
  return true;
}

constexpr std::array kMeasuredPhases{&Phases::upload, &Phases::kernel, &Phases::download, &Phases::overlap};

// The state of one row.
struct Contestant {
  Measurement measurement;
  Engine* engine = nullptr;
  const Variant* variant = nullptr;
  std::unique_ptr<Plan> plan;  // null: the row has left the race
  std::vector<Phases> phases;
  double elapsed = 0, elapsedApart = 0;
  double spent = 0, spentApart = 0;        // with what empties caches between the runs
  int batch = 1;                           // runs that a sample is the mean of
  std::unique_ptr<PerfCounters> counters;  // CPU engines
  std::vector<ClockReading> clocks;        // after each turn

  bool apart = true;  // memory suffices for results in addition to the outputs
  [[nodiscard]] bool timedApart() const { return apart && plan->overlapsCopies(); }

  void give(std::string& reason, const std::string& why) {
    reason = why;
    plan.reset();
  }
};

class Bench {
 public:
  Bench(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
        std::span<const ConstArrayView> inputs, const BenchOptions& options, const Control& control,
        BenchObserver& observer)
      : engines_(engines),
        variants_(variants),
        workload_(workload),
        specs_(workload.outputs()),
        options_(options),
        control_(control),
        quiet_{control.stop, {}},
        observer_(observer),
        ceilings_(options, quiet_),
        ring_(inputs, workload.outputs(), options.emptyCaches ? bytesToRotate() : 0, quiet_),
        identity_(options.emptyCaches ? 0 : options.inputIdentity) {}

  void enter(const BenchRow& row) {
    Contestant& contestant = contestants_.emplace_back();
    contestant.measurement = describe(workload_, row.engine, row.variant);
    try {
      contestant.engine = &engines_.at(row.engine);
      const EngineInfo& info = contestant.engine->info();
      contestant.measurement.engineName = info.name;
      contestant.measurement.engineKind = info.kind;
      const Variant& variant = variants_.at(workload_.name(), info, row.variant);
      contestant.measurement.variant = variant.name;
      contestant.measurement.twinOf = variant.twinOf;
      contestant.variant = &variant;
      if (variant.lower) {
        contestant.measurement.precision = variant.lower->computed;
        contestant.measurement.lowerPrecision = variant.lower->words;
      }
      OptionValues values = row.values;
      if (values.empty())
        if (auto tuned = rememberedTiles(variant, info, workload_)) {
          values = std::move(tuned->values);
          for (const auto& [name, value] : values) contestant.measurement.searched.insert(name);
        }
      for (const auto& [name, value] : values) contestant.measurement.params[name] = optionToJson(value);
      const Stopwatch watch;
      contestant.plan =
          variants_.prepare(*contestant.engine, workload_, row.variant, preparation(info, values), quiet_);
      contestant.measurement.phases.compile = watch.seconds();
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      const bool cannot = error.kind() == ErrorKind::Unsupported || error.kind() == ErrorKind::NotFound ||
                          error.kind() == ErrorKind::Memory;
      Measurement& m = contestant.measurement;
      contestant.give(cannot ? m.skipped : m.failed, cannot ? absenceOr(row.engine, error.what()) : error.what());
    } catch (const std::exception& error) {
      contestant.give(contestant.measurement.failed, wordsOf(error));
    }
  }

  [[nodiscard]] PrepareOptions preparation(const EngineInfo& info, const OptionValues& values) const {
    PrepareOptions how{options_.threads, 0, values, storedCeilings(info, options_.threads)};
    how.emptyCaches = options_.emptyCaches;
    return how;
  }

  // An untimed run, whose output, written over poison here and on the device, is compared with the reference.
  Verification checkedRun(Contestant& contestant, std::uint8_t pattern, RunReport& report) {
    const BufferRing::Slot slot = ring_.slot(0);
    for (const ArrayView& output : slot.outputs) poison(output, pattern);
    contestant.engine->poison(pattern, quiet_);
    report = contestant.plan->run({slot.inputs, identity_}, slot.outputs, quiet_);
    const std::vector<ConstArrayView> outputs(slot.outputs.begin(), slot.outputs.end());
    VerifyOptions how = options_.verify;
    how.writtenOut = report.writtenOut;
    Verification verification = contestant.measurement.twinOf.empty()
                                    ? verify(*contestant.variant, workload_, slot.inputs, outputs, how, quiet_)
                                    : verifyCopy(slot.inputs[0], outputs[0], quiet_);
    observer_.checked(placeOf(contestant), report, verification);
    return verification;
  }

  // Removes the row from the race if the output is wrong; `which`: the run that made it.
  void judge(Contestant& contestant, const Verification& verification, const std::string& which) {
    Measurement& m = contestant.measurement;
    m.verification = verification;
    const bool other = contestant.variant->otherDefinition;
    m.approximate = !verification.verified && contestant.engine->info().isPeer() && verification.nonFinite == 0 &&
                    verification.relativeL2 < (other                    ? kOtherDefinition
                                               : verification.wrong > 0 ? kPeerRounding
                                                                        : kPeerDifference);
    m.otherFilter = m.approximate && other;
    const bool undecided = options_.timeUndecided && verification.undecided;
    if (!verification.verified && !m.approximate && !undecided)
      contestant.give(m.failed, judgmentText("the output" + which, verification));
  }

  // Checks the runs that repeatApart() times: they must give what checkedRun() left in the outputs.
  void checkApart(Contestant& contestant, std::uint8_t pattern, const std::string& which) {
    if (!contestant.plan || !contestant.timedApart()) return;
    const BufferRing::Slot slot = ring_.slot(0);
    contestant.engine->poison(pattern, quiet_);
    ResidentRun apart;
    try {
      apart = contestant.plan->runResident({slot.inputs, identity_}, specs_, pool_, quiet_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Memory) throw;
      contestant.apart = false;  // its runs are timed as a whole
      return;
    }
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (!holds(*apart.outputs[i], slot.outputs[i], quiet_))
        return contestant.give(contestant.measurement.failed,
                               "the output" + which + " is wrong: it differs where nothing is copied beside kernels");
  }

  // The first run warms up.
  void check(Contestant& contestant) {
    Measurement& m = contestant.measurement;
    runOf(contestant, [&] {
      RunReport report;
      const Verification verification = checkedRun(contestant, kPoison, report);
      const double prepared = m.phases.compile;
      m.take(report, workload_.work());
      m.phases.compile = std::max(prepared, report.phases.compile);
      judge(contestant, verification, "");
      checkApart(contestant, kPoison, "");
      if (contestant.plan && charged(contestant, report.phases) < 100 * options_.batchSeconds) chooseBatch(contestant);
    });
  }

  // Uses the fastest of a few more runs: the first one may take a hundred times as long as the next.
  void chooseBatch(Contestant& contestant) {
    constexpr int kTried = 3, kMost = 1000;
    double quickest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTried; ++i)
      quickest = std::min(quickest, charged(contestant, contestant.timedApart() ? meanApart(contestant, 1)
                                                                                : meanOfRuns(contestant, 1)));
    const double runs = std::ceil(options_.batchSeconds / std::max(quickest, 1e-9));
    contestant.measurement.batch = contestant.batch = static_cast<int>(std::clamp(runs, 1.0, double{kMost}));
  }

  // Checks once more after the race, to find errors that occur only at speed or after many runs. An unwritten integer
  // that happened to be right with the first poison is wrong with the other one. The worse of the two verifications is
  // kept.
  void checkLastRuns() {
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      Contestant& contestant = contestants_[i];
      if (!contestant.plan) continue;
      control_.check();
      control_.report(
          kTimedFraction + (1 - kTimedFraction) * static_cast<double>(i) / static_cast<double>(contestants_.size()),
          contestant.measurement.engine + ", checking the last run");
      runOf(contestant, [&] {
        RunReport report;
        const Verification last = checkedRun(contestant, kOtherPoison, report);
        const Verification& first = contestant.measurement.verification;
        if (!last.verified || !(last.relativeL2 <= first.relativeL2)) judge(contestant, last, " of the last run");
        contestant.measurement.launch = report.launch;  // joined engines may have cut the work again
        checkApart(contestant, kOtherPoison, " of the last run");
      });
    }
  }

  // The limits of a library are those of the processor.
  [[nodiscard]] Engine& limitOf(const Contestant& contestant) const {
    return contestant.engine->info().isPeer() ? engines_.preferred() : *contestant.engine;
  }

  // The rows that are still in the race.
  [[nodiscard]] std::vector<LimitedRow> limitedRows() {
    std::vector<LimitedRow> rows;
    for (Contestant& contestant : contestants_)
      if (contestant.plan) rows.push_back({&limitOf(contestant), &contestant.measurement});
    return rows;
  }

  // Rows take turns (A B A B): in each round a row runs at least once and for its share of the time.
  void race() {
    const int rounds = std::max(options_.repetitions, options_.leastRepetitions);
    const StolenTime stolen;
    load_.start();
    const auto report = [&](const Contestant& contestant, int round) {
      const double place = static_cast<double>(placeOf(contestant)) / static_cast<double>(contestants_.size());
      control_.report(
          kCheckedFraction + (kTimedFraction - kCheckedFraction) * (round - 1 + place) / rounds,
          contestant.measurement.engine + ", round " + std::to_string(round) + " of " + std::to_string(rounds));
    };
    for (int round = 1; round <= rounds; ++round) {
      const double until = options_.seconds * round / rounds;
      for (Contestant& contestant : contestants_) {
        if (contestant.plan) report(contestant, round);
        while (contestant.plan && (static_cast<int>(contestant.phases.size()) < round ||
                                   (contestant.elapsed < until && contestant.spent < kPatience * until)))
          repeat(contestant);
        if (contestant.plan && !contestant.timedApart()) readClock(contestant);
      }
      for (Contestant& contestant : contestants_) {
        while (contestant.plan && contestant.timedApart() &&
               (static_cast<int>(contestant.measurement.samples.size()) < round ||
                (contestant.elapsedApart < until && contestant.spentApart < kPatience * until)))
          repeatApart(contestant);
        if (contestant.plan && contestant.timedApart()) readClock(contestant);
      }
    }
    noteLoad();
    stolen_ = stolen.share();
  }

  std::vector<Measurement> run(const std::vector<BenchRow>& rows, const std::function<void(const Measurement&)>& done) {
    contestants_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      control_.check();
      control_.report(kCheckedFraction * static_cast<double>(i) / static_cast<double>(rows.size()),
                      rows[i].engine + ", checking");
      observer_.beforeRun(i);
      enter(rows[i]);
      if (contestants_.back().plan) check(contestants_.back());
      if (contestants_.back().plan) ceilings_.find({&limitOf(contestants_.back()), &contestants_.back().measurement});
    }
    observer_.timing(true);
    race();
    observer_.timing(false);
    if (options_.checkLast) checkLastRuns();
    ceilings_.check(limitedRows(), control_);
    std::vector<Measurement> results;
    for (Contestant& contestant : contestants_) {
      settle(contestant);
      if (done) done(contestant.measurement);
      results.push_back(std::move(contestant.measurement));
    }
    return results;
  }

 private:
  static constexpr double kCheckedFraction = 0.4, kTimedFraction = 0.9;
  // A run of some microseconds on emptied caches takes a thousand times as long: it is not repeated for all of its
  // time.
  static constexpr double kPatience = 6;

  // Twice the last cache level, up to a limit, so that a buffer has left the caches when its turn comes again.
  static std::int64_t bytesToRotate() {
    const std::int64_t cache = std::max<std::int64_t>(thisMachine().lastCacheBytes, std::int64_t{32} << 20);
    const std::int64_t available = availableMemory();
    return available > 0 ? std::min(2 * cache, available / 4) : 2 * cache;
  }

  // For an absent engine the reason alone is clearer than the whole sentence.
  [[nodiscard]] std::string absenceOr(const std::string& engine, const std::string& what) const {
    for (const EngineInfo& info : engines_.infos())
      if (info.id == engine && !info.available()) return info.absentReason;
    return what;
  }

  template <class F>
  static void runOf(Contestant& contestant, F&& body) {
    try {
      body();
    } catch (const Canceled&) {
      throw;
    } catch (const std::exception& error) {
      contestant.give(contestant.measurement.failed, wordsOf(error));
    }
  }

  // The mean phases of several consecutive runs; `total` excludes the emptying of caches.
  template <class Once>
  Phases meanOf(int runs, const Once& once) {
    Phases mean;
    double emptying = 0;
    const Stopwatch watch;
    for (int i = 0; i < runs; ++i) {
      control_.check();
      const RunReport report = once(ring_.next());
      for (const auto phase : kMeasuredPhases) mean.*phase += report.phases.*phase / runs;
      emptying += report.emptying;
    }
    mean.total = (watch.seconds() - emptying) / runs;
    return mean;
  }
  Phases meanOfRuns(Contestant& contestant, int runs) {
    return meanOf(runs, [&](const BufferRing::Slot& slot) {
      return contestant.plan->run({slot.inputs, identity_}, slot.outputs, quiet_);
    });
  }
  // Runs the kernels over whole arrays, because run() cuts them to overlap copies.
  Phases meanApart(Contestant& contestant, int runs) {
    return meanOf(runs, [&](const BufferRing::Slot& slot) {
      return contestant.plan->runResident({slot.inputs, identity_}, specs_, pool_, quiet_).report;
    });
  }

  [[nodiscard]] std::size_t placeOf(const Contestant& contestant) const {
    return static_cast<std::size_t>(&contestant - contestants_.data());
  }

  // Takes samples until the observer accepts one.
  template <class Take>
  Phases kept(Contestant& contestant, int runs, bool apart, const Take& take) {
    while (true) {
      observer_.beforeRun(placeOf(contestant));
      const Stopwatch watch;
      const Phases mean = take();
      (apart ? contestant.spentApart : contestant.spent) += watch.seconds();
      if (observer_.keeps(placeOf(contestant), {charged(contestant, mean), mean, runs, apart})) {
        sampled_.push_back(&contestant);
        if (load_.sinceStart().known) noteLoad();
        return mean;
      }
      control_.check();
    }
  }

  // The system counts in ticks, so short samples of several rows are judged together.
  void noteLoad() {
    if (const OtherLoad load = load_.sinceStart(); load.disturbs())
      for (Contestant* const contestant : sampled_) {
        contestant->measurement.beside.add(load);
        observer_.disturbed(placeOf(*contestant));
      }
    sampled_.clear();
    load_.start();
  }

  void repeat(Contestant& contestant) {
    control_.check();
    const int runs = contestant.timedApart() ? 1 : contestant.batch;
    runOf(contestant, [&] {
      const bool counted = contestant.measurement.threads == 1 && contestant.engine->info().hasThreads();
      if (counted && !contestant.counters) contestant.counters = std::make_unique<PerfCounters>();
      const Phases mean = kept(contestant, runs, false, [&] {
        if (counted) contestant.counters->start(runs);
        const Phases one = meanOfRuns(contestant, runs);
        if (counted) contestant.counters->stop();
        return one;
      });
      contestant.elapsed += runs * mean.total;
      contestant.phases.push_back(mean);
      // Engines of the processor are charged with the whole run; devices with the time of their own clock, and
      // libraries with their own work without the conversions around it.
      if (!contestant.timedApart()) contestant.measurement.samples.push_back(charged(contestant, mean));
    });
  }

  // Read right after a run, before the clock of the idle engine falls.
  static void readClock(Contestant& contestant) {
    if (auto reading = contestant.engine->readClock()) contestant.clocks.push_back(std::move(*reading));
  }

  static double charged(const Contestant& contestant, const Phases& phases) {
    return contestant.engine->info().hasOwnClock() && phases.kernel > 0 ? phases.kernel : phases.total;
  }

  void repeatApart(Contestant& contestant) {
    control_.check();
    runOf(contestant, [&] {
      const Phases mean =
          kept(contestant, contestant.batch, true, [&] { return meanApart(contestant, contestant.batch); });
      contestant.elapsedApart += contestant.batch * mean.total;
      contestant.measurement.samples.push_back(charged(contestant, mean));
    });
  }

  void settle(Contestant& contestant) const {
    Measurement& m = contestant.measurement;
    if (!contestant.plan) {
      m.samples.clear();
      return;
    }
    const auto median = [&](double Phases::*phase) {
      std::vector<double> values;
      for (const Phases& one : contestant.phases) values.push_back(one.*phase);
      return medianOf(values);
    };
    for (const auto phase : kMeasuredPhases) m.phases.*phase = median(phase);
    m.phases.total = median(&Phases::total);
    const EngineInfo& info = contestant.engine->info();
    m.clock = rowClock(contestant.clocks);
    for (const Contestant& other : contestants_)
      if (m.clock && other.engine == contestant.engine && other.plan)
        for (const ClockReading& reading : other.clocks)
          m.clock->highest = std::max(m.clock->highest, reading.megahertz);
    m.stolen = stolen_;  // of all rows together, because they take turns
    if (contestant.counters) m.counters = contestant.counters->mean();
    if (info.hasThreads() && !contestant.counters)
      m.counters.unavailable = "they are read for one thread only (threads=1)";
    m.caches = info.isDevice() && options_.emptyCaches ? "emptied before the kernels"
               : info.isDevice() && identity_ != 0     ? "the device keeps the data"
               : info.isDevice()                       ? "uploaded before every run"
               : ring_.size() > 1                      ? "cold: " + std::to_string(ring_.size()) + " buffers in turn"
               : options_.emptyCaches                  ? "data larger than the last cache level"
                                                       : "warm: one buffer";
  }

  const EngineSet& engines_;
  const VariantTable& variants_;
  const Workload& workload_;
  const std::vector<ArraySpec> specs_;  // of the outputs
  const BenchOptions& options_;
  const Control& control_;
  const Control quiet_;  // without progress, which must not be called during timed runs
  BenchObserver& observer_;
  RowCeilings ceilings_;
  BufferRing ring_;
  const std::uint64_t identity_;  // of the input, for devices that keep it; 0: they copy it before every run
  VolumePool pool_;
  std::vector<Contestant> contestants_;
  OtherLoadWatch load_;
  std::vector<Contestant*> sampled_;  // whose samples were taken since load_ was started
  std::optional<double> stolen_;
};

}  // namespace

std::vector<Measurement> runBench(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                                  std::span<const ConstArrayView> inputs, const std::vector<BenchRow>& rows,
                                  const BenchOptions& options, const Control& control,
                                  const std::function<void(const Measurement&)>& finished, BenchObserver* observer) {
  BenchObserver ignoring;
  return Bench(engines, variants, workload, inputs, options, control, observer != nullptr ? *observer : ignoring)
      .run(rows, finished);
}

}  // namespace sscope
