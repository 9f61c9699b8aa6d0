#include "ui/rooms/wavelet/wavelet_charts.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/curve_chart.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/wavelet/wavelet_curves.h"

namespace sscope {

namespace {

QWidget* sideBySide(std::initializer_list<CurveChart*> charts, QWidget* parent) {
  auto* page = new QWidget(parent);
  auto* row = bareLayout<QHBoxLayout>(page);
  for (CurveChart* chart : charts) row->addWidget(chart, 1);
  return page;
}

// "details along x and y, level 1".
QString bandText(const PyramidBand& band) {
  if (band.averages()) return WaveletCharts::tr("averages of level %1").arg(band.level);
  QStringList axes;
  for (std::size_t a = 0; a < 3; ++a)
    if (band.high[a]) axes << QString(QLatin1Char("xyz"[a]));
  return WaveletCharts::tr("details along %1, level %2").arg(axes.join(WaveletCharts::tr(" and "))).arg(band.level);
}

}  // namespace

WaveletCharts::WaveletCharts(SessionModel& model, WaveletController& controller, QWidget* parent)
    : QTabWidget(parent), model_(model), controller_(controller) {
  setObjectName(QStringLiteral("waveletTabs"));
  setDocumentMode(true);
  energy_ = named(new BarChart, "waveletEnergy");
  details_ = named(new QCheckBox(tr("details only")), "waveletDetailsOnly");
  details_->setChecked(true);
  details_->setToolTip(tr("Nearly all energy is in the averages; without it the bars show where the details are"));
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(energy_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  energyPage_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(energyPage_, 0);
  column->addWidget(details_);
  column->addWidget(scroll, 1);
  functions_ = new CurveChart;
  bands_ = new CurveChart;
  taps_ = new CurveChart;
  response_ = new CurveChart;
  roundTrip_ = new CurveChart;
  functions_->setObjectName(QStringLiteral("waveletFunctions"));
  roundTrip_->setObjectName(QStringLiteral("magicRoundTrip"));
  waveletPage_ = sideBySide({functions_, bands_}, this);
  filterPage_ = sideBySide({taps_, response_, roundTrip_}, this);
  for (QWidget* page : {energyPage_, waveletPage_, filterPage_}) page->hide();

  for (Plot* chart : {static_cast<Plot*>(energy_), static_cast<Plot*>(functions_), static_cast<Plot*>(bands_),
                      static_cast<Plot*>(taps_), static_cast<Plot*>(response_), static_cast<Plot*>(roundTrip_)})
    connect(chart, &Plot::exportRequested, this,
            [this, chart](bool png) { Q_EMIT exportRequested(chartSuffix(chart->stem(), png)); });
  connect(details_, &QCheckBox::toggled, this, &WaveletCharts::showEnergy);
  model_.follow<WaveletSettings>(this, &WaveletCharts::arrange);
  connect(&model_, &SessionModel::dataChanged, this, &WaveletCharts::showEnergy);
  connect(&controller_, &WaveletController::ready, this, [this] {
    showEnergy();
    if (model_.settings<WaveletSettings>().transform == "magic") showFilter();
  });
  arrange();
}

std::vector<Plot*> WaveletCharts::charts() const {
  if (model_.settings<WaveletSettings>().transform == "magic") return {taps_, response_, roundTrip_};
  return {energy_, functions_, bands_};
}

void WaveletCharts::arrange() {
  const bool filter = model_.settings<WaveletSettings>().transform == "magic";
  const bool showing = indexOf(filterPage_) >= 0;
  if (count() == 0 || filter != showing) {
    clear();
    if (filter) {
      addTab(filterPage_, tr("Magic filter"));
    } else {
      addTab(energyPage_, tr("Energy per band"));
      addTab(waveletPage_, tr("Scaling function and wavelet"));
    }
  }
  filter ? showFilter() : showWavelet();
}

void WaveletCharts::showWavelet() {
  const WaveletSettings& settings = model_.settings<WaveletSettings>();
  const std::string now = settings.wavelet + " " + settings.convention;
  if (plotted_ == now) return;
  plotted_ = now;
  const WaveletPlots plots = waveletPlots(settings);
  functions_->setPlot(plots.functions);
  bands_->setPlot(plots.spectra);
}

void WaveletCharts::showFilter() {
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  const FilterPlots plots =
      filterPlots(model_.settings<WaveletSettings>(), result ? result->measuredRoundTrip : std::vector<double>());
  taps_->setPlot(plots.taps);
  response_->setPlot(plots.response);
  roundTrip_->setPlot(plots.roundTrip);
}

void WaveletCharts::showEnergy() {
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  const bool details = details_->isChecked();
  double whole = 0;
  BarPlot plot;
  plot.title = details ? tr("Energy of the details per band") : tr("Energy per band");
  plot.stem = QStringLiteral("energy");
  plot.axis = details ? tr("% of the energy of all details") : tr("% of the energy");
  plot.outline = tr("before the threshold");
  plot.filled = tr("kept");
  plot.csv = "band,before_percent,after_percent,detail\n";
  if (result) {
    const bool averages = !details;
    for (const BandShare& band : result->bands)
      if (averages || !band.band.averages()) whole += band.before;
    for (const BandShare& band : result->bands) {
      if (!averages && band.band.averages()) continue;
      const double scale = whole > 0 ? 100 / whole : 0;
      const QString name = toQt(band.band.name);
      const double before = band.before * scale, kept = band.after * scale;
      const QString detail = tr("%1; %2 of %3 coefficients kept")
                                 .arg(bandText(band.band), formatCount(band.kept), formatCount(band.coefficients));
      plot.bars.push_back(
          {name, kept, before, formatNumber(kept),
           tr("%1 % before, <b>%2 %</b> kept<br>%3").arg(numberText(before), numberText(kept), detail.toHtmlEscaped()),
           tr("%1: %2 %, %3 % kept").arg(name, numberText(before, 3), numberText(kept, 3))});
      plot.csv += csvLine(name, before, kept, detail);
    }
  }
  energy_->setPlot(std::move(plot));
}

}  // namespace sscope

#include "moc_wavelet_charts.cpp"
