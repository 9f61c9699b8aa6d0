#pragma once
// The charts of the Wavelet room.

#include <QTabWidget>
#include <string>
#include <vector>

#include "core/wavelet/job/wavelet_settings.h"
#include "ui/charts/curve_chart.h"
#include "ui/rooms/wavelet/wavelet_controller.h"

class QCheckBox;

namespace sscope {

class BarChart;
class CurveChart;
class Plot;

struct WaveletPlots {
  CurvePlot functions;  // scaling function and wavelet over x
  CurvePlot spectra;    // |H| of low and high pass over the frequency
};
// The curves of a wavelet, computed from its taps; empty plots with a note if its name is unknown.
[[nodiscard]] WaveletPlots waveletPlots(const WaveletSettings& settings);

struct FilterPlots {
  CurvePlot taps;
  CurvePlot response;   // |H| over the frequency
  CurvePlot roundTrip;  // |1 - |H|^2|, computed from the taps and measured
};
// The curves of the magic filter, computed from its taps. `measured`: |1 - H H*| at equal steps from 0 to half the
// sampling rate, both ends included; may be empty.
[[nodiscard]] FilterPlots filterPlots(const WaveletSettings& settings, const std::vector<double>& measured);

// The tabs below the pictures: the functions of the transform, their spectra, and the energy of each band.
class WaveletCharts : public QTabWidget {
  Q_OBJECT
 public:
  WaveletCharts(SessionModel& model, WaveletController& controller, QWidget* parent = nullptr);
  // The charts of the chosen transform.
  [[nodiscard]] std::vector<Plot*> charts() const;

 Q_SIGNALS:
  void exportRequested(const QString& suffix);  // of the offer

 private:
  void arrange();
  void showWavelet();
  void showFilter();
  void showEnergy();

  SessionModel& model_;
  WaveletController& controller_;
  std::string plotted_;  // the wavelet and convention of the plotted curves
  QWidget* energyPage_;
  QWidget* waveletPage_;
  QWidget* filterPage_;
  BarChart* energy_;
  QCheckBox* details_;
  CurveChart* functions_;
  CurveChart* bands_;
  CurveChart* taps_;
  CurveChart* response_;
  CurveChart* roundTrip_;
};

}  // namespace sscope
