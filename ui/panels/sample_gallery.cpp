#include "ui/panels/sample_gallery.h"

#include <QGridLayout>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/panels/thumbnail.h"

namespace sscope {

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
  // The gallery takes the width there is: it must not keep the window from being made narrow.
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

#include "moc_sample_gallery.cpp"
