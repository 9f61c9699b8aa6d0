#include "ui/rooms/wavelet/wavelet_setup.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "core/wavelet/wavelet.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/controls/gesture.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"

namespace sscope {

namespace {

// The slider reaches so far below the largest coefficient; its left end is 0.
constexpr double kSliderReach = 1e-6;
constexpr int kShownDigits = 4;

QComboBox* comboBox(const char* name, const QString& accessibleName, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(accessibleName);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  return box;
}

NumberBox* wholeBox(const char* name, const QString& accessibleName, double low, double high, QWidget* parent) {
  auto* box = new NumberBox(accessibleName, parent);
  box->setObjectName(QLatin1String(name));
  box->setWhole(true);
  box->setRange(low, high);
  box->setStep([](double value, int steps) { return value + steps; });
  return box;
}

void setRowVisible(QFormLayout* form, QWidget* field, bool visible) {
  field->setVisible(visible);
  if (QWidget* label = form->labelForField(field)) label->setVisible(visible);
}

}  // namespace

WaveletSetup::WaveletSetup(const Toolbox& toolbox, SessionModel& model, WaveletController& controller, QWidget* parent)
    : QWidget(parent), toolbox_(toolbox), model_(model), controller_(controller) {
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.45);
  column->setContentsMargins(gap, 0, gap, gap);
  column->setSpacing(gap);
  notice_ = new Notice(tr("Message about the transform"), this);
  notice_->setObjectName(QStringLiteral("waveletNotice"));
  column->addWidget(buildTransform());
  column->addWidget(buildThreshold());
  column->addWidget(buildResult());
  column->addWidget(buildPlace());
  column->addStretch(1);

  model_.follow<WaveletSettings>(this, &WaveletSetup::refresh);
  connect(&model_, &SessionModel::engineChoiceChanged, this, [this] {
    refreshPlace();
    tellCorrections();
  });
  connect(&model_, &SessionModel::dataChanged, this, &WaveletSetup::refresh);
  connect(&model_, &SessionModel::viewChanged, this, [this] { component_->setCurrentIndex(controller_.component()); });
  connect(&controller_, &WaveletController::ready, this, [this] {
    if (failed_) notice_->showMessage(Notice::Kind::Error, {});
    failed_ = false;
    refreshThreshold();
    showResult();
    tellCorrections();
  });
  connect(&controller_, &WaveletController::failed, this, [this](const QString& message) {
    failed_ = true;
    notice_->showMessage(Notice::Kind::Error, message);
    showResult();
  });
  connect(&controller_, &WaveletController::started, this, &WaveletSetup::showResult);
  connect(&controller_, &WaveletController::emptied, this, &WaveletSetup::showResult);
  refresh();
}

template <class Change>
void WaveletSetup::edit(const Change& change, const QString& gesture) {
  WaveletSettings settings = this->settings();
  change(settings);
  model_.edit(settings, gesture);
}

void WaveletSetup::offer(QComboBox* box, std::string WaveletSettings::*member) {
  connect(box, &QComboBox::activated, this, [this, box, member] {
    edit([box, member](WaveletSettings& s) { s.*member = fromQt(box->currentData().toString()); });
  });
}

