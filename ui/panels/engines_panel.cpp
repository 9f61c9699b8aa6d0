#include "ui/panels/engines_panel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/engine/joined_engine.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/panels/engine_parts.h"

namespace sscope {

namespace {

constexpr int kBusyIntervalMilliseconds = 500;
const QString kComparedKey = QStringLiteral("comparedEngines");

// Plain text would not wrap.
QString wrapped(const QString& tip) { return QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped()); }

std::vector<std::string> savedCompared() {
  std::vector<std::string> ids;
  for (const QString& id : QSettings().value(kComparedKey).toStringList()) ids.push_back(fromQt(id));
  return ids;
}

}  // namespace

EnginesPanel::EnginesPanel(const Toolbox& toolbox, SessionModel& model, LiveController& live, EngineFigures& figures,
                           std::function<std::vector<double>()> busy, QWidget* parent)
    : QWidget(parent), toolbox_(toolbox), model_(model), live_(live), figures_(figures) {
  list_ = new EngineList(toolbox.engines->infos(), this);
  for (const std::string& id : offeredJoins(*toolbox.engines)) list_->addEngine(toolbox.engines->at(id).info());
  waitHeading_ = headingLabel(tr("From the slider to the pixels"), this);
  wait_ = named(new WaitChart(this), "waitChart");
  time_ = named(new TimeChart(this), "timeChart", tr("Time per run of each engine"));
  throughput_ = new ThroughputChart(this);
  throughput_->setAccessibleName(tr("Throughput of each engine against its measured ceiling"));
  busyMeter_ = new BusyMeter(this);
  busyMeter_->setAccessibleName(tr("Busy share of each processor core"));
  notice_ = new Notice(tr("Message about the engines"), this);

  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.4);
  column->setContentsMargins(gap, 0, gap, gap);
  column->setSpacing(gap);
  column->addWidget(list_);
  column->addWidget(buildRace());
  column->addWidget(buildChoice());
  column->addWidget(waitHeading_);
  column->addWidget(wait_);
  column->addWidget(buildTimeHeading());
  column->addWidget(time_);
  column->addWidget(headingLabel(tr("Throughput and ceiling"), this));
  column->addWidget(throughput_);
  column->addWidget(buildMeasure());
  column->addWidget(headingLabel(tr("Processor busy"), this));
  column->addWidget(busyMeter_);
  column->addStretch(1);

  connect(list_, &EngineList::chosen, this, &EnginesPanel::chooseEngine);
  connect(list_, &EngineList::comparedChanged, this, [this] {
    QStringList ids;
    for (const std::string& id : list_->compared()) ids << toQt(id);
    QSettings().setValue(kComparedKey, ids);
    live_.setCompare(list_->compared());
    Q_EMIT comparedChanged();
  });
  const auto clicked = [this](const QString& id) { chooseEngine(fromQt(id)); };
  connect(time_, &EngineChart::engineClicked, this, clicked);
  connect(throughput_, &EngineChart::engineClicked, this, clicked);
  connect(&model_, &SessionModel::engineChoiceChanged, this, &EnginesPanel::refreshChoice);
  connect(&figures_, &EngineFigures::changed, this, &EnginesPanel::refreshCharts);
  connect(&figures_, &EngineFigures::changed, this, &EnginesPanel::refreshPredictions);
  connect(&figures_, &EngineFigures::variantsChanged, this, &EnginesPanel::refreshPredictions);
  list_->setCompared(savedCompared());
  live_.setCompare(list_->compared());

  static_cast<void>(busy());  // the first reading only starts the counters
  busyTimer_.setInterval(kBusyIntervalMilliseconds);
  connect(&busyTimer_, &QTimer::timeout, this, [this, busy = std::move(busy)] {
    busyMeter_->setBusy(busy());
    refreshPlace();  // no signal reports that results move or memory changes
  });
  connect(&figures_.waits(), &WaitClock::waited, this, &EnginesPanel::refreshWait);
  connect(&live_, &LiveController::wholeReady, this, &EnginesPanel::refreshPlace);
  connect(&live_, &LiveController::nothingToRun, this, &EnginesPanel::refreshPlace);
  busyTimer_.start();
  refreshChoice();
  refreshPlace();
  refreshWait();
  refreshCharts();
}

