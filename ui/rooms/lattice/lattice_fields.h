#pragma once
// The Lattice room's pictures: slices and 3D view of a field, its colors, its time, and the curves of its flow below.

#include <QTimer>
#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "ui/rooms/lattice/lattice_controller.h"
#include "ui/views/volume_views.h"

class QButtonGroup;
class QCheckBox;
class QLabel;
class QTabWidget;

namespace sscope {

class ColorBar;
class CurveChart;
class TimePlayer;

// How a field is colored: positive ones by magnitude, those of both signs around zero, angles in a circle.
struct FieldColors {
  ColorMap map = ColorMap::Magnitude;
  bool fixed = false;  // `window` is part of what it is; else it is chosen from the values
  std::array<double, 2> window{0, 1};
};
[[nodiscard]] FieldColors fieldColors(const ShownField& field, LoopPart part);

class LatticeFields : public QWidget {
  Q_OBJECT
 public:
  explicit LatticeFields(LatticeController& controller, QWidget* parent = nullptr);
  [[nodiscard]] VolumeViews& views() { return *views_; }
  [[nodiscard]] TimePlayer& player() { return *player_; }
  [[nodiscard]] ColorBar& colorBar() { return *colors_; }
  // The colors follow the logarithm.
  [[nodiscard]] bool logarithmic() const { return drawn_ && drawn_ != shown_->volume; }
  [[nodiscard]] std::vector<CurveChart*> charts() const;
  // "all", "axial", "coronal", "sagittal", "volume"; the same again goes back to all.
  void toggleLayout(VolumeViews::Layout layout);
  // Shows this time slice once there is a field that has time.
  void setSlice(int slice);
  [[nodiscard]] int slice() const;
  // Which part of a Polyakov loop is shown.
  void setPart(LoopPart part);
  [[nodiscard]] LoopPart part() const { return part_; }
  // Which component of the field's volume that is, or the time slice.
  [[nodiscard]] int component() const;
  // "t = 3", "modulus", or nothing.
  [[nodiscard]] QString componentText() const;
  // The pictures, with what they show and their colors below.
  [[nodiscard]] QImage renderToImage();

 Q_SIGNALS:
  void exportRequested(const QString& suffix);  // of the offer
  void partChanged();
  void componentChanged();

 private:
  QWidget* buildBar();
  QWidget* buildFooter();
  QWidget* buildCharts();
  void showField();
  void chooseScale();
  void showComponent(bool playing);
  void applyWindow();
  void showCurves();
  void tell();
  void hover(const HoverInfo& info);
  void tellUnder();

  LatticeController& controller_;
  VolumeViews* views_;
  QLabel* title_;
  QLabel* hover_;
  QCheckBox* logarithmic_;
  QCheckBox* perSlice_;
  QButtonGroup* layouts_;
  ColorBar* colors_;
  TimePlayer* player_;
  QTabWidget* tabs_;
  QWidget* flowPage_;
  CurveChart* energy_;
  CurveChart* charge_;
  CurveChart* sweeps_;
  QTimer redraw_;  // many points make one picture
  std::shared_ptr<const ShownField> shown_;
  std::shared_ptr<const Volume> drawn_;                         // its volume, or the logarithms of that
  bool logarithmicDecades_ = true, logarithmicOthers_ = false;  // as it was last chosen for such fields
  std::shared_ptr<const lattice::Configuration> begun_;         // what the views were set up for
  std::optional<std::array<std::int64_t, 3>> under_;            // the site under the mouse
  std::optional<int> wantedSlice_;                              // by setSlice(), not shown yet
  LoopPart part_ = LoopPart::Modulus;
};

}  // namespace sscope
