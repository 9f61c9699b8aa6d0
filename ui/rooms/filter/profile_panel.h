#pragma once
// The line profile: the values of source and outputs along a line of a slice, below the views.

#include <QWidget>

#include "ui/controls/setting_controls.h"
#include "ui/rooms/filter/profile_chart.h"
#include "ui/rooms/filter/profile_data.h"

namespace sscope {

class ProfilePanel : public QWidget {
  Q_OBJECT
 public:
  ProfilePanel(SessionModel& model, LiveController& live, VolumeViews& views, QWidget* parent = nullptr);
  [[nodiscard]] ProfileChart& chart() { return *chart_; }
  // Shows it, with the line that was drawn last or one across the slice that was used last; or hides it.
  void toggle();

 private:
  void follow();
  void take(const ProfileLine& line);
  void drop();
  void refresh();
  void refreshIfOther(std::size_t axis);
  [[nodiscard]] std::optional<ProfileLine> line() const;

  SessionModel& model_;
  VolumeViews& views_;
  ProfileData data_;
  SettingControls controls_;
  ProfileChart* chart_;
  std::optional<ProfileLine> before_;  // a drag began
  std::weak_ptr<const Volume> drawn_;  // the slice of the result that was drawn
};

}  // namespace sscope
