#include "ui/views/volume_views.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>

#include "core/base/error.h"
#include "ui/base/text.h"
#include "ui/views/profile_tool.h"
#include "ui/views/view_style.h"
#include "ui/views/volume_views_impl.h"

namespace sscope {

namespace {

// Prevents flickering grays while a slider moves.
constexpr double kPreviewSlack = 0.15;

bool sameExtents(const VolumeShape& a, const VolumeShape& b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

}  // namespace

VolumeViews::VolumeViews(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>(*this)) {
  setAccessibleName(tr("Views"));
  impl_->build();
  setFocusProxy(impl_->slices[0]);
}

VolumeViews::~VolumeViews() = default;

void VolumeViews::setMeaning(const std::string& modality, bool inSpace) {
  impl_->model.modality = modality;
  impl_->model.inSpace = inSpace;
}

void VolumeViews::setSource(std::shared_ptr<const Volume> source) {
  ViewModel& m = impl_->model;
  if (source && source->empty()) source.reset();
  m.source = std::move(source);
  m.sourceArray = m.source;
  impl_->takeOverview({});
  impl_->beginSource();
}

void VolumeViews::setLargeSource(std::shared_ptr<const Volume> source, const reach::Overview& overview) {
  ViewModel& m = impl_->model;
  const bool same = m.overview && m.overview->level > 0 && overview.level == 0 && source && m.source &&
                    source->shape() == m.source->shape() && source->geometry() == m.source->geometry();
  m.source = std::move(source);
  m.sourceArray = overview.means;
  impl_->takeOverview(overview);
  if (!same) {
    impl_->beginSource();
    return;
  }
  impl_->chooseSourceWindow();
  impl_->refreshAll();
}

void VolumeViews::setSourceSlice(std::size_t axis, std::int64_t at, std::shared_ptr<const Volume> slice) {
  ViewModel& m = impl_->model;
  if (!m.overview || !slice) return;
  VolumeShape expected = m.source->shape();
  (axis == 0 ? expected.nx : axis == 1 ? expected.ny : expected.nz) = 1;
  if (!(slice->shape() == expected)) return;
  m.exact[axis] = std::move(slice);
  m.exactAt[axis] = at;
  for (SlicePane* pane : impl_->slices)
    if (pane->plane().normal == axis) impl_->refresh(*pane);
  Q_EMIT sourceSliceShown();
}

void VolumeViews::Impl::beginSource() {
  ViewModel& m = model;
  takeResult({});
  m.automatic = {true, true};
  resultWindowKnown = false;
  if (m.source) begin();
  place();
  volume->resetCamera();
  refreshAll();
  if (m.source) Q_EMIT views.crosshairChanged(m.crosshair);
}

void VolumeViews::setSourceLater(std::shared_ptr<const Volume> source) {
  ViewModel& m = impl_->model;
  if (!source || !m.source || !(source->shape() == m.source->shape()) ||
      !(source->geometry() == m.source->geometry())) {
    setSource(std::move(source));
    return;
  }
  m.source = std::move(source);
  m.sourceArray = m.source;
  impl_->takeOverview({});
  impl_->refreshAll();
}

void VolumeViews::setResult(std::shared_ptr<const Volume> result) {
  ViewModel& m = impl_->model;
  if (result && result->empty()) result.reset();
  if (result && (!m.source || !sameExtents(result->shape(), m.source->shape()))) return;
  impl_->takeResult(std::move(result));
  if (m.result) impl_->chooseResultWindow(kWholeSlack);
  impl_->refreshAll();
}

void VolumeViews::setResult(std::shared_ptr<ResidentArray> result, const Geometry& geometry, bool slicesAreOfIt) {
  ViewModel& m = impl_->model;
  if (!result || !m.source) return;
  const auto& extent = result->spec().extent;
  const VolumeShape& shape = m.source->shape();
  if (extent[0] != shape.nx || extent[1] != shape.ny || extent[2] != shape.nz) return;
  ShownArray shown;
  try {
    shown = ShownArray(std::move(result), geometry);
  } catch (const Error& error) {  // it is lost already
    Q_EMIT readingFailed(toQt(error.what()));
    return;
  }
  if (shown.host) {
    impl_->takeResult(std::move(shown));
    impl_->chooseResultWindow(kWholeSlack);
    impl_->refreshAll();
    return;
  }
  impl_->takeResident(std::move(shown), slicesAreOfIt);
  impl_->volume->refreshVolumes();
}

void VolumeViews::setPreview(const SliceSet& slices, const VoxelIndex& at) {
  ViewModel& m = impl_->model;
  if (!m.source) return;
  std::array<bool, 3> changed{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& slice = slices[2 - axis];  // the set counts axial, coronal, sagittal
    if (!slice) continue;
    VolumeShape expected = m.source->shape();
    (axis == 0 ? expected.nx : axis == 1 ? expected.ny : expected.nz) = 1;
    if (!sameExtents(slice->shape(), expected)) continue;
    m.preview[axis] = slice;
    m.previewAt[axis] = at[axis];
    changed[axis] = true;
  }
  impl_->noteNewer(changed);
  // Previews of hidden panes belong to an older setting.
  for (const SlicePane* pane : impl_->slices)
    if (const std::size_t axis = pane->plane().normal; pane->isHidden() && !changed[axis]) m.preview[axis].reset();
  const ValueWindow before = m.window[kResultSide];
  impl_->chooseResultWindow(kPreviewSlack);
  const bool all = m.window[kResultSide] != before;
  for (SlicePane* pane : impl_->slices)
    if (all || changed[pane->plane().normal]) impl_->refresh(*pane);
  impl_->volume->holdBack();
}

void VolumeViews::setResultName(const QString& name) {
  QString& shown = impl_->model.names[kResultSide];
  if (std::exchange(shown, name) != name) impl_->refreshAll();
}

void VolumeViews::setComponent(int component) {
  ViewModel& m = impl_->model;
  if (m.component == component) return;
  m.component = component;
  impl_->chooseSourceWindow();
  impl_->resultWindowKnown = false;
  impl_->chooseResultWindow(0);
  impl_->refreshAll();
}

void VolumeViews::playComponent(int component) {
  ViewModel& m = impl_->model;
  if (m.component == component) return;
  m.component = component;
  impl_->chooseSourceWindow();
  impl_->refreshSlices();
  impl_->volume->playVolumes();
}

void VolumeViews::setColorMap(ColorMap map) {
  if (impl_->model.colors == map) return;
  impl_->model.colors = map;
  impl_->model.sliceColors = {map};
  impl_->refreshAll();
}

void VolumeViews::setSliceColors(const ColorUse& colors) {
  if (impl_->model.sliceColors == colors) return;
  impl_->model.sliceColors = colors;
  impl_->refreshSlices();
  impl_->followSlices();
  Q_EMIT sliceColorsChanged();
}

void VolumeViews::setVolumeLook(const VolumeLook& look) {
  if (impl_->model.volumeLook == look) return;
  impl_->model.volumeLook = look;
  impl_->volume->refreshLook();
}

void VolumeViews::setCompare(const CompareLook& look) {
  if (impl_->model.compare == look) return;
  impl_->model.compare = look;
  impl_->followCompare();
}

void VolumeViews::setPlainAxes(bool plain) { impl_->model.plainAxes = plain; }

void VolumeViews::setShow(Show show) {
  if (impl_->show == show) return;
  impl_->show = show;
  impl_->model.shown = {show != Show::Result, show != Show::Source};
  impl_->readSlices();
  impl_->followCompare();
  impl_->volume->refreshVolumes();
  Q_EMIT differenceChanged();
  Q_EMIT showChanged(show);
}

void VolumeViews::setViewLayout(Layout layout) {
  if (impl_->layout == layout) return;
  impl_->layout = layout;
  const bool focused = isAncestorOf(focusWidget()) && hasFocus();
  impl_->place();
  Q_EMIT differenceChanged();
  if (focused && layout != Layout::All) impl_->pane(static_cast<View>(static_cast<int>(layout) - 1))->setFocus();
  Q_EMIT layoutChanged(layout);
}

void VolumeViews::setCrosshair(const VoxelIndex& voxel) {
  ViewModel& m = impl_->model;
  if (!m.source) return;
  const VolumeShape& shape = m.source->shape();
  const std::array extent{shape.nx, shape.ny, shape.nz};
  VoxelIndex clamped = voxel;
  for (std::size_t a = 0; a < 3; ++a) clamped[a] = std::clamp<std::int64_t>(voxel[a], 0, extent[a] - 1);
  if (clamped == m.crosshair) return;
  m.crosshair = clamped;
  impl_->readSlices();
  impl_->refreshSlices();
  impl_->volume->refreshMarks();
  Q_EMIT crosshairChanged(clamped);
}

void VolumeViews::setInterpolation(bool linear) {
  if (impl_->model.linear == linear) return;
  impl_->model.linear = linear;
  impl_->refreshSlices();
}

void VolumeViews::setSourceWindow(std::optional<ValueWindow> window) { impl_->chooseWindow(kSourceSide, window); }
void VolumeViews::setResultWindow(std::optional<ValueWindow> window) { impl_->chooseWindow(kResultSide, window); }

void VolumeViews::setStatusTexts(const QString& text) {
  for (const View view : {View::Axial, View::Coronal, View::Sagittal, View::Volume}) setStatusText(view, text);
}

void VolumeViews::setStatusText(View view, const QString& text) {
  if (view == View::Volume) {
    impl_->volume->setStatusText(text);
  } else {
    impl_->slices[static_cast<std::size_t>(view)]->setStatusText(text);
  }
}

void VolumeViews::setWordsWithoutData(const QString& text) {
  for (SlicePane* slice : impl_->slices) slice->setWordsWithoutData(text);
}

QString VolumeViews::statusText(View view) const {
  return view == View::Volume ? impl_->volume->words() : impl_->slices[static_cast<std::size_t>(view)]->statusText();
}

void VolumeViews::resetCameras() {
  for (SlicePane* slice : impl_->slices) slice->resetCamera();
  impl_->volume->resetCamera();
}

int VolumeViews::component() const { return impl_->model.component; }
void VolumeViews::setProfile(bool on, const std::optional<ProfileLine>& line) {
  ViewModel& m = impl_->model;
  if (m.profiling == on && m.profile == line) return;
  m.profiling = on;
  m.profile = line;
  for (SlicePane* slice : impl_->slices) slice->update();
}

ProfileLine VolumeViews::profileThroughCrosshair() const {
  return lineThrough(impl_->slices[static_cast<std::size_t>(activeSlice())]->plane(), impl_->model.crosshair);
}

VolumeViews::SeenSlice VolumeViews::resultSlice(std::size_t axis) const {
  ViewModel::Slice slice = impl_->model.slice(kResultSide, axis);
  return {std::move(slice.volume), slice.at};
}

VolumeViews::SeenSlice VolumeViews::sourceSlice(std::size_t axis) const {
  ViewModel::Slice slice = impl_->model.slice(kSourceSide, axis);
  return {std::move(slice.volume), slice.at};
}

bool VolumeViews::sourceIsExact(std::size_t axis) const { return impl_->model.isExact(axis); }

const ColorUse& VolumeViews::sliceColors() const { return impl_->model.sliceColors; }
const CompareLook& VolumeViews::compare() const { return impl_->model.compare; }
const VolumeLook& VolumeViews::volumeLook() const { return impl_->model.volumeLook; }
std::shared_ptr<const VolumeInsight> VolumeViews::volumeInsight(std::size_t side) const {
  return impl_->volume->insight(side);
}
SliceLook VolumeViews::sliceLook(std::size_t side) const { return impl_->model.sliceLook(side); }
bool VolumeViews::resultTakesSourceWindow() const { return impl_->model.windowSide(kResultSide) == kSourceSide; }
double VolumeViews::differenceRange() const { return impl_->model.differenceRange; }

std::optional<ShownDifference> VolumeViews::difference(View view) const {
  const ViewModel& m = impl_->model;
  if (!m.source || view == View::Volume || !m.differs()) return {};
  const SlicePane& pane = *impl_->slices[static_cast<std::size_t>(view)];
  const auto& difference = m.difference[pane.plane().normal];
  if (pane.isHidden() || !difference) return {};
  return ShownDifference{m.compare.difference, difference->norms, m.differenceWindow(), m.differenceColors()};
}

VolumeViews::View VolumeViews::activeSlice() const {
  if (impl_->slices[static_cast<std::size_t>(impl_->active)]->isVisibleTo(this)) return impl_->active;
  for (const View view : {View::Axial, View::Coronal, View::Sagittal})
    if (impl_->pane(view)->isVisibleTo(this)) return view;
  return impl_->active;
}

VolumeViews::Show VolumeViews::shown() const { return impl_->show; }
VolumeViews::Layout VolumeViews::viewLayout() const { return impl_->layout; }
VoxelIndex VolumeViews::crosshair() const { return impl_->model.crosshair; }
bool VolumeViews::interpolation() const { return impl_->model.linear; }
ValueWindow VolumeViews::sourceWindow() const { return impl_->model.window[kSourceSide]; }
ValueWindow VolumeViews::resultWindow() const { return impl_->model.window[kResultSide]; }
bool VolumeViews::sourceWindowAutomatic() const { return impl_->model.automatic[kSourceSide]; }
bool VolumeViews::resultWindowAutomatic() const { return impl_->model.automatic[kResultSide]; }

QImage VolumeViews::renderToImage(const QSize& pixels) {
  double scale = devicePixelRatioF();
  QSize target(static_cast<int>(std::lround(width() * scale)), static_cast<int>(std::lround(height() * scale)));
  if (!pixels.isEmpty()) {
    scale = std::min(static_cast<double>(pixels.width()) / width(), static_cast<double>(pixels.height()) / height());
    target = pixels;
  }
  QImage image(target, QImage::Format_RGB32);
  image.fill(viewBackground().lighter(280));
  QPainter painter(&image);
  const QPointF corner((target.width() - width() * scale) / 2, (target.height() - height() * scale) / 2);
  for (SlicePane* slice : impl_->slices)
    if (slice->isVisibleTo(this))
      painter.drawImage(corner + scale * QPointF(slice->pos()), slice->renderToImage(scale));
  if (impl_->volume->isVisibleTo(this))
    painter.drawImage(corner + scale * QPointF(impl_->volume->pos()), impl_->volume->renderToImage(scale));
  return image;
}

void VolumeViews::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_1: impl_->toggleMaximized(View::Axial); return;
    case Qt::Key_2: impl_->toggleMaximized(View::Coronal); return;
    case Qt::Key_3: impl_->toggleMaximized(View::Sagittal); return;
    case Qt::Key_4: impl_->toggleMaximized(View::Volume); return;
    case Qt::Key_R: resetCameras(); return;
    default: QWidget::keyPressEvent(event);
  }
}

void VolumeViews::paintEvent(QPaintEvent* event) {
  // The lines between the panes.
  QPainter(this).fillRect(event->rect(), viewBackground().lighter(280));
}

// Nothing flickers unseen.
void VolumeViews::showEvent(QShowEvent* /*event*/) { impl_->followCompare(); }
void VolumeViews::hideEvent(QHideEvent* /*event*/) { impl_->followCompare(); }

void VolumeViews::resizeEvent(QResizeEvent*) { impl_->place(); }

void VolumeViews::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) impl_->place();
  QWidget::changeEvent(event);
}

}  // namespace sscope

#include "moc_volume_views.cpp"
