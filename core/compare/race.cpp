#include "core/compare/race.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/compare/whole_result.h"
#include "core/engine/run_report.h"
#include "core/measure/ceilings.h"
#include "core/measure/judged_parts.h"
#include "core/measure/verify.h"
#include "core/parts/partition.h"

namespace sscope::compare {

namespace {

// Identities of inputs that no other code uses (Inputs::identity).
std::uint64_t nextIdentity() {
  static std::atomic<std::uint64_t> identity{std::uint64_t{3} << 60};
  return ++identity;
}

// Of the quiet repetitions: keeps what runBench() does not return, waits for the gate, and drops samples that were not
// quiet.
class QuietObserver final : public BenchObserver {
 public:
  QuietObserver(std::vector<Lane>& lanes, const std::vector<BenchRow>& contenders, std::vector<std::size_t> places,
                QuietGate& gate, const EmitRace& emit, const Control& control)
      : lanes_(lanes),
        contenders_(contenders),
        places_(std::move(places)),
        gate_(gate),
        emit_(emit),
        quiet_{control.stop, {}},
        counts_(lanes.size(), {0, 0}) {}

  void checked(std::size_t row, const RunReport& report, const Verification& verification) override {
    const std::size_t lane = places_[row];
    std::string& why = lanes_[lane].why;
    if (why.empty())
      why = report.why.empty() && contenders_[lane].variant.empty() ? "the engine's first, as none was named"
                                                                    : report.why;
    emit_(LaneVerified{lane, verification, false, report});
  }
  void timing(bool begins) override { emit_(QuietPhase{begins}); }
  void beforeRun(std::size_t /*row*/) override { held_ = gate_.waitOpen(quiet_); }
  bool keeps(std::size_t row, const BenchSample& sample) override {
    const std::size_t lane = places_[row];
    if (!gate_.openSince(held_)) {
      ++lanes_[lane].marks.repeated;
      return false;
    }
    if (!sample.apart) lanes_[lane].totals.push_back(sample.phases.total);
    ++lanes_[lane].marks.kept;
    emit_(Repetition{lane, ++counts_[lane][sample.apart ? 1 : 0], sample});
    return true;
  }
  void disturbed(std::size_t row) override { emit_(RepetitionDisturbed{places_[row]}); }

 private:
  std::vector<Lane>& lanes_;
  const std::vector<BenchRow>& contenders_;  // of the lanes
  std::vector<std::size_t> places_;          // the lane of each row of runBench()
  QuietGate& gate_;
  const EmitRace& emit_;
  const Control quiet_;
  std::uint64_t held_ = 0;
  std::vector<std::array<std::size_t, 2>> counts_;
};

// First results are shown and not quoted: less time is spent on comparing them than on quoted ones.
constexpr double kFirstBudget = 0.25;

// The planes that a slab of one plane reads beyond itself.
std::int64_t haloOf(const Workload& workload, const Box& whole, std::size_t axis) {
  Box middle = whole;
  middle.begin[axis] = whole.size(static_cast<int>(axis)) / 2;
  middle.end[axis] = middle.begin[axis] + 1;
  return std::max<std::int64_t>(0, workload.reach(middle).size(static_cast<int>(axis)) - 1);
}

std::int64_t bytesOf(const std::vector<PlanBuffer>& buffers) {
  std::int64_t sum = 0;
  for (const PlanBuffer& one : buffers) sum += one.bytes;
  return sum;
}

Box wholeOf(const ArraySpec& spec) { return {{0, 0, 0}, {spec.extent[0], spec.extent[1], spec.extent[2]}}; }

class Race {
 public:
  Race(const RaceTrack& track, const RaceWish& wish, const EmitRace& emit, const Control& control)
      : track_(track),
        wish_(wish),
        emit_(emit ? emit : [](const RaceEvent&) {}),
        control_(control),
        lanes_(wish.contenders.size()) {
    if (!wish.workload || !wish.input) throw Error(ErrorKind::Usage, "there is nothing to compare", "open some data");
    if (wish.workload->inputs().size() != 1)
      throw Error(ErrorKind::Usage, "a workload of several inputs cannot be compared yet", "choose another one");
    if (wish.workload->inputs().front() != wish.input->spec())
      throw Error(ErrorKind::Usage, "the data do not fit what is to be computed", "open others");
    if (wish.contenders.empty()) throw Error(ErrorKind::Usage, "there is no engine to compare", "choose some");
  }

