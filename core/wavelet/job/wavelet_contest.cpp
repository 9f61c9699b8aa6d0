// The Wavelet room's transform on several engines in turns.

#include <utility>

#include "core/wavelet/job/wavelet_state.h"

namespace sscope {

class WaveletPipeline::State::Timed : public TimedRun {
 public:
  // `room`: the output; made by the first that needs it.
  Timed(Prepared prepared, std::shared_ptr<const Volume> samples, std::shared_ptr<Volume>& room)
      : prepared_(std::move(prepared)), samples_(std::move(samples)) {
    if (!room) room = roomFor(prepared_, *samples_);
    poison(room->view());  // what another engine left there proves nothing
    output_ = room;
  }
  RunReport run(const Control& control) override { return executeInto(*output_, prepared_, *samples_, control); }
  Verification verify(const Control& control) override { return verified(prepared_, *samples_, *output_, control); }

 private:
  Prepared prepared_;
  std::shared_ptr<const Volume> samples_;
  std::shared_ptr<Volume> output_;
};

EngineTurns::Prepare WaveletPipeline::preparing(const WaveletJob& job, const Control& control) {
  State& s = *state_;
  s.adopt(job, control);
  const bool filter = magic(job);
  return [&s, job, direction = filter ? job.settings.direction : std::string("forward"),
          levels = filter ? 0 : s.layout().levels, samples = s.samples,
          room = std::make_shared<std::shared_ptr<Volume>>()](const Contest::Contestant& contestant,
                                                              const Control& stop) -> std::unique_ptr<TimedRun> {
    WaveletJob own = job;
    own.engine = contestant.engine;
    own.settings.variant = contestant.variant;
    return std::make_unique<State::Timed>(s.prepare(own, direction, levels, samples->spec(), stop), samples, *room);
  };
}

}  // namespace sscope
