#include "ui/rooms/ladder/ladder_setup.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/ladder/extents.h"
#include "core/workload/catalog.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/swatch.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

QString sizeText(const WorkloadKind& kind, const std::array<std::int64_t, 3>& shape) {
  return toQt(extentsText(extentsOf(kind, shape, {}), " × "));
}

QComboBox* comboBox(const char* name, const QString& accessibleName, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(accessibleName);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(12);
  return box;
}

// In the order of LadderSize, as sessions call them.
const std::array<std::string, 3> kSizes{"small", "timed", "paper"};

const QString kLadderKey = QStringLiteral("ladders/ladder");
const QString kSizeKey = QStringLiteral("ladders/size");
const QString kEveryPointKey = QStringLiteral("ladders/everyPoint");
const QString kTuneKey = QStringLiteral("ladders/tuneFirst");
const QString kDeviceKey = QStringLiteral("ladders/device/");
const QString kUncheckedKey = QStringLiteral("ladders/unchecked/");

}  // namespace

LadderSetup::LadderSetup(const Toolbox& toolbox, LadderModel& model, QWidget* parent)
    : QWidget(parent), toolbox_(toolbox), model_(model) {
  auto* choices = new QWidget(this);
  auto* column = new QVBoxLayout(choices);
  const int gap = em(this, 0.45);
  column->setContentsMargins(gap, gap, gap, gap);
  column->setSpacing(gap);
  column->addWidget(buildLadder());
  column->addWidget(buildDevices());
  column->addWidget(buildSweep());
  column->addWidget(buildRungs(), 1);
  // Run stays in sight in a low window.
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, gap);
  whole->addWidget(upDownScroll(choices, this), 1);
  QWidget* run = buildRun();
  run->setContentsMargins(gap, 0, gap, 0);
  whole->addWidget(run);

  connect(ladder_, &QComboBox::currentIndexChanged, this, [this] {
    quietly([this] { showWorkload(); });
    tellEdited();
  });
  connect(&model_, &LadderModel::started, this, &LadderSetup::showBusy);
  connect(&model_, &LadderModel::ended, this, [this](const QString& outcome) {
    progressText_->setText(outcome);
    showBusy();
  });
  connect(&model_, &LadderModel::progressed, this, [this] {
    progress_->setRange(0, model_.progress() < 0 ? 0 : 1000);
    progress_->setValue(static_cast<int>(1000 * model_.progress()));
    progressText_->setText(model_.progressText());
    progressText_->show();
  });
  connect(&model_, &LadderModel::failed, this,
          [this](const QString& message) { notice_->showMessage(Notice::Kind::Error, message); });
  restoreLast();
  showBusy();
  followEdits();
}

void LadderSetup::followEdits() {
  for (QComboBox* box : {points_, size_}) connect(box, &QComboBox::currentIndexChanged, this, &LadderSetup::tellEdited);
  for (const Device& device : devices_) connect(device.check, &QCheckBox::toggled, this, &LadderSetup::tellEdited);
  connect(tune_, &QCheckBox::toggled, this, &LadderSetup::tellEdited);
  connect(rungs_, &QListWidget::itemChanged, this, &LadderSetup::tellEdited);
}

void LadderSetup::tellEdited() {
  if (!quiet_) Q_EMIT edited();
}

template <class Change>
void LadderSetup::quietly(const Change& change) {
  const QScopedValueRollback<bool> guard(quiet_, true);
  change();
}

void LadderSetup::remember() const {
  QSettings settings;
  settings.setValue(kLadderKey, ladder_->currentData());
  settings.setValue(kSizeKey, size_->currentIndex());
  settings.setValue(kEveryPointKey, points_->currentIndex() == 1);
  settings.setValue(kTuneKey, tune_->isChecked());
  for (const Device& device : devices_) settings.setValue(kDeviceKey + toQt(device.info.id), device.check->isChecked());
  for (const auto& [ladder, rungs] : unchecked_) settings.setValue(kUncheckedKey + toQt(ladder), rungs);
}

