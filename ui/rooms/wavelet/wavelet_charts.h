#pragma once
// Below the pictures: the functions behind the transform, their spectra, and where the energy is.

#include <QTabWidget>
#include <string>
#include <vector>

#include "ui/rooms/wavelet/wavelet_controller.h"

class QCheckBox;

namespace sscope {

class CurveChart;
class Plot;
class BarChart;

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