QWidget* EnginesPanel::buildChoice() {
  auto* box = new QWidget(this);
  auto* form = choice_ = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->setSpacing(em(this, 0.3));
  variant_ = narrowList(box, "variant", tr("Variant"), 8);
  threads_ = named(new QSpinBox(box), "threads", tr("Threads of CPU engines"));
  threads_->setRange(0, 4096);
  threads_->setSpecialValueText(tr("all"));
  threads_->setToolTip(tr("Threads of CPU engines; “all” uses every core"));
  threads_->setKeyboardTracking(false);
  form->addRow(tr("Variant"), variant_);
  prediction_ = named(new ElidedLabel(box), "prediction", tr("The last run compared with its prediction"));
  form->addRow(tr("Kernel"), prediction_);
  form->addRow(tr("Threads"), threads_);
  shares_ = named(new ShareLanes(box), "shareLanes");
  form->addRow(tr("Shares"), shares_);
  place_ = named(new ElidedLabel(box), "resultPlace", tr("Where the result is stored"));
  form->addRow(tr("Result"), place_);
  memory_ = named(new ElidedLabel(box), "heldMemory", tr("Memory in use where the result is stored"));
  form->addRow(tr("Memory"), memory_);
  connect(variant_, &QComboBox::activated, this, [this](int index) {
    EngineChoice choice = model_.engineChoice();
    choice.variant = index == 0 ? std::string() : fromQt(variant_->itemData(index).toString());
    model_.editEngineChoice(choice, tr("Change the variant"));
  });
  connect(threads_, &QSpinBox::valueChanged, this, [this](int threads) {
    EngineChoice choice = model_.engineChoice();
    choice.threads = threads;
    model_.editEngineChoice(choice, tr("Change the threads"));
  });
  return box;
}

QWidget* EnginesPanel::buildRace() {
  race_ = named(new QPushButton(icon("compare"), tr("Compare these"), this), "compareThese");
  race_->setToolTip(
      wrapped(tr("Races the engine that runs and the checked ones on this bank and these data in the Compare "
                 "room. With none checked the room chooses.")));
  connect(race_, &QPushButton::clicked, this, &EnginesPanel::compareRequested);
  return race_;
}

QWidget* EnginesPanel::buildTimeHeading() {
  auto* box = new QWidget(this);
  auto* row = bareLayout<QHBoxLayout>(box);
  repeat_ = toolButton(
      box, {.name = "repeatComparison",
            .text = tr("Repeat"),
            .tip = wrapped(tr("%1 more runs of each compared engine, in turns, while the window does nothing else "
                              "(Shift+F5). The median counts, without compiling and the first run.")
                               .arg(compare::kShortRepetitions))});
  repeat_->setFocusPolicy(Qt::StrongFocus);
  row->addWidget(headingLabel(tr("Time per run"), box), 1);
  row->addWidget(repeat_);
  connect(repeat_, &QToolButton::clicked, this, &EnginesPanel::repeatRequested);
  return box;
}

QWidget* EnginesPanel::buildMeasure() {
  auto* box = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(box);
  measure_ = named(new QPushButton(icon("gauge"), tr("Measure ceilings"), box), "measureCeilings");
  holdMeasuring(false);
  measureProgress_ = new QProgressBar(box);
  measureProgress_->setAccessibleName(tr("Progress of measuring"));
  measureProgress_->hide();
  column->addWidget(measure_);
  column->addWidget(measureProgress_);
  BackgroundTask& task = figures_.measuring();
  const auto ended = [this] {
    measure_->setText(tr("Measure ceilings"));
    measureProgress_->hide();
  };
  connect(measure_, &QPushButton::clicked, this, [this, &task] { task.busy() ? task.cancel() : measureCeilings(); });
  connect(&task, &BackgroundTask::progressed, this,
          [this](double fraction, const QString& stage) { showProgress(measureProgress_, fraction, stage); });
  connect(&task, &BackgroundTask::finished, this, ended);
  connect(&task, &BackgroundTask::canceled, this, ended);
  connect(&task, &BackgroundTask::failed, this, [this, ended](const QString& message) {
    ended();
    notice_->showMessage(Notice::Kind::Error, message);
  });
  return box;
}

void EnginesPanel::holdMeasuring(bool held) {
  measuringHeld_ = held;
  measure_->setEnabled(!held);
  measure_->setToolTip(
      held ? tr("Wait until the running measurement ends; both would disturb each other")
           : tr("Measures the arithmetic and memory limits of every engine, about a second each, and stores them"));
}