// Devices and rungs that were not there last time are as they are for a new user.
void LadderSetup::restoreLast() {
  const QSettings settings;
  for (const WorkloadKind& kind : workloadCatalog())
    unchecked_[kind.name] = settings.value(kUncheckedKey + toQt(kind.name)).toStringList();
  for (const Device& device : devices_)
    device.check->setChecked(settings.value(kDeviceKey + toQt(device.info.id), device.check->isChecked()).toBool());
  points_->setCurrentIndex(settings.value(kEveryPointKey).toBool() ? 1 : 0);
  tune_->setChecked(settings.value(kTuneKey, true).toBool());
  {
    const QSignalBlocker quiet(ladder_);
    ladder_->setCurrentIndex(std::max(0, ladder_->findData(settings.value(kLadderKey))));
  }
  showWorkload();
  size_->setCurrentIndex(std::clamp(settings.value(kSizeKey).toInt(), 0, size_->count() - 1));
}

QWidget* LadderSetup::buildLadder() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  ladder_ = comboBox("ladderChoice", tr("Ladder"), box);
  for (const WorkloadKind& kind : workloadCatalog()) ladder_->addItem(toQt(kind.title), toQt(kind.name));
  explanation_ = new QLabel(box);
  explanation_->setObjectName(QStringLiteral("ladderExplanation"));
  explanation_->setWordWrap(true);
  source_ = quietLabel({}, box);
  source_->setWordWrap(true);
  column->addWidget(headingLabel(tr("LADDER"), box));
  column->addWidget(ladder_);
  column->addWidget(explanation_);
  column->addWidget(source_);
  return box;
}

QWidget* LadderSetup::buildDevices() {
  auto* box = new QWidget(this);
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(em(this, 0.4));
  grid->setVerticalSpacing(em(this, 0.15));
  grid->setColumnStretch(2, 1);
  int row = 0;
  grid->addWidget(headingLabel(tr("DEVICES"), box), row++, 0, 1, 3);
  const std::string preferred = toolbox_.engines->preferred().info().id;
  for (const bool available : {true, false})
    for (const EngineInfo& info : toolbox_.engines->infos()) {
      if (info.available() != available) continue;
      grid->addWidget(new Swatch(available ? engineColor(info.id) : absentColor(), box), row, 1,
                      available ? Qt::AlignVCenter : Qt::AlignTop);
      if (!available) {
        auto* text = quietLabel(tr("%1 absent: %2").arg(toQt(info.id), toQt(info.absentReason)), box);
        text->setObjectName(toQt("ladder-absent-" + info.id));
        text->setWordWrap(true);
        grid->addWidget(text, row++, 2);
        continue;
      }
      auto* check = new QCheckBox(box);
      check->setObjectName(toQt("ladder-" + info.id));
      check->setAccessibleName(tr("Run the ladder on %1").arg(toQt(info.id)));
      check->setToolTip(toQt(info.name));
      check->setChecked(!info.hasThreads() || info.id == preferred);
      auto* name = new QLabel(toQt(info.id), box);
      name->setBuddy(check);
      name->setToolTip(toQt(info.name));
      grid->addWidget(check, row, 0);
      grid->addWidget(name, row++, 2);
      connect(check, &QCheckBox::toggled, this, &LadderSetup::showRungs);
      devices_.push_back({info, check});
    }
  return box;
}

QWidget* LadderSetup::buildSweep() {
  auto* box = new QWidget(this);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->setSpacing(em(this, 0.3));
  form->addRow(headingLabel(tr("SWEEP"), box));
  points_ = comboBox("ladderPoints", tr("Points of the sweep"), box);
  points_->addItem(tr("a selection"));
  points_->addItem(tr("every point of the figures"));
  size_ = comboBox("ladderSize", tr("Size of the data"), box);
  form->addRow(tr("Points"), points_);
  form->addRow(tr("Size"), size_);
  tune_ = new QCheckBox(tr("Tune first"), box);
  tune_->setObjectName(QStringLiteral("ladderTune"));
  tune_->setToolTip(tr(
      "<p>The tuned rungs choose their tiles by a model. If checked, a short search times a few other tiles before "
      "such a "
      "rung first runs on a device, and takes the fastest whose output is correct. What it finds is remembered for the "
      "device, its driver and the kernel, so the next run starts at once.</p>"));
  tune_->setChecked(true);
  form->addRow(tune_);
  return box;
}

