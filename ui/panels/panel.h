#pragma once
// A dock with its own title bar: a chevron collapses the content; the dock can be moved, floated and closed.

#include <QDockWidget>

class QToolButton;

namespace sscope {

class Panel : public QDockWidget {
  Q_OBJECT
 public:
  // `name` identifies the panel in saved window states.
  Panel(const QString& title, const QString& name, QWidget* content, QWidget* parent);

  void setCollapsed(bool collapsed);
  [[nodiscard]] bool collapsed() const { return collapsed_; }

 Q_SIGNALS:
  void collapsedChanged(bool collapsed);

 protected:
  bool focusNextPrevChild(bool next) override;

 private:
  QWidget* content_;
  QToolButton* chevron_;
  bool collapsed_ = false;
};

}  // namespace sscope