void EnginesPanel::measureCeilings() {
  if (measuringHeld_) return;
  notice_->clear();
  live_.cancel();
  Q_EMIT measuringBegins();
  measure_->setText(tr("Cancel measuring"));
  measureProgress_->setRange(0, 0);
  measureProgress_->show();
  figures_.measureCeilings();
}

void EnginesPanel::chooseEngine(const std::string& id) {
  EngineChoice choice = model_.engineChoice();
  if (id == live_.engineId()) return;
  if (const EngineInfo* info = toolbox_.engines->find(id); info != nullptr && !info->available()) return;
  choice.engine = id;
  choice.variant.clear();
  model_.editEngineChoice(choice, tr("Run on %1").arg(toQt(id)));
}

void EnginesPanel::refreshChoice() {
  const std::string id = live_.engineId();
  const EngineInfo* info = toolbox_.engines->find(id);
  if (info != nullptr && namesJoined(id)) list_->addEngine(*info);  // joined engines of a session
  list_->setCurrent(id);
  const QSignalBlocker blockThreads(threads_);
  threads_->setValue(model_.session().threads);
  variant_->clear();
  if (info != nullptr) {
    threads_->setEnabled(info->hasThreads());
    for (const Variant* variant : toolbox_.variants->rows("filter", info->kind)) {
      variant_->addItem(toQt(variant->name), toQt(variant->name));
      variant_->setItemData(variant_->count() - 1, wrapped(toQt(variant->explanation)), Qt::ToolTipRole);
    }
  }
  const int index = variant_->findData(toQt(model_.session().variant));
  variant_->setCurrentIndex(index < 0 ? 0 : index);
  variant_->setToolTip(variant_->currentData(Qt::ToolTipRole).toString());
  refreshPredictions();
  refreshCharts();
}

void EnginesPanel::refreshPredictions() {
  const std::map<std::string, double>& predicted = figures_.variantsPredicted();
  for (int i = 0; i < variant_->count(); ++i) {
    const QString name = variant_->itemData(i).toString();
    const auto found = predicted.find(i == 0 ? std::string() : fromQt(name));
    variant_->setItemText(
        i, found == predicted.end() ? name : tr("%1 · %2 predicted").arg(name, formatSeconds(found->second)));
  }
  const auto [last, tip] = figures_.predictionOfLast();
  prediction_->setWholeText(last,
                            wrapped(tr("%1. The kernel time of the last run, and the prediction of the cost model "
                                       "before it; neither includes copies.")
                                        .arg(tip)));
  choice_->setRowVisible(prediction_, !otherRows_ && !last.isEmpty());
  shares_->setShares(otherRows_ ? std::vector<PartShare>() : figures_.sharesOfLast());
  choice_->setRowVisible(shares_, !shares_->shares().empty());
}

// While another result is computed, or will be when a slider is released, shows the one before.
void EnginesPanel::refreshPlace() {
  if ((live_.busy() || live_.wholeOwed()) && !live_.result()) return;
  const ResultPlace place = placeOf(live_.result().get(), *toolbox_.engines);
  place_->setWholeText(place.text, place.tip);
  memory_->setWholeText(place.memory, place.tip);
  for (ElidedLabel* label : {place_, memory_}) choice_->setRowVisible(label, !otherRows_ && !place.text.isEmpty());
}

void EnginesPanel::refreshWait() {
  wait_->setWait(figures_.waits().median());
  const bool seen = wait_->wait() && !otherRows_;
  waitHeading_->setVisible(seen);
  wait_->setVisible(seen);
}

void EnginesPanel::follow(std::function<std::vector<EngineRow>()> rows) {
  otherRows_ = std::move(rows);
  choice_->setRowVisible(variant_, !otherRows_);
  race_->setVisible(!otherRows_);
  refreshPlace();
  refreshWait();
  refreshPredictions();
  refreshCharts();
}

std::vector<std::string> EnginesPanel::compared() const { return list_->compared(); }

void EnginesPanel::setCompared(const std::vector<std::string>& ids) {
  list_->setCompared(ids);
  Q_EMIT list_->comparedChanged();
}

void EnginesPanel::setResting(bool resting) {
  if (resting)
    busyTimer_.stop();
  else
    busyTimer_.start();
}

void EnginesPanel::refreshCharts() {
  const std::vector<EngineRow> rows = otherRows_ ? otherRows_() : figures_.rows();
  time_->setRows(rows);
  throughput_->setRows(rows);
}

}  // namespace sscope

#include "moc_engines_panel.cpp"
