#pragma once
// Implementation of VolumeViews: the panes, what they show, and how they are linked.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/views/slice_pane.h"
#include "ui/views/view_model.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

namespace sscope {

inline constexpr std::size_t kSlicePanes = 3;

struct VolumeViews::Impl {
  VolumeViews& views;
  ViewModel model{};
  std::array<SlicePane*, kSlicePanes> slices{};  // axial, coronal, sagittal
  VolumePane* volume = nullptr;
  Show show = Show::Result;
  Layout layout = Layout::All;
  bool resultWindowKnown = false;

  [[nodiscard]] bool flat() const { return model.source && model.source->shape().dimensions() == 2; }
  [[nodiscard]] Layout effectiveLayout() const { return flat() ? Layout::Axial : layout; }
  [[nodiscard]] QWidget* pane(View view) const {
    return view == View::Volume ? static_cast<QWidget*>(volume) : slices[static_cast<std::size_t>(view)];
  }

  void build();
  void place();
  // Resets planes, crosshair, component and automatic windows for new data.
  void begin();
  // A hidden pane is refreshed when it is shown.
  static void refresh(SlicePane& slice);
  void refreshSlices();
  void refreshAll();
  void toggleMaximized(View view);

  void chooseWindow(std::size_t side, std::optional<ValueWindow> window);
  void chooseSourceWindow();
  // Keeps an automatic window that differs by less than `slack` of its width from the new one.
  void chooseResultWindow(double slack);

  void step(int axis, std::int64_t slices);

 private:
  void connectSlicePane(View view);
  void placePane(View view, const QRect& at);
  void setWindow(std::size_t side, const ValueWindow& window);
  void hover(bool inside, const VoxelIndex& voxel);
};

}  // namespace sscope
