#include "ui/views/volume_views.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>

#include "core/base/error.h"
#include "ui/views/auto_window.h"
#include "ui/views/slice_pane.h"
#include "ui/views/view_model.h"
#include "ui/views/view_style.h"
#include "ui/views/volume_pane.h"

namespace sscope {

namespace {

constexpr std::size_t kSlicePanes = 3;

// The physical axis a pane's slices are normal to.
std::size_t physicalAxis(VolumeViews::View view) {
  switch (view) {
    case VolumeViews::View::Axial: return 2;
    case VolumeViews::View::Coronal: return 1;
    default: return 0;
  }
}

// An automatic window stays where it is while the new one differs by less than this share of its width, so that
// grays do not flicker under a moving slider.
constexpr double kPreviewSlack = 0.15, kWholeSlack = 0.03;

bool farFrom(const ValueWindow& a, const ValueWindow& b, double slack) {
  const double width = std::max(a[1] - a[0], b[1] - b[0]);
  return std::abs(a[0] - b[0]) > slack * width || std::abs(a[1] - b[1]) > slack * width;
}

bool isColor(const Volume& volume) {
  const int components = volume.shape().components;
  return (components == 3 || components == 4) &&
         (volume.type() == ElementType::u8 || volume.type() == ElementType::u16);
}

}  // namespace

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
  void connectSlicePane(View view);
  void place();
  void refreshSlices() {
    for (SlicePane* slice : slices) slice->refresh();
  }
  void refreshAll() {
    refreshSlices();
    volume->refreshVolumes();
  }
  void toggleMaximized(View view) {
    const auto single = static_cast<Layout>(static_cast<int>(view) + 1);
    views.setViewLayout(layout == single ? Layout::All : single);
  }
  void setWindow(std::size_t side, const ValueWindow& window) {
    if (model.window[side] == window) return;
    model.window[side] = window;
    Q_EMIT views.windowChanged(side == kResultSide, window[0], window[1]);
  }
  void chooseWindow(std::size_t side, std::optional<ValueWindow> window);
  void chooseSourceWindow() {
    if (model.automatic[kSourceSide] && model.source)
      setWindow(kSourceSide, automaticWindow(*model.source, model.component));
  }
  void chooseResultWindow(const ValueWindow& automatic, double slack) {
    if (!model.automatic[kResultSide]) return;
    if (!resultWindowKnown || farFrom(model.window[kResultSide], automatic, slack)) setWindow(kResultSide, automatic);
    resultWindowKnown = true;
  }
  void chooseResultWindow(double slack);
  void step(int axis, std::int64_t slices);
  void hover(bool inside, const VoxelIndex& voxel);
  [[nodiscard]] std::vector<double> valuesAt(const Volume& volume, const VoxelIndex& voxel) const;
};

void VolumeViews::Impl::build() {
  static constexpr std::array kNames{"Axial view", "Coronal view", "Sagittal view"};
  for (std::size_t i = 0; i < kSlicePanes; ++i) {
    slices[i] = new SlicePane(static_cast<View>(i), model, &views);
    slices[i]->setAccessibleName(QLatin1String(kNames[i]));
    slices[i]->setAccessibleDescription(
        QStringLiteral("Click sets the crosshair, the wheel and the arrow keys step slices"));
    connectSlicePane(static_cast<View>(i));
  }
  volume = new VolumePane(model, &views);
  volume->setAccessibleName(QStringLiteral("3D view"));
  volume->setAccessibleDescription(QStringLiteral("Drag or the arrow keys turn the volume, the wheel zooms"));
  QObject::connect(volume, &VolumePane::maximizeRequested, &views, [this] { toggleMaximized(View::Volume); });
}

