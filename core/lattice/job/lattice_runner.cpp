#include "core/lattice/job/lattice_runner.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"

namespace sscope {

using lattice::GaugeField;

namespace {

// Intermediate pictures take at most a quarter of the time, and there are no more than a few per second.
constexpr double kPassingSeconds = 0.2;
constexpr double kPassingShare = 3;
// Every step of a small lattice is a point of the curve, every fifth of a large one.
constexpr std::int64_t kSmallSites = 8192;
constexpr int kSparseSteps = 5;
constexpr std::int64_t kKeptBytes = std::int64_t{256} << 20;

std::int64_t bytesOf(const std::list<std::shared_ptr<const LatticeField>>& fields) {
  std::int64_t bytes = 0;
  for (const auto& field : fields) bytes += field->volume->bytes();
  return bytes;
}

}  // namespace

LatticeRunner::LatticeRunner(lattice::ConfigurationIo& files, std::function<void(LatticeNews)> deliver)
    : files_(files),
      deliver_(std::move(deliver)),
      worker_([this](const LatticeTask& task, const Worker::Turn& turn) { execute(task, turn); },
              [](const LatticeTask& running, const LatticeTask& next) {
                const auto* now = std::get_if<ShowTask>(&running);
                const auto* then = std::get_if<ShowTask>(&next);
                return now != nullptr && then != nullptr && now->configuration == then->configuration;
              }) {}

void LatticeRunner::execute(const LatticeTask& task, const Worker::Turn& turn) {
  LatticeNews news{turn.number, CanceledNews{}};
  Control control;
  control.stop = turn.stop;
  control.progress = [&](double fraction, std::string_view stage) {
    deliver_({turn.number, ProgressNews{fraction, std::string(stage)}});
  };
  try {
    std::visit([&](const auto& asked) { run(asked, turn.number, control); }, task);
    return;
  } catch (const Canceled&) {
    if (!worker_.canceled()) return;
  } catch (const lattice::MissingExtents& error) {
    news.what = LatticeExtentsMissing{error.what()};
  } catch (const std::exception& error) {
    news.what = FailedNews{wordsOf(error)};
  }
  deliver_(std::move(news));
}

void LatticeRunner::run(const OpenTask& task, std::uint64_t number, const Control& control) {
  deliver_({number, LatticeOpened{std::make_shared<const lattice::Configuration>(
                        files_.read(task.path, {.extents = task.extents}, control))}});
}

void LatticeRunner::run(const GenerateTask& task, std::uint64_t number, const Control& control) {
  const auto afterSweep = [&](int sweep, const GaugeField& field) {
    deliver_({number, LatticeSwept{sweep, lattice::meanPlaquette(field, control)}});
  };
  GaugeField field = generateField(task.settings, control, afterSweep);
  deliver_({number, LatticeOpened{std::make_shared<const lattice::Configuration>(
                        describeGenerated(std::move(field), task.settings, control))}});
}

void LatticeRunner::reportPoint(int step, std::uint64_t number, const Control& control) {
  deliver_({number, trail_->point(step, control)});
}

void LatticeRunner::run(const ShowTask& task, std::uint64_t number, const Control& control) {
  if (configuration_ != task.configuration) {
    configuration_ = task.configuration;
    fields_.clear();
    // The links exist as long as their configuration.
    trail_.emplace(std::shared_ptr<const GaugeField>(configuration_, &configuration_->field));
  }
  // The curve begins with the original links.
  if (task.flowSteps > 0 && !trail_->knows(0)) reportPoint(0, number, control);
  const bool small = configuration_->field.lattice().volume() <= kSmallSites;
  Stopwatch sinceTold;
  double cost = 0;
  const auto watcher = [&](int step) {
    if (step == task.flowSteps || small || step % kSparseSteps == 0) reportPoint(step, number, control);
    if (step == task.flowSteps) return;
    if (worker_.superseded()) throw Canceled();
    if (sinceTold.seconds() < std::max(kPassingSeconds, kPassingShare * cost)) return;
    const Stopwatch computing;
    const auto field =
        std::make_shared<const LatticeField>(fieldOf(*trail_->field(step, control), task.observable, step, control));
    cost = computing.seconds();
    remember(field);
    deliver_({number, LatticeShown{field, true}});
    sinceTold.restart();
  };
  deliver_({number, LatticeShown{fieldAt(task, control, watcher)}});
  // The curve's point for fields that were stored already.
  if (!trail_->knows(task.flowSteps)) {
    Control quiet;
    quiet.stop = control.stop;
    static_cast<void>(trail_->at(task.flowSteps, quiet));
    reportPoint(task.flowSteps, number, quiet);
  }
}

std::shared_ptr<const LatticeField> LatticeRunner::fieldAt(const ShowTask& task, const Control& control,
                                                           const FlowTrail::Watcher& watcher) {
  for (const auto& field : fields_)
    if (field->observable == task.observable && field->flowSteps == task.flowSteps) return field;
  const std::shared_ptr<const GaugeField> links = trail_->at(task.flowSteps, control, watcher);
  auto field = std::make_shared<const LatticeField>(fieldOf(*links, task.observable, task.flowSteps, control));
  remember(field);
  return field;
}

void LatticeRunner::remember(std::shared_ptr<const LatticeField> field) {
  fields_.push_front(std::move(field));
  while (fields_.size() > 1 && bytesOf(fields_) > kKeptBytes) fields_.pop_back();
}

}  // namespace sscope
