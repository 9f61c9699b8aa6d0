#pragma once
// The views in the center of the window: axial, coronal and sagittal slices and the 3D view, of source and result.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QImage>
#include <QSize>
#include <QString>
#include <QWidget>

#include "core/engine/resident_array.h"
#include "core/parts/overview.h"
#include "core/volume/line_profile.h"
#include "core/volume/volume.h"
#include "ui/charts/color_scale.h"
#include "ui/views/view_look.h"

namespace sscope {

// The difference that a slice view shows.
struct ShownDifference {
  DifferenceKind kind = DifferenceKind::Signed;
  DifferenceNorms norms;
  std::array<double, 2> window{};  // values of the first and the last color
  ColorUse colors;
};

// The data under the mouse.
struct HoverInfo {
  bool inside = false;                  // false: the mouse left the data; the other members are then meaningless
  std::array<std::int64_t, 3> voxel{};  // index
  std::array<double, 3> position{};     // physical, in the geometry's unit
  std::vector<double> source;           // one value per component
  std::vector<double> result;           // one value per component; empty if there is no result
  // The source's values are means of blocks of so many voxels; 1, 1, 1: of the voxel alone.
  std::array<std::int64_t, 3> block{1, 1, 1};
  int level = 0;  // not 0: they are values of this level of the file's pyramid
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
  // VolumeInfo::modality and Metadata::inSpace of the next source; inSpace false: no letters of directions.
  void setMeaning(const std::string& modality, bool inSpace);
  // The same data at another time point: keeps crosshair, cameras, component and windows, and the result until there is
  // a new one. Like setSource() if geometry or extents differ.
  void setSourceLater(std::shared_ptr<const Volume> source);
  // As setSource(), for data larger than memory: `source` has their extents and no voxels. Slices show the overview,
  // with a label, until setSourceSlice(); the 3D view shows the overview. An overview of all voxels replaces one of a
  // level of a pyramid as setSourceLater() does.
  void setLargeSource(std::shared_ptr<const Volume> source, const reach::Overview& overview);
  // For such data: the slice across an index axis at `at`, with its voxels.
  void setSourceSlice(std::size_t axis, std::int64_t at, std::shared_ptr<const Volume> slice);
  // The whole result of the shown filter; null for none. Drops previews. Results and slices with other extents belong
  // to earlier data and are ignored.
  void setResult(std::shared_ptr<const Volume> result);
  // A result on a device: visible slices are read from it, and the brick of the 3D view is made there; earlier slices
  // are shown meanwhile. `slicesAreOfIt`: those of setPreview() were read from it.
  void setResult(std::shared_ptr<ResidentArray> result, const Geometry& geometry, bool slicesAreOfIt = false);
  // Slices of the result that are newer than the whole: axial at at[2] of extents (nx, ny, 1), coronal at at[1]
  // (nx, 1, nz), sagittal at at[0] (1, ny, nz); null entries are left as they are. Cheap: replaces slice images only.
  void setPreview(const SliceSet& slices, const VoxelIndex& at);

  // Gray: the 3D view chooses its own levels. Otherwise slices and 3D view show the value window in these colors.
  void setColorMap(ColorMap map);
  // Of the slices only; color images use only inversion and gamma.
  void setSliceColors(const ColorUse& colors);
  // How the 3D view shows volumes, unless setColorMap() chose another map than gray.
  void setVolumeLook(const VolumeLook& look);
  // How slices show both sides; the 3D view always shows them next to each other.
  void setCompare(const CompareLook& look);
  // While `on`, dragging draws a line in a slice, and moves it or its ends; none: there is no line yet.
  void setProfile(bool on, const std::optional<ProfileLine>& line);
  // For data that do not show a patient: planes and axes are named x, y, z, and y grows upward. Before setSource.
  void setPlainAxes(bool plain);
  // Like setComponent, for playback: the 3D view shows a coarse picture of each.
  void playComponent(int component);
  void setComponent(int component);         // of both source and result; -1: color, with three 8-bit components
  void setResultName(const QString& name);  // on the panes of the result; "result"
  void setShow(Show show);
  void setViewLayout(Layout layout);                        // data of one slice always show only that slice
  void setCrosshair(const VoxelIndex& voxel);               // clamped to the data
  void setInterpolation(bool linear);                       // false: voxels as blocks
  void setSourceWindow(std::optional<ValueWindow> window);  // empty: automatic
  void setResultWindow(std::optional<ValueWindow> window);
  // "slices", "half resolution", "full"; may be empty.
  void setStatusText(View view, const QString& text);
  void setStatusTexts(const QString& text);  // in all views
  // The text on the pane. The 3D view appends its own status, and shows only that one while its picture is outdated.
  [[nodiscard]] QString statusText(View view) const;
  // In the panes of slices while there are no data.
  void setWordsWithoutData(const QString& text);
  void resetCameras();

