#pragma once
// The list of the bank's filters: enable, reorder by dragging or buttons, add, duplicate, remove, rename.

#include <QWidget>
#include <map>
#include <string>

#include "ui/model/session_model.h"

class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace sscope {

class FilterList : public QWidget {
  Q_OBJECT
 public:
  explicit FilterList(SessionModel& model, QWidget* parent = nullptr);

  // Remarks by filter name, shown as a mark with a tooltip. Filters that do not run are gray.
  struct Remark {
    QString text;
    bool leftOut = false;
    bool operator==(const Remark&) const = default;
  };
  void setRemarks(std::map<std::string, Remark> remarks);
  [[nodiscard]] int selected() const;  // row, -1 for none
  void select(int row);
  void addFilter(const std::string& family);
  void duplicateSelected();
  void removeSelected();
  void moveSelected(int by);

 Q_SIGNALS:
  void selectionChanged(int row);
  void corrected(const QString& reason);

 private:
  void rebuild();
  [[nodiscard]] int rowToShow(int before) const;
  void takeOrderFromList();
  void itemEdited(QListWidgetItem* item);
  void updateButtons();
  void showRemark(QListWidgetItem& item) const;
  void showMenu(const QPoint& at);
  QToolButton* button(const char* iconName, const QString& tip);

  SessionModel& model_;
  QListWidget* list_;
  QToolButton *add_, *duplicate_, *remove_, *up_, *down_;
  std::map<std::string, Remark> remarks_;
  bool rebuilding_ = false;
  int wanted_ = -1;  // the row to select after the next rebuild, -1 for the shown filter
};

}  // namespace sscope
