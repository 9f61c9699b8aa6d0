#pragma once
// Implementation of VolumeViews: the panes, what they show, and how they are linked.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <QTimer>

#include "ui/views/difference_slices.h"
#include "ui/views/slice_pane.h"
#include "ui/views/slice_reader.h"
#include "ui/views/view_model.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

namespace sscope {

inline constexpr std::size_t kSlicePanes = 3;
// An automatic window stays where that of a whole result differs by less of its width.
inline constexpr double kWholeSlack = 0.03;

struct VolumeViews::Impl {
  explicit Impl(VolumeViews& of) : views(of) {}

  VolumeViews& views;
  ViewModel model{};
  std::array<SlicePane*, kSlicePanes> slices{};  // axial, coronal, sagittal
  VolumePane* volume = nullptr;
  Show show = Show::Result;
  Layout layout = Layout::All;
  bool resultWindowKnown = false;
  bool previewNewer = false;                      // than the result
  std::shared_ptr<const Volume> resultSamples{};  // of a result on a device, for its window
  DifferenceSlices differences{};
  QTimer flicker{};
  View active = View::Axial;  // the slice that was used last

  [[nodiscard]] bool flat() const { return model.source && model.source->shape().dimensions() == 2; }
  [[nodiscard]] Layout effectiveLayout() const { return flat() ? Layout::Axial : layout; }
  [[nodiscard]] QWidget* pane(View view) const {
    return view == View::Volume ? static_cast<QWidget*>(volume) : slices[static_cast<std::size_t>(view)];
  }

  void build();
  void place();
  // After another source was set.
  void beginSource();
  // Of the source; nothing where its voxels are in memory.
  void takeOverview(std::optional<reach::Overview> overview);
  // Resets planes, crosshair, component and automatic windows for new data.
  void begin();
  // A hidden pane is refreshed when it is shown.
  void refresh(SlicePane& slice);
  void refreshSlices();
  void refreshAll();
  void followSlices();
  void toggleMaximized(View view);

  void chooseWindow(std::size_t side, std::optional<ValueWindow> window);
  void chooseSourceWindow();
  // Keeps an automatic window that differs by less than `slack` of its width from the new one.
  void chooseResultWindow(double slack);

  void step(int axis, std::int64_t slices);
  // Differences are found again, the flicker goes or stands.
  void followCompare();
  void activate(View view);

  // Replaces the result; slices and samples are dropped.
  void takeResult(ShownArray result);
  // One on a device: slices stay until they are read.
  void takeResident(ShownArray result, bool slicesAreOfIt);
  // Asks for the slices of a result on a device that are seen and not there.
  void readSlices();
  // Slices along these axes are newer than what was asked for.
  void noteNewer(const std::array<bool, 3>& axes);

 private:
  void takeRead(const SliceReader::Answer& answer);
  [[nodiscard]] bool seen(std::size_t axis) const;
  void connectSlicePane(View view);
  void placePane(View view, const QRect& at);
  void setWindow(std::size_t side, const ValueWindow& window);
  void hover(bool inside, const VoxelIndex& voxel);
  void takeSourceValues(HoverInfo& info) const;

  std::array<std::uint64_t, 3> newer_{};  // by axis: answers to older wishes do not count
  std::uint64_t wishes_ = 0;
  QTimer slow_{};  // runs out when reading takes so long that the views say so
  SliceReader reader_{[this](const SliceReader::Answer& answer) { takeRead(answer); }};
};

}  // namespace sscope
