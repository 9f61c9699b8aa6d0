#pragma once
// Tool buttons, lists, and rows of buttons of which one is checked.

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

class QButtonGroup;
class QComboBox;
class QToolButton;

namespace sscope {

struct ToolButton {
  const char* name = "";       // of the object
  QString text{};              // beside the icon if there are both
  const char* icon = nullptr;  // see ui/base/icons.h
  QString tip{};
  QString spoken{};        // for screen readers; by default the text, or the tooltip if there is no text
  bool checkable = false;  // checked in the accent color
  bool flat = false;
};
[[nodiscard]] QToolButton* toolButton(QWidget* parent, const ToolButton& look);

// A checkable button of `group` with the number `id`. iconName may be null, the text empty.
[[nodiscard]] QToolButton* segmentButton(QButtonGroup* group, int id, const QString& text, const char* iconName,
                                         const QString& tip, QWidget* parent);

// A list that is at least as wide as this number of letters, whatever its entries.
[[nodiscard]] QComboBox* narrowList(QWidget* parent, const char* name, const QString& spoken, int letters);

// One button for each value.
class SegmentRow : public QWidget {
  Q_OBJECT
 public:
  explicit SegmentRow(QWidget* parent);
  // iconName may be null, the text empty.
  void add(const char* value, const QString& text, const char* iconName, const QString& tip);
  // The buttons of the five layouts of four views.
  void addLayouts();
  // Checks the first button if no button has this value.
  void setValue(const std::string& value);
  void showButtons(bool shown);

 Q_SIGNALS:
  void chosen(const std::string& value);  // by the user

 private:
  QButtonGroup* group_;
  std::vector<std::string> values_;  // by the number of the button
};

}  // namespace sscope
