#include "ui/rooms/wavelet/wavelet_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <iterator>

#include "core/wavelet/job/wavelet_settings.h"
#include "ui/base/look.h"
#include "ui/controls/segment_button.h"

namespace sscope {

namespace {

constexpr std::array kShows{"source", "result", "both", "difference"};
constexpr std::array kLayouts{"all", "axial", "coronal", "sagittal", "volume"};

template <std::size_t N>
int indexOf(const std::array<const char*, N>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? 0 : static_cast<int>(found - names.begin());
}

}  // namespace

WaveletBar::WaveletBar(SessionModel& model, QWidget* parent) : TwoRowBar(parent), model_(model) {
  show_ = new QButtonGroup(this);
  auto* shows = new QHBoxLayout;
  shows->setSpacing(0);
  const auto show = [&](int id, const QString& text, const QString& tip) {
    shows->addWidget(segmentButton(show_, id, text, nullptr, tip, this));
  };
  show(0, tr("Source"), tr("Show the source (Space switches)"));
  show(1, tr("Result"), tr("Show the result (Space switches)"));
  show(2, tr("Both"), tr("Source and result side by side"));
  show(3, tr("Difference"), tr("Source and difference of the result"));
  first()->addLayout(shows);
  first()->addStretch(1);
  pyramid_ = new QToolButton(this);
  pyramid_->setObjectName(QStringLiteral("waveletPyramid"));
  pyramid_->setText(tr("Coefficients"));
  pyramid_->setToolTip(tr("The coefficients next to the picture, as logarithms of their magnitudes"));
  pyramid_->setCheckable(true);
  accentWhenChecked(pyramid_);
  second()->addWidget(pyramid_);
  second()->addStretch(1);
  second()->addSpacing(em(this, 0.6));
  layouts_ = new QButtonGroup(this);
  auto* layouts = new QHBoxLayout;
  layouts->setSpacing(0);
  const auto layout = [&](int id, const char* icon, const QString& tip) {
    layouts->addWidget(segmentButton(layouts_, id, {}, icon, tip, this));
  };
  layout(0, "layout-all", tr("All four views (0)"));
  layout(1, "axial", tr("Axial view alone (1)"));
  layout(2, "coronal", tr("Coronal view alone (2)"));
  layout(3, "sagittal", tr("Sagittal view alone (3)"));
  layout(4, "volume", tr("3D view alone (4)"));
  second()->addLayout(layouts);

  connect(show_, &QButtonGroup::idClicked, this, [this](int id) {
    WaveletView view = model_.settings<WaveletView>();
    view.show = kShows[static_cast<std::size_t>(id)];
    model_.setSettings(view);
  });
  connect(layouts_, &QButtonGroup::idClicked, this, [this](int id) {
    WaveletView view = model_.settings<WaveletView>();
    view.layout = kLayouts[static_cast<std::size_t>(id)];
    model_.setSettings(view);
  });
  connect(pyramid_, &QToolButton::clicked, this, [this](bool on) {
    WaveletView view = model_.settings<WaveletView>();
    view.pyramid = on;
    model_.setSettings(view);
  });
  model_.follow<WaveletView>(this, &WaveletBar::refresh);
  model_.follow<WaveletSettings>(this, &WaveletBar::refresh);
  connect(&model_, &SessionModel::dataChanged, this, &WaveletBar::refresh);
  refresh();
}

void WaveletBar::refresh() {
  const auto& view = model_.settings<WaveletView>();
  show_->button(indexOf(kShows, view.show))->setChecked(true);
  layouts_->button(indexOf(kLayouts, view.layout))->setChecked(true);
  pyramid_->setChecked(view.pyramid);
  pyramid_->setVisible(model_.settings<WaveletSettings>().transform == "dwt");
  const bool flat = model_.hasData() && model_.data().volume->shape().dimensions() == 2;
  for (QAbstractButton* button : layouts_->buttons()) button->setVisible(!flat);
}

}  // namespace sscope
