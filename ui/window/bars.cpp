#include "ui/window/bars.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"

namespace sscope {

namespace {

// Hides the bar when its message is dismissed.
class BarHider : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::HideToParent) static_cast<QWidget*>(parent())->hide();
    return QObject::eventFilter(watched, event);
  }
};

}  // namespace

OfferBar::OfferBar(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
  notice_ = new Notice(accessibleName, this, Notice::Place::InLayout);  // not over the buttons
  row_ = new QHBoxLayout(this);
  const int gap = em(this, 0.3);
  row_->setContentsMargins(gap, gap, gap, gap);
  row_->setSpacing(gap);
  row_->addWidget(notice_, 1);
  notice_->installEventFilter(new BarHider(this));
  hide();
}

QPushButton* OfferBar::addButton(const QString& text, const char* name) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(QLatin1String(name));
  row_->addWidget(button, 0, Qt::AlignVCenter);
  return button;
}

void OfferBar::offer(bool error, const QString& message) {
  notice_->showMessage(error ? Notice::Kind::Error : Notice::Kind::Hint, message);
  show();
}

void OfferBar::clear() {
  notice_->clear();
  hide();
}

QString OfferBar::message() const { return notice_->message(); }

RoomBar::RoomBar(QWidget* parent) : QToolBar(tr("Rooms"), parent), group_(new QActionGroup(this)) {
  setObjectName(QStringLiteral("rooms"));
  setAccessibleName(tr("Rooms"));
  setOrientation(Qt::Vertical);
  setMovable(false);
  setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  QFont letters = font();
  letters.setPointSizeF(letters.pointSizeF() * 0.85);
  setFont(letters);
  const int side = em(this, 1.6);
  setIconSize({side, side});
}

void RoomBar::addRoom(const QString& title, const char* iconName, const QString& tip) {
  const int room = static_cast<int>(group_->actions().size());
  QAction* action = addAction(icon(iconName), title);
  action->setToolTip(tip);
  action->setCheckable(true);
  action->setChecked(room == 0);
  group_->addAction(action);
  connect(action, &QAction::triggered, this, [this, room] { Q_EMIT roomChosen(room); });
}

void RoomBar::setRoom(int room) { group_->actions().at(room)->setChecked(true); }

TimeBar::TimeBar(SessionModel& model, FrameLoader& frames, QWidget* parent)
    : QWidget(parent), model_(model), frames_(frames) {
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.3);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->setSpacing(2 * gap);
  slider_ = named(new QSlider(Qt::Horizontal, this), "timeFrame", tr("Time"));
  slider_->setToolTip(
      tr("The open time point, counted from 0; arrow keys change it here, comma and period everywhere"));
  text_ = named(new QLabel(this), "timeFrameText");
  all_ = toolButton(this, {.name = "timeAll",
                           .text = tr("All"),
                           .tip = tr("Open all time points as components, so that every filter runs on each of them"),
                           .checkable = true});
  row->addWidget(quietLabel(tr("Time"), this));
  row->addWidget(slider_, 1);
  row->addWidget(text_);
  row->addWidget(all_);

  connect(slider_, &QSlider::valueChanged, this, [this](int frame) { frames_.show(frame); });
  // Timing of engines, for example, waits until the slider is released.
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

namespace {

// One line of any width. Computing the size of a selectable text would be slow.
class StatusLabel : public QLabel {
 public:
  using QLabel::QLabel;
  [[nodiscard]] QSize sizeHint() const override { return {em(this, 8), fontMetrics().height()}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, fontMetrics().height()}; }
};

}  // namespace

StatusLine::StatusLine(QWidget* parent) : QWidget(parent) {
  text_ = named(new StatusLabel(this), "status", tr("What ran where"));
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  why_ = toolButton(this, {.text = tr("why?"), .spoken = tr("Why it ran this way"), .flat = true});
  why_->hide();
  progress_ = named(new QProgressBar(this), "runProgress", tr("Progress of the run"));
  progress_->setRange(0, 0);
  progress_->setFixedWidth(em(this, 10));
  progress_->setMaximumHeight(em(this, 1.1));
  progress_->setTextVisible(true);
  doing_ = quietLabel({}, this);
  doing_->setObjectName(QStringLiteral("runDoing"));
  doing_->setAccessibleName(tr("What is being done"));
  cancel_ = toolButton(this, {.name = "cancelRun", .text = tr("Cancel"), .tip = tr("Stop computing (Esc)")});
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.35);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->addWidget(text_, 1);
  row->addWidget(why_);
  row->addWidget(doing_);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  setFixedHeight(em(this, 1.9));
  tell(RoomWords());
  connect(why_, &QToolButton::clicked, this, &StatusLine::explain);
  connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
}

QString StatusLine::text() const { return text_->text(); }

void StatusLine::tell(const RoomWords& words) {
  text_->setText(words.text);
  text_->setToolTip(words.text);
  explanation_ = words.why;
  why_->setVisible(!words.why.isEmpty());
  why_->setToolTip(words.why);
  showProgress(progress_, words.fraction, QStringLiteral("%p %"));
  progress_->setVisible(words.busy && !words.ownBar);
  doing_->setText(words.doing);
  doing_->setVisible(words.busy && !words.ownBar && !words.doing.isEmpty());
  cancel_->setVisible(words.busy);
}

// Shown until a key is pressed or something else is clicked; a tooltip would disappear when the mouse moves.
void StatusLine::explain() {
  // A label that is a popup itself would not be closed by Escape.
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  auto* text = named(new QLabel(explanation_, popup), "whyText");
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  text->setMargin(em(this, 0.5));
  text->setFrameStyle(QFrame::StyledPanel);
  const int width = std::min(em(this, 34), window()->width());
  text->resize(width, text->heightForWidth(width));
  popup->resize(text->size());
  const QPoint corner = why_->mapToGlobal(QPoint(why_->width(), -em(this, 0.3)));
  popup->move(corner - QPoint(popup->width(), popup->height()));
  popup->show();
}

}  // namespace sscope

#include "moc_bars.cpp"