QWidget* WaveletSetup::buildTransform() {
  auto* box = new QWidget(this);
  form_ = new QFormLayout(box);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setSpacing(em(this, 0.3));
  transform_ = comboBox("waveletTransform", tr("Transform"), box);
  transform_->addItem(tr("Wavelet transform"), QStringLiteral("dwt"));
  transform_->addItem(tr("Magic filter"), QStringLiteral("magic"));
  wavelet_ = comboBox("waveletFamily", tr("Wavelet"), box);
  for (const Wavelet& each : wavelets())
    wavelet_->addItem(tr("%1 \u00b7 %2 taps").arg(toQt(each.label)).arg(each.taps()), toQt(each.name));
  convention_ = comboBox("waveletConvention", tr("Whose taps"), box);
  convention_->addItem(tr("PyWavelets"), QStringLiteral("pywavelets"));
  convention_->addItem(tr("BigDFT, the mirror image"), QStringLiteral("bigdft"));
  convention_->setToolTip(
      tr("Which of two mirror images the wavelet is; the magic filter goes with BigDFT's symlet of its order"));
  levels_ = wholeBox("waveletLevels", tr("Levels of the transform"), 1, 1, box);
  direction_ = comboBox("magicDirection", tr("Direction of the magic filter"), box);
  direction_->addItem(tr("forward: coefficients to values"), QStringLiteral("forward"));
  direction_->addItem(tr("inverse: values to coefficients"), QStringLiteral("inverse"));
  order_ = wholeBox("magicOrder", tr("Order of the magic filter"), 1, 10, box);
  order_->setToolTip(tr("Vanishing moments m of the symlet the filter belongs to; it has 2m taps"));
  tapsRow_ = new QWidget(box);
  auto* row = new QHBoxLayout(tapsRow_);
  row->setContentsMargins(0, 0, 0, 0);
  tapsFile_ = quietLabel({}, tapsRow_);
  tapsFile_->setObjectName(QStringLiteral("magicTaps"));
  auto* choose = new QToolButton(tapsRow_);
  choose->setIcon(icon("open"));
  choose->setAccessibleName(tr("Choose a file of taps"));
  choose->setToolTip(tr("Take the taps from a text or JSON file, 2 to 64 numbers"));
  auto* clear = new QToolButton(tapsRow_);
  clear->setIcon(icon("close"));
  clear->setAccessibleName(tr("Back to the magic filter's own taps"));
  clear->setToolTip(clear->accessibleName());
  row->addWidget(tapsFile_, 1);
  row->addWidget(choose);
  row->addWidget(clear);
  component_ = comboBox("waveletComponent", tr("Component that is transformed"), box);
  form_->addRow(tr("Component"), component_);
  form_->addRow(tr("Transform"), transform_);
  form_->addRow(tr("Wavelet"), wavelet_);
  form_->addRow(tr("Convention"), convention_);
  form_->addRow(tr("Levels"), levels_);
  form_->addRow(tr("Direction"), direction_);
  form_->addRow(tr("Order"), order_);
  form_->addRow(tr("Taps"), tapsRow_);

  connect(component_, &QComboBox::activated, this, [this](int component) {
    ViewState view = model_.view();
    view.component = component;
    model_.setView(view);
  });
  connect(transform_, &QComboBox::activated, this, [this] {
    edit([this](WaveletSettings& s) {
      s.transform = fromQt(transform_->currentData().toString());
      s.variant.clear();
    });
  });
  offer(wavelet_, &WaveletSettings::wavelet);
  offer(convention_, &WaveletSettings::convention);
  offer(direction_, &WaveletSettings::direction);
  connect(levels_, &NumberBox::valueEdited, this,
          [this](double levels) { edit([levels](WaveletSettings& s) { s.levels = static_cast<int>(levels); }); });
  connect(order_, &NumberBox::valueEdited, this,
          [this](double order) { edit([order](WaveletSettings& s) { s.order = static_cast<int>(order); }); });
  for (NumberBox* number : {levels_, order_}) connect(number, &NumberBox::corrected, notice_, &Notice::correct);
  connect(choose, &QToolButton::clicked, this, &WaveletSetup::chooseTaps);
  connect(clear, &QToolButton::clicked, this, [this] { edit([](WaveletSettings& s) { s.taps.clear(); }); });
  return box;
}

QWidget* WaveletSetup::buildPlace() {
  auto* box = new QWidget(this);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->setSpacing(em(this, 0.3));
  engine_ = comboBox("waveletEngine", tr("Engine of the transform"), box);
  variant_ = comboBox("waveletVariant", tr("Variant of the transform"), box);
  form->addRow(headingLabel(tr("ENGINE"), box));
  form->addRow(tr("Engine"), engine_);
  form->addRow(tr("Variant"), variant_);
  connect(engine_, &QComboBox::activated, this, [this] {
    EngineChoice choice = model_.engineChoice();
    const std::string id = fromQt(engine_->currentText());
    if (id == controller_.engineId()) return;
    choice.engine = id;
    choice.variant.clear();  // of the filters: names differ between kinds of engines
    model_.editEngineChoice(choice, tr("Run on %1").arg(toQt(id)));
  });
  connect(variant_, &QComboBox::activated, this, [this](int index) {
    edit([this, index](WaveletSettings& s) {
      s.variant = index == 0 ? std::string() : fromQt(variant_->itemText(index));
    });
  });
  return box;
}

