#include "ui/views/volume_views_impl.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "ui/base/text.h"
#include "ui/views/auto_window.h"

namespace sscope {

SliceReader::SliceReader(std::function<void(const Answer&)> receive)
    : bridge_([receive = std::move(receive)](const ReaderNews& news) {
        if (const auto* answer = news.as<Answer>()) receive(*answer);
      }),
      worker_([this, deliver = bridge_.entrance()](const Request& request, const NewestWins<Request>::Turn& turn) {
        try {
          deliver({turn.number, read(request, {turn.canceled, {}})});
        } catch (const Canceled&) {
          // The views end.
        } catch (const std::exception& error) {
          Answer lost;
          lost.array = request.array;
          lost.number = request.number;
          lost.failure = wordsOf(error);
          deliver({turn.number, std::move(lost)});
        }
      }) {}

SliceReader::Answer SliceReader::read(const Request& request, const Control& control) {
  Answer answer;
  answer.array = request.array;
  answer.at = request.at;
  answer.number = request.number;
  const ArraySpec& spec = request.array->spec();
  std::vector<BoxCopy> copies;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!request.axes[axis]) continue;
    const Box box = sliceBox(spec, axis, std::clamp<std::int64_t>(request.at[axis], 0, spec.extent[axis] - 1));
    auto slice = std::make_shared<Volume>(
        pools_[axis].make({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type, {}, 1));
    copies.push_back({box, slice->view()});
    answer.slices[axis] = std::move(slice);
  }
  if (!copies.empty()) request.array->read(copies, control);
  if (request.sampleStep > 0)
    answer.samples = std::make_shared<const Volume>(request.array->every(request.sampleStep, control));
  return answer;
}

namespace {

constexpr std::chrono::milliseconds kSlowReading{200};  // the views report longer ones

// The physical axis a pane's slices are normal to.
std::size_t physicalAxis(VolumeViews::View view) {
  switch (view) {
    case VolumeViews::View::Axial: return 2;
    case VolumeViews::View::Coronal: return 1;
    default: return 0;
  }
}

bool farFrom(const ValueWindow& a, const ValueWindow& b, double slack) {
  const double width = std::max(a[1] - a[0], b[1] - b[0]);
  return std::abs(a[0] - b[0]) > slack * width || std::abs(a[1] - b[1]) > slack * width;
}

bool isColor(const Volume& volume) {
  const int components = volume.shape().components;
  return (components == 3 || components == 4) &&
         (volume.type() == ElementType::u8 || volume.type() == ElementType::u16);
}

std::vector<double> valuesAt(const Volume& data, const VoxelIndex& voxel) {
  std::vector<double> values;
  for (int c = 0; c < data.shape().components; ++c) values.push_back(data.value(voxel[0], voxel[1], voxel[2], c));
  return values;
}

}  // namespace

void VolumeViews::Impl::build() {
  const std::array names{tr("Axial view"), tr("Coronal view"), tr("Sagittal view")};
  for (std::size_t i = 0; i < kSlicePanes; ++i) {
    slices[i] = new SlicePane(static_cast<View>(i), model, &views);
    slices[i]->setAccessibleName(names[i]);
    slices[i]->setAccessibleDescription(
        tr("Click to set the crosshair; the wheel and the arrow keys step through the slices"));
    connectSlicePane(static_cast<View>(i));
  }
  slow_.setSingleShot(true);
  slow_.setInterval(kSlowReading);
  QObject::connect(&slow_, &QTimer::timeout, &views, [this] {
    model.readingLong = true;
    for (SlicePane* pane : slices) pane->update();
  });
  QObject::connect(&flicker, &QTimer::timeout, &views, [this] {
    model.flickered = !model.flickered;
    for (SlicePane* pane : slices) pane->update();
  });
  volume = new VolumePane(model, &views);
  volume->setAccessibleName(tr("3D view"));
  volume->setAccessibleDescription(tr("Drag or press the arrow keys to turn the volume; the wheel zooms"));
  QObject::connect(volume, &VolumePane::refiningChanged, &views, &VolumeViews::drawingChanged);
  QObject::connect(volume, &VolumePane::insightsChanged, &views, &VolumeViews::volumeInsightsChanged);
  QObject::connect(volume, &VolumePane::menuRequested, &views,
                   [this](const QPoint& at) { Q_EMIT views.menuRequested(View::Volume, at); });
  QObject::connect(volume, &VolumePane::maximizeRequested, &views, [this] { toggleMaximized(View::Volume); });
}

