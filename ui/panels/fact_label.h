#pragma once
// A fact of the data that may be wrong: a double click, Enter or F2 puts a field in its place.

#include <QLabel>

class QLineEdit;

namespace sscope {

class FactLabel : public QLabel {
  Q_OBJECT
 public:
  explicit FactLabel(const QString& text, QWidget* parent = nullptr);
  // `typed`: what the field begins with.
  void setEditable(const QString& typed);

 Q_SIGNALS:
  void editing();                     // the field is there
  void entered(const QString& text);  // something else than the field began with

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void edit();
  void leave();  // the field goes

  bool editable_ = false;
  QString typed_;
  QLineEdit* field_ = nullptr;  // while it is there
};

}  // namespace sscope
