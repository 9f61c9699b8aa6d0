#include "ui/rooms/wavelet/wavelet_bar.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "core/wavelet/job/wavelet_settings.h"
#include "ui/base/look.h"
#include "ui/controls/buttons.h"

namespace sscope {

template <class Change>
void WaveletBar::edit(const Change& change) {
  WaveletView view = model_.settings<WaveletView>();
  change(view);
  model_.setSettings(view);
}

WaveletBar::WaveletBar(SessionModel& model, QWidget* parent) : TwoRowBar(parent), model_(model) {
  show_ = new SegmentRow(this);
  show_->add("source", tr("Source"), nullptr, tr("Show the source (Space switches)"));
  show_->add("result", tr("Result"), nullptr, tr("Show the result (Space switches)"));
  show_->add("both", tr("Both"), nullptr, tr("Source and result side by side"));
  show_->add("difference", tr("Difference"), nullptr, tr("Source and difference of the result"));
  first()->addWidget(show_);
  first()->addStretch(1);
  pyramid_ = toolButton(this, {.name = "waveletPyramid",
                               .text = tr("Coefficients"),
                               .tip = tr("The coefficients next to the picture, as logarithms of their magnitudes"),
                               .checkable = true});
  second()->addWidget(pyramid_);
  second()->addStretch(1);
  second()->addSpacing(em(this, 0.6));
  layouts_ = new SegmentRow(this);
  layouts_->addLayouts();
  second()->addWidget(layouts_);

  connect(show_, &SegmentRow::chosen, this,
          [this](const std::string& value) { edit([&value](WaveletView& view) { view.show = value; }); });
  connect(layouts_, &SegmentRow::chosen, this,
          [this](const std::string& value) { edit([&value](WaveletView& view) { view.layout = value; }); });
  connect(pyramid_, &QToolButton::clicked, this,
          [this](bool on) { edit([on](WaveletView& view) { view.pyramid = on; }); });
  model_.follow<WaveletView>(this, &WaveletBar::refresh);
  model_.follow<WaveletSettings>(this, &WaveletBar::refresh);
  connect(&model_, &SessionModel::dataChanged, this, &WaveletBar::refresh);
  refresh();
}

void WaveletBar::refresh() {
  const auto& view = model_.settings<WaveletView>();
  show_->setValue(view.show);
  layouts_->setValue(view.layout);
  pyramid_->setChecked(view.pyramid);
  pyramid_->setVisible(model_.settings<WaveletSettings>().transform == "dwt");
  const bool flat = model_.hasData() && model_.data().volume->shape().dimensions() == 2;
  layouts_->showButtons(!flat);
}

}  // namespace sscope

#include "moc_wavelet_bar.cpp"