  [[nodiscard]] int component() const;
  [[nodiscard]] const ColorUse& sliceColors() const;
  [[nodiscard]] const CompareLook& compare() const;
  [[nodiscard]] const VolumeLook& volumeLook() const;
  // Properties of a side's data (0 source, 1 result), found by the 3D view; null before it was drawn.
  [[nodiscard]] std::shared_ptr<const VolumeInsight> volumeInsight(std::size_t side) const;
  // Colors and window of a side in the slices.
  [[nodiscard]] SliceLook sliceLook(std::size_t side) const;
  // Empty if that view shows none.
  [[nodiscard]] std::optional<ShownDifference> difference(View view) const;
  [[nodiscard]] bool resultTakesSourceWindow() const;  // CompareLook::oneWindow is in effect
  [[nodiscard]] double differenceRange() const;        // in use, whether chosen or found
  // The line across the slice that was used last, through the crosshair. Only with data.
  [[nodiscard]] ProfileLine profileThroughCrosshair() const;
  // The shown slice of the result across an index axis: index `at` of a volume, null if there is none.
  struct SeenSlice {
    std::shared_ptr<const Volume> volume;
    std::int64_t at = 0;
  };
  [[nodiscard]] SeenSlice resultSlice(std::size_t axis) const;
  // The same of the source; and whether it has the voxels, or is a slice of the overview.
  [[nodiscard]] SeenSlice sourceSlice(std::size_t axis) const;
  [[nodiscard]] bool sourceIsExact(std::size_t axis) const;
  // The slice view that was used last, by mouse or keys.
  [[nodiscard]] View activeSlice() const;
  [[nodiscard]] Show shown() const;
  [[nodiscard]] Layout viewLayout() const;
  [[nodiscard]] VoxelIndex crosshair() const;
  [[nodiscard]] bool interpolation() const;
  // The windows in use, and whether they were chosen automatically.
  [[nodiscard]] ValueWindow sourceWindow() const;
  [[nodiscard]] ValueWindow resultWindow() const;
  [[nodiscard]] bool sourceWindowAutomatic() const;
  [[nodiscard]] bool resultWindowAutomatic() const;

  // A picture of the views with crosshair and labels; an empty size means as on the screen. Waits for the 3D view to
  // finish.
  [[nodiscard]] QImage renderToImage(const QSize& pixels = {});

 Q_SIGNALS:
  void crosshairChanged(std::array<std::int64_t, 3> voxel);
  void windowChanged(bool result, double low, double high);  // also when an automatic window changes
  void compareEdited(const sscope::CompareLook& look);       // the divider or the range was dragged
  void sliceColorsChanged();
  void volumeInsightsChanged();
  void profileDragged(const sscope::ProfileLine& line);  // by mouse or keys
  void profileDropped();                                 // the line stays
  void differenceChanged();  // of a slice, of its norms or its range; another slice is active
  void layoutChanged(sscope::VolumeViews::Layout layout);
  void showChanged(sscope::VolumeViews::Show show);
  void hovered(const sscope::HoverInfo& info);
  void drawingChanged(bool drawing);       // the 3D view is being drawn, on its own thread
  void sourceSliceShown();                 // after setSourceSlice()
  void slicesPainted();                    // while a slice is painted
  void readingFailed(const QString& why);  // slices could not be read from the result's device
  // The right button was clicked without dragging, or the menu key was pressed; `at` is in screen coordinates.
  void menuRequested(sscope::VolumeViews::View view, const QPoint& at);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sscope
