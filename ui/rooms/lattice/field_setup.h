#pragma once
// The panel of the shown field: which one, its flow time, and its numbers.

#include <QWidget>
#include <functional>

#include "core/lattice/job/lattice_job.h"
#include "core/lattice/job/lattice_settings.h"
#include "ui/rooms/lattice/lattice_controller.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QProgressBar;
class QToolButton;

namespace sscope {

class LatticeFields;
class SettingControls;

class FieldSetup : public QWidget {
  Q_OBJECT
 public:
  FieldSetup(LatticeController& controller, LatticeFields& fields, QWidget* parent = nullptr);

 Q_SIGNALS:
  // The user changed a setting of the room. Edits with the same gesture, unless it is empty, are one undo step.
  void edited(const std::function<void(sscope::LatticeSettings&)>& change, const QString& gesture);
  // To the Filter room: this component, or all of them.
  void sendRequested(bool all);
  void exportRequested();

 private:
  QWidget* buildChoice();
  QWidget* buildFlow();
  QWidget* buildButtons();
  void fillChoices();
  void refresh();
  void showNumbers();

  LatticeController& controller_;
  LatticeFields& fields_;
  SettingControls* controls_;
  QComboBox* choice_;
  QLabel* explanation_;
  QWidget* flow_;
  QLabel* radius_;
  QWidget* flowRow_;
  QProgressBar* progress_;
  QLabel* numbers_;
  QToolButton* send_;
  QToolButton* export_;
};

}  // namespace sscope
