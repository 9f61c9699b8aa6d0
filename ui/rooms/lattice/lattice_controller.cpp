#include "ui/rooms/lattice/lattice_controller.h"

#include <QFileInfo>
#include <QMetaObject>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/overloaded.h"
#include "core/base/paths.h"
#include "core/lattice/wilson_flow.h"
#include "ui/base/text.h"

namespace sscope {

QString observableTitle(const lattice::ObservableInfo& info) {
  using lattice::Observable;
  switch (info.observable) {
    case Observable::Plaquette: return LatticeController::tr("Plaquette action density");
    case Observable::Energy: return LatticeController::tr("Clover energy density");
    case Observable::Charge: return LatticeController::tr("Topological charge density");
    case Observable::Polyakov: return LatticeController::tr("Polyakov loop");
    case Observable::LinkTrace: return LatticeController::tr("Link trace");
  }
  return toQt(info.title);
}

LatticeController::LatticeController(const Toolbox& toolbox, QObject* parent)
    : QObject(parent), toolbox_(toolbox), bridge_([this](const LatticeNews& news) { receive(news); }) {
  runner_ = std::make_unique<LatticeRunner>(*toolbox.configurations, bridge_.entrance());
  connect(&saving_, &BackgroundTask::failed, this, &LatticeController::failed);
  connect(&slicing_, &BackgroundTask::failed, this, &LatticeController::failed);
}

void LatticeController::open(const QString& path, const std::optional<lattice::Extents>& extents, int flowSteps) {
  opening_ = {path, extents, {}, flowSteps};
  submit(OpenTask{fromQt(path), extents}, Activity::Opening);
}

void LatticeController::generate(const GenerateSettings& settings, int flowSteps) {
  opening_ = {{}, {}, settings, flowSteps};
  sweeps_.clear();
  Q_EMIT sweepsChanged();
  submit(GenerateTask{settings}, Activity::Generating);
}

void LatticeController::save(const QString& path) {
  if (!configuration_) return;
  lattice::ConfigurationWriteOptions options;
  options.provenance = configuration_->info.provenance;
  if (path.endsWith(QLatin1String(".lime")) || path.endsWith(QLatin1String(".ildg")))
    options.format = lattice::ConfigurationFormat::Ildg;
  saving_.queue([this, path, options, held = configuration_](const Control& control) -> BackgroundTask::Finish {
    checkTarget(fromQt(path));
    toolbox_.configurations->write(fromQt(path), held->field, options, control);
    return [this, path, held] {
      if (held == configuration_) from_ = {path, {}, {}, 0};
      Q_EMIT savedTo(path);
    };
  });
}

void LatticeController::close() {
  cancel();
  take(nullptr);
}

void LatticeController::choose(const std::string& key) {
  if (key == choice_) return;
  choice_ = key;
  Q_EMIT choiceChanged();
  show();
}

void LatticeController::setFlowSteps(int steps) {
  if (steps == flowSteps_) return;
  flowSteps_ = std::max(steps, 0);
  Q_EMIT choiceChanged();
  show();
}

void LatticeController::offer(std::vector<OfferedField> fields) {
  offered_ = std::move(fields);
  Q_EMIT offersChanged();
  const auto& observables = lattice::observables();
  if (std::any_of(observables.begin(), observables.end(), [&](const auto& o) { return o.name == choice_; })) return;
  if (std::any_of(offered_.begin(), offered_.end(), [&](const auto& o) { return o.key == choice_; })) {
    show();
  } else {
    choose(observables.front().name);
  }
}

void LatticeController::setPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    owed_ = activity_ == Activity::Showing;
    cancel();
  } else if (std::exchange(owed_, false)) {
    show();
  }
}

void LatticeController::show() {
  if (!configuration_ || activity_ == Activity::Opening || activity_ == Activity::Generating) return;
  if (paused_) {
    owed_ = true;
    return;
  }
  for (const OfferedField& each : offered_)
    if (each.key == choice_) {
      showOffered(each);
      return;
    }
  slicing_.cancel();
  submit(ShowTask{configuration_, lattice::observableNamed(choice_), flowSteps_}, Activity::Showing);
}

void LatticeController::showOffered(const OfferedField& offered) {
  if (activity_ == Activity::Showing) {
    runner_->cancel();
    firstWanted_ = request_ + 1;
    end();
  }
  slicing_.start([this, offered, held = configuration_](const Control&) -> BackgroundTask::Finish {
    auto field = std::make_shared<ShownField>();
    field->key = offered.key;
    field->title = offered.title;
    field->stem = toQt(offered.key);
    field->decades = true;
    field->volume = slicesOf(held->field.lattice(), *offered.values);
    for (const double value : *offered.values) field->sum += value;
    field->mean = field->sum / static_cast<double>(offered.values->size());
    return [this, field] {
      field_ = field;
      Q_EMIT fieldChanged();
    };
  });
}