QWidget* WaveletSetup::buildThreshold() {
  thresholdBox_ = new QWidget(this);
  auto* column = new QVBoxLayout(thresholdBox_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  slider_ = new ValueSlider(tr("Threshold"), thresholdBox_);
  slider_->setObjectName(QStringLiteral("waveletSlider"));
  slider_->setToolTip(
      tr("Details of smaller magnitude are removed, which takes noise away; at the left end nothing is removed. "
         "Double-click for the suggested value."));
  slider_->installEventFilter(this);
  threshold_ = new NumberBox(tr("Threshold"), thresholdBox_);
  threshold_->setObjectName(QStringLiteral("waveletThreshold"));
  threshold_->setRange(0, 1e300);
  automatic_ = new QCheckBox(tr("auto"), thresholdBox_);
  automatic_->setObjectName(QStringLiteral("waveletAuto"));
  automatic_->setToolTip(
      tr("Thresholds from the noise, which is estimated from the finest details, by the rule below"));
  shrinkage_ = comboBox("waveletShrinkage", tr("Rule that finds thresholds"), thresholdBox_);
  shrinkage_->addItem(tr("SURE: one for each band"), QStringLiteral("sure"));
  shrinkage_->addItem(tr("BayesShrink: one for each band"), QStringLiteral("bayes"));
  shrinkage_->addItem(tr("VisuShrink: one for all bands"), QStringLiteral("visu"));
  shrinkage_->setToolTip(tr("BayesShrink and SURE keep more of the picture; VisuShrink leaves the least noise"));
  rule_ = comboBox("waveletRule", tr("What becomes of larger details"), thresholdBox_);
  rule_->addItem(tr("soft: larger details shrink by it"), QStringLiteral("soft"));
  rule_->addItem(tr("hard: larger details stay as they are"), QStringLiteral("hard"));
  auto* row = new QHBoxLayout;
  row->addWidget(slider_, 1);
  row->addWidget(threshold_);
  row->addWidget(automatic_);
  column->addWidget(headingLabel(tr("THRESHOLD"), thresholdBox_));
  column->addLayout(row);
  column->addWidget(shrinkage_);
  column->addWidget(rule_);

  gesture_ = new Gesture(slider_);
  connect(slider_, &ValueSlider::realValueEdited, this, [this](double value) {
    const std::shared_ptr<const WaveletResult> result = controller_.result();
    const double least = result ? result->largest * kSliderReach : 0;
    editThreshold(value <= least * (1 + 1e-9) ? 0 : value);
  });
  connect(threshold_, &NumberBox::valueEdited, this, &WaveletSetup::editThreshold);
  connect(threshold_, &NumberBox::corrected, notice_, &Notice::correct);
  connect(automatic_, &QCheckBox::clicked, this, [this](bool on) {
    edit([this, on](WaveletSettings& s) {
      s.automatic = on;
      s.threshold = threshold_->value();
    });
  });
  offer(shrinkage_, &WaveletSettings::shrinkage);
  offer(rule_, &WaveletSettings::rule);
  return thresholdBox_;
}

QWidget* WaveletSetup::buildResult() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.3));
  numbers_ = new QLabel(box);
  numbers_->setObjectName(QStringLiteral("waveletNumbers"));
  numbers_->setAccessibleName(tr("Result in numbers"));
  numbers_->setTextFormat(Qt::RichText);
  numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(headingLabel(tr("RESULT"), box));
  column->addWidget(numbers_);
  return box;
}

