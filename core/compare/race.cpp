#include "core/compare/race.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"
#include "core/base/memory.h"
#include "core/compare/first_result.h"
#include "core/measure/judged_parts.h"

namespace sscope::compare {

namespace {

// Identities of inputs that nobody else gives (Inputs::identity).
std::uint64_t nextIdentity() {
  static std::atomic<std::uint64_t> identity{std::uint64_t{3} << 60};
  return ++identity;
}

// The quiet repetitions: keeps what the bench does not, waits for the gate, and watches what else runs.
class Onlooker final : public BenchObserver {
 public:
  Onlooker(std::vector<Lane>& lanes, const std::vector<BenchRow>& contenders, std::vector<std::size_t> places,
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
  std::vector<std::size_t> places_;          // of the bench's rows among the lanes
  QuietGate& gate_;
  const EmitRace& emit_;
  const Control quiet_;
  std::uint64_t held_ = 0;
  std::vector<std::array<std::size_t, 2>> counts_;
};

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
      if (info == nullptr || !info->available()) continue;  // the bench says why
      try {
        // What only moves the data has no result.
        if (!track_.variants.at(wish_.workload->name(), *info, contender.variant).twinOf.empty()) continue;
        firstOf(lane, slabs, control.part(begin, end));
      } catch (const Canceled&) {
        throw;
      } catch (const Error& error) {
        // What cannot run here is told by the bench in its words; what broke down must not be quoted.
        if (error.kind() == ErrorKind::Device) fail(lane, error.what());
      } catch (const std::exception& error) {
        fail(lane, wordsOf(error));
      }
    }
  }

  void firstOf(std::size_t lane, const std::vector<Box>& slabs, const Control& control) {
    auto outputs = std::make_shared<std::vector<Volume>>();
    std::int64_t bytes = 0;
    for (const ArraySpec& spec : wish_.workload->outputs()) bytes += spec.bytes();
    requireMemory(bytes);
    for (const ArraySpec& spec : wish_.workload->outputs())
      outputs->emplace_back(
          VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type);
    const FirstRun run{track_.engines, track_.variants,  *wish_.workload, std::as_const(*wish_.input).view(),
                       nextIdentity(), wish_.how.threads};
    std::size_t done = 0;
    emit_(LaneStarted{lane});
    const auto finished = [&](const SlabTime& time) {
      emit_(SlabFinished{lane, time, outputs});
      control.report(static_cast<double>(++done) / static_cast<double>(slabs.size()),
                     wish_.contenders[lane].engine + ", first result");
    };
    const auto computed = [&](const FirstResult& result) { emit_(FirstDone{lane, result}); };
    const Control quiet{control.stop, {}};
    FirstResult result = firstResult(run, wish_.contenders[lane], slabs, *outputs, finished, computed, quiet);
    emit_(LaneVerified{lane, result.verification, true});
    lanes_[lane].first = std::move(result);
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

  // A first result that is wrong leaves the race, as a row of a benchmark does.
  [[nodiscard]] bool takesPart(std::size_t lane) {
    Lane& each = lanes_[lane];
    if (!each.measurement.failed.empty()) return false;
    if (!each.first || each.first->verification.verified) return true;
    const Verification& found = each.first->verification;
    if (track_.engines.at(wish_.contenders[lane].engine).info().isPeer()) return true;  // judged by the bench's bounds
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
    Onlooker onlooker(lanes_, wish_.contenders, places, track_.gate, emit_, control);
    std::vector<Measurement> results = runBench(track_.engines, track_.variants, *wish_.workload, {&input, 1}, rows,
                                                wish_.how, control, {}, &onlooker);
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

}  // namespace sscope::compare
