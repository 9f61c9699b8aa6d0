#include "core/filter/job/engine_turns.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"
#include "core/filter/job/fitting_bank.h"

namespace sscope {

EngineTurns::EngineTurns(const EngineSet& engines, const VariantTable& variants, const TurnsRequest& request,
                         QuietGate& gate, const Control& control, std::function<void(TurnsUpdate)> tell)
    : engines_(engines),
      variants_(variants),
      request_(request),
      gate_(gate),
      control_(control),
      quiet_{control.stop, {}},
      tell_(std::move(tell)) {
  for (const TurnsRequest::Contestant& contestant : request.contestants) {
    Seat& seat = seats_.emplace_back();
    seat.contestant = contestant;
    seat.job.engine = contestant.engine;
    seat.job.variant = contestant.variant;
    seat.job.threads = request.threads;
    seat.job.inputIdentity = request.inputIdentity;
  }
}

void EngineTurns::run() {
  if (!request_.input) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
  const FittingBank fitting = fittingBank(request_.bank, *request_.input);
  for (Seat& seat : seats_) {
    seat.job.bank = fitting.bank;
    if (seat.contestant.samples < request_.repetitions) warmUp(seat);
  }
  load_.start();
  int round = request_.repetitions;
  for (const Seat& seat : seats_) round = std::min(round, seat.contestant.samples);
  for (; round < request_.repetitions; ++round)
    for (Seat& seat : seats_)
      if (seat.prepared && seat.contestant.samples <= round) sample(seat);
  settle();
}

void EngineTurns::report(const Seat& seat, const std::string& doing) {
  double done = 0, all = 0;
  for (const Seat& each : seats_) {
    done += std::min(each.contestant.samples, request_.repetitions);
    all += request_.repetitions;
  }
  control_.report(all > 0 ? done / all : 1,
                  gate_.open() ? seat.contestant.engine + ", " + doing : "waiting until the 3D view is finished");
}

void EngineTurns::fail(Seat& seat, const std::string& why) {
  seat.prepared.reset();
  seat.contestant.samples = request_.repetitions;
  TurnsUpdate update;
  update.report.engine = seat.contestant.engine;
  update.failure = why;
  tell_(std::move(update));
}

// Takes what is paid once: compiling, copying the data to the device, touching the outputs' memory for the first time.
void EngineTurns::warmUp(Seat& seat) {
  report(seat, "warming up");
  static_cast<void>(gate_.waitOpen(quiet_));
  report(seat, "warming up");
  try {
    seat.prepared.emplace(engines_, variants_, seat.job, *request_.input, quiet_);
    if (room_.outputs.empty()) room_ = seat.prepared->makeRoom();
    for (Volume& output : room_.outputs) poison(output.view());  // what another engine left there proves nothing
    seat.prepared->run(room_, quiet_);
    TurnsUpdate update;
    update.warmedUp = true;
    update.report = room_.report;
    update.verification = verifyFilter(seat.job, *request_.input, room_, {}, quiet_);
    control_.check();
    tell_(std::move(update));
  } catch (const Canceled&) {
    throw;
  } catch (const std::exception& error) {
    fail(seat, wordsOf(error));
  }
}

// A sample beside work of the program itself is thrown away and taken again.
void EngineTurns::sample(Seat& seat) {
  try {
    for (bool alone = false; !alone;) {
      report(seat,
             "run " + std::to_string(seat.contestant.samples + 1) + " of " + std::to_string(request_.repetitions));
      const std::uint64_t held = gate_.waitOpen(quiet_);
      seat.prepared->run(room_, quiet_);
      control_.check();
      alone = gate_.openSince(held);
    }
  } catch (const Canceled&) {
    throw;
  } catch (const std::exception& error) {
    fail(seat, wordsOf(error));
    return;
  }
  ++seat.contestant.samples;
  TurnsUpdate update;
  update.report = room_.report;
  waiting_.push_back(std::move(update));
  if (load_.sinceStart().known) settle();
}

void EngineTurns::settle() {
  const bool disturbed = load_.sinceStart().disturbs();
  for (TurnsUpdate& update : waiting_) {
    update.disturbed = disturbed;
    tell_(std::move(update));
  }
  waiting_.clear();
  load_.start();
}

}  // namespace sscope
