#pragma once
// The curves of a line profile.

#include <array>
#include <vector>

#include "core/volume/line_profile.h"
#include "ui/charts/curve_chart.h"
#include "ui/rooms/filter/profile_data.h"

namespace sscope {

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

}  // namespace sscope
