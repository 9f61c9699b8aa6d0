#include "ui/rooms/lattice/lattice_fields.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numbers>
#include <utility>

#include "core/lattice/wilson_flow.h"
#include "core/volume/change.h"
#include "core/volume/histogram.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/color_scale.h"
#include "ui/charts/curve_chart.h"
#include "ui/controls/buttons.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_plots.h"
#include "ui/views/auto_window.h"

namespace sscope {

namespace {

constexpr int kRedrawMilliseconds = 60;
constexpr double kMostDecades = 16;  // smaller values are rounding errors

QString partText(LoopPart part) {
  switch (part) {
    case LoopPart::Real: return LatticeFields::tr("real part");
    case LoopPart::Imaginary: return LatticeFields::tr("imaginary part");
    case LoopPart::Modulus: return LatticeFields::tr("modulus");
    case LoopPart::Phase: break;
  }
  return LatticeFields::tr("phase");
}

}  // namespace

FieldColors fieldColors(const ShownField& field, LoopPart part) {
  if (field.loop && part == LoopPart::Phase) return {ColorMap::Cyclic, true, {-std::numbers::pi, std::numbers::pi}};
  if (field.loop) return {part == LoopPart::Modulus ? ColorMap::Magnitude : ColorMap::Diverging, false, {}};
  const bool signedValues = field.key == "charge" || field.key == "link-trace";
  return {signedValues ? ColorMap::Diverging : ColorMap::Magnitude, false, {}};
}

LatticeFields::LatticeFields(LatticeController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller) {
  auto* upper = new QWidget(this);
  views_ = new VolumeViews(upper);
  views_->setAccessibleName(tr("Slices and 3D view of the field"));
  views_->setPlainAxes(true);
  player_ = new TimePlayer(upper);
  auto* pictures = bareLayout<QVBoxLayout>(upper, 0);
  pictures->addWidget(buildBar());
  pictures->addWidget(views_, 1);
  pictures->addWidget(buildFooter());
  pictures->addWidget(player_);
  QSplitter* split = splitter(Qt::Vertical, {{upper, 5, 40}, {buildCharts(), 2, 14}}, this);
  split->setCollapsible(1, true);
  auto* column = bareLayout<QVBoxLayout>(this);
  column->addWidget(split);

  redraw_.setSingleShot(true);
  redraw_.setInterval(kRedrawMilliseconds);
  connect(&redraw_, &QTimer::timeout, this, &LatticeFields::showCurves);
  const auto redrawSoon = [this] {
    if (!redraw_.isActive()) redraw_.start();
  };
  connect(&controller_, &LatticeController::curveChanged, this, redrawSoon);
  connect(&controller_, &LatticeController::sweepsChanged, this, redrawSoon);
  connect(&controller_, &LatticeController::fieldChanged, this, &LatticeFields::showField);
  connect(&controller_, &LatticeController::started, this, [this] {
    if (controller_.activity() == LatticeController::Activity::Generating) {
      tabs_->setCurrentIndex(1);
    } else if (controller_.flowSteps() > 0) {
      tabs_->setCurrentIndex(0);
    }
    showTitle();
  });
  connect(&controller_, &LatticeController::ended, this, &LatticeFields::showTitle);
  connect(&controller_, &LatticeController::configurationChanged, this, [this] {
    player_->setPlaying(false);
    if (controller_.saved()) tabs_->setCurrentIndex(0);
    showTitle();
  });
  connect(player_, &TimePlayer::sliceChanged, this, [this](int, bool playing) { showComponent(playing); });
  connect(perSlice_, &QCheckBox::toggled, this, &LatticeFields::applyWindow);
  connect(views_, &VolumeViews::windowChanged, this, [this](bool result, double low, double high) {
    if (!result || !shown_) return;
    colors_->setScale(fieldColors(*shown_, part_).map, {low, high}, logarithmic());
    // After a double click. The automatic window of the views would be that of one slice.
    if (views_->resultWindowAutomatic())
      QMetaObject::invokeMethod(this, &LatticeFields::applyWindow, Qt::QueuedConnection);
  });
  connect(views_, &VolumeViews::hovered, this, &LatticeFields::hover);
  connect(views_, &VolumeViews::layoutChanged, this,
          [this](VolumeViews::Layout layout) { layouts_->button(static_cast<int>(layout))->setChecked(true); });
  showCurves();
  showField();
}

QWidget* LatticeFields::buildBar() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  const int gap = em(this, 0.3);
  row->setContentsMargins(gap, gap, gap, gap);
  row->setSpacing(gap);
  title_ = named(new QLabel(bar), "latticeTitle");
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addSpacing(gap);
  row->addWidget(title_, 1);
  logarithmic_ = named(new QCheckBox(tr("logarithmic"), bar), "latticeLogarithmic");
  logarithmic_->setToolTip(tr("Color by the logarithm of the values, for fields with a large range"));
  row->addWidget(logarithmic_);
  row->addSpacing(gap);
  connect(logarithmic_, &QCheckBox::clicked, this, [this](bool chosen) {
    if (!shown_) return;
    (shown_->decades ? logarithmicDecades_ : logarithmicOthers_) = chosen;
    showField();
  });
  perSlice_ = named(new QCheckBox(tr("colors of each slice"), bar), "latticePerSlice");
  perSlice_->setToolTip(
      tr("Choose the range of the colors for each time slice separately. Otherwise all slices have the same, so that "
         "they can be compared."));
  row->addWidget(perSlice_);
  row->addSpacing(2 * gap);
  layouts_ = new QButtonGroup(this);
  auto* layouts = new QHBoxLayout;
  layouts->setSpacing(0);
  const auto layout = [&](int id, const char* icon, const QString& tip) {
    layouts->addWidget(segmentButton(layouts_, id, {}, icon, tip, bar));
  };
  layout(0, "layout-all", tr("All four views (0)"));
  layout(1, "axial", tr("xy plane alone (1)"));
  layout(2, "coronal", tr("xz plane alone (2)"));
  layout(3, "sagittal", tr("yz plane alone (3)"));
  layout(4, "volume", tr("3D view alone (4)"));
  layouts_->button(0)->setChecked(true);
  row->addLayout(layouts);
  connect(layouts_, &QButtonGroup::idClicked, this,
          [this](int id) { views_->setViewLayout(static_cast<VolumeViews::Layout>(id)); });
  return bar;
}