void LatticeController::submit(LatticeTask task, Activity activity) {
  const bool superseded = activity_ != Activity::None && activity_ != activity;
  if (superseded) firstWanted_ = request_ + 1;
  activity_ = activity;
  request_ = runner_->submit(std::move(task));
  Q_EMIT started();
}

void LatticeController::cancel() {
  if (activity_ == Activity::None) return;
  const bool showing = activity_ == Activity::Showing;
  runner_->cancel();
  firstWanted_ = request_ + 1;
  activity_ = Activity::None;
  if (showing && field_ && !field_->loop && flowSteps_ != field_->flowSteps && field_->key == choice_) {
    flowSteps_ = field_->flowSteps;
    Q_EMIT choiceChanged();
  }
  Q_EMIT ended();
  Q_EMIT canceled();
  if (!showing) resume();
}

void LatticeController::end() {
  activity_ = Activity::None;
  Q_EMIT ended();
}

void LatticeController::receive(const LatticeNews& news) {
  if (news.request < firstWanted_) return;
  const bool newest = news.request == request_;
  std::visit(Overloaded{
                 [&](const LatticeOpened& opened) {
                   if (newest) take(opened.configuration);
                 },
                 [&](const LatticeSwept& swept) {
                   if (!newest) return;
                   sweeps_.push_back(swept.plaquette);
                   Q_EMIT sweepsChanged();
                 },
                 [this](const FlowPoint& point) {
                   curve_[point.step] = point;
                   Q_EMIT curveChanged();
                 },
                 [&](const LatticeShown& shown) {
                   takeField(*shown.field);
                   if (newest && !shown.passing) end();
                 },
                 [&](const ProgressNews& progress) {
                   if (newest && busy()) Q_EMIT progressed(progress.fraction, toQt(progress.message));
                 },
                 [&](const LatticeExtentsMissing& missing) {
                   if (newest) fail([&] { Q_EMIT extentsMissing(opening_.path, toQt(missing.message)); });
                 },
                 [&](const FailedNews& failure) {
                   if (newest) fail([&] { Q_EMIT failed(toQt(failure.message)); });
                 },
                 [](const CanceledNews&) {},
             },
             news.what);
}

void LatticeController::fail(const std::function<void()>& tell) {
  const bool showing = activity_ == Activity::Showing;
  end();
  tell();
  if (!showing) resume();
}

// What was asked for before something else was opened that did not come to be.
void LatticeController::resume() {
  if (configuration_ && (!field_ || field_->key != choice_ || field_->flowSteps != flowSteps_)) show();
}

// What belongs to the configuration before is forgotten.
void LatticeController::take(std::shared_ptr<const lattice::Configuration> configuration) {
  configuration_ = std::move(configuration);
  from_ = configuration_ ? opening_ : Origin();
  activity_ = Activity::None;
  field_.reset();
  curve_.clear();
  flowSteps_ = from_.flowSteps;
  if (saved()) sweeps_.clear();
  if (!offered_.empty()) offer({});
  Q_EMIT configurationChanged();
  Q_EMIT choiceChanged();
  Q_EMIT fieldChanged();
  Q_EMIT curveChanged();
  Q_EMIT sweepsChanged();
  if (saved()) Q_EMIT opened(from_.path);
  Q_EMIT ended();
  show();
}

void LatticeController::takeField(const LatticeField& field) {
  auto shown = std::make_shared<ShownField>();
  for (const lattice::ObservableInfo& info : lattice::observables())
    if (info.observable == field.observable) {
      shown->key = info.name;
      shown->title = observableTitle(info);
    }
  if (shown->key != choice_) return;
  shown->stem = toQt(shown->key);
  if (field.flowSteps > 0)
    shown->stem += QStringLiteral("-flow%1").arg(field.flowSteps * lattice::kFlowStep, 0, 'f', 2);
  shown->volume = field.volume;
  shown->loop = field.observable == lattice::Observable::Polyakov;
  shown->flowSteps = field.flowSteps;
  shown->mean = field.mean;
  shown->sum = field.sum;
  field_ = std::move(shown);
  Q_EMIT fieldChanged();
}

QString LatticeController::name() const {
  if (!configuration_) return {};
  if (saved()) return QFileInfo(from_.path).fileName();
  return tr("generated %1").arg(toQt(configuration_->field.lattice().text()));
}

}  // namespace sscope

#include "moc_lattice_controller.cpp"