void VolumeViews::Impl::connectSlicePane(View view) {
  const SlicePane* slice = slices[static_cast<std::size_t>(view)];
  QObject::connect(slice, &SlicePane::painted, &views, &VolumeViews::slicesPainted);
  QObject::connect(slice, &SlicePane::picked, &views, [this](const VoxelIndex& voxel) { views.setCrosshair(voxel); });
  QObject::connect(slice, &SlicePane::stepped, &views, [this](int axis, int count) { step(axis, count); });
  QObject::connect(slice, &SlicePane::activated, &views, [this, view] { activate(view); });
  const auto edit = [this](auto&& change) {
    CompareLook look = model.compare;
    change(look);
    if (look == model.compare) return;
    views.setCompare(look);
    Q_EMIT views.compareEdited(look);
  };
  QObject::connect(slice, &SlicePane::dividerMoved, &views,
                   [edit](double divider) { edit([&](CompareLook& look) { look.divider = divider; }); });
  QObject::connect(slice, &SlicePane::profileDragged, &views, &VolumeViews::profileDragged);
  QObject::connect(slice, &SlicePane::profileDropped, &views, &VolumeViews::profileDropped);
  QObject::connect(slice, &SlicePane::rangeDragged, &views,
                   [edit](double range) { edit([&](CompareLook& look) { look.range = range; }); });
  QObject::connect(slice, &SlicePane::windowDragged, &views, [this](int side, double low, double high) {
    chooseWindow(static_cast<std::size_t>(side), ValueWindow{low, high});
  });
  QObject::connect(slice, &SlicePane::menuRequested, &views,
                   [this, view](const QPoint& at) { Q_EMIT views.menuRequested(view, at); });
  QObject::connect(slice, &SlicePane::hovered, &views,
                   [this](bool inside, const VoxelIndex& voxel) { hover(inside, voxel); });
  QObject::connect(slice, &SlicePane::maximizeRequested, &views, [this, view] { toggleMaximized(view); });
}

void VolumeViews::Impl::takeOverview(std::optional<reach::Overview> overview) {
  model.overview = std::move(overview);
  model.exact = {};
}

void VolumeViews::Impl::refresh(SlicePane& slice) {
  if (slice.isHidden()) return;
  if (!differences.update(model, slice.plane().normal)) {
    slice.refresh();
    return;
  }
  if (differences.chooseRange(model)) {  // all share it
    for (SlicePane* each : slices)
      if (!each->isHidden()) each->refresh();
  } else {
    slice.refresh();
  }
  Q_EMIT views.differenceChanged();
}

// All differences first, then their common range.
void VolumeViews::Impl::refreshSlices() {
  bool changed = false;
  for (const SlicePane* slice : slices) {
    const std::size_t axis = slice->plane().normal;
    changed |= slice->isHidden() ? differences.drop(model, axis) : differences.update(model, axis);
  }
  changed |= differences.chooseRange(model);
  for (SlicePane* slice : slices)
    if (!slice->isHidden()) slice->refresh();
  if (changed) Q_EMIT views.differenceChanged();
}

void VolumeViews::Impl::refreshAll() {
  refreshSlices();
  volume->refreshVolumes();
}

void VolumeViews::Impl::toggleMaximized(View view) {
  const auto single = static_cast<Layout>(static_cast<int>(view) + 1);
  views.setViewLayout(layout == single ? Layout::All : single);
}

void VolumeViews::Impl::begin() {
  const VolumeShape& shape = model.source->shape();
  const Geometry& geometry = model.source->geometry();
  model.component = isColor(*model.source) ? -1 : 0;
  model.crosshair = {shape.nx / 2, shape.ny / 2, shape.nz / 2};
  auto axes = indexAxesOf(geometry);
  if (flat()) axes = {0, 1, 2};
  for (std::size_t i = 0; i < kSlicePanes; ++i) {
    SlicePlane plane =
        (model.plainAxes ? plainPlane : slicePlane)(axes[physicalAxis(static_cast<View>(i))], shape, geometry);
    if (!model.inSpace && !model.plainAxes) plane.letters.fill(' ');
    slices[i]->setPlane(plane);
  }
  chooseSourceWindow();
}