void VolumeViews::Impl::connectSlicePane(View view) {
  const SlicePane* slice = slices[static_cast<std::size_t>(view)];
  QObject::connect(slice, &SlicePane::picked, &views, [this](const VoxelIndex& voxel) { views.setCrosshair(voxel); });
  QObject::connect(slice, &SlicePane::stepped, &views, [this](int axis, int count) { step(axis, count); });
  QObject::connect(slice, &SlicePane::windowDragged, &views, [this](int side, double low, double high) {
    chooseWindow(static_cast<std::size_t>(side), ValueWindow{low, high});
  });
  QObject::connect(slice, &SlicePane::windowReset, &views,
                   [this](int side) { chooseWindow(static_cast<std::size_t>(side), std::nullopt); });
  QObject::connect(slice, &SlicePane::hovered, &views,
                   [this](bool inside, const VoxelIndex& voxel) { hover(inside, voxel); });
  QObject::connect(slice, &SlicePane::maximizeRequested, &views, [this, view] { toggleMaximized(view); });
}

void VolumeViews::Impl::place() {
  const QRect all = views.rect();
  const Layout now = effectiveLayout();
  if (now != Layout::All) {
    const auto view = static_cast<View>(static_cast<int>(now) - 1);
    for (const View other : {View::Axial, View::Coronal, View::Sagittal, View::Volume})
      if (other != view) pane(other)->hide();
    pane(view)->setGeometry(all);
    pane(view)->show();
    return;
  }
  const int gap = std::max(2, views.fontMetrics().lineWidth() * 2);
  const int left = (all.width() - gap) / 2, top = (all.height() - gap) / 2;
  const QRect first(0, 0, left, top);
  const QRect right(left + gap, 0, all.width() - left - gap, top);
  pane(View::Axial)->setGeometry(first);
  pane(View::Coronal)->setGeometry(right);
  pane(View::Sagittal)->setGeometry(QRect(0, top + gap, left, all.height() - top - gap));
  pane(View::Volume)->setGeometry(QRect(left + gap, top + gap, right.width(), all.height() - top - gap));
  for (const View view : {View::Axial, View::Coronal, View::Sagittal, View::Volume}) pane(view)->show();
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
}

void VolumeViews::Impl::chooseResultWindow(double slack) {
  if (!model.automatic[kResultSide]) return;
  const bool previewed = model.preview[0] || model.preview[1] || model.preview[2];
  if (!previewed) {
    if (model.result) chooseResultWindow(automaticWindow(*model.result, model.component), slack);
    return;
  }
  std::vector<float> samples;
  for (const auto& slice : model.preview) {
    if (!slice) continue;
    const auto more = sampleValues(*slice, model.component, 1U << 13);
    samples.insert(samples.end(), more.begin(), more.end());
  }
  chooseResultWindow(automaticWindow(std::move(samples)), slack);
}

void VolumeViews::Impl::step(int axis, std::int64_t count) {
  VoxelIndex next = model.crosshair;
  next[static_cast<std::size_t>(axis)] += count;
  views.setCrosshair(next);
}

std::vector<double> VolumeViews::Impl::valuesAt(const Volume& data, const VoxelIndex& voxel) const {
  std::vector<double> values;
  for (int c = 0; c < data.shape().components; ++c) values.push_back(data.value(voxel[0], voxel[1], voxel[2], c));
  return values;
}

