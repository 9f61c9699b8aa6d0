#include "ui/rooms/wavelet/wavelet_charts.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/error.h"
#include "core/wavelet/curves.h"
#include "core/wavelet/workload/magic_workload.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/curve_chart.h"
#include "ui/model/export_offer.h"

namespace sscope {

namespace {

constexpr std::size_t kFrequencies = 257;
constexpr int kDepth = 7;  // 2^7 points per unit

// 0 to 0.5 cycles per sample, both ends included.
std::vector<double> frequencies(std::size_t count) {
  std::vector<double> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = 0.5 * static_cast<double>(i) / static_cast<double>(count - 1);
  return list;
}

Curve curveOf(const QString& name, const SampledCurve& sampled) {
  Curve curve{name, {}, sampled.values, false};
  for (std::size_t i = 0; i < sampled.values.size(); ++i)
    curve.x.push_back(sampled.begin + static_cast<double>(i) * sampled.step);
  return curve;
}

}  // namespace

WaveletPlots waveletPlots(const WaveletSettings& settings) {
  const std::string& wavelet = settings.wavelet;
  WaveletPlots plots;
  plots.functions.title = Words::tr("Scaling function and wavelet, %1").arg(toQt(wavelet));
  plots.functions.stem = QStringLiteral("functions");
  plots.spectra.title = Words::tr("Frequency response, %1").arg(toQt(wavelet));
  plots.functions.xLabel = Words::tr("x");
  plots.spectra.stem = QStringLiteral("spectra");
  plots.spectra.xLabel = Words::tr("frequency, cycles per sample");
  plots.spectra.yLabel = Words::tr("|H|");
  try {
    const Wavelet& chosen =
        waveletNamed(wavelet, parseWaveletConvention(settings.convention).value_or(WaveletConvention::PyWavelets));
    plots.functions.title = Words::tr("Scaling function and wavelet, %1").arg(toQt(chosen.label));
    plots.spectra.title = Words::tr("Frequency response, %1").arg(toQt(chosen.label));
    plots.functions.curves = {curveOf(Words::tr("scaling function \u03c6"), scalingFunction(chosen, kDepth)),
                              curveOf(Words::tr("wavelet \u03c8"), waveletFunction(chosen, kDepth))};
    plots.spectra.curves = {
        {Words::tr("low pass"), frequencies(kFrequencies), magnitudeResponse(chosen.recLow, kFrequencies), false},
        {Words::tr("high pass"), frequencies(kFrequencies), magnitudeResponse(chosen.recHigh, kFrequencies), false}};
  } catch (const Error& error) {
    plots.functions.note = toQt(error.what());
  }
  return plots;
}

FilterPlots filterPlots(const WaveletSettings& settings, const std::vector<double>& measured) {
  FilterPlots plots;
  plots.taps = {Words::tr("Taps"), QStringLiteral("taps"), Words::tr("position"), Words::tr("weight"), false, {}, {}};
  plots.response = {Words::tr("Frequency response |H|"),
                    QStringLiteral("response"),
                    Words::tr("frequency, cycles per sample"),
                    Words::tr("|H|"),
                    false,
                    {},
                    {}};
  plots.roundTrip = {Words::tr("Error of forward then inverse"),
                     QStringLiteral("round-trip"),
                     Words::tr("frequency, cycles per sample"),
                     Words::tr("|1 - |H|²|"),
                     true,
                     {},
                     {}};
  std::vector<double> taps;
  int first = 0;
  try {
    OptionValues values{{"direction", settings.direction}};
    if (settings.taps.empty()) {
      values["order"] = static_cast<std::int64_t>(settings.order);
    } else {
      values["taps"] = settings.taps;
    }
    const MagicWorkload workload({ElementType::f64, {1, 1, 1, 1}}, completeOptions(MagicWorkload::options(), values));
    taps.assign(workload.taps().begin(), workload.taps().end());
    first = workload.first();
  } catch (const Error& error) {
    plots.taps.note = toQt(error.what());
    return plots;
  }
  Curve weights{Words::tr("weight"), {}, taps, true};
  for (std::size_t k = 0; k < taps.size(); ++k) weights.x.push_back(first + static_cast<double>(k));
  plots.taps.curves = {std::move(weights)};
  const std::vector<double> at = frequencies(kFrequencies);
  Curve response{Words::tr("|H|"), at, {}, false}, computed{Words::tr("from the taps"), at, {}, false};
  response.y = magnitudeResponse(taps, kFrequencies);
  for (const double magnitude : response.y) computed.y.push_back(std::abs(1 - magnitude * magnitude));
  plots.response.curves = {std::move(response)};
  plots.roundTrip.curves = {std::move(computed)};
  if (measured.size() > 1)
    plots.roundTrip.curves.push_back(
        {Words::tr("measured on the engine"), frequencies(measured.size()), measured, false});
  return plots;
}

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
  details_->setToolTip(tr("Leave out the averages, which have nearly all of the energy"));
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(energy_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  energyPage_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(energyPage_, 0);
  column->addWidget(details_);
  column->addWidget(scroll, 1);
  for (CurveChart** chart : {&functions_, &bands_, &taps_, &response_, &roundTrip_}) *chart = new CurveChart;
  functions_->setObjectName(QStringLiteral("waveletFunctions"));
  roundTrip_->setObjectName(QStringLiteral("magicRoundTrip"));
  waveletPage_ = sideBySide({functions_, bands_}, this);
  filterPage_ = sideBySide({taps_, response_, roundTrip_}, this);
  for (QWidget* page : {energyPage_, waveletPage_, filterPage_}) page->hide();

  for (Plot* chart : std::initializer_list<Plot*>{energy_, functions_, bands_, taps_, response_, roundTrip_})
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
