#include "ui/window/time_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include "ui/base/look.h"
#include "ui/controls/buttons.h"

namespace sscope {

TimeBar::TimeBar(SessionModel& model, FrameLoader& frames, QWidget* parent)
    : QWidget(parent), model_(model), frames_(frames) {
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.3);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->setSpacing(2 * gap);
  slider_ = named(new QSlider(Qt::Horizontal, this), "timeFrame", tr("Time"));
  slider_->setToolTip(
      tr("The point in time that is open, counted from 0: arrow keys here, comma and period everywhere"));
  text_ = named(new QLabel(this), "timeFrameText");
  all_ = toolButton(
      this, {.name = "timeAll",
             .text = tr("All"),
             .tip = tr("Open all points in time at once, as components: every filter then runs on each of them"),
             .checkable = true});
  row->addWidget(quietLabel(tr("Time"), this));
  row->addWidget(slider_, 1);
  row->addWidget(text_);
  row->addWidget(all_);

  connect(slider_, &QSlider::valueChanged, this, [this](int frame) { frames_.show(frame); });
  // What follows the pictures, such as timing engines, waits until it is let go.
  connect(slider_, &QSlider::sliderPressed, this, [this] { model_.setHeld(true); });
  connect(slider_, &QSlider::sliderReleased, this, [this] { model_.setHeld(false); });
  connect(slider_, &QSlider::actionTriggered, this, [this] {
    if (!slider_->isSliderDown()) model_.holdBriefly();
  });
  connect(all_, &QToolButton::clicked, this, [this](bool all) {
    if (all) {
      frames_.show(std::nullopt);
    } else {
      frames_.show(slider_->value());
    }
  });
  connect(&frames_, &FrameLoader::changed, this, &TimeBar::refresh);
  refresh();
}

void TimeBar::setOffered(bool offered) {
  offered_ = offered;
  refresh();
}

void TimeBar::refresh() {
  const int frames = model_.hasData() ? model_.data().frames() : 1;
  setVisible(offered_ && frames > 1);
  if (frames < 2) return;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, frames - 1);
  slider_->setPageStep(std::max(1, frames / 10));
  const std::optional<std::int64_t> frame = frames_.wanted();
  if (frame) slider_->setValue(static_cast<int>(*frame));
  all_->setChecked(!frame);
  const QString last = QString::number(frames - 1);
  text_->setMinimumWidth(text_->fontMetrics().horizontalAdvance(tr("t %1 / %2, loading").arg(last, last)));
  QString text = frame ? tr("t %1 / %2").arg(QString::number(*frame), last) : tr("all %1").arg(frames);
  if (frames_.busy()) text = tr("%1, loading").arg(text);
  text_->setText(text);
}

}  // namespace sscope

#include "moc_time_bar.cpp"