QWidget* LatticeFields::buildFooter() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  const int gap = em(this, 0.3);
  row->setContentsMargins(2 * gap, gap / 2, gap, 0);
  hover_ = named(new QLabel(QStringLiteral(" "), bar), "latticeHover", tr("Value under the mouse"));
  hover_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  colors_ = named(new ColorBar(bar), "latticeColors");
  row->addWidget(hover_, 1);
  row->addWidget(colors_);
  return bar;
}

QWidget* LatticeFields::buildCharts() {
  tabs_ = named(new QTabWidget(this), "latticeCharts");
  tabs_->setDocumentMode(true);
  energy_ = named(new CurveChart, "latticeEnergy");
  charge_ = named(new CurveChart, "latticeCharge");
  sweeps_ = named(new CurveChart, "latticeSweeps");
  flowPage_ = new QWidget;
  auto* row = bareLayout<QHBoxLayout>(flowPage_);
  row->addWidget(energy_, 1);
  row->addWidget(charge_, 1);
  tabs_->addTab(flowPage_, tr("Flow"));
  tabs_->addTab(sweeps_, tr("Heat bath"));
  for (CurveChart* chart : charts())
    connect(chart, &Plot::exportRequested, this,
            [this, chart](bool png) { Q_EMIT exportRequested(chartSuffix(chart->stem(), png)); });
  return tabs_;
}

std::vector<CurveChart*> LatticeFields::charts() const { return {energy_, charge_, sweeps_}; }

void LatticeFields::toggleLayout(VolumeViews::Layout layout) {
  views_->setViewLayout(views_->viewLayout() == layout ? VolumeViews::Layout::All : layout);
}

void LatticeFields::setPart(LoopPart part) {
  if (part == part_) return;
  part_ = part;
  if (shown_ && shown_->loop) showField();
  Q_EMIT partChanged();
}

int LatticeFields::component() const { return shown_ && shown_->loop ? static_cast<int>(part_) : player_->slice(); }

QString LatticeFields::componentText() const {
  if (!shown_) return {};
  return shown_->loop ? partText(part_) : tr("t = %1").arg(player_->slice());
}

void LatticeFields::showField() {
  shown_ = controller_.field();
  colors_->setVisible(shown_ != nullptr);
  if (!shown_) {
    prepared_.reset();
    drawn_.reset();
    logarithmic_->hide();
    views_->setSource(nullptr);
    player_->setTimeless(QString());
    showHovered();
    showTitle();
    return;
  }
  if (prepared_ != controller_.configuration()) {
    prepared_ = controller_.configuration();
    views_->setSource(shown_->volume);
    views_->setShow(VolumeViews::Show::Result);
  }
  views_->setColorMap(fieldColors(*shown_, part_).map);
  chooseScale();
  if (shown_->loop) {
    player_->setTimeless(tr("all times"));
  } else {
    player_->setSlices(shown_->volume->shape().components);
  }
  views_->setComponent(component());
  views_->setResult(drawn_);
  applyWindow();
  showHovered();
  showTitle();
  Q_EMIT componentChanged();
  if (!shown_->loop && nextSlice_) player_->setSlice(*std::exchange(nextSlice_, std::nullopt));
}

// Positive fields can be shown as logarithms.
void LatticeFields::chooseScale() {
  const bool positive = !shown_->loop && fieldColors(*shown_, part_).map == ColorMap::Magnitude;
  const bool wanted = shown_->decades ? logarithmicDecades_ : logarithmicOthers_;
  logarithmic_->setVisible(positive);
  logarithmic_->setChecked(wanted);
  drawn_ = positive && wanted ? logarithmOf(*shown_->volume) : nullptr;
  if (!drawn_) drawn_ = shown_->volume;
}