QWidget* LadderSetup::buildRungs() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  auto* head = new QHBoxLayout;
  head->addWidget(headingLabel(tr("RUNGS"), box), 1);
  rungs_ = new QListWidget(box);
  rungs_->setObjectName(QStringLiteral("ladderRungs"));
  rungs_->setAccessibleName(tr("Rungs to run"));
  rungs_->setMinimumHeight(em(this, 6));
  rungs_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const bool all : {true, false}) {
    auto* button = new QToolButton(box);
    button->setText(all ? tr("all") : tr("none"));
    button->setAutoRaise(true);
    button->setAccessibleName(all ? tr("Check all rungs") : tr("Uncheck all rungs"));
    connect(button, &QToolButton::clicked, this, [this, all] {
      quietly([this, all] {
        for (int i = 0; i < rungs_->count(); ++i) rungs_->item(i)->setCheckState(all ? Qt::Checked : Qt::Unchecked);
      });
      tellEdited();
    });
    head->addWidget(button);
  }
  column->addLayout(head);
  column->addWidget(rungs_, 1);
  const auto point = [this] {
    if (const QListWidgetItem* item = rungs_->currentItem()) Q_EMIT rungPointed(item->text());
  };
  connect(rungs_, &QListWidget::itemClicked, this, point);
  connect(rungs_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item) Q_EMIT rungSelected(item->text());
  });
  connect(rungs_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
    QStringList& unchecked = unchecked_[fromQt(ladder_->currentData().toString())];
    unchecked.removeAll(item->text());
    if (item->checkState() == Qt::Unchecked) unchecked << item->text();
  });
  connect(rungs_, &QListWidget::itemActivated, this, point);
  return box;
}

QWidget* LadderSetup::buildRun() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  notice_ = new Notice(tr("Message about the ladder"), box, Notice::Place::InLayout);  // above Run, which stays
  notice_->setObjectName(QStringLiteral("ladderNotice"));
  run_ = new QPushButton(box);
  run_->setObjectName(QStringLiteral("ladderRun"));
  progress_ = new QProgressBar(box);
  progress_->setObjectName(QStringLiteral("ladderProgressBar"));
  progress_->setAccessibleName(tr("Progress of the ladder"));
  progress_->setMaximumHeight(em(this, 1.1));
  progressText_ = quietLabel({}, box);
  progressText_->setObjectName(QStringLiteral("ladderProgress"));
  progressText_->setWordWrap(true);
  column->addWidget(notice_);
  column->addWidget(progressText_);
  column->addWidget(progress_);
  column->addWidget(run_);
  connect(run_, &QPushButton::clicked, this, [this] { model_.busy() ? model_.cancel() : run(); });
  return box;
}

void LadderSetup::showWorkload() {
  const WorkloadKind& kind = workloadCatalog()[static_cast<std::size_t>(ladder_->currentIndex())];
  explanation_->setText(toQt(kind.explanation));
  source_->setText(toQt(kind.source));
  const int size = std::max(0, size_->currentIndex());
  size_->clear();
  size_->addItem(tr("small, %1").arg(sizeText(kind, kind.smallShape)));
  size_->addItem(tr("what two minutes allow"));
  size_->addItem(tr("as in the paper, %1").arg(sizeText(kind, kind.shape)));
  size_->setCurrentIndex(size);
  rungs_->clear();
  showRungs();
  Q_EMIT workloadChanged(toQt(kind.name));
}

bool LadderSetup::hasRows(const std::string& rung) const {
  const std::string workload = fromQt(ladder_->currentData().toString());
  std::vector<std::string> ids;
  for (const Device& device : devices_)
    if (device.check->isChecked()) ids.push_back(device.info.id);
  const std::vector<BenchRow> rows = ladderRows(*toolbox_.engines, *toolbox_.variants, workload, ids);
  return !ids.empty() &&
         std::any_of(rows.begin(), rows.end(), [&](const BenchRow& row) { return row.variant == rung; });
}

// Those of no checked device are gray.
void LadderSetup::showRungs() {
  const std::string workload = fromQt(ladder_->currentData().toString());
  const QSignalBlocker quiet(rungs_);  // nobody checks or unchecks here
  if (rungs_->count() == 0)
    for (const Variant* rung : model_.rungs(workload)) {
      auto* item = new QListWidgetItem(toQt(rung->name), rungs_);
      item->setCheckState(unchecked_[workload].contains(item->text()) ? Qt::Unchecked : Qt::Checked);
      item->setToolTip(QStringLiteral("<p>%1</p><p><i>%2</i></p>")
                           .arg(toQt(rung->explanation).toHtmlEscaped(), toQt(rung->source).toHtmlEscaped()));
    }
  for (int i = 0; i < rungs_->count(); ++i) {
    QListWidgetItem* item = rungs_->item(i);
    const bool has = hasRows(fromQt(item->text()));
    item->setData(Qt::ForegroundRole, has ? QVariant() : QVariant(absentColor()));
  }
}