void VolumeViews::Impl::hover(bool inside, const VoxelIndex& voxel) {
  HoverInfo info;
  info.inside = inside && model.source;
  if (info.inside) {
    info.voxel = voxel;
    info.position = model.source->geometry().toPhysical(
        {static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
    info.source = valuesAt(*model.source, voxel);
    // As in the slices: the preview where there is one.
    for (std::size_t axis = 0; axis < 3 && info.result.empty(); ++axis) {
      if (!model.preview[axis] || model.previewAt[axis] != voxel[axis]) continue;
      VoxelIndex in = voxel;
      in[axis] = 0;
      info.result = valuesAt(*model.preview[axis], in);
    }
    if (info.result.empty() && model.result) info.result = valuesAt(*model.result, voxel);
  }
  Q_EMIT views.hovered(info);
}

VolumeViews::VolumeViews(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>(*this)) {
  setAccessibleName(QStringLiteral("Views"));
  impl_->build();
  for (SlicePane* slice : impl_->slices) setTabOrder(slice, impl_->volume);
  setTabOrder(impl_->slices[0], impl_->slices[1]);
  setTabOrder(impl_->slices[1], impl_->slices[2]);
  setTabOrder(impl_->slices[2], impl_->volume);
  setFocusProxy(impl_->slices[0]);
}

VolumeViews::~VolumeViews() = default;

void VolumeViews::setSource(std::shared_ptr<const Volume> source) {
  ViewModel& m = impl_->model;
  if (source && source->empty()) source.reset();
  m.source = std::move(source);
  m.result.reset();
  m.preview = {};
  m.automatic = {true, true};
  impl_->resultWindowKnown = false;
  if (m.source) {
    const VolumeShape& shape = m.source->shape();
    const Geometry& geometry = m.source->geometry();
    m.component = isColor(*m.source) ? -1 : 0;
    m.crosshair = {shape.nx / 2, shape.ny / 2, shape.nz / 2};
    auto axes = indexAxesOf(geometry);
    if (impl_->flat()) axes = {0, 1, 2};
    for (std::size_t i = 0; i < kSlicePanes; ++i)
      impl_->slices[i]->setPlane(slicePlane(axes[physicalAxis(static_cast<View>(i))], shape, geometry));
    impl_->chooseSourceWindow();
  }
  impl_->place();
  impl_->volume->resetCamera();
  impl_->refreshAll();
  if (m.source) Q_EMIT crosshairChanged(m.crosshair);
}

void VolumeViews::setResult(std::shared_ptr<const Volume> result) {
  ViewModel& m = impl_->model;
  if (result && result->empty()) result.reset();
  if (result && m.source) {
    const VolumeShape &a = result->shape(), &b = m.source->shape();
    if (a.nx != b.nx || a.ny != b.ny || a.nz != b.nz)
      throw Error(ErrorKind::Usage, "a result of " + a.text() + " does not belong to data of " + b.text());
  }
  m.result = std::move(result);
  m.preview = {};
  if (m.result) impl_->chooseResultWindow(kWholeSlack);
  impl_->refreshAll();
}

void VolumeViews::setPreview(const SliceSet& slices, const VoxelIndex& at) {
  ViewModel& m = impl_->model;
  if (!m.source) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& slice = slices[2 - axis];  // the set counts axial, coronal, sagittal
    if (!slice) continue;
    m.preview[axis] = slice;
    m.previewAt[axis] = at[axis];
  }
  impl_->chooseResultWindow(kPreviewSlack);
  impl_->refreshSlices();
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

void VolumeViews::setShow(Show show) {
  if (impl_->show == show) return;
  impl_->show = show;
  impl_->model.shown = {show != Show::Result, show != Show::Source};
  impl_->refreshAll();
  Q_EMIT showChanged(show);
}

void VolumeViews::setViewLayout(Layout layout) {
  if (impl_->layout == layout) return;
  impl_->layout = layout;
  const bool focused = isAncestorOf(focusWidget()) && hasFocus();
  impl_->place();
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

void VolumeViews::setStatusText(View view, const QString& text) {
  if (view == View::Volume) {
    impl_->volume->setStatusText(text);
  } else {
    impl_->slices[static_cast<std::size_t>(view)]->setStatusText(text);
  }
}

void VolumeViews::resetCameras() {
  for (SlicePane* slice : impl_->slices) slice->resetCamera();
  impl_->volume->resetCamera();
}

int VolumeViews::component() const { return impl_->model.component; }
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

void VolumeViews::resizeEvent(QResizeEvent*) { impl_->place(); }

void VolumeViews::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) impl_->place();
  QWidget::changeEvent(event);
}

}  // namespace sscope
