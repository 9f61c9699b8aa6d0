#pragma once
// The slices that a line profile is read from: the source's and that of every output of the bank.

#include <QObject>
#include <QString>
#include <QWidget>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/volume/line_profile.h"
#include "ui/base/background_task.h"
#include "ui/charts/curve_chart.h"
#include "ui/controls/setting_controls.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

// One curve's data.
struct ProfileSlice {
  QString name;
  std::shared_ptr<const Volume> volume;  // the whole, or a slice by itself
  std::int64_t at = 0;                   // index of the slice in it
  bool stale = false;                    // of the previous setting
};

class ProfileData : public QObject {
  Q_OBJECT
 public:
  ProfileData(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent = nullptr);

  // Of the slice across `axis` at the crosshair: the source, then the enabled filters that have a result. The shown
  // filter's is the one on the screen, so it follows a slider. Outputs on a device are read in the background: they
  // come later, with changed().
  [[nodiscard]] std::vector<ProfileSlice> slices(std::size_t axis);

 Q_SIGNALS:
  void changed();

 private:
  struct Read {
    std::weak_ptr<ResidentArray> array;
    std::size_t axis = 0;
    std::int64_t at = 0;
    std::shared_ptr<const Volume> slice;
  };
  struct Wish {
    std::shared_ptr<ResidentArray> array;
    std::size_t axis = 0;
    std::int64_t at = 0;
  };
  void add(std::vector<ProfileSlice>& slices, const std::string& name, std::size_t axis, std::vector<Wish>& wishes);
  [[nodiscard]] std::shared_ptr<const Volume> kept(const ResidentArray* array, std::size_t axis, std::int64_t at) const;
  void read(std::vector<Wish> wishes);

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const ResidentFilterResult> latest_;  // the last whole result, perhaps of an older setting
  std::map<const ResidentArray*, Read> read_;
  BackgroundTask reading_;
};

// The curves of a line profile.

struct ProfilePlot {
  ProfileLine line;
  std::int64_t at = 0;  // index of the slice
  bool flat = false;    // an image has no other slices
  std::vector<ProfileSlice> slices;
  int component = 0;  // as in VolumeViews
  ProfileSampling sampling = ProfileSampling::Linear;
  bool inVoxels = false;
  bool ownScales = false;  // each curve is stretched over its own range
  Geometry geometry;
};

class ProfileChart : public CurveChart {
  Q_OBJECT
 public:
  explicit ProfileChart(QWidget* parent = nullptr);
  void setProfile(const ProfilePlot& profile);
  void clear();
  // One row for each point: its distance along the line, its indices, and the value of each curve.
  [[nodiscard]] std::string csv() const override;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show();
  // Empty: the distances are voxels.
  [[nodiscard]] QString unit() const;

  ProfilePlot profile_;
  std::vector<SlicePoint> points_;
  std::vector<std::vector<double>> values_;  // of each curve, as they are
};

// The line profile: the values of source and outputs along a line of a slice, below the views.

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
