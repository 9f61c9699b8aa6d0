#pragma once
// The views of a field with its colors and time slice, and the curves of its flow below.

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

// The colors of a field: by magnitude if it is positive, symmetric about zero if it has both signs, cyclic for angles.
struct FieldColors {
  ColorMap map = ColorMap::Magnitude;
  bool fixed = false;  // `window` is given; otherwise it is chosen from the values
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
  // Whether the colors are those of the logarithms.
  [[nodiscard]] bool logarithmic() const { return drawn_ && drawn_ != shown_->volume; }
  [[nodiscard]] std::vector<CurveChart*> charts() const;
  // Shows this layout, or all views if it is shown already.
  void toggleLayout(VolumeViews::Layout layout);
  // Shows this time slice when there is a field with time slices.
  void setSlice(int slice);
  [[nodiscard]] int slice() const;
  // Which part of a Polyakov loop is shown.
  void setPart(LoopPart part);
  [[nodiscard]] LoopPart part() const { return part_; }
  // The shown component of the field's volume: a part of a Polyakov loop, or the time slice.
  [[nodiscard]] int component() const;
  // "t = 3", "modulus", or nothing.
  [[nodiscard]] QString componentText() const;
  // The pictures, with their title and colors below.
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
  void showTitle();
  void hover(const HoverInfo& info);
  void showHovered();

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
  QTimer redraw_;  // combines many points into one redraw
  std::shared_ptr<const ShownField> shown_;
  std::shared_ptr<const Volume> drawn_;                         // its volume, or the logarithms of it
  bool logarithmicDecades_ = true, logarithmicOthers_ = false;  // the last choices for such fields
  std::shared_ptr<const lattice::Configuration> prepared_;      // the views are set up for it
  std::optional<std::array<std::int64_t, 3>> hovered_;          // the site under the mouse
  std::optional<int> nextSlice_;                                // of setSlice(), not yet shown
  LoopPart part_ = LoopPart::Modulus;
};

}  // namespace sscope