void VolumeViews::Impl::place() {
  const QRect all = views.rect();
  const Layout now = effectiveLayout();
  if (now != Layout::All) {
    const auto view = static_cast<View>(static_cast<int>(now) - 1);
    for (const View other : {View::Axial, View::Coronal, View::Sagittal, View::Volume})
      if (other != view) pane(other)->hide();
    placePane(view, all);
    return;
  }
  const int gap = std::max(2, views.fontMetrics().lineWidth() * 2);
  const int left = (all.width() - gap) / 2, top = (all.height() - gap) / 2;
  const QRect first(0, 0, left, top);
  const QRect right(left + gap, 0, all.width() - left - gap, top);
  placePane(View::Axial, first);
  placePane(View::Coronal, right);
  placePane(View::Sagittal, QRect(0, top + gap, left, all.height() - top - gap));
  placePane(View::Volume, QRect(left + gap, top + gap, right.width(), all.height() - top - gap));
}

void VolumeViews::Impl::placePane(View view, const QRect& at) {
  const bool hidden = pane(view)->isHidden();
  pane(view)->setGeometry(at);
  pane(view)->show();
  if (hidden && view != View::Volume) refresh(*slices[static_cast<std::size_t>(view)]);
  if (hidden) readSlices();
}

void VolumeViews::Impl::chooseWindow(std::size_t side, std::optional<ValueWindow> window) {
  model.automatic[side] = !window;
  if (window) {
    setWindow(side, *window);
  } else if (side == kSourceSide) {
    chooseSourceWindow();
  } else {
    resultWindowKnown = false;
    chooseResultWindow(0);
  }
  refreshSlices();
  if (model.colors != ColorMap::Gray) volume->refreshVolumes();
  followSlices();
}

// The 3D view takes the colors and windows of the slices.
void VolumeViews::Impl::followSlices() {
  if (model.colors == ColorMap::Gray && model.volumeLook.linked) volume->refreshLook();
}

void VolumeViews::Impl::setWindow(std::size_t side, const ValueWindow& window) {
  if (model.window[side] == window) return;
  model.window[side] = window;
  Q_EMIT views.windowChanged(side == kResultSide, window[0], window[1]);
}

void VolumeViews::Impl::chooseSourceWindow() {
  if (model.automatic[kSourceSide] && model.source)
    setWindow(kSourceSide, automaticWindow(model.overview ? *model.overview->means : *model.source, model.component));
}

void VolumeViews::Impl::chooseResultWindow(double slack) {
  if (!model.automatic[kResultSide]) return;
  std::vector<double> samples;
  for (const auto& slice : model.preview) {
    if (!slice || !previewNewer) continue;
    const auto more = sampleValues(*slice, model.component, 1U << 12);
    samples.insert(samples.end(), more.begin(), more.end());
  }
  const Volume* whole = model.result.host ? model.result.host.get() : resultSamples.get();
  if (samples.empty() && whole == nullptr) return;
  const ValueWindow automatic =
      samples.empty() ? automaticWindow(*whole, model.component) : automaticWindow(std::move(samples));
  if (!resultWindowKnown || farFrom(model.window[kResultSide], automatic, slack)) setWindow(kResultSide, automatic);
  resultWindowKnown = true;
}

void VolumeViews::Impl::takeResult(ShownArray result) {
  model.result = std::move(result);
  model.preview = {};
  model.readingLong = false;
  model.outdated = {};
  resultSamples.reset();
  previewNewer = false;
  slow_.stop();
}

void VolumeViews::Impl::takeResident(ShownArray result, bool slicesAreOfIt) {
  model.result = std::move(result);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!seen(axis)) model.preview[axis].reset();  // read again when it is shown
    model.outdated[axis] = model.preview[axis] && !(slicesAreOfIt && previewNewer);
  }
  previewNewer = false;
  resultSamples.reset();
  readSlices();
}

bool VolumeViews::Impl::seen(std::size_t axis) const {
  return std::ranges::any_of(slices,
                             [&](const SlicePane* pane) { return !pane->isHidden() && pane->plane().normal == axis; });
}

