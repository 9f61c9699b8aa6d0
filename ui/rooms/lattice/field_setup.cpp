#include "ui/rooms/lattice/field_setup.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPair>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <QVector>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lattice/wilson_flow.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/controls/setting_controls.h"
#include "ui/rooms/lattice/lattice_fields.h"

namespace sscope {

namespace {

constexpr double kLongestFlow = 10;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostNumbers = 6;  // rows: mean, sum, and four of the smoothed links

// Unknown values are shown as a dash.
QString tableText(const QVector<QPair<QString, double>>& rows) {
  QString text = QStringLiteral("<table cellspacing='2'>");
  for (const auto& [name, value] : rows)
    text += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td><b>%2</b></td></tr>")
                .arg(name, std::isnan(value) ? QStringLiteral("\u2013") : numberText(value, 6));
  return text + QStringLiteral("</table>");
}

QString explanationOf(const std::string& key) {
  if (key == "plaquette")
    return FieldSetup::tr(
        "Sum over the six planes of 1 - Re tr P / 3, P being the product of the links around a plaquette");
  if (key == "energy") return FieldSetup::tr("tr F F over the six planes, F from the four plaquettes around a site");
  if (key == "charge")
    return FieldSetup::tr(
        "tr(Fxy Fzt - Fxz Fyt + Fxt Fyz) / 4\u03c0\u00b2; its sum over a smooth field is near an integer");
  if (key == "polyakov")
    return FieldSetup::tr(
        "A third of the trace of the product of all links along time; a complex number at each point of space");
  if (key == "link-trace")
    return FieldSetup::tr("Re tr U / 3, the mean of the four links of a site; it depends on the gauge");
  return FieldSetup::tr("|\u03c8|\u00b2 of a spinor field of the Solve tab, summed over color and spin");
}

}  // namespace

FieldSetup::FieldSetup(LatticeController& controller, LatticeFields& fields, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      fields_(fields),
      controls_(new SettingControls(LatticeSettings(), QStringLiteral("lattice"), this)) {
  QVBoxLayout* column = controlColumn(this, 0.45, 0);
  column->addWidget(buildChoice());
  column->addWidget(buildFlow());
  numbers_ = named(new QLabel(this), "latticeNumbers", tr("The field in numbers"));
  numbers_->setTextFormat(Qt::RichText);
  numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  numbers_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  // High enough for all rows, so that what is below does not move when a flow begins.
  numbers_->setText(tableText(QVector<QPair<QString, double>>(kMostNumbers, {QStringLiteral("Q"), 0})));
  numbers_->setMinimumHeight(numbers_->sizeHint().height());
  column->addWidget(headingLabel(tr("NUMBERS"), this));
  column->addWidget(numbers_);
  column->addWidget(buildButtons());
  column->addStretch(1);

  // Flows are computed in whole steps.
  controls_->along<LatticeSettings>("flowTime", [](LatticeSettings& settings) {
    settings.flowTime = static_cast<int>(std::lround(settings.flowTime / lattice::kFlowStep)) * lattice::kFlowStep;
  });
  connect(controls_, &SettingControls::edited, this, [this](const QString& row, const QString& gesture) {
    const auto change = [name = fromQt(row), now = controls_->settings()](LatticeSettings& settings) {
      Settings all = settings;
      all.set(name, now.at(name));
      settings = all.as<LatticeSettings>();
    };
    Q_EMIT edited(change, gesture);
  });
  connect(&controller_, &LatticeController::choiceChanged, this, &FieldSetup::refresh);
  connect(&controller_, &LatticeController::offersChanged, this, &FieldSetup::fillChoices);
  connect(&controller_, &LatticeController::fieldChanged, this, &FieldSetup::showNumbers);
  connect(&controller_, &LatticeController::curveChanged, this, &FieldSetup::showNumbers);
  connect(&controller_, &LatticeController::configurationChanged, this, &FieldSetup::refresh);
  connect(&fields_, &LatticeFields::partChanged, this, &FieldSetup::refresh);
  connect(&controller_, &LatticeController::started, this, [this] {
    if (controller_.activity() == LatticeController::Activity::Showing) progress_->setRange(0, 0);
  });
  connect(&controller_, &LatticeController::ended, this, [this] { flowRow_->setEnabled(false); });
  connect(&controller_, &LatticeController::progressed, this, [this](double fraction, const QString&) {
    if (controller_.activity() != LatticeController::Activity::Showing) return;
    flowRow_->setEnabled(true);
    showProgress(progress_, fraction, {});
  });
  connect(&controller_, &LatticeController::ended, progress_, [this] { showProgress(progress_, 0, {}); });
  fillChoices();
  refresh();
}

QWidget* FieldSetup::buildChoice() {
  auto* box = new QWidget(this);
  auto* form = bareLayout<QFormLayout>(box, em(this, 0.3));
  choice_ = narrowList(box, "latticeObservable", tr("The field shown"), 10);
  choice_->setToolTip(choice_->accessibleName());
  explanation_ = quietLabel({}, box);
  explanation_->setWordWrap(true);
  controls_->use("observable", choice_, tr("Field"));
  controls_->addGroup(form, "field");
  form->addRow(explanation_);
  connect(choice_, &QComboBox::activated, this, [this] {
    const std::string key = fromQt(choice_->currentData().toString());
    // Fields of the Solve tab are not in sessions, because they exist only while their solution does.
    if (std::ranges::find(lattice::observables(), key, &lattice::ObservableInfo::name) != lattice::observables().end())
      Q_EMIT edited([key](LatticeSettings& settings) { settings.observable = key; }, {});
    controller_.choose(key);
  });
  return box;
}

QWidget* FieldSetup::buildFlow() {
  flow_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(flow_, em(this, 0.3));
  radius_ = quietLabel({}, flow_);
  flowRow_ = new QWidget(flow_);
  auto* work = bareLayout<QHBoxLayout>(flowRow_);
  progress_ = named(new QProgressBar(flowRow_), "latticeFlowProgress", tr("Progress of the flow"));
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(em(this, 0.8));
  auto* cancel = toolButton(
      flowRow_,
      {.name = "latticeFlowCancel", .text = tr("Stop"), .tip = tr("Stop at the flow time that is shown (Esc)")});
  connect(cancel, &QToolButton::clicked, &controller_, &LatticeController::cancel);
  work->addWidget(progress_, 1);
  work->addWidget(cancel);
  flowRow_->setEnabled(false);
  column->addWidget(headingLabel(tr("FLOW TIME"), flow_));
  column->addWidget(&controls_->field("flowTime"));
  controls_->setLimits("flowTime", 0, kLongestFlow);
  column->addWidget(flowRow_);
  column->addWidget(radius_);
  return flow_;
}

QWidget* FieldSetup::buildButtons() {
  auto* box = new QWidget(this);
  auto* row = bareLayout<QHBoxLayout>(box, em(this, 0.2));
  send_ = toolButton(
      box, {.name = "latticeSend",
            .text = tr("To the Filter room"),
            .icon = "send",
            .tip = tr("Open this time slice in the Filter room, in place of its data. The arrow offers all slices.")});
  send_->setPopupMode(QToolButton::MenuButtonPopup);
  auto* menu = new QMenu(box);
  menu->addAction(tr("This time slice"), this, [this] { Q_EMIT sendRequested(false); });
  menu->addAction(tr("All time slices, as components"), this, [this] { Q_EMIT sendRequested(true); });
  send_->setMenu(menu);
  export_ = toolButton(box, {.name = "latticeExport",
                             .text = tr("Export\u2026"),
                             .icon = "export",
                             .tip = tr("Fields, pictures and curves as files (Ctrl+E)")});
  for (QToolButton* button : {send_, export_}) row->addWidget(button);
  row->addStretch(1);
  connect(send_, &QToolButton::clicked, this, [this] { Q_EMIT sendRequested(false); });
  connect(export_, &QToolButton::clicked, this, &FieldSetup::exportRequested);
  return box;
}

void FieldSetup::fillChoices() {
  choice_->clear();
  for (const lattice::ObservableInfo& info : lattice::observables())
    choice_->addItem(observableTitle(info), toQt(info.name));
  for (const OfferedField& each : controller_.offered()) choice_->addItem(each.title, toQt(each.key));
  for (int i = 0; i < choice_->count(); ++i)
    choice_->setItemData(i, explanationOf(fromQt(choice_->itemData(i).toString())), Qt::ToolTipRole);
  choice_->setCurrentIndex(choice_->findData(toQt(controller_.choice())));
}

void FieldSetup::refresh() {
  const bool open = controller_.configuration() != nullptr;
  for (const char* row : {"flowTime", "part"}) controls_->field(row).setEnabled(open);
  choice_->setCurrentIndex(choice_->findData(toQt(controller_.choice())));
  explanation_->setText(explanationOf(controller_.choice()));
  controls_->setVisible("part", controller_.choice() == "polyakov");
  const auto& offered = controller_.offered();
  flow_->setVisible(std::none_of(offered.begin(), offered.end(),
                                 [this](const OfferedField& each) { return each.key == controller_.choice(); }));
  const double time = controller_.flowSteps() * lattice::kFlowStep;
  LatticeSettings shown;
  shown.part = kLoopPartNames[static_cast<std::size_t>(fields_.part())];
  shown.flowTime = time;
  controls_->setSettings(shown);
  radius_->setText(tr("smooths over \u221a(8t) = %1 sites").arg(std::sqrt(8 * time), 0, 'f', 2));
  showNumbers();
}

void FieldSetup::showNumbers() {
  const auto field = controller_.field();
  send_->setEnabled(field != nullptr);
  export_->setEnabled(field != nullptr);
  if (!field) {
    numbers_->setText(controller_.configuration() ? tr("computing") : tr("Open or generate a configuration to begin."));
    return;
  }
  QVector<QPair<QString, double>> rows;
  const auto row = [&rows](const QString& name, double value) { rows.push_back({name, value}); };
  const bool charge = field->key == "charge";
  if (field->loop) {
    row(tr("|mean| over space"), field->mean);
  } else if (!charge) {
    row(tr("Mean"), field->mean);
    row(tr("Sum"), field->sum);
  } else {
    row(tr("Charge Q"), field->sum);
  }
  if (flow_->isVisibleTo(this)) {
    // For a large lattice, a field before the wanted flow time may have no point on the curve; its numbers are then
    // unknown.
    const auto known = controller_.curve().find(field->flowSteps);
    const FlowPoint* point = known != controller_.curve().end() ? &known->second : nullptr;
    row(tr("Plaquette"), point ? point->plaquette : kUnknown);
    row(tr("Energy \u27e8E\u27e9"), point ? point->energy : kUnknown);
    if (field->flowSteps > 0) row(tr("t\u00b2\u2009\u27e8E\u27e9"), point ? point->scaled() : kUnknown);
    if (!charge) row(tr("Charge Q"), point ? point->charge : kUnknown);
  }
  numbers_->setText(tableText(rows));
}

}  // namespace sscope

#include "moc_field_setup.cpp"
