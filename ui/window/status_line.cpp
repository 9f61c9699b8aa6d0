#include "ui/window/status_line.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/controls/buttons.h"

namespace sscope {

namespace {

// A selectable text is laid out for every question about its size. This one takes what room there is.
class LineLabel : public QLabel {
 public:
  using QLabel::QLabel;
  [[nodiscard]] QSize sizeHint() const override { return {em(this, 8), fontMetrics().height()}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, fontMetrics().height()}; }
};

}  // namespace

StatusLine::StatusLine(QWidget* parent) : QWidget(parent) {
  text_ = named(new LineLabel(this), "status", tr("What ran where"));
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
  progress_->setRange(0, words.fraction < 0 ? 0 : 1000);
  progress_->setValue(static_cast<int>(1000 * words.fraction));
  progress_->setFormat(QStringLiteral("%p %"));
  progress_->setVisible(words.busy && !words.ownBar);
  doing_->setText(words.doing);
  doing_->setVisible(words.busy && !words.ownBar && !words.doing.isEmpty());
  cancel_->setVisible(words.busy);
}

// Until a key or a click elsewhere: a tooltip goes at the first move of the mouse.
void StatusLine::explain() {
  // A frame around the label: a label that is a popup itself keeps Escape and would stay.
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

#include "moc_status_line.cpp"
