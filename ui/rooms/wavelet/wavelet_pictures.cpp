#include "ui/rooms/wavelet/wavelet_pictures.h"

#include <QPainter>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "core/wavelet/job/wavelet_pictures.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/panels/hover_readout.h"

namespace sscope {

namespace {

VolumeViews::Layout layoutOf(const std::string& name) {
  if (name == "axial") return VolumeViews::Layout::Axial;
  if (name == "coronal") return VolumeViews::Layout::Coronal;
  if (name == "sagittal") return VolumeViews::Layout::Sagittal;
  return name == "volume" ? VolumeViews::Layout::Volume : VolumeViews::Layout::All;
}

}  // namespace

WaveletPictures::WaveletPictures(SessionModel& model, WaveletController& controller, QWidget* parent)
    : QWidget(parent), model_(model), controller_(controller) {
  picture_ = new VolumeViews(this);
  picture_->setAccessibleName(tr("Source and result"));
  pyramid_ = new VolumeViews(this);
  pyramid_->setAccessibleName(tr("Coefficients"));
  pyramid_->setShow(VolumeViews::Show::Result);
  pyramid_->setResultName(tr("coefficients"));
  pyramid_->setInterpolation(false);
  pyramid_->setResultWindow(ValueWindow{0, kPyramidWhite});
  split_ = splitter(Qt::Horizontal, {{picture_, 3, 60}, {pyramid_, 2, 40}}, this);
  hover_ = new HoverReadout(model, *picture_, this);
  auto* column = bareLayout<QVBoxLayout>(this, 0);
  column->addWidget(split_, 1);
  column->addWidget(hover_);

  connect(&model_, &SessionModel::dataChanged, this, &WaveletPictures::showData);
  connect(&model_, &SessionModel::viewChanged, this, &WaveletPictures::followView);
  model_.follow<WaveletView>(this, &WaveletPictures::followView);
  model_.follow<WaveletSettings>(this, &WaveletPictures::applyView);
  connect(&model_, &SessionModel::crosshairChanged, this, &WaveletPictures::followCrosshair);
  connect(&controller_, &WaveletController::ready, this, &WaveletPictures::showResult);
  connect(&controller_, &WaveletController::previewed, this, &WaveletPictures::showPreview);
  connect(&controller_, &WaveletController::failed, this, [this] {
    picture_->setResult(nullptr);
    setStatus({});
  });
  connect(&controller_, &WaveletController::started, this, [this] {
    if (!controller_.result()) setStatus(tr("computing"));
  });
  connect(&controller_, &WaveletController::canceled, this, [this] { setStatus(tr("canceled")); });
  connect(picture_, &VolumeViews::crosshairChanged, this, [this](const VoxelIndex& voxel) {
    if (applying_) return;
    model_.changeView([&](ViewState& view) { view.crosshair = voxel; });
  });
  connect(picture_, &VolumeViews::layoutChanged, this, [this](VolumeViews::Layout layout) {
    if (applying_) return;
    static constexpr const char* kNames[] = {"all", "axial", "coronal", "sagittal", "volume"};
    model_.changeUnsaved<WaveletView>(
        [&](WaveletView& view) { view.layout = kNames[static_cast<std::size_t>(layout)]; });
  });
  // The result is shown with the window of the source, so that the two can be compared.
  connect(picture_, &VolumeViews::windowChanged, this, [this](bool result, double low, double high) {
    if (result || applying_ || picture_->sourceWindowAutomatic()) return;
    model_.changeView([&](ViewState& view) { view.sourceWindow = ValueWindow{low, high}; });
  });
  for (VolumeViews* views : {picture_, pyramid_})
    connect(views, &VolumeViews::drawingChanged, &controller_,
            [this, views](bool drawing) { controller_.holdComparison(views, drawing); });
  connect(pyramid_, &VolumeViews::hovered, this, &WaveletPictures::hoverPyramid);
  showData();
}

void WaveletPictures::showData() {
  const QScopedValueRollback<bool> guard(applying_, true);
  const std::uint64_t series = model_.hasData() ? model_.data().series : 0;
  later_ = std::exchange(series_, series) == series && series != 0;
  shownResult_.reset();
  // Data with several components are shown when the component has been extracted for the transform.
  const bool plain = model_.hasData() && !model_.data().large && model_.data().volume->shape().components == 1;
  picture_->setMeaning(model_.data().info.modality, model_.data().info.metadata.inSpace);
  if (later_) {
    if (plain) {
      shownSource_ = model_.data().volume;
      picture_->setSourceLater(shownSource_);
    }
  } else {
    pyramidShape_ = {};
    shownSource_ = plain ? model_.data().volume : nullptr;
    picture_->setSource(shownSource_);
    pyramid_->setSource(nullptr);
  }
  applyView();
  setStatus(later_ ? tr("earlier time point") : QString());
}

void WaveletPictures::showResult() {
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  if (!result || !model_.hasData()) return;
  const QScopedValueRollback<bool> guard(applying_, true);
  if (model_.data().volume->shape().components > 1 && shownSource_ != result->source) {
    shownSource_ = result->source;
    shownResult_.reset();
    later_ ? picture_->setSourceLater(shownSource_) : picture_->setSource(shownSource_);
  }
  if (result->pyramid) {
    if (!(result->pyramid->shape() == pyramidShape_)) {
      pyramidShape_ = result->pyramid->shape();
      pyramid_->setSource(result->pyramid);
      pyramid_->setResultWindow(ValueWindow{0, kPyramidWhite});
    }
    pyramid_->setResult(result->pyramid);
  }
  applyView();
  followCrosshair();
  setStatus(controller_.current() ? tr("full") : tr("previous setting"));
}

// Shows slices at the crosshair before the whole result is ready.
void WaveletPictures::showPreview(const WaveletPreview& preview) {
  if (!shownSource_) return;
  picture_->setPreview(model_.settings<WaveletView>().show == "difference" ? preview.difference : preview.result,
                       preview.at);
  pyramid_->setPreview(preview.pyramid, preview.pyramidAt);
  setStatus(tr("slices"));
  for (VolumeViews* views : {picture_, pyramid_})
    views->setStatusText(VolumeViews::View::Volume, tr("previous setting"));
}

void WaveletPictures::followView() {
  applyView();
  setStatus(status_);
}

void WaveletPictures::applyView() {
  const QScopedValueRollback<bool> guard(applying_, true);
  const ViewState& view = model_.view();
  const WaveletView own = model_.settings<WaveletView>();
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  const bool difference = own.show == "difference";
  picture_->setShow(own.show == "source"   ? VolumeViews::Show::Source
                    : own.show == "result" ? VolumeViews::Show::Result
                                           : VolumeViews::Show::Both);
  picture_->setResultName(difference ? tr("difference") : tr("result"));
  picture_->setViewLayout(layoutOf(own.layout));
  pyramid_->setViewLayout(layoutOf(own.layout));
  pyramid_->setVisible(own.pyramid && model_.settings<WaveletSettings>().transform == "dwt");
  if (!shownSource_) return;
  if (view.sourceWindow ? picture_->sourceWindowAutomatic() || picture_->sourceWindow() != *view.sourceWindow
                        : !picture_->sourceWindowAutomatic())
    picture_->setSourceWindow(view.sourceWindow);
  if (picture_->crosshair() != model_.crosshair()) picture_->setCrosshair(model_.crosshair());
  if (difference) {
    if (!picture_->resultWindowAutomatic()) picture_->setResultWindow(std::nullopt);
  } else if (picture_->resultWindowAutomatic() || picture_->resultWindow() != picture_->sourceWindow()) {
    picture_->setResultWindow(picture_->sourceWindow());
  }
  if (!result) {
    picture_->setResult(nullptr);
  } else if (const auto& wanted = difference ? result->difference : result->result; wanted != shownResult_) {
    shownResult_ = wanted;
    picture_->setResult(wanted);
  }
}

// Moves the crosshair of the coefficients to the voxel of the approximation at the crosshair.
void WaveletPictures::followCrosshair() {
  const QScopedValueRollback<bool> guard(applying_, true);
  const VoxelIndex at = model_.crosshair();
  if (shownSource_ && picture_->crosshair() != at) picture_->setCrosshair(at);
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  if (!result || !result->pyramid) return;
  const bool flat = model_.data().volume->shape().dimensions() == 2;
  pyramid_->setCrosshair(
      {at[0] >> result->layout.levels, at[1] >> result->layout.levels, flat ? 0 : at[2] >> result->layout.levels});
}

void WaveletPictures::setStatus(const QString& text) {
  status_ = text;
  for (VolumeViews* views : {picture_, pyramid_}) views->setStatusTexts(text);
}

void WaveletPictures::hoverPyramid(const HoverInfo& info) {
  const std::shared_ptr<const WaveletResult> result = controller_.result();
  if (!info.inside || !result || !result->coefficients) {
    hover_->setText(QStringLiteral(" "));
    return;
  }
  const VoxelIndex& at = info.voxel;
  const Volume& coefficients = *result->coefficients;
  for (const PyramidBand& band : result->layout.bands()) {
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a) inside = inside && at[a] >= band.box.begin[a] && at[a] < band.box.end[a];
    if (!inside) continue;
    hover_->setText(tr("coefficient %1 · %2 · (%3, %4, %5)")
                        .arg(numberText(coefficients.value(at[0], at[1], at[2]), 5), toQt(band.name))
                        .arg(at[0] - band.box.begin[0])
                        .arg(at[1] - band.box.begin[1])
                        .arg(at[2] - band.box.begin[2]));
    return;
  }
}

QImage WaveletPictures::renderToImage() {
  const QImage left = picture_->renderToImage();
  if (!pyramid_->isVisibleTo(this)) return left;
  const QImage right = pyramid_->renderToImage();
  QImage both(left.width() + right.width(), std::max(left.height(), right.height()), QImage::Format_RGB32);
  both.fill(palette().color(QPalette::Base));
  QPainter painter(&both);
  painter.drawImage(0, 0, left);
  painter.drawImage(left.width(), 0, right);
  return both;
}

}  // namespace sscope

#include "moc_wavelet_pictures.cpp"
