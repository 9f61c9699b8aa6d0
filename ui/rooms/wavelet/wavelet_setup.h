#pragma once
// The controls of the Wavelet room: which transform, where it runs, the threshold, and what came of it in numbers.

#include <QWidget>
#include <string>

#include "ui/model/session_model.h"
#include "ui/rooms/wavelet/wavelet_controller.h"
#include "ui/toolbox.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;

namespace sscope {

class Gesture;
class Notice;
class NumberBox;
class ValueSlider;

class WaveletSetup : public QWidget {
  Q_OBJECT
 public:
  WaveletSetup(const Toolbox& toolbox, SessionModel& model, WaveletController& controller, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildTransform();
  QWidget* buildPlace();
  QWidget* buildThreshold();
  QWidget* buildResult();
  void refresh();           // everything, from the session
  void refreshPlace();      // engines and variants
  void refreshThreshold();  // from the session and the newest result
  void showResult();
  void tellCorrections();
  void chooseTaps();
  // One change of the settings as an undoable step.
  template <class Change>
  void edit(const Change& change, const QString& gesture = {});
  // A box whose data are the values of this member.
  void offer(QComboBox* box, std::string WaveletSettings::*member);
  void editThreshold(double value);
  [[nodiscard]] const WaveletSettings& settings() const { return model_.settings<WaveletSettings>(); }
  [[nodiscard]] bool magic() const { return settings().transform == "magic"; }

  const Toolbox& toolbox_;
  SessionModel& model_;
  WaveletController& controller_;
  QFormLayout* form_ = nullptr;
  QComboBox* transform_;
  QComboBox* wavelet_;
  QComboBox* convention_;
  NumberBox* levels_;
  QComboBox* component_;
  QComboBox* direction_;
  NumberBox* order_;
  QWidget* tapsRow_;
  QLabel* tapsFile_;
  QComboBox* engine_;
  QComboBox* variant_;
  QWidget* thresholdBox_;
  ValueSlider* slider_;
  NumberBox* threshold_;
  QCheckBox* automatic_;
  QComboBox* shrinkage_;
  QComboBox* rule_;
  QLabel* numbers_;
  Notice* notice_;
  Gesture* gesture_;
  bool failed_ = false;  // the notice tells of a run that failed
};

}  // namespace sscope
