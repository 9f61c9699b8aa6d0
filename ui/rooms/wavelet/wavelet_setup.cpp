#include "ui/rooms/wavelet/wavelet_setup.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/wavelet/wavelet.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/controls/number_box.h"
#include "ui/controls/setting_controls.h"
#include "ui/controls/value_slider.h"

namespace sscope {

namespace {

// The smallest threshold of the slider relative to the largest coefficient; its left end means 0.
constexpr double kSliderReach = 1e-6;
constexpr int kShownDigits = 4;

void setRowVisible(QFormLayout* form, QWidget* field, bool visible) {
  field->setVisible(visible);
  if (QWidget* label = form->labelForField(field)) label->setVisible(visible);
}

}  // namespace

WaveletSetup::WaveletSetup(const Toolbox& toolbox, SessionModel& model, WaveletController& controller, QWidget* parent)
    : QWidget(parent),
      toolbox_(toolbox),
      model_(model),
      controller_(controller),
      controls_(new SettingControls(WaveletSettings(), QStringLiteral("wavelet"), this)) {
  QVBoxLayout* column = controlColumn(this, 0.45, 0);
  notice_ = named(new Notice(tr("Message about the transform"), this), "waveletNotice");
  column->addWidget(buildTransform());
  column->addWidget(buildThreshold());
  column->addWidget(buildResult());
  column->addWidget(buildPlace());
  column->addStretch(1);

  connect(controls_, &SettingControls::corrected, notice_, &Notice::correct);
  controls_->along<WaveletSettings>("transform", [](WaveletSettings& s) { s.variant.clear(); });
  controls_->along<WaveletSettings>("automatic", [this](WaveletSettings& s) { s.threshold = threshold_->value(); });
  controls_->follow(model_);
  model_.follow<WaveletSettings>(this, &WaveletSetup::refresh);
  connect(&model_, &SessionModel::engineChoiceChanged, this, [this] {
    refreshPlace();
    showCorrections();
  });
  connect(&model_, &SessionModel::dataChanged, this, &WaveletSetup::refresh);
  connect(&model_, &SessionModel::viewChanged, this, [this] { component_->setCurrentIndex(controller_.component()); });
  connect(&controller_, &WaveletController::ready, this, [this] {
    if (failed_) notice_->showMessage(Notice::Kind::Error, {});
    failed_ = false;
    refreshThreshold();
    showResult();
    showCorrections();
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

QWidget* WaveletSetup::buildTransform() {
  auto* box = new QWidget(this);
  form_ = bareLayout<QFormLayout>(box, em(box, 0.3));
  component_ = narrowList(box, "waveletComponent", tr("Component that is transformed"), 10);
  form_->addRow(tr("Component"), component_);
  std::vector<SettingChoice> families;
  for (const Wavelet& each : wavelets())
    families.push_back({each.name, fromQt(tr("%1 \u00b7 %2 taps").arg(toQt(each.label)).arg(each.taps()))});
  controls_->offer("wavelet", families);
  controls_->use("taps", buildTaps(), tr("Taps"));
  controls_->addGroup(form_, "transform");
  connect(component_, &QComboBox::activated, this,
          [this](int component) { model_.changeView([&](ViewState& view) { view.component = component; }); });
  return box;
}

QWidget* WaveletSetup::buildTaps() {
  auto* box = new QWidget(this);
  auto* row = bareLayout<QHBoxLayout>(box);
  tapsFile_ = quietLabel({}, box);
  tapsFile_->setObjectName(QStringLiteral("waveletTaps"));
  auto* choose = toolButton(box, {.icon = "open",
                                  .tip = tr("Read the taps from a text or JSON file with 2 to 64 numbers"),
                                  .spoken = tr("Choose a file of taps")});
  auto* clear = toolButton(box, {.icon = "close", .tip = tr("Use the taps of the magic filter again")});
  row->addWidget(tapsFile_, 1);
  row->addWidget(choose);
  row->addWidget(clear);
  connect(choose, &QToolButton::clicked, this, &WaveletSetup::chooseTaps);
  connect(clear, &QToolButton::clicked, this, [this] { edit([](WaveletSettings& s) { s.taps.clear(); }); });
  return box;
}

QWidget* WaveletSetup::buildPlace() {
  auto* box = new QWidget(this);
  auto* form = bareLayout<QFormLayout>(box, em(box, 0.3));
  engine_ = narrowList(box, "waveletEngine", tr("Engine of the transform"), 10);
  form->addRow(headingLabel(tr("ENGINE"), box));
  form->addRow(tr("Engine"), engine_);
  controls_->offer("variant", {});
  controls_->addGroup(form, "place");
  connect(engine_, &QComboBox::activated, this, [this] {
    EngineChoice choice = model_.engineChoice();
    const std::string id = fromQt(engine_->currentText());
    if (id == controller_.engineId()) return;
    choice.engine = id;
    choice.variant.clear();  // that of the filters, whose names differ between kinds of engines
    model_.editEngineChoice(choice, tr("Run on %1").arg(toQt(id)));
  });
  return box;
}

QWidget* WaveletSetup::buildThreshold() {
  thresholdBox_ = new QWidget(this);
  auto* form = bareLayout<QFormLayout>(thresholdBox_, em(this, 0.3));
  form->addRow(headingLabel(tr("THRESHOLD"), thresholdBox_));
  QWidget* line = buildThresholdLine();
  for (const char* row : {"automatic", "threshold"}) controls_->use(row, line, {});
  controls_->addGroup(form, "threshold");
  return thresholdBox_;
}

// The result has the scale of the slider and the automatic threshold.
QWidget* WaveletSetup::buildThresholdLine() {
  auto* line = new QWidget(thresholdBox_);
  slider_ = named(new ValueSlider(tr("Threshold"), line), "waveletSlider");
  slider_->setToolTip(
      tr("Smaller details are removed, which reduces noise. At the left end nothing is removed. Double-click for the "
         "suggested value."));
  slider_->installEventFilter(this);
  threshold_ = named(new NumberBox(tr("Threshold"), line), "waveletThreshold");
  threshold_->setRange(0, 1e300);
  auto* row = bareLayout<QHBoxLayout>(line);
  row->addWidget(slider_, 1);
  row->addWidget(threshold_);
  row->addWidget(&controls_->field("automatic"));
  gesture_ = new Gesture(slider_);
  connect(slider_, &QSlider::sliderReleased, this, &WaveletSetup::refreshThreshold);
  connect(slider_, &ValueSlider::realValueEdited, this, [this](double value) {
    const std::shared_ptr<const WaveletResult> result = controller_.result();
    const double least = result ? result->largest * kSliderReach : 0;
    editThreshold(value <= least * (1 + 1e-9) ? 0 : value);
  });
  connect(threshold_, &NumberBox::valueEdited, this, &WaveletSetup::editThreshold);
  connect(threshold_, &NumberBox::corrected, notice_, &Notice::correct);
  return line;
}

QWidget* WaveletSetup::buildResult() {
  auto* box = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(box, em(this, 0.3));
  numbers_ = named(new QLabel(box), "waveletNumbers", tr("Result in numbers"));
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
  showFileDialog(this,
                 {.title = tr("Taps of the filter"),
                  .start = QFileInfo(toQt(settings().taps)).absolutePath(),
                  .filters = tr("Taps (*.txt *.json *.csv);;All files (*)")},
                 [this](const QString& path) { edit([&path](WaveletSettings& s) { s.taps = fromQt(path); }); });
}

void WaveletSetup::refresh() {
  const WaveletSettings& s = settings();
  const bool filter = magic();
  const int components = model_.hasData() ? model_.data().volume->shape().components : 1;
  while (component_->count() > components) component_->removeItem(component_->count() - 1);
  for (int c = component_->count(); c < components; ++c) component_->addItem(QString::number(c));
  component_->setCurrentIndex(controller_.component());
  setRowVisible(form_, component_, components > 1);
  const int most = model_.hasData() ? mostLevels(model_.data().volume->shape()) : s.levels;
  controls_->setLimits("levels", 1, most);
  controls_->field("levels").setTip(
      tr("How many times the approximation is halved; at most %1 for these data").arg(most));
  controls_->field("order").setEnabled(s.taps.empty());
  tapsFile_->setText(s.taps.empty() ? tr("%1 taps of the order").arg(2 * s.order) : QFileInfo(toQt(s.taps)).fileName());
  tapsFile_->setToolTip(toQt(s.taps));
  for (const char* row : {"wavelet", "convention", "levels"}) controls_->setVisible(row, !filter);
  for (const char* row : {"direction", "order", "taps"}) controls_->setVisible(row, filter);
  thresholdBox_->setVisible(!filter);
  controls_->field("shrinkage").setEnabled(s.automatic);
  refreshPlace();
  refreshThreshold();
  showResult();
  showCorrections();
}

// Shows why the transform does not run with the chosen settings.
void WaveletSetup::showCorrections() {
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
  std::vector<SettingChoice> variants;
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
      // The first is the default, which is empty in sessions.
      variants.push_back({variants.empty() ? std::string() : variant->name, variant->name, variant->explanation});
    }
  }
  controls_->offer("variant", variants);
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
                      : model_.data().large            ? tr("none: the data are larger than memory")
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

#include "moc_wavelet_setup.cpp"
