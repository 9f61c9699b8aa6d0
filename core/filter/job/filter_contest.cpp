#include "core/filter/job/filter_contest.h"

#include <utility>

#include "core/base/error.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/program/data_unit.h"
#include "core/measure/ceilings.h"

namespace sscope {

namespace {

class TimedFilter : public TimedRun {
 public:
  // `room`: the outputs; made by the first that needs them.
  TimedFilter(const EngineSet& engines, const VariantTable& variants, FilterJob job, const Volume& input,
              std::shared_ptr<FilterResult> room, const Control& control)
      : job_(std::move(job)),
        input_(input),
        prepared_(engines, variants, job_, input, control),
        room_(std::move(room)) {
    if (room_->outputs.empty()) *room_ = prepared_.makeRoom();
    for (Volume& output : room_->outputs) poison(output.view());  // what another engine left there proves nothing
  }
  RunReport run(const Control& control) override {
    prepared_.run(*room_, control);
    return room_->report;
  }
  Verification verify(const Control& control) override { return verifyFilter(job_, input_, *room_, {}, control); }

 private:
  FilterJob job_;
  const Volume& input_;
  PreparedFilter prepared_;
  std::shared_ptr<FilterResult> room_;
};

}  // namespace

EngineTurns::Prepare preparing(const EngineSet& engines, const VariantTable& variants, const FilterContest& contest) {
  if (!contest.input) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
  FilterJob job;
  job.bank = fittingBank(contest.bank, *contest.input).bank;
  job.bank.unit = dataUnitOf(job.bank, *contest.input, {});
  job.threads = contest.threads;
  job.inputIdentity = contest.inputIdentity;
  return [&engines, &variants, &contest, job, room = std::make_shared<FilterResult>()](
             const Contest::Contestant& contestant, const Control& control) -> std::unique_ptr<TimedRun> {
    FilterJob own = job;
    own.engine = contestant.engine;
    own.variant = contestant.variant;
    own.ceilings = storedCeilings(engines.at(own.engine).info(), own.threads);
    return std::make_unique<TimedFilter>(engines, variants, std::move(own), *contest.input, room, control);
  };
}

}  // namespace sscope