void LadderSetup::showBusy() {
  const bool busy = model_.busy();
  run_->setText(busy ? tr("Cancel (Esc)") : tr("Run the ladder (F5)"));
  progress_->setVisible(busy);
  progressText_->setVisible(!progressText_->text().isEmpty());
  progressText_->setToolTip(model_.searches().join(QLatin1Char('\n')));
}

LadderChoice LadderSetup::choice() const {
  LadderChoice choice;
  choice.workload = fromQt(ladder_->currentData().toString());
  for (const Device& device : devices_)
    if (device.check->isChecked()) choice.engines.push_back(device.info.id);
  for (int i = 0; i < rungs_->count(); ++i)
    if (rungs_->item(i)->checkState() == Qt::Checked) choice.rungs.insert(fromQt(rungs_->item(i)->text()));
  choice.size = static_cast<LadderSize>(size_->currentIndex());
  choice.everyPoint = points_->currentIndex() == 1;
  choice.tuneFirst = tune_->isChecked();
  return choice;
}

void LadderSetup::setWorkload(const std::string& name) {
  quietly([&] { ladder_->setCurrentIndex(std::max(0, ladder_->findData(toQt(name)))); });
  Q_EMIT settled();
}

void LadderSetup::setSize(LadderSize size) {
  quietly([&] { size_->setCurrentIndex(static_cast<int>(size)); });
  Q_EMIT settled();
}

void LadderSetup::setEngines(const std::vector<std::string>& ids) {
  quietly([&] {
    for (const Device& device : devices_) device.check->setChecked(std::ranges::find(ids, device.info.id) != ids.end());
  });
  Q_EMIT settled();
}

LadderSettings LadderSetup::settings() const {
  const LadderChoice chosen = choice();
  LadderSettings settings;
  settings.workload = chosen.workload;
  settings.engines = chosen.engines;
  for (int i = 0; i < rungs_->count(); ++i)
    if (rungs_->item(i)->checkState() != Qt::Checked) settings.without.push_back(fromQt(rungs_->item(i)->text()));
  settings.size = kSizes[static_cast<std::size_t>(chosen.size)];
  settings.everyPoint = chosen.everyPoint;
  settings.tuneFirst = chosen.tuneFirst;
  return settings;
}

void LadderSetup::restore(const LadderSettings& settings) {
  quietly([&] { take(settings); });
  Q_EMIT settled();
}

void LadderSetup::take(const LadderSettings& settings) {
  if (const int ladder = ladder_->findData(toQt(settings.workload)); ladder >= 0) ladder_->setCurrentIndex(ladder);
  for (const Device& device : devices_)
    device.check->setChecked(std::ranges::find(settings.engines, device.info.id) != settings.engines.end());
  size_->setCurrentIndex(static_cast<int>(std::ranges::find(kSizes, settings.size) - kSizes.begin()));
  points_->setCurrentIndex(settings.everyPoint ? 1 : 0);
  tune_->setChecked(settings.tuneFirst);
  for (int i = 0; i < rungs_->count(); ++i) {
    const bool left = std::ranges::find(settings.without, fromQt(rungs_->item(i)->text())) != settings.without.end();
    rungs_->item(i)->setCheckState(left ? Qt::Unchecked : Qt::Checked);
  }
}

void LadderSetup::run() {
  if (model_.busy()) return;
  const LadderChoice chosen = choice();
  QString missing;
  if (chosen.engines.empty())
    missing = tr("no device is checked; check at least one");
  else if (chosen.rungs.empty())
    missing = tr("no rung is checked; check at least one");
  else if (std::none_of(chosen.rungs.begin(), chosen.rungs.end(), [this](const auto& rung) { return hasRows(rung); }))
    missing = tr("none of the checked rungs runs on the checked devices; check others");
  if (!missing.isEmpty()) {
    notice_->showMessage(Notice::Kind::Hint, missing);
    return;
  }
  notice_->clear();
  model_.run(chosen);
}

}  // namespace sscope
