#include "ui/rooms/lattice/field_setup.h"

#include <QComboBox>
#include <QEvent>
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
#include "ui/controls/gesture.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/lattice/lattice_fields.h"

namespace sscope {

namespace {

constexpr double kLongestFlow = 10;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostNumbers = 6;  // rows: mean, sum, and four of the smoothed links

// A dash stands for what is not known.
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
        "A third of the trace of the product of all links along time: a complex number at each point of space");
  if (key == "link-trace")
    return FieldSetup::tr("Re tr U / 3, the mean of the four links of a site; it depends on the gauge");
  return FieldSetup::tr("|\u03c8|\u00b2 of a spinor field of the Solve tab, summed over color and spin");
}

}  // namespace

FieldSetup::FieldSetup(LatticeController& controller, LatticeFields& fields, QWidget* parent)
    : QWidget(parent), controller_(controller), fields_(fields) {
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.45);
  column->setContentsMargins(gap, 0, gap, gap);
  column->setSpacing(gap);
  column->addWidget(buildChoice());
  column->addWidget(buildFlow());
  numbers_ = new QLabel(this);
  numbers_->setObjectName(QStringLiteral("latticeNumbers"));
  numbers_->setAccessibleName(tr("The field in numbers"));
  numbers_->setTextFormat(Qt::RichText);
  numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  numbers_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  // Room for all rows, so that what stands below does not move when a flow begins.
  numbers_->setText(tableText(QVector<QPair<QString, double>>(kMostNumbers, {QStringLiteral("Q"), 0})));
  numbers_->setMinimumHeight(numbers_->sizeHint().height());
  column->addWidget(headingLabel(tr("NUMBERS"), this));
  column->addWidget(numbers_);
  column->addWidget(buildWays());
  column->addStretch(1);

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
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(1000 * fraction));
  });
  connect(&controller_, &LatticeController::ended, progress_, [this] {
    progress_->setRange(0, 1000);
    progress_->setValue(0);
  });
  fillChoices();
  refresh();
}

QWidget* FieldSetup::buildChoice() {
  auto* box = new QWidget(this);
  form_ = new QFormLayout(box);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setSpacing(em(this, 0.3));
  const auto combo = [&](const char* name, const QString& words) {
    auto* made = new QComboBox(box);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(words);
    made->setToolTip(words);
    made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    made->setMinimumContentsLength(10);
    return made;
  };
  choice_ = combo("latticeObservable", tr("The field shown"));
  part_ = combo("latticePart", tr("The part of the complex number that is shown"));
  part_->addItem(tr("real part"), static_cast<int>(LoopPart::Real));
  part_->addItem(tr("imaginary part"), static_cast<int>(LoopPart::Imaginary));
  part_->addItem(tr("modulus"), static_cast<int>(LoopPart::Modulus));
  part_->addItem(tr("phase"), static_cast<int>(LoopPart::Phase));
  explanation_ = quietLabel({}, box);
  explanation_->setWordWrap(true);
  form_->addRow(tr("Field"), choice_);
  form_->addRow(tr("Part"), part_);
  form_->addRow(explanation_);
  connect(choice_, &QComboBox::activated, this, [this] {
    const std::string key = fromQt(choice_->currentData().toString());
    // What the Solve tab offers comes and goes with its solutions.
    const bool lasting =
        std::ranges::any_of(lattice::observables(), [&](const auto& each) { return each.name == key; });
    if (lasting) Q_EMIT edited([key](LatticeSettings& settings) { settings.observable = key; }, {});
    controller_.choose(key);
  });
  connect(part_, &QComboBox::activated, this, [this] {
    const std::string part = kLoopPartNames[static_cast<std::size_t>(part_->currentData().toInt())];
    Q_EMIT edited([part](LatticeSettings& settings) { settings.part = part; }, {});
  });
  return box;
}

