#pragma once
// Implementation of VolumeViews: the panes, their contents and links; and the thread that reads slices from devices.

#include <QTimer>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/resident_array.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/volume/volume.h"
#include "ui/base/event_bridge.h"
#include "ui/views/difference_slices.h"
#include "ui/views/slice_pane.h"
#include "ui/views/view_model.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

namespace sscope {

// Reads slices of a result on a device, on a thread of its own: a device may be busy, and the window must not wait.
class SliceReader {
 public:
  // Indices are those of the axis that a slice is normal to.
  struct Request {
    std::shared_ptr<ResidentArray> array;
    std::array<bool, 3> axes{};
    std::array<std::int64_t, 3> at{};
    std::int64_t sampleStep = 0;  // also read samples at this distance in voxels; 0: none
    std::uint64_t number = 0;     // of the request
  };
  struct Answer {
    std::weak_ptr<ResidentArray> array;
    std::array<std::shared_ptr<const Volume>, 3> slices;  // the requested ones
    std::array<std::int64_t, 3> at{};
    std::shared_ptr<const Volume> samples;  // ResidentArray::every
    std::uint64_t number = 0;
    std::string failure;  // not empty: nothing was read, for this reason
  };

  // `receive` is called on the thread that creates the reader.
  explicit SliceReader(std::function<void(const Answer&)> receive);

  // Returns at once. A newer request replaces a waiting one; a request that is being read is finished and answered.
  void ask(Request request) { worker_.submit(std::move(request)); }

 private:
  using ReaderNews = News<Answer>;
  [[nodiscard]] Answer read(const Request& request, const Control& control);

  EventBridge<ReaderNews> bridge_;
  std::array<VolumePool, 3> pools_;
  NewestWins<Request> worker_;  // last: its thread uses the others
};

inline constexpr std::size_t kSlicePanes = 3;
// An automatic window stays if the one of a whole result differs by less of its width.
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
  // The overview of the source; none if its voxels are in memory.
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
  // Computes differences again, starts or stops the flicker.
  void followCompare();
  void activate(View view);

  // Replaces the result; slices and samples are dropped.
  void takeResult(ShownArray result);
  // A result on a device: slices stay until new ones are read.
  void takeResident(ShownArray result, bool slicesAreOfIt);
  // Requests visible slices of a result on a device that were not read yet.
  void readSlices();
  // Slices along these axes are newer than the requested ones.
  void noteNewer(const std::array<bool, 3>& axes);

 private:
  void takeRead(const SliceReader::Answer& answer);
  [[nodiscard]] bool seen(std::size_t axis) const;
  void connectSlicePane(View view);
  void placePane(View view, const QRect& at);
  void setWindow(std::size_t side, const ValueWindow& window);
  void hover(bool inside, const VoxelIndex& voxel);
  void takeSourceValues(HoverInfo& info) const;

  std::array<std::uint64_t, 3> newer_{};  // by axis: answers to older requests are ignored
  std::uint64_t requests_ = 0;
  QTimer slow_{};  // times out when reading takes so long that the views show that
  SliceReader reader_{[this](const SliceReader::Answer& answer) { takeRead(answer); }};
};

}  // namespace sscope