bool WaveletSetup::eventFilter(QObject* watched, QEvent* event) {
  if (watched == slider_ && event->type() == QEvent::MouseButtonDblClick) {
    edit([](WaveletSettings& s) { s.automatic = true; });
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void WaveletSetup::editThreshold(double value) {
  edit(
      [value](WaveletSettings& s) {
        s.automatic = false;
        s.threshold = value;
      },
      gesture_->now());
}

void WaveletSetup::chooseTaps() {
  auto* dialog = new QFileDialog(this, tr("Taps of the filter"), QFileInfo(toQt(settings().taps)).absolutePath(),
                                 tr("Taps (*.txt *.json *.csv);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { edit([&path](WaveletSettings& s) { s.taps = fromQt(path); }); });
  dialog->show();
}

void WaveletSetup::refresh() {
  const WaveletSettings& s = settings();
  const bool filter = magic();
  const int components = model_.hasData() ? model_.data().volume->shape().components : 1;
  while (component_->count() > components) component_->removeItem(component_->count() - 1);
  for (int c = component_->count(); c < components; ++c) component_->addItem(QString::number(c));
  component_->setCurrentIndex(controller_.component());
  setRowVisible(form_, component_, components > 1);
  transform_->setCurrentIndex(filter ? 1 : 0);
  wavelet_->setCurrentIndex(wavelet_->findData(toQt(s.wavelet)));
  convention_->setCurrentIndex(s.convention == "bigdft" ? 1 : 0);
  const int most = model_.hasData() ? mostLevels(model_.data().volume->shape()) : s.levels;
  levels_->setRange(1, most);
  levels_->setValue(std::min(s.levels, most));
  levels_->setToolTip(tr("How many times the approximation is halved; these data allow %1").arg(most));
  direction_->setCurrentIndex(s.direction == "inverse" ? 1 : 0);
  order_->setValue(s.order);
  order_->setEnabled(s.taps.empty());
  tapsFile_->setText(s.taps.empty() ? tr("%1 taps of the order").arg(2 * s.order) : QFileInfo(toQt(s.taps)).fileName());
  tapsFile_->setToolTip(toQt(s.taps));
  for (QWidget* field :
       {static_cast<QWidget*>(wavelet_), static_cast<QWidget*>(convention_), static_cast<QWidget*>(levels_)})
    setRowVisible(form_, field, !filter);
  for (QWidget* field : {static_cast<QWidget*>(direction_), static_cast<QWidget*>(order_), tapsRow_})
    setRowVisible(form_, field, filter);
  thresholdBox_->setVisible(!filter);
  rule_->setCurrentIndex(s.rule == "hard" ? 1 : 0);
  automatic_->setChecked(s.automatic);
  shrinkage_->setCurrentIndex(std::max(0, shrinkage_->findData(toQt(s.shrinkage))));
  shrinkage_->setEnabled(s.automatic);
  refreshPlace();
  refreshThreshold();
  showResult();
  tellCorrections();
}

// What runs is not quite what was asked for: the reason, where the choice was made.
void WaveletSetup::tellCorrections() {
  if (!model_.hasData() || failed_) return;
  QStringList reasons;
  const WaveletSettings& s = settings();
  const int most = mostLevels(model_.data().volume->shape());
  if (!magic() && s.levels > most)
    reasons << tr("%n level(s) instead of %1: these data cannot be halved more often", nullptr, most).arg(s.levels);
  if (!s.variant.empty() && controller_.variant().empty())
    reasons << tr("%1 has no variant %2 of this transform; the default one runs")
                   .arg(toQt(controller_.engineId()), toQt(s.variant));
  notice_->correct(reasons.join(QStringLiteral(". ")), QStringLiteral("settings"));
}

void WaveletSetup::refreshPlace() {
  const std::string id = controller_.engineId(), workload = settings().transform;
  engine_->clear();
  variant_->clear();
  auto* items = qobject_cast<QStandardItemModel*>(engine_->model());
  for (const EngineInfo& info : toolbox_.engines->infos()) {
    const auto rows = toolbox_.variants->rows(workload, info.kind);
    if (info.isPeer() && rows.empty()) continue;
    engine_->addItem(toQt(info.id));
    QString tip = toQt(info.name);
    if (!info.available() || rows.empty()) {
      tip = info.available() ? tr("%1 has no such transform").arg(toQt(info.id))
                             : tr("absent: %1").arg(toQt(info.absentReason));
      items->item(engine_->count() - 1)->setEnabled(false);
    }
    engine_->setItemData(engine_->count() - 1, tip, Qt::ToolTipRole);
    if (info.id != id) continue;
    engine_->setCurrentIndex(engine_->count() - 1);
    for (const Variant* variant : rows) {
      if (!variant->twinOf.empty()) continue;
      variant_->addItem(toQt(variant->name));
      variant_->setItemData(variant_->count() - 1, toQt(variant->explanation), Qt::ToolTipRole);
    }
  }
  variant_->setCurrentIndex(std::max(0, variant_->findText(toQt(settings().variant))));
  variant_->setToolTip(variant_->currentData(Qt::ToolTipRole).toString());
}

void WaveletSetup::refreshThreshold() {
  const WaveletSettings& s = settings();
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  if (result && result->largest > 0 && !slider_->isSliderDown())
    slider_->setScale(result->largest * kSliderReach, result->largest, true, false);
  const double shown = !s.automatic ? s.threshold : result ? result->threshold : 0;
  if (!slider_->isSliderDown()) slider_->setRealValue(shown);
  threshold_->setValue(numberText(shown, kShownDigits).toDouble());
}

void WaveletSetup::showResult() {
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  if (!result) {
    numbers_->setText(!model_.hasData()                ? tr("Open a file or a sample to begin.")
                      : failed_ && !controller_.busy() ? tr("none")
                                                       : tr("computing"));
    return;
  }
  QString text = QStringLiteral("<table cellspacing='2'>");
  const auto row = [&text](const QString& name, const QString& value) {
    text += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td><b>%2</b></td></tr>").arg(name, value.toHtmlEscaped());
  };
  const VolumeError& error = result->error;
  if (magic()) {
    row(tr("Round trip"), tr("the inverse is approximate"));
  } else {
    row(tr("Coefficients kept"), tr("%1 %").arg(numberText(100 * result->keptShare(), 4)));
    row(settings().shrinkage == "visu" ? tr("Suggested threshold") : tr("Suggested, finest band"),
        numberText(result->suggested, 4));
  }
  row(tr("Relative error (L2)"), numberText(error.relativeL2, 3));
  row(tr("Largest error"), numberText(error.maximum, 3));
  row(tr("PSNR"), std::isinf(error.psnr)   ? tr("no difference")
                  : std::isnan(error.psnr) ? tr("not a number")
                                           : tr("%1 dB").arg(numberText(error.psnr, 4)));
  numbers_->setText(text + QStringLiteral("</table>"));
}

}  // namespace sscope