QWidget* FieldSetup::buildFlow() {
  flow_ = new QWidget(this);
  auto* column = new QVBoxLayout(flow_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  slider_ = new ValueSlider(tr("Flow time"), flow_);
  slider_->setObjectName(QStringLiteral("latticeFlow"));
  slider_->setScale(0, kLongestFlow, false, false);
  slider_->setToolTip(tr("Smooth the links by the Wilson flow for this time; double-click to go back to 0"));
  slider_->installEventFilter(this);
  gesture_ = new Gesture(slider_);
  time_ = new NumberBox(tr("Flow time"), flow_);
  time_->setObjectName(QStringLiteral("latticeFlowTime"));
  time_->setRange(0, kLongestFlow);
  time_->setStep([](double value, int steps) { return std::round(value / lattice::kFlowStep + steps) / 100; });
  time_->setToolTip(tr("In units of the lattice spacing squared, steps of 0.01"));
  auto* row = new QHBoxLayout;
  row->addWidget(slider_, 1);
  row->addWidget(time_);
  radius_ = quietLabel({}, flow_);
  flowRow_ = new QWidget(flow_);
  auto* work = new QHBoxLayout(flowRow_);
  work->setContentsMargins(0, 0, 0, 0);
  progress_ = new QProgressBar(flowRow_);
  progress_->setObjectName(QStringLiteral("latticeFlowProgress"));
  progress_->setAccessibleName(tr("Progress of the flow"));
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(em(this, 0.8));
  auto* cancel = new QToolButton(flowRow_);
  cancel->setObjectName(QStringLiteral("latticeFlowCancel"));
  cancel->setText(tr("Stop"));
  cancel->setToolTip(tr("Stop smoothing at the time that is shown (Esc)"));
  connect(cancel, &QToolButton::clicked, &controller_, &LatticeController::cancel);
  work->addWidget(progress_, 1);
  work->addWidget(cancel);
  flowRow_->setEnabled(false);
  column->addWidget(headingLabel(tr("FLOW TIME"), flow_));
  column->addLayout(row);
  column->addWidget(flowRow_);
  column->addWidget(radius_);
  connect(slider_, &ValueSlider::realValueEdited, this, &FieldSetup::setTime);
  connect(time_, &NumberBox::valueEdited, this, &FieldSetup::setTime);
  return flow_;
}

QWidget* FieldSetup::buildWays() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(em(this, 0.2));
  send_ = new QToolButton(box);
  send_->setObjectName(QStringLiteral("latticeSend"));
  send_->setText(tr("To the Filter room"));
  send_->setIcon(icon("send"));
  send_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  send_->setPopupMode(QToolButton::MenuButtonPopup);
  send_->setToolTip(
      tr("Open this time slice in the Filter room, in place of the data there; the arrow offers all slices"));
  auto* menu = new QMenu(box);
  menu->addAction(tr("This time slice"), this, [this] { Q_EMIT sendRequested(false); });
  menu->addAction(tr("All of them, as components"), this, [this] { Q_EMIT sendRequested(true); });
  send_->setMenu(menu);
  export_ = new QToolButton(box);
  export_->setObjectName(QStringLiteral("latticeExport"));
  export_->setText(tr("Export\u2026"));
  export_->setIcon(icon("export"));
  export_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  export_->setToolTip(tr("Fields, pictures and curves as files (Ctrl+E)"));
  row->addWidget(send_);
  row->addWidget(export_);
  row->addStretch(1);
  connect(send_, &QToolButton::clicked, this, [this] { Q_EMIT sendRequested(false); });
  connect(export_, &QToolButton::clicked, this, &FieldSetup::exportRequested);
  return box;
}

bool FieldSetup::eventFilter(QObject* watched, QEvent* event) {
  if (watched == slider_ && event->type() == QEvent::MouseButtonDblClick) {
    setTime(0);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void FieldSetup::setTime(double time) {
  const double whole = static_cast<int>(std::lround(time / lattice::kFlowStep)) * lattice::kFlowStep;
  Q_EMIT edited([whole](LatticeSettings& settings) { settings.flowTime = whole; }, gesture_->now());
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
  for (QWidget* each : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(time_), static_cast<QWidget*>(part_)})
    each->setEnabled(open);
  choice_->setCurrentIndex(choice_->findData(toQt(controller_.choice())));
  explanation_->setText(explanationOf(controller_.choice()));
  const bool loop = controller_.choice() == "polyakov";
  part_->setVisible(loop);
  form_->labelForField(part_)->setVisible(loop);
  part_->setCurrentIndex(part_->findData(static_cast<int>(fields_.part())));
  const auto& offered = controller_.offered();
  flow_->setVisible(std::none_of(offered.begin(), offered.end(),
                                 [this](const OfferedField& each) { return each.key == controller_.choice(); }));
  const double time = controller_.flowSteps() * lattice::kFlowStep;
  if (!slider_->isSliderDown()) slider_->setRealValue(time);
  time_->setValue(time);
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
    // A picture on the way of a large lattice may have no point of the curve; its rows stay where they are.
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
