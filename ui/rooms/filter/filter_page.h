#pragma once
// The center of the Filter room: the views with their bar and readout, or the samples while nothing is open.

#include <QWidget>

#include "ui/base/toolbox.h"
#include "ui/model/data_loader.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"

class QStackedLayout;

namespace sscope {

class CompareLink;
class LaboratoryPanel;
class ProfilePanel;
class VolumePanel;
class VolumeViews;

class FilterPage : public QWidget {
  Q_OBJECT
 public:
  FilterPage(const Toolbox& toolbox, SessionModel& model, LiveController& live, DataLoader& loader,
             QWidget* parent = nullptr);
  [[nodiscard]] VolumeViews& views() { return *views_; }
  [[nodiscard]] CompareLink& compare() { return *compare_; }
  [[nodiscard]] ProfilePanel& profile() { return *profile_; }
  [[nodiscard]] LaboratoryPanel& laboratory() { return *laboratory_; }
  [[nodiscard]] VolumePanel& volume() { return *volume_; }

 Q_SIGNALS:
  void openRequested();
  void readingFailed(const QString& why);  // planes of data larger than memory

 private:
  QStackedLayout* stack_;
  VolumeViews* views_;
  CompareLink* compare_;
  ProfilePanel* profile_;
  LaboratoryPanel* laboratory_;
  VolumePanel* volume_;
};

}  // namespace sscope
