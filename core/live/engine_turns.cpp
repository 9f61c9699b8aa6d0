#include "core/live/engine_turns.h"

#include <algorithm>
#include <utility>

#include "core/base/words.h"

namespace sscope {

EngineTurns::EngineTurns(const Contest& contest, Prepare prepare, QuietGate& gate, const Control& control,
                         std::function<void(TurnsUpdate)> tell)
    : prepare_(std::move(prepare)),
      gate_(gate),
      control_(control),
      quiet_{control.stop, {}},
      tell_(std::move(tell)),
      repetitions_(contest.repetitions) {
  for (const Contest::Contestant& contestant : contest.contestants) seats_.push_back({contestant, nullptr});
}

void EngineTurns::run() {
  for (Seat& seat : seats_)
    if (seat.contestant.samples < repetitions_) warmUp(seat);
  load_.start();
  int round = repetitions_;
  for (const Seat& seat : seats_) round = std::min(round, seat.contestant.samples);
  for (; round < repetitions_; ++round)
    for (Seat& seat : seats_)
      if (seat.prepared && seat.contestant.samples <= round) sample(seat);
  settle();
}

void EngineTurns::report(const Seat& seat, const std::string& doing) {
  double done = 0, all = 0;
  for (const Seat& each : seats_) {
    done += std::min(each.contestant.samples, repetitions_);
    all += repetitions_;
  }
  control_.report(all > 0 ? done / all : 1,
                  gate_.open() ? seat.contestant.engine + ", " + doing : "waiting until the 3D view is finished");
}

void EngineTurns::fail(Seat& seat, const std::string& why) {
  seat.prepared.reset();
  seat.contestant.samples = repetitions_;
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
    seat.prepared = prepare_(seat.contestant, quiet_);
    TurnsUpdate update;
    update.warmedUp = true;
    update.report = seat.prepared->run(quiet_);
    update.verification = seat.prepared->verify(quiet_);
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
  TurnsUpdate update;
  try {
    for (bool alone = false; !alone;) {
      report(seat, "run " + std::to_string(seat.contestant.samples + 1) + " of " + std::to_string(repetitions_));
      const std::uint64_t held = gate_.waitOpen(quiet_);
      update.report = seat.prepared->run(quiet_);
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
