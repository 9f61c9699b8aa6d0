#pragma once
// The controls of the Wavelet room: the transform, its threshold, where it runs, and the result in numbers.

#include <QWidget>

#include "ui/base/toolbox.h"
#include "ui/model/session_model.h"
#include "ui/rooms/wavelet/wavelet_controller.h"

class QComboBox;
class QFormLayout;
class QLabel;

namespace sscope {

class Gesture;
class Notice;
class NumberBox;
class SettingControls;
class ValueSlider;

class WaveletSetup : public QWidget {
  Q_OBJECT
 public:
  WaveletSetup(const Toolbox& toolbox, SessionModel& model, WaveletController& controller, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildTransform();
  QWidget* buildTaps();
  QWidget* buildThresholdLine();
  QWidget* buildPlace();
  QWidget* buildThreshold();
  QWidget* buildResult();
  void refresh();           // everything, from the session
  void refreshPlace();      // engines and variants
  void refreshThreshold();  // from the session and the newest result
  void showResult();
  void showCorrections();
  void chooseTaps();
  // Changes the settings as one undo step.
  template <class Change>
  void edit(const Change& change, const QString& gesture = {}) {
    model_.change<WaveletSettings>(change, gesture);
  }
  void editThreshold(double value);
  [[nodiscard]] const WaveletSettings& settings() const { return model_.settings<WaveletSettings>(); }
  [[nodiscard]] bool magic() const { return settings().transform == "magic"; }

  const Toolbox& toolbox_;
  SessionModel& model_;
  WaveletController& controller_;
  SettingControls* controls_;
  QFormLayout* form_ = nullptr;
  QComboBox* component_;
  QLabel* tapsFile_;
  QComboBox* engine_;
  QWidget* thresholdBox_;
  ValueSlider* slider_;
  NumberBox* threshold_;
  QLabel* numbers_;
  Notice* notice_;
  Gesture* gesture_;
  bool failed_ = false;  // the notice shows why a run failed
};

}  // namespace sscope
