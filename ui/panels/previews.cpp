#include "ui/panels/previews.h"

#include <QGridLayout>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/volume/volume_stream.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"

namespace sscope {

QImage thumbnail(const Volume& volume, int longest) {
  const VolumeShape& shape = volume.shape();
  const auto edge = static_cast<double>(std::max(shape.nx, shape.ny));
  const double step = longest > 0 ? edge / longest : 1;
  const auto pixels = [step](std::int64_t extent) {
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(extent) / step - 1e-9)));
  };
  QImage image(pixels(shape.nx), pixels(shape.ny), QImage::Format_Grayscale8);
  const auto at = [step](int pixel) { return static_cast<std::int64_t>((pixel + 0.5) * step); };
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const double value = volume.value(std::min(at(x), shape.nx - 1), std::min(at(y), shape.ny - 1), shape.nz / 2);
      values.push_back(std::isfinite(value) ? value : 0.0);
    }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double scale = *high > *low ? 255 / (*high - *low) : 0;
  for (int y = 0; y < image.height(); ++y) {
    uchar* line = image.scanLine(y);
    for (int x = 0; x < image.width(); ++x)
      line[x] = static_cast<uchar>((values[static_cast<std::size_t>(y * image.width() + x)] - *low) * scale);
  }
  return image;
}

namespace {

// Reads the slice alone: the file may be larger than memory.
Volume middleSlice(VolumeIo& io, const std::string& name, const Control& control) {
  const auto source = io.openSource(name, control);
  VolumeShape shape = source->info().shape;
  const std::int64_t planes = shape.nz > 1 ? 1 : shape.ny, first = shape.nz > 1 ? shape.nz / 2 : 0;
  shape.nz = 1;
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
  if (shape.elements() * static_cast<std::int64_t>(bytesOf(source->info().type)) > kMostBytes)
    throw makeError(ErrorKind::Memory, RawPreview::tr("a slice of this layout is larger than 1 GiB and not shown"), {});
  Volume slice(shape, source->info().type);
  source->read(first, first + planes, {slice.data(), static_cast<std::size_t>(slice.bytes())}, control);
  return slice;
}

}  // namespace

RawPreview::RawPreview(VolumeIo& io, QWidget* parent) : QLabel(parent), io_(io) {
  setObjectName(QStringLiteral("preview"));
  setAccessibleName(tr("The middle slice"));
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);
  setMinimumHeight(em(this, 16));
  connect(&reading_, &BackgroundTask::failed, this, [this](const QString& message) { setText(message); });
}

void RawPreview::showSlice(const std::string& name) {
  if (name == name_) return;
  name_ = name;
  if (name.empty()) {
    reading_.cancel();
    clear();
    return;
  }
  reading_.start(
      [this, name, edge = em(this, 16) * devicePixelRatioF()](const Control& control) -> BackgroundTask::Finish {
        const QImage image = thumbnail(middleSlice(io_, name, control), static_cast<int>(edge));
        return [this, image] {
          QPixmap picture = QPixmap::fromImage(image);
          picture.setDevicePixelRatio(devicePixelRatioF());
          setPixmap(picture);
        };
      });
}

namespace {
constexpr int kMostColumns = 4;
constexpr std::int64_t kThumbnailVoxels = 64;
}  // namespace

SampleGallery::SampleGallery(const Toolbox& toolbox, QWidget* parent) : QWidget(parent), toolbox_(toolbox) {
  auto* title = new QLabel(tr("Drop a file here, or start from a sample"), this);
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  title->setFont(large);
  title->setAlignment(Qt::AlignCenter);
  auto* hint = quietLabel(
      tr("Volumes, images, DICOM folders, patterns of slices and sessions can be dropped anywhere in the window."),
      this);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  auto* open = new QPushButton(icon("open"), tr("Open a file…"), this);
  connect(open, &QPushButton::clicked, this, &SampleGallery::openRequested);

  grid_ = new QGridLayout;
  const int side = em(this, 6.5);
  int widest = side;
  for (const SampleOffer& offer : toolbox.samples)
    widest = std::max(widest, fontMetrics().horizontalAdvance(toQt(offer.label)));
  for (const SampleOffer& offer : toolbox.samples) {
    auto* button = toolButton(this, {.text = toQt(offer.label),
                                     .tip = toQt(offer.description),
                                     .spoken = tr("Start from the sample %1").arg(toQt(offer.label))});
    button->setObjectName(toQt("sample-" + offer.name));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setAutoRaise(true);
    button->setIconSize({side, side});
    button->setIcon(icon("sample"));
    button->setFixedSize(widest + em(this, 1.8), side + em(this, 2.2));
    connect(button, &QToolButton::clicked, this, [this, name = offer.name] { Q_EMIT chosen(name); });
    buttons_.push_back(button);
  }
  auto* column = new QVBoxLayout(this);
  column->setSpacing(em(this, 0.8));
  column->addStretch(2);
  column->addWidget(title);
  column->addWidget(hint);
  column->addWidget(open, 0, Qt::AlignCenter);
  auto* middle = new QHBoxLayout;
  middle->addStretch(1);
  middle->addLayout(grid_);
  middle->addStretch(1);
  column->addLayout(middle);
  column->addStretch(3);
  // The gallery adapts to the width, so that the window can become narrow.
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  arrange(kMostColumns);
}

void SampleGallery::arrange(int columns) {
  if (columns == columns_) return;
  columns_ = columns;
  int at = 0;
  for (QToolButton* button : buttons_) {
    grid_->removeWidget(button);
    grid_->addWidget(button, at / columns, at % columns);
    ++at;
  }
}

void SampleGallery::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (buttons_.empty()) return;
  const QMargins margins = layout()->contentsMargins();
  const int room = width() - margins.left() - margins.right() + grid_->horizontalSpacing();
  arrange(std::clamp(room / (buttons_.front()->width() + grid_->horizontalSpacing()), 1, kMostColumns));
}

void SampleGallery::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!rendered_) renderThumbnails();
}

void SampleGallery::renderThumbnails() {
  rendered_ = true;
  rendering_.start([this](const Control& control) -> BackgroundTask::Finish {
    std::vector<QImage> images;
    for (const SampleOffer& offer : toolbox_.samples) {
      control.check();
      images.push_back(
          thumbnail(offer.make(offer.dimensions == 3 ? kThumbnailVoxels : 4 * kThumbnailVoxels, 1, control)));
    }
    return [this, images] {
      for (std::size_t i = 0; i < images.size(); ++i) {
        const QSize size = buttons_[i]->iconSize() * devicePixelRatioF();
        QPixmap pixmap = QPixmap::fromImage(images[i].scaled(size, Qt::KeepAspectRatio, Qt::SmoothTransformation));
        pixmap.setDevicePixelRatio(devicePixelRatioF());
        buttons_[i]->setIcon(QIcon(pixmap));
      }
    };
  });
}

}  // namespace sscope

#include "moc_previews.cpp"