void VolumeViews::Impl::readSlices() {
  if (!model.result || model.result.host || !model.shown[kResultSide]) return;
  SliceReader::Request request{.array = model.result.array, .at = model.crosshair, .number = ++requests_};
  for (std::size_t axis = 0; axis < 3; ++axis) request.axes[axis] = seen(axis) && model.awaited(axis);
  if (!resultSamples && !previewNewer) {
    const auto& extent = model.result.array->spec().extent;
    request.sampleStep = sampleStep(extent[0] * extent[1] * extent[2]);
  }
  if (request.axes == std::array<bool, 3>{} && request.sampleStep == 0) return;
  if (!slow_.isActive()) slow_.start();
  reader_.ask(std::move(request));
}

void VolumeViews::Impl::noteNewer(const std::array<bool, 3>& axes) {
  previewNewer = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!axes[axis]) continue;
    newer_[axis] = requests_;
    model.outdated[axis] = false;
  }
}

void VolumeViews::Impl::takeRead(const SliceReader::Answer& answer) {
  if (!model.result || answer.array.lock() != model.result.array) return;
  slow_.stop();
  const bool slow = std::exchange(model.readingLong, false);
  if (!answer.failure.empty()) {
    Q_EMIT views.readingFailed(toQt(answer.failure));
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!answer.slices[axis] || answer.number <= newer_[axis]) continue;
    model.preview[axis] = answer.slices[axis];
    model.previewAt[axis] = answer.at[axis];
    model.outdated[axis] = false;
  }
  const ValueWindow before = model.window[kResultSide];
  if (answer.samples && !previewNewer) {
    resultSamples = answer.samples;
    chooseResultWindow(kWholeSlack);
  }
  const bool all = slow || model.window[kResultSide] != before;
  if (model.window[kResultSide] != before && !(model.sliceColors == ColorUse())) followSlices();
  for (SlicePane* pane : slices)
    if (all || answer.slices[pane->plane().normal]) refresh(*pane);
  // The crosshair may have moved meanwhile.
  if (std::ranges::any_of(std::array{0U, 1U, 2U}, [&](std::size_t axis) { return seen(axis) && model.awaited(axis); }))
    readSlices();
}

void VolumeViews::Impl::step(int axis, std::int64_t count) {
  VoxelIndex next = model.crosshair;
  next[static_cast<std::size_t>(axis)] += count;
  views.setCrosshair(next);
}

void VolumeViews::Impl::followCompare() {
  const bool flickers = model.both() && model.compare.how == CompareLook::How::Flicker && views.isVisible();
  flicker.setInterval(static_cast<int>(std::lround(1000 * model.compare.seconds)));
  if (flickers != flicker.isActive()) flickers ? flicker.start() : flicker.stop();
  if (!flickers) model.flickered = false;
  refreshSlices();
  Q_EMIT views.differenceChanged();
}

void VolumeViews::Impl::activate(View view) {
  if (std::exchange(active, view) != view) Q_EMIT views.differenceChanged();
}

// For data larger than memory, the voxels of an exact slice, or the mean of the block.
void VolumeViews::Impl::takeSourceValues(HoverInfo& info) const {
  if (!model.overview) {
    info.source = valuesAt(*model.source, info.voxel);
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!model.exact[axis] || model.exactAt[axis] != info.voxel[axis]) continue;
    VoxelIndex in = info.voxel;
    in[axis] = 0;
    info.source = valuesAt(*model.exact[axis], in);
    return;
  }
  info.block = model.overview->block;
  info.level = model.overview->level;
  VoxelIndex in = info.voxel;
  for (std::size_t a = 0; a < 3; ++a) in[a] /= info.block[a];
  info.source = valuesAt(*model.overview->means, in);
}

void VolumeViews::Impl::hover(bool inside, const VoxelIndex& voxel) {
  HoverInfo info;
  info.inside = inside && model.source;
  if (info.inside) {
    info.voxel = voxel;
    info.position = model.source->geometry().toPhysical(
        {static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
    takeSourceValues(info);
    // As in the slices: the preview if there is one; not a slice of an earlier result.
    for (std::size_t axis = 0; axis < 3 && info.result.empty(); ++axis) {
      if (!model.preview[axis] || model.outdated[axis] || model.previewAt[axis] != voxel[axis]) continue;
      VoxelIndex in = voxel;
      in[axis] = 0;
      info.result = valuesAt(*model.preview[axis], in);
    }
    if (info.result.empty() && model.result.host) info.result = valuesAt(*model.result.host, voxel);
  }
  Q_EMIT views.hovered(info);
}

}  // namespace sscope
