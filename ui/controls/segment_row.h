#pragma once
// Buttons side by side of which one is checked, each for a value.

#include <QWidget>
#include <string>
#include <vector>

class QButtonGroup;

namespace sscope {

class SegmentRow : public QWidget {
  Q_OBJECT
 public:
  explicit SegmentRow(QWidget* parent);
  // iconName may be null, the text empty.
  void add(const char* value, const QString& text, const char* iconName, const QString& tip);
  // The five layouts of four views.
  void addLayouts();
  // The first one where there is none of this value.
  void setValue(const std::string& value);
  void showButtons(bool shown);

 Q_SIGNALS:
  void chosen(const std::string& value);  // by somebody's hand

 private:
  QButtonGroup* group_;
  std::vector<std::string> values_;  // by the number of their button
};

}  // namespace sscope
