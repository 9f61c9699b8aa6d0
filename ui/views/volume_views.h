#pragma once
// The center of the window: axial, coronal and sagittal slices and the 3D view of the source and of the result.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QImage>
#include <QSize>
#include <QString>
#include <QWidget>

#include "core/volume/volume.h"
#include "ui/charts/color_scale.h"

namespace sscope {

// What lies under the mouse.
struct HoverInfo {
  bool inside = false;                  // false: the mouse left the data; the rest is then meaningless
  std::array<std::int64_t, 3> voxel{};  // index
  std::array<double, 3> position{};     // physical, in the geometry's unit
  std::vector<double> source;           // one value a component
  std::vector<double> result;           // one value a component; empty where there is no result
};

using VoxelIndex = std::array<std::int64_t, 3>;
using ValueWindow = std::array<double, 2>;  // values shown black and white
using SliceSet = std::array<std::shared_ptr<const Volume>, 3>;

class VolumeViews : public QWidget {
  Q_OBJECT

 public:
  enum class Show { Source, Result, Both };
  enum class Layout { All, Axial, Coronal, Sagittal, Volume };
  enum class View { Axial, Coronal, Sagittal, Volume };  // one pane
  Q_ENUM(Show)
  Q_ENUM(Layout)
  Q_ENUM(View)

  explicit VolumeViews(QWidget* parent = nullptr);
  ~VolumeViews() override;

  // New data: resets the crosshair to the middle, the cameras, the component, automatic windows, and drops the
  // result. Null shows nothing.
  void setSource(std::shared_ptr<const Volume> source);
  // The same data at another point in time: crosshair, cameras, component and windows stay as they are, the result
  // until there is a new one. As setSource() where place or extents differ.
  void setSourceLater(std::shared_ptr<const Volume> source);
  // The whole result of the shown filter; null for none. Drops previews. Results and slices whose extents do not fit
  // belong to data shown earlier and are ignored.
  void setResult(std::shared_ptr<const Volume> result);
  // Slices of the result that are newer than the whole: axial at at[2] of extents (nx, ny, 1), coronal at at[1]
  // (nx, 1, nz), sagittal at at[0] (1, ny, nz); null entries are left as they are. Cheap: replaces slice images only.
  void setPreview(const SliceSet& slices, const VoxelIndex& at);

  // Gray: the 3D view chooses levels of its own. Else both show the window of values in these colors.
  void setColorMap(ColorMap map);
  // For data that are no patient: planes and axes are named x, y, z, and y grows upward. Before setSource.
  void setPlainAxes(bool plain);
  // As setComponent, where others follow closely: the 3D view shows a quick picture of each.
  void playComponent(int component);
  void setComponent(int component);  // of both source and result; -1: color where three 8-bit components are there
  void setResultName(const QString& name);  // written where the result is shown; "result"
  void setShow(Show show);
  void setViewLayout(Layout layout);                        // data of one slice always show that slice alone
  void setCrosshair(const VoxelIndex& voxel);               // clamped to the data
  void setInterpolation(bool linear);                       // false: voxels as blocks
  void setSourceWindow(std::optional<ValueWindow> window);  // empty: automatic
  void setResultWindow(std::optional<ValueWindow> window);
  // What is shown, in words ("slices", "half resolution", "full"); empty for nothing.
  void setStatusText(View view, const QString& text);
  // As it stands on the pane: the 3D view adds words of its own, and has only those while its picture is an earlier
  // one.
  [[nodiscard]] QString statusText(View view) const;
  void resetCameras();

  [[nodiscard]] int component() const;
  [[nodiscard]] Show shown() const;
  [[nodiscard]] Layout viewLayout() const;
  [[nodiscard]] VoxelIndex crosshair() const;
  [[nodiscard]] bool interpolation() const;
  // The windows in use, and whether they were chosen automatically.
  [[nodiscard]] ValueWindow sourceWindow() const;
  [[nodiscard]] ValueWindow resultWindow() const;
  [[nodiscard]] bool sourceWindowAutomatic() const;
  [[nodiscard]] bool resultWindowAutomatic() const;

  // The views as they stand, crosshair and labels included; an empty size means as on the screen. Waits for the
  // 3D view to be finished.
  [[nodiscard]] QImage renderToImage(const QSize& pixels = {});

 Q_SIGNALS:
  void crosshairChanged(std::array<std::int64_t, 3> voxel);
  void windowChanged(bool result, double low, double high);  // also when an automatic window changes
  void layoutChanged(sscope::VolumeViews::Layout layout);
  void showChanged(sscope::VolumeViews::Show show);
  void hovered(const sscope::HoverInfo& info);
  void drawingChanged(bool drawing);  // the 3D view is being drawn, in a thread of its own
  // The right button was clicked without being dragged, or the key of menus pressed; `at` on the screen.
  void menuRequested(sscope::VolumeViews::View view, const QPoint& at);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sscope
