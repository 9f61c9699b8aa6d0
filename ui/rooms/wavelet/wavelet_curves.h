#pragma once
// The curves of the Wavelet room, computed from the taps.

#include <string>
#include <vector>

#include "core/wavelet/job/wavelet_settings.h"
#include "ui/charts/curve_chart.h"

namespace sscope {

struct WaveletPlots {
  CurvePlot functions;  // scaling function and wavelet over x
  CurvePlot spectra;    // |H| of low and high pass over the frequency
};
// Of the wavelet of these settings; empty plots with a note if its name is unknown.
[[nodiscard]] WaveletPlots waveletPlots(const WaveletSettings& settings);

struct FilterPlots {
  CurvePlot taps;
  CurvePlot response;   // |H| over the frequency
  CurvePlot roundTrip;  // |1 - |H|^2|, computed from the taps and measured
};
// Of the magic filter with these settings. `measured`: |1 - H H*| at equal steps from 0 to half the sampling rate, both
// ends included; may be empty.
[[nodiscard]] FilterPlots filterPlots(const WaveletSettings& settings, const std::vector<double>& measured);

}  // namespace sscope
