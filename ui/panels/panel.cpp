#include "ui/panels/panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/controls/buttons.h"

namespace sscope {

namespace {

QToolButton* titleButton(const char* iconName, const QString& tip, QWidget* parent) {
  auto* button = toolButton(parent, {.icon = iconName, .tip = tip, .flat = true});
  const int side = em(parent, 0.75);
  button->setIconSize({side, side});
  return button;
}

// Scrolls vertically only; as wide as its content needs, with a least width for all panels.
class PanelScroll : public QScrollArea {
 public:
  using QScrollArea::QScrollArea;
  [[nodiscard]] QSize sizeHint() const override { return withContentWidth(QScrollArea::sizeHint()); }
  [[nodiscard]] QSize minimumSizeHint() const override { return withContentWidth(QSize(0, em(this, kLeastHeight))); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
  }

 private:
  static constexpr double kLeastWidth = 17.5, kLeastHeight = 5;

  [[nodiscard]] QSize withContentWidth(QSize size) const {
    const int content = widget() ? widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width() : 0;
    size.setWidth(std::max(content, em(this, kLeastWidth)));
    return size;
  }
};

}  // namespace

Panel::Panel(const QString& title, const QString& name, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent) {
  setObjectName(name);
  setAccessibleName(title);

  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  const int gap = em(this, 0.25);
  row->setContentsMargins(gap, gap, gap, gap);
  row->setSpacing(gap);
  chevron_ = titleButton("down", tr("Fold %1").arg(title), bar);
  auto* label = new QLabel(title, bar);
  embolden(label);
  auto* floater = titleButton("float", tr("Float %1").arg(title), bar);
  auto* close = titleButton("close", tr("Close %1").arg(title), bar);
  row->addWidget(chevron_);
  row->addWidget(label, 1);
  row->addWidget(floater);
  row->addWidget(close);
  setTitleBarWidget(bar);
  connect(chevron_, &QToolButton::clicked, this, [this] { setCollapsed(!collapsed_); });
  connect(floater, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
  connect(close, &QToolButton::clicked, this, &QDockWidget::close);

  auto* scroll = new PanelScroll(this);
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  content_ = scroll;
  setWidget(scroll);
}

void Panel::setCollapsed(bool collapsed) {
  if (collapsed == collapsed_) return;
  collapsed_ = collapsed;
  content_->setVisible(!collapsed);
  chevron_->setIcon(icon(collapsed ? "right" : "down"));
  setMaximumHeight(collapsed ? titleBarWidget()->sizeHint().height() : QWIDGETSIZE_MAX);
  Q_EMIT collapsedChanged(collapsed);
}

// A floating panel is a window of its own, and Tab stays inside.
bool Panel::focusNextPrevChild(bool next) {
  return isWindow() ? passFocus(this, next) : QDockWidget::focusNextPrevChild(next);
}

}  // namespace sscope

#include "moc_panel.cpp"
