#include "ui/controls/two_row_bar.h"

#include <QBoxLayout>
#include <QEvent>
#include <algorithm>

#include "ui/base/look.h"

namespace sscope {

TwoRowBar::TwoRowBar(QWidget* parent)
    : QWidget(parent),
      rows_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      first_(new QHBoxLayout),
      second_(new QHBoxLayout) {
  const int gap = em(this, 0.3);
  rows_->setContentsMargins(gap, gap, gap, gap);
  for (QBoxLayout* each : std::initializer_list<QBoxLayout*>{rows_, first_, second_}) each->setSpacing(gap);
  rows_->addLayout(first_, 1);
  rows_->addLayout(second_);
}

int TwoRowBar::secondWidth() const { return second_->minimumSize().width() - (words_ ? wordsWidth() : 0); }

QSize TwoRowBar::minimumSizeHint() const {
  const QMargins margins = rows_->contentsMargins();
  const int narrow = std::max(first_->minimumSize().width(), secondWidth());
  return {narrow + margins.left() + margins.right(), rows_->minimumSize().height()};
}

bool TwoRowBar::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) arrange();
  return QWidget::event(event);
}

void TwoRowBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void TwoRowBar::arrange() {
  const QMargins margins = rows_->contentsMargins();
  const int inside = width() - margins.left() - margins.right();
  const int one = first_->minimumSize().width() + rows_->spacing() + secondWidth();
  const bool two = one > inside;
  const bool words = inside >= (two ? secondWidth() : one) + wordsWidth();
  rows_->setDirection(two ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  if (words == words_) return;
  words_ = words;
  showWords(words);
}

}  // namespace sscope