void LatticeFields::setSlice(int slice) { nextSlice_ = slice; }

int LatticeFields::slice() const { return nextSlice_.value_or(player_->slice()); }

void LatticeFields::showComponent(bool playing) {
  if (!shown_) return;
  if (playing) {
    views_->playComponent(component());
  } else {
    views_->setComponent(component());
  }
  if (perSlice_->isChecked()) applyWindow();
  showHovered();
  showTitle();
  Q_EMIT componentChanged();
}

void LatticeFields::applyWindow() {
  if (!shown_) return;
  const FieldColors colors = fieldColors(*shown_, part_);
  ValueWindow window = colors.window;
  if (!colors.fixed) {
    const bool one = shown_->loop || perSlice_->isChecked();
    const int which = one ? component() : -1;
    // In fields that span decades, the few large values are no outliers.
    const bool whole = shown_->decades || logarithmic();
    if (whole) {
      const ValueRange range = rangeOf(drawn_->view(), which, {});
      window = {range.least, range.most};
    } else {
      window = automaticWindow(*drawn_, which);
    }
    if (logarithmic()) {
      window[0] = std::max(window[0], window[1] - kMostDecades);
    } else if (colors.map == ColorMap::Diverging) {
      const double most = std::max(std::abs(window[0]), std::abs(window[1]));
      window = {-most, most};
    } else if (shown_->loop || shown_->decades) {
      window[0] = 0;  // a modulus or its square
    }
    if (!(window[1] > window[0])) window[1] = window[0] + 1;
  }
  views_->setResultWindow(window);
  colors_->setScale(colors.map, window, logarithmic());
}

void LatticeFields::showCurves() {
  energy_->setPlot(energyPlot(controller_.curve()));
  charge_->setPlot(chargePlot(controller_.curve()));
  sweeps_->setPlot(sweepPlot(controller_.sweeps()));
}

void LatticeFields::showTitle() {
  QString title, state;
  if (shown_) {
    title = shown_->title;
    if (shown_->loop) title += QStringLiteral(", ") + partText(part_);
    views_->setResultName(componentText());
    if (shown_->flowSteps > 0)
      title += QStringLiteral(" \u00b7 ") +
               tr("after the flow time %1").arg(shown_->flowSteps * lattice::kFlowStep, 0, 'f', 2);
    if (controller_.activity() == LatticeController::Activity::Showing)
      state = shown_->key != controller_.choice() || shown_->flowSteps == controller_.flowSteps()
                  ? tr("computing")
                  : tr("earlier flow time");
  }
  title_->setText(title);
  title_->setToolTip(title);
  views_->setStatusTexts(state);
}

void LatticeFields::hover(const HoverInfo& info) {
  hovered_.reset();
  if (info.inside && !info.result.empty()) hovered_ = info.voxel;
  showHovered();
}

void LatticeFields::showHovered() {
  const VolumeShape shape = shown_ ? shown_->volume->shape() : VolumeShape();
  if (!hovered_ || (*hovered_)[0] >= shape.nx || (*hovered_)[1] >= shape.ny || (*hovered_)[2] >= shape.nz) {
    hover_->setText(QStringLiteral(" "));
    return;
  }
  const auto at = [&](std::size_t a) { return QString::number((*hovered_)[a]); };
  const double value = shown_->volume->value((*hovered_)[0], (*hovered_)[1], (*hovered_)[2], component());
  hover_->setText(shown_->loop ? tr("%1 at (x, y, z) = (%2, %3, %4)").arg(numberText(value, 5), at(0), at(1), at(2))
                               : tr("%1 at (x, y, z, t) = (%2, %3, %4, %5)")
                                     .arg(numberText(value, 5), at(0), at(1), at(2))
                                     .arg(player_->slice()));
}

QImage LatticeFields::renderToImage() {
  const QImage pictures = views_->renderToImage();
  if (!shown_) return pictures;
  const double scale = static_cast<double>(pictures.width()) / views_->width();
  const int height = em(this, 2), gap = em(this, 0.6);
  QImage whole(pictures.width(), pictures.height() + static_cast<int>(std::lround(scale * height)),
               QImage::Format_RGB32);
  whole.fill(palette().color(QPalette::Window));
  QPainter painter(&whole);
  painter.drawImage(0, 0, pictures);
  painter.translate(0, pictures.height());
  painter.scale(scale, scale);
  painter.setFont(font());
  painter.setPen(palette().color(QPalette::WindowText));
  const QPoint bar(views_->width() - colors_->width() - gap, (height - colors_->height()) / 2);
  QStringList words{title_->text()};
  if (!shown_->loop) words << componentText();
  painter.drawText(QRect(gap, 0, bar.x() - 2 * gap, height), Qt::AlignLeft | Qt::AlignVCenter,
                   words.join(QStringLiteral(", ")));
  colors_->render(&painter, bar, {}, QWidget::RenderFlags());
  return whole;
}

}  // namespace sscope

#include "moc_lattice_fields.cpp"
