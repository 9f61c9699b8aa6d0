#pragma once
// The line profile: values of source and outputs along a line of a slice, as a chart below the views.

#include <QObject>
#include <QString>
#include <QWidget>
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

// The slice of one curve.
struct ProfileSlice {
  QString name;
  std::shared_ptr<const Volume> volume;  // the whole volume, or a slice
  std::int64_t at = 0;                   // index of the slice in the volume
  bool stale = false;                    // of the previous setting
};

// The slices that a line profile reads: of the source and of every output of the bank.
class ProfileData : public QObject {
  Q_OBJECT
 public:
  ProfileData(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent = nullptr);

  // Across `axis` at the crosshair: of the source, then of the enabled filters that have a result. The slice of the
  // shown filter is the one on the screen, so it follows a slider. Outputs on a device are read in the background and
  // arrive with changed().
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
  struct Request {
    std::shared_ptr<ResidentArray> array;
    std::size_t axis = 0;
    std::int64_t at = 0;
  };
  void add(std::vector<ProfileSlice>& slices, const std::string& name, std::size_t axis,
           std::vector<Request>& requests);
  [[nodiscard]] std::shared_ptr<const Volume> kept(const ResidentArray* array, std::size_t axis, std::int64_t at) const;
  void read(std::vector<Request> requests);

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const ResidentFilterResult> latest_;  // the last whole result, perhaps of an older setting
  std::map<const ResidentArray*, Read> read_;
  BackgroundTask reading_;
};

struct ProfilePlot {
  ProfileLine line;
  std::int64_t at = 0;  // index of the slice
  bool flat = false;    // an image
  std::vector<ProfileSlice> slices;
  int component = 0;  // as in VolumeViews
  ProfileSampling sampling = ProfileSampling::Linear;
  bool inVoxels = false;
  bool ownScales = false;  // each curve uses its whole range
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
  // Empty: distances are in voxels.
  [[nodiscard]] QString unit() const;

  ProfilePlot profile_;
  std::vector<SlicePoint> points_;
  std::vector<std::vector<double>> values_;  // of each curve, not stretched
};

class ProfilePanel : public QWidget {
  Q_OBJECT
 public:
  ProfilePanel(SessionModel& model, LiveController& live, VolumeViews& views, QWidget* parent = nullptr);
  [[nodiscard]] ProfileChart& chart() { return *chart_; }
  // Shows the panel, with the last line or one across the slice that was used last; or hides it.
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
  std::optional<ProfileLine> before_;  // the line before a drag
  std::weak_ptr<const Volume> drawn_;  // the slice of the result that was drawn
};

}  // namespace sscope