  std::vector<Lane> run() {
    const double share = wish_.how.firstResults ? 0.3 : 0;
    if (wish_.how.firstResults) firstResults(control_.part(0, share));
    quoted(control_.part(share, 1));
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) emit_(LaneEnded{lane, lanes_[lane]});
    return std::move(lanes_);
  }

 private:
  void firstResults(const Control& control) {
    const std::vector<Box> slabs = slabsOf(*wish_.workload, wish_.how.slabs);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const auto all = static_cast<double>(lanes_.size());
      const double begin = static_cast<double>(lane) / all, end = static_cast<double>(lane + 1) / all;
      const BenchRow& contender = wish_.contenders[lane];
      control.check();
      control.report(begin, contender.engine + ", first result");
      const EngineInfo* info = track_.engines.find(contender.engine);
      if (info == nullptr || !info->available()) continue;  // the quiet repetitions report why
      try {
        // A variant that only moves the data has no result.
        if (!track_.variants.at(wish_.workload->name(), *info, contender.variant).twinOf.empty()) continue;
        firstOf(lane, slabs, control.part(begin, end));
      } catch (const Canceled&) {
        throw;
      } catch (const Error& error) {
        // The quiet repetitions report what cannot run here; what broke down must not be quoted.
        if (error.kind() == ErrorKind::Device) fail(lane, error.what());
      } catch (const std::exception& error) {
        fail(lane, wordsOf(error));
      }
    }
  }

  // A first result on its way.
  struct FirstRun {
    Engine& engine;
    const BenchRow& contender;
    std::vector<Volume>& outputs;
    std::uint64_t identity;  // of the input
    PrepareOptions how;
    FirstResult result;
  };

  // Computes the slabs in order into outputs that are poisoned first, and verifies the whole.
  void firstOf(std::size_t lane, const std::vector<Box>& slabs, const Control& control) {
    const BenchRow& contender = wish_.contenders[lane];
    Engine& engine = track_.engines.at(contender.engine);
    const auto outputs = std::make_shared<std::vector<Volume>>(poisonedOutputs(*wish_.workload));
    const Control quiet{control.stop, {}};
    bool writtenOut = false;
    emit_(LaneStarted{lane});
    FirstRun run{engine, contender, *outputs, nextIdentity(), {}, {}};
    run.how = {wish_.how.threads, 0, contender.values, storedCeilings(engine.info(), wish_.how.threads)};
    run.how.trace = std::make_shared<RunTrace>();  // whose clock starts here
    FirstResult& result = run.result;
    for (const Box& box : slabs) {
      const std::unique_ptr<Workload> part = slabs.size() > 1 ? wish_.workload->restrictedTo(box) : nullptr;
      const RunReport report = runSlab(run, part ? *part : *wish_.workload, box, quiet);
      writtenOut = writtenOut || report.writtenOut;
      emit_(SlabFinished{lane, result.slabs.back(), outputs});
      control.report(static_cast<double>(result.slabs.size()) / static_cast<double>(slabs.size()),
                     contender.engine + ", first result");
    }
    result.phases.total = result.seconds;
    result.memory.input = wish_.workload->inputs().front().bytes();
    for (const Volume& output : *outputs) result.memory.outputs += output.bytes();
    result.memory.device = engine.heldMemory();
    emit_(FirstDone{lane, result});
    VerifyOptions verifying;
    verifying.fullBudgetSeconds = kFirstBudget;
    verifying.writtenOut = writtenOut;
    const ConstArrayView input = std::as_const(*wish_.input).view();
    std::vector<ConstArrayView> views;
    for (const Volume& output : *outputs) views.push_back(output.view());
    const Variant& variant = track_.variants.at(wish_.workload->name(), engine.info(), contender.variant);
    result.verification = verify(variant, *wish_.workload, {&input, 1}, views, verifying, quiet);
    emit_(LaneVerified{lane, result.verification, true, {}});
    lanes_[lane].first = std::move(result);
  }

  // One slab of a first result, from preparing its plan to its last voxel.
  RunReport runSlab(FirstRun& run, const Workload& workload, const Box& box, const Control& control) {
    const RunTrace& clock = *run.how.trace;
    FirstResult& result = run.result;
    SlabTime time{box, clock.now(), 0, {}};
    const std::unique_ptr<Plan> plan =
        track_.variants.prepare(run.engine, workload, run.contender.variant, run.how, control);
    const double prepared = clock.now() - time.begin;
    std::vector<ArrayView> views;
    for (Volume& output : run.outputs) views.push_back(viewOfBox(output.view(), box));
    const ConstArrayView input = std::as_const(*wish_.input).view();
    RunReport report = plan->run({{&input, 1}, run.identity}, views, control);
    control.check();
    time.phases = report.phases;
    time.phases.compile = std::max(prepared, report.phases.compile);
    time.end = clock.now();
    time.spans = run.how.trace->take();
    result.phases += time.phases;
    result.seconds = time.end;
    if (result.plan.empty()) result.plan = plan->description();
    result.scratchBytes = std::max(result.scratchBytes, plan->scratchBytes());
    if (std::vector<PlanBuffer> buffers = plan->buffers(); bytesOf(buffers) > bytesOf(result.buffers))
      result.buffers = std::move(buffers);
    result.slabs.push_back(std::move(time));
    return report;
  }

