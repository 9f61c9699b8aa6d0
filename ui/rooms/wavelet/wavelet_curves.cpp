#include "ui/rooms/wavelet/wavelet_curves.h"

#include <cmath>

#include "core/base/error.h"
#include "core/wavelet/curves.h"
#include "core/wavelet/workload/magic_workload.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr std::size_t kFrequencies = 257;
constexpr int kDepth = 7;  // points a unit: 2^7

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

}  // namespace sscope
