#include "ui/rooms/lattice/time_player.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/controls/number_box.h"

namespace sscope {

namespace {
constexpr int kMostFrames = 30;
}

TimePlayer::TimePlayer(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.3);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->setSpacing(2 * gap);
  play_ = named(new QToolButton(this), "latticePlay");
  slider_ = named(new QSlider(Qt::Horizontal, this), "latticeTime", tr("Time slice"));
  slider_->setToolTip(tr("The time slice that is shown; comma and period step it"));
  slider_->setPageStep(4);
  label_ = named(new QLabel(this), "latticeTimeText");
  label_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("t 000 / 000")));
  rate_ = named(new NumberBox(tr("Time slices per second"), this), "latticeRate");
  rate_->setWhole(true);
  rate_->setRange(1, kMostFrames);
  rate_->setStep([](double value, int steps) { return value + steps; });
  rate_->setValue(framesPerSecond_);
  rate_->setToolTip(tr("How many time slices per second to play, 1 to %1").arg(kMostFrames));
  unit_ = quietLabel(tr("slices/s"), this);
  row->addWidget(play_);
  row->addWidget(slider_, 1);
  row->addWidget(label_);
  row->addWidget(rate_);
  row->addWidget(unit_);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] { step(1); });
  connect(play_, &QToolButton::clicked, this, [this] { setPlaying(!playing()); });
  connect(slider_, &QSlider::valueChanged, this, [this](int slice) {
    tell();
    Q_EMIT sliceChanged(slice, playing() || slider_->isSliderDown());
  });
  connect(slider_, &QSlider::sliderReleased, this, [this] { Q_EMIT sliceChanged(slice(), playing()); });
  connect(rate_, &NumberBox::valueEdited, this, [this](double rate) {
    framesPerSecond_ = static_cast<int>(rate);
    if (playing()) setPlaying(true);
  });
  setPlaying(false);
  setSlices(1);
}

void TimePlayer::setSlices(int slices) {
  timeless_.reset();
  slices_ = std::max(slices, 1);
  if (slices_ < 2) setPlaying(false);
  slider_->setRange(0, slices_ - 1);
  for (QWidget* each : {static_cast<QWidget*>(play_), static_cast<QWidget*>(slider_), static_cast<QWidget*>(rate_)})
    each->setEnabled(slices_ > 1);
  tell();
}

void TimePlayer::setTimeless(const QString& why) {
  setSlices(1);
  timeless_ = why;
  tell();
}

int TimePlayer::slice() const { return slider_->value(); }
void TimePlayer::setSlice(int slice) { slider_->setValue(slice); }

void TimePlayer::setPlaying(bool playing) {
  if (playing && slices_ > 1) {
    timer_.start(1000 / framesPerSecond_);
  } else if (timer_.isActive()) {
    timer_.stop();
    Q_EMIT sliceChanged(slice(), false);
  }
  play_->setIcon(icon(timer_.isActive() ? "pause" : "play"));
  play_->setToolTip(timer_.isActive() ? tr("Pause (Space)") : tr("Play the time slices in a loop (Space)"));
  play_->setAccessibleName(timer_.isActive() ? tr("Pause") : tr("Play the time slices"));
}

void TimePlayer::step(int by) { slider_->setValue(((slice() + by) % slices_ + slices_) % slices_); }

void TimePlayer::tell() { label_->setText(timeless_.value_or(tr("t %1 / %2").arg(slice()).arg(slices_ - 1))); }

}  // namespace sscope

#include "moc_time_player.cpp"
