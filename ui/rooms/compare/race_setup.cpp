#include "ui/rooms/compare/race_setup.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/engine/joined_engine.h"
#include "core/filter/job/bank_case.h"
#include "core/workload/catalog.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/option_editor.h"
#include "ui/controls/setting_controls.h"
#include "ui/rooms/compare/race_job.h"

namespace sscope {

namespace {

constexpr int kContender = Qt::UserRole;  // the name of an item's contender

QString wrapped(const std::string& tip) {
  return tip.empty() ? QString() : QStringLiteral("<p>%1</p>").arg(toQt(tip).toHtmlEscaped());
}

// A square of the engine's color.
QPixmap colorSquare(const QColor& color, int side) {
  QPixmap square(side, side);
  square.fill(color);
  return square;
}

}  // namespace

RaceSetup::RaceSetup(const Toolbox& toolbox, SessionModel& model, QWidget* parent)
    : QWidget(parent),
      toolbox_(toolbox),
      model_(model),
      controls_(new SettingControls(CompareSettings(), QStringLiteral("compare"), this)) {
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.45);
  column->setContentsMargins(gap, 0, gap, gap);
  column->setSpacing(gap);
  notice_ = new Notice(tr("Message about the race"), this);
  notice_->setObjectName(QStringLiteral("raceNotice"));
  column->addWidget(buildJob());
  column->addWidget(buildContenders(), 1);
  controls_->follow(model_);
  model_.follow<CompareSettings>(this, &RaceSetup::refresh);
  connect(&model_, &SessionModel::bankChanged, this, &RaceSetup::follow);
  connect(&model_, &SessionModel::dataChanged, this, &RaceSetup::follow);
  refresh();
}

void RaceSetup::setShown(bool shown) {
  shown_ = shown;
  if (shown && outdated_) refresh();
}

// A slider in another room changes the bank many times a second, and the job is a workload with its filters.
void RaceSetup::follow() {
  outdated_ = true;
  if (shown_) refresh();
}

QWidget* RaceSetup::buildJob() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setSpacing(em(this, 0.3));
  std::vector<SettingChoice> jobs{{kBankCase, fromQt(tr("the filter bank on the open data"))}};
  for (const WorkloadKind& kind : workloadCatalog()) jobs.push_back({kind.name, kind.title, kind.explanation});
  controls_->offer("job", jobs);
  controls_->offer("data", {{"small", fromQt(tr("noise"))}, {"open", fromQt(tr("the open data"))}});
  controls_->addGroup(form, "job");
  words_ = quietLabel({}, box);
  words_->setObjectName(QStringLiteral("raceWords"));
  words_->setWordWrap(true);
  parameters_ = new QWidget(box);
  parameterColumn_ = new QVBoxLayout(parameters_);
  parameterColumn_->setContentsMargins(0, 0, 0, 0);
  parameterColumn_->setSpacing(em(this, 0.2));
  column->addWidget(headingLabel(tr("JOB"), box));
  column->addLayout(form);
  column->addWidget(words_);
  column->addWidget(parameters_);
  return box;
}