  void fail(std::size_t lane, const std::string& why) {
    Measurement& m = lanes_[lane].measurement;
    m = describe(*wish_.workload, wish_.contenders[lane].engine, wish_.contenders[lane].variant);
    if (const EngineInfo* info = track_.engines.find(m.engine)) {
      m.engineName = info->name;
      m.engineKind = info->kind;
    }
    m.failed = why;
  }

  // Not with a wrong first result, as a row of a benchmark with a wrong output is not timed.
  [[nodiscard]] bool takesPart(std::size_t lane) {
    Lane& each = lanes_[lane];
    if (!each.measurement.failed.empty()) return false;
    if (!each.first || each.first->verification.verified) return true;
    const Verification& found = each.first->verification;
    if (track_.engines.at(wish_.contenders[lane].engine).info().isPeer())
      return true;  // runBench() has wider bounds for it
    fail(lane, judgmentText("the first result", found));
    each.measurement.verification = found;
    return false;
  }

  void quoted(const Control& control) {
    std::vector<BenchRow> rows;
    std::vector<std::size_t> places;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      if (takesPart(lane)) {
        rows.push_back(wish_.contenders[lane]);
        places.push_back(lane);
      }
    const ConstArrayView input = std::as_const(*wish_.input).view();
    QuietObserver observer(lanes_, wish_.contenders, places, track_.gate, emit_, control);
    std::vector<Measurement> results = runBench(track_.engines, track_.variants, *wish_.workload, {&input, 1}, rows,
                                                wish_.how, control, {}, &observer);
    for (std::size_t i = 0; i < results.size(); ++i) {
      Lane& lane = lanes_[places[i]];
      lane.measurement = std::move(results[i]);
      const SamplesBeside& beside = lane.measurement.beside;
      lane.marks.beside = beside.count;
      lane.marks.otherCores = beside.otherCores;
      lane.marks.stolenCores = beside.stolenCores;
      if (!lane.measurement.hasFigures()) lane.totals.clear();
    }
  }

  const RaceTrack& track_;
  const RaceWish& wish_;
  const EmitRace emit_;
  const Control& control_;
  std::vector<Lane> lanes_;
};

}  // namespace

RaceOptions shortRace(int repetitions, std::uint64_t inputIdentity, int threads) {
  RaceOptions how;
  how.repetitions = how.leastRepetitions = repetitions;
  how.seconds = how.batchSeconds = 0;
  how.threads = threads;
  how.firstResults = how.emptyCaches = how.measureCeilings = how.checkLast = false;
  how.timeUndecided = true;
  how.inputIdentity = inputIdentity;
  return how;
}

std::vector<Lane> executeRace(const RaceTrack& track, const RaceWish& wish, const EmitRace& emit,
                              const Control& control) {
  return Race(track, wish, emit, control).run();
}

std::vector<Box> slabsOf(const Workload& workload, int most) {
  const std::vector<ArraySpec> outputs = workload.outputs();
  const Box whole = wholeOf(outputs.front());
  const bool alike = std::ranges::all_of(outputs, [&](const ArraySpec& spec) { return wholeOf(spec) == whole; });
  const std::size_t axis = reach::slowestAxis(outputs.front().extent);
  const std::int64_t planes = whole.size(static_cast<int>(axis));
  Box one = whole;
  one.end[axis] = 1;
  if (!alike || most < 2 || planes < 2 || workload.restrictedTo(one) == nullptr) return {whole};
  const std::int64_t thinnest = std::max<std::int64_t>(1, 2 * haloOf(workload, whole, axis));
  const std::int64_t count = std::clamp<std::int64_t>(planes / thinnest, 1, most);
  if (count == 1) return {whole};
  std::vector<Box> slabs;
  for (const Range& part : reach::evenly(planes, count))
    slabs.push_back(reach::slab(outputs.front().extent, axis, part));
  return slabs;
}

}  // namespace sscope::compare
