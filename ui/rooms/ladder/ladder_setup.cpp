#include "ui/rooms/ladder/ladder_setup.h"

#include <QCheckBox>
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

#include "core/report/extents.h"
#include "core/workload/catalog.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/controls/setting_controls.h"

namespace sscope {

namespace {

QString sizeText(const WorkloadKind& kind, const std::array<std::int64_t, 3>& shape) {
  return toQt(extentsText(extentsOf(kind, shape, {}), " × "));
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
    : QWidget(parent),
      toolbox_(toolbox),
      model_(model),
      controls_(new SettingControls(LadderSettings(), QStringLiteral("ladder"), this)) {
  auto* choices = new QWidget(this);
  const int gap = em(this, 0.45);
  QVBoxLayout* column = controlColumn(choices, 0.45, 0.45);
  column->addWidget(buildLadder());
  column->addWidget(buildDevices());
  column->addWidget(buildSweep());
  column->addWidget(buildRungs(), 1);
  // In a low window, everything but the Run button scrolls.
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, gap);
  whole->addWidget(upDownScroll(choices, this), 1);
  QWidget* run = buildRun();
  run->setContentsMargins(gap, 0, gap, 0);
  whole->addWidget(run);

  connect(&model_, &LadderModel::started, this, &LadderSetup::showBusy);
  connect(&model_, &LadderModel::ended, this, [this](const QString& outcome) {
    progressText_->setText(outcome);
    showBusy();
  });
  connect(&model_, &LadderModel::progressed, this, [this] {
    showProgress(progress_, model_.progress(), QStringLiteral("%p%"));
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
  connect(controls_, &SettingControls::edited, this, [this](const QString& row) {
    if (row == QLatin1String("workload")) quietly([this] { showWorkload(); });
    reportEdited();
  });
  for (const Device& device : devices_) connect(device.check, &QCheckBox::toggled, this, &LadderSetup::reportEdited);
  connect(rungs_, &QListWidget::itemChanged, this, &LadderSetup::reportEdited);
}

void LadderSetup::reportEdited() {
  if (!quiet_) Q_EMIT edited();
}

template <class Change>
void LadderSetup::quietly(const Change& change) {
  const QScopedValueRollback<bool> guard(quiet_, true);
  change();
}

void LadderSetup::remember() const {
  QSettings settings;
  const LadderSettings& now = chosen();
  settings.setValue(kLadderKey, toQt(now.workload));
  settings.setValue(kSizeKey, static_cast<int>(std::ranges::find(kSizes, now.size) - kSizes.begin()));
  settings.setValue(kEveryPointKey, now.everyPoint);
  settings.setValue(kTuneKey, now.tuneFirst);
  for (const Device& device : devices_) settings.setValue(kDeviceKey + toQt(device.info.id), device.check->isChecked());
  for (const auto& [ladder, rungs] : unchecked_) settings.setValue(kUncheckedKey + toQt(ladder), rungs);
}

// New devices and rungs keep their defaults.
void LadderSetup::restoreLast() {
  const QSettings settings;
  for (const WorkloadKind& kind : workloadCatalog())
    unchecked_[kind.name] = settings.value(kUncheckedKey + toQt(kind.name)).toStringList();
  for (const Device& device : devices_)
    device.check->setChecked(settings.value(kDeviceKey + toQt(device.info.id), device.check->isChecked()).toBool());
  LadderSettings last;
  last.everyPoint = settings.value(kEveryPointKey).toBool();
  last.tuneFirst = settings.value(kTuneKey, true).toBool();
  last.workload = fromQt(settings.value(kLadderKey).toString());
  const int size = std::clamp(settings.value(kSizeKey).toInt(), 0, static_cast<int>(kSizes.size()) - 1);
  last.size = kSizes[static_cast<std::size_t>(size)];
  showChosen(last);
}

void LadderSetup::showChosen(const LadderSettings& settings) {
  LadderSettings known = settings;
  if (findWorkloadKind(known.workload) == nullptr) known.workload = workloadCatalog().front().name;
  const bool other = known.workload != chosen().workload || rungs_->count() == 0;
  controls_->setSettings(known);
  if (other) showWorkload();
}

const LadderSettings& LadderSetup::chosen() const { return controls_->as<LadderSettings>(); }

QWidget* LadderSetup::buildLadder() {
  auto* box = new QWidget(this);
  auto* form = bareLayout<QFormLayout>(box, em(box, 0.3));
  std::vector<SettingChoice> ladders;
  for (const WorkloadKind& kind : workloadCatalog()) ladders.push_back({kind.name, kind.title});
  controls_->offer("workload", ladders);
  explanation_ = named(new QLabel(box), "ladderExplanation");
  explanation_->setWordWrap(true);
  source_ = quietLabel({}, box);
  source_->setWordWrap(true);
  form->addRow(headingLabel(tr("LADDER"), box));
  controls_->addGroup(form, "ladder");
  form->addRow(explanation_);
  form->addRow(source_);
  return box;
}

QWidget* LadderSetup::buildDevices() {
  auto* box = new QWidget(this);
  auto* grid = bareLayout<QGridLayout>(box);
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
  auto* form = bareLayout<QFormLayout>(box, em(box, 0.3));
  form->addRow(headingLabel(tr("SWEEP"), box));
  controls_->addGroup(form, "sweep");
  return box;
}

QWidget* LadderSetup::buildRungs() {
  auto* box = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(box, em(this, 0.3));
  auto* head = new QHBoxLayout;
  head->addWidget(headingLabel(tr("RUNGS"), box), 1);
  rungs_ = named(new QListWidget(box), "ladderRungs", tr("Rungs to run"));
  rungs_->setMinimumHeight(em(this, 6));
  rungs_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const bool all : {true, false}) {
    auto* button = toolButton(box, {.text = all ? tr("all") : tr("none"),
                                    .spoken = all ? tr("Check all rungs") : tr("Uncheck all rungs"),
                                    .flat = true});
    connect(button, &QToolButton::clicked, this, [this, all] {
      quietly([this, all] {
        for (int i = 0; i < rungs_->count(); ++i) rungs_->item(i)->setCheckState(all ? Qt::Checked : Qt::Unchecked);
      });
      reportEdited();
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
    QStringList& unchecked = unchecked_[chosen().workload];
    unchecked.removeAll(item->text());
    if (item->checkState() == Qt::Unchecked) unchecked << item->text();
  });
  connect(rungs_, &QListWidget::itemActivated, this, point);
  return box;
}

QWidget* LadderSetup::buildRun() {
  auto* box = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(box, em(this, 0.3));
  notice_ = new Notice(tr("Message about the ladder"), box, Notice::Place::InLayout);
  notice_->setObjectName(QStringLiteral("ladderNotice"));
  run_ = named(new QPushButton(box), "ladderRun");
  progress_ = named(new QProgressBar(box), "ladderProgressBar", tr("Progress of the ladder"));
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
  const WorkloadKind& kind = *findWorkloadKind(chosen().workload);
  explanation_->setText(toQt(kind.explanation));
  source_->setText(toQt(kind.source));
  controls_->offer("size", {{kSizes[0], fromQt(tr("small, %1").arg(sizeText(kind, kind.smallShape)))},
                            {kSizes[1], fromQt(tr("what two minutes allow"))},
                            {kSizes[2], fromQt(tr("as in the paper, %1").arg(sizeText(kind, kind.shape)))}});
  rungs_->clear();
  showRungs();
  Q_EMIT workloadChanged(toQt(kind.name));
}

std::vector<std::string> LadderSetup::checkedEngines() const {
  std::vector<std::string> ids;
  for (const Device& device : devices_)
    if (device.check->isChecked()) ids.push_back(device.info.id);
  return ids;
}

QStringList LadderSetup::rungsThatAre(Qt::CheckState state) const {
  QStringList names;
  for (int i = 0; i < rungs_->count(); ++i)
    if (rungs_->item(i)->checkState() == state) names << rungs_->item(i)->text();
  return names;
}

bool LadderSetup::hasRows(const std::string& rung) const {
  const std::vector<std::string> ids = checkedEngines();
  const std::vector<BenchRow> rows = ladderRows(*toolbox_.engines, *toolbox_.variants, chosen().workload, ids);
  return !ids.empty() && std::ranges::find(rows, rung, &BenchRow::variant) != rows.end();
}

// Rungs that run on no checked device are gray.
void LadderSetup::showRungs() {
  const std::string& workload = chosen().workload;
  const QSignalBlocker quiet(rungs_);
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
  const LadderSettings& now = chosen();
  LadderChoice choice;
  choice.workload = now.workload;
  choice.engines = checkedEngines();
  for (const QString& name : rungsThatAre(Qt::Checked)) choice.rungs.insert(fromQt(name));
  choice.size = static_cast<LadderSize>(std::ranges::find(kSizes, now.size) - kSizes.begin());
  choice.everyPoint = now.everyPoint;
  choice.tuneFirst = now.tuneFirst;
  return choice;
}

void LadderSetup::applyChosen(const LadderSettings& settings) {
  quietly([&] { showChosen(settings); });
  Q_EMIT settled();
}

void LadderSetup::setWorkload(const std::string& name) {
  LadderSettings now = chosen();
  now.workload = name;
  applyChosen(now);
}

void LadderSetup::setSize(LadderSize size) {
  LadderSettings now = chosen();
  now.size = kSizes[static_cast<std::size_t>(size)];
  applyChosen(now);
}

void LadderSetup::setEngines(const std::vector<std::string>& ids) {
  quietly([&] {
    for (const Device& device : devices_) device.check->setChecked(std::ranges::find(ids, device.info.id) != ids.end());
  });
  Q_EMIT settled();
}

LadderSettings LadderSetup::settings() const {
  LadderSettings settings = chosen();
  settings.engines = checkedEngines();
  settings.without.clear();
  for (const QString& name : rungsThatAre(Qt::Unchecked)) settings.without.push_back(fromQt(name));
  return settings;
}

void LadderSetup::restore(const LadderSettings& settings) {
  quietly([&] { take(settings); });
  Q_EMIT settled();
}

void LadderSetup::take(const LadderSettings& settings) {
  LadderSettings known = settings;
  if (findWorkloadKind(known.workload) == nullptr) known.workload = chosen().workload;
  showChosen(known);
  for (const Device& device : devices_)
    device.check->setChecked(std::ranges::find(settings.engines, device.info.id) != settings.engines.end());
  for (int i = 0; i < rungs_->count(); ++i) {
    const bool without = std::ranges::find(settings.without, fromQt(rungs_->item(i)->text())) != settings.without.end();
    rungs_->item(i)->setCheckState(without ? Qt::Unchecked : Qt::Checked);
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

#include "moc_ladder_setup.cpp"