QWidget* RaceSetup::buildContenders() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  auto* head = new QHBoxLayout;
  head->addWidget(headingLabel(tr("CONTENDERS"), box), 1);
  list_ = new QTreeWidget(box);
  list_->setObjectName(QStringLiteral("contenders"));
  list_->setAccessibleName(tr("Engines and variants that take part"));
  list_->setHeaderHidden(true);
  list_->setColumnCount(1);
  list_->setMinimumHeight(em(this, 9));
  list_->setIndentation(em(this, 1.1));
  list_->setIconSize({em(this, 0.7), em(this, 0.7)});
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const bool all : {true, false}) {
    auto* button = new QToolButton(box);
    button->setText(all ? tr("all") : tr("none"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(all ? tr("Check all engines") : tr("Uncheck all engines"));
    connect(button, &QToolButton::clicked, this, [this, all] { checkAll(all); });
    head->addWidget(button);
  }
  column->addLayout(head);
  column->addWidget(list_, 1);
  connect(list_, &QTreeWidget::itemChanged, this, &RaceSetup::takeContenders);
  return box;
}

void RaceSetup::refresh() {
  outdated_ = false;
  std::string workload = settings().job == kBankCase ? "filter" : settings().job;
  try {
    const RaceJob job = raceJob(settings(), model_);
    workload = job.what.recipe.workload;
    recipe_ = job.what.recipe;
    outputs_ = job.outputs;
    shownOutput_ = job.output;
  } catch (const Error&) {
    recipe_.reset();
    workload = settings().job == kBankCase ? "filter" : workload;  // the race will say why it cannot
  }
  refreshJob();
  refreshParameters();
  if (const std::vector<std::string> joined = joinedEngines();
      workload != workload_ || joined != joined_ || list_->topLevelItemCount() == 0) {
    workload_ = workload;
    joined_ = joined;
    fillContenders();
  }
  showContenders();
  Q_EMIT refreshed();
}

void RaceSetup::refreshJob() {
  const WorkloadKind* kind = findWorkloadKind(settings().job);
  controls_->setVisible("data", kind != nullptr);
  if (kind == nullptr) {
    words_->setText(model_.hasData()
                        ? tr("%n filter(s) on %1", nullptr, static_cast<int>(model_.bank().enabled().size()))
                              .arg(dataTitle(model_.data()))
                        : tr("No data are open: open a file, start from a sample, or choose another job."));
    return;
  }
  const auto extents = [](const std::array<std::int64_t, 3>& shape) {
    return toQt(VolumeShape{shape[0], shape[1], shape[2], 1}.text());
  };
  controls_->offer("data", {{"small", fromQt(tr("noise, %1").arg(extents(kind->smallShape)))},
                            {"paper", fromQt(tr("noise as in the paper, %1").arg(extents(kind->shape)))},
                            {"open", fromQt(tr("the open data"))}});
  words_->setText(toQt(kind->explanation));
}

void RaceSetup::refreshParameters() {
  const WorkloadKind* kind = findWorkloadKind(settings().job);
  const std::string name = kind == nullptr ? "" : kind->name;
  if (name != parametersOf_) {
    parametersOf_ = name;
    qDeleteAll(editors_);
    editors_.clear();
    if (kind != nullptr)
      for (const Option& option : kind->options) {
        if (option.type == OptionType::Choice && option.choices.empty()) continue;  // files are not portable
        auto* editor = new OptionEditor(option, {}, parameters_);
        parameterColumn_->addWidget(editor);
        editors_.push_back(editor);
        connect(editor, &OptionEditor::corrected, notice_, &Notice::correct);
        connect(editor, &OptionEditor::edited, this,
                [this, name, key = option.name](const OptionValue& value, const QString& gesture) {
                  CompareSettings edited = settings();
                  edited.parameters[name + "." + key] = formatOption(value);
                  model_.edit(edited, gesture);
                });
      }
  }
  parameters_->setVisible(!editors_.empty());
  if (kind == nullptr) return;
  const OptionValues values = parametersOf(settings(), name);
  for (OptionEditor* editor : editors_) editor->setValue(values.find(editor->option().name)->second);
}

void RaceSetup::fillContenders() {
  const QScopedValueRollback<bool> guard(filling_, true);
  list_->clear();
  for (const bool available : {true, false})
    for (const EngineInfo& info : toolbox_.engines->infos())
      if (info.available() == available && !info.isPeer()) addEngine(info);
  for (const std::string& id : joined_) addEngine(*toolbox_.engines->find(id));
}

// Those that are offered, and those that were chosen elsewhere, so that they can be unchecked.
std::vector<std::string> RaceSetup::joinedEngines() const {
  std::vector<std::string> ids = offeredJoins(*toolbox_.engines);
  for (const std::string& name : settings().contenders) {
    const std::string id = name.substr(0, name.find(' '));
    if (id.find('+') == std::string::npos || std::ranges::find(ids, id) != ids.end()) continue;
    if (toolbox_.engines->find(id) != nullptr) ids.push_back(id);
  }
  return ids;
}

void RaceSetup::addEngine(const EngineInfo& info) {
  const int side = em(this, 0.7);
  auto* engine = new QTreeWidgetItem(list_, {toQt(info.id)});
  engine->setData(0, kContender, toQt(info.id));
  engine->setIcon(0, colorSquare(info.available() ? engineColor(info.id) : absentColor(), side));
  engine->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
  engine->setCheckState(0, Qt::Unchecked);
  engine->setToolTip(0, wrapped(info.available() ? info.name : info.id + ": " + info.absentReason));
  if (!info.available()) {
    engine->setText(0, tr("%1, absent").arg(toQt(info.id)));
    engine->setForeground(0, absentColor());
    engine->setData(0, Qt::AccessibleDescriptionRole, toQt(info.absentReason));
    return;
  }
  for (const Variant* variant : contestedVariants(*toolbox_.variants, workload_, info)) {
    auto* item = new QTreeWidgetItem(engine, {toQt(variant->name)});
    item->setData(0, kContender, toQt(info.id + " " + variant->name));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(0, Qt::Unchecked);
    item->setToolTip(0, wrapped(variant->explanation));
  }
}

void RaceSetup::eachItem(const std::function<void(QTreeWidgetItem&)>& what) const {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    what(*list_->topLevelItem(i));
    for (int k = 0; k < list_->topLevelItem(i)->childCount(); ++k) what(*list_->topLevelItem(i)->child(k));
  }
}

void RaceSetup::showContenders() {
  const QScopedValueRollback<bool> guard(filling_, true);
  QStringList names;
  for (const BenchRow& row : contendersOf(settings(), *toolbox_.engines, *toolbox_.variants, workload_))
    names << toQt(contenderName(row));
  eachItem([&](QTreeWidgetItem& item) {
    const bool checked = names.contains(item.data(0, kContender).toString());
    item.setCheckState(0, checked ? Qt::Checked : Qt::Unchecked);
    if (checked && item.parent()) item.parent()->setExpanded(true);
  });
}

// Variants of another workload stay chosen for it.
void RaceSetup::takeContenders() {
  if (filling_) return;
  CompareSettings edited = settings();
  const std::vector<std::string> before = edited.contenders;
  edited.contenders.clear();
  std::vector<std::string> listed;
  eachItem([&](const QTreeWidgetItem& item) {
    listed.push_back(fromQt(item.data(0, kContender).toString()));
    if (item.checkState(0) == Qt::Checked) edited.contenders.push_back(listed.back());
  });
  for (const std::string& name : before)
    if (std::ranges::find(listed, name) == listed.end() && name != kNoContender) edited.contenders.push_back(name);
  if (edited.contenders.empty()) edited.contenders.emplace_back(kNoContender);
  model_.edit(edited);
}

void RaceSetup::checkAll(bool all) {
  {
    const QScopedValueRollback<bool> guard(filling_, true);
    eachItem([&](QTreeWidgetItem& item) {
      const bool checked = all && !item.parent();
      item.setCheckState(0, checked ? Qt::Checked : Qt::Unchecked);
    });
  }
  takeContenders();
}

std::vector<BenchRow> RaceSetup::contenders() const {
  return contendersOf(settings(), *toolbox_.engines, *toolbox_.variants, workload_);
}

}  // namespace sscope

#include "moc_race_setup.cpp"
