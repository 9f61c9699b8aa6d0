#pragma once
// The list of the bank's filters, with arrows from what is read to its readers: enable, reorder by dragging or buttons,
// add, duplicate, remove, rename, templates.

#include <QWidget>
#include <map>
#include <string>

#include "ui/model/session_model.h"

class QHBoxLayout;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace sscope {

class ArrowGutter;

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
  // The template's rows replace those of the bank, or are added below them; made for the open data.
  void useTemplate(const std::string& name, bool replace);
  // The command that does in a shell what the bank does to the open data, to the clipboard.
  void copyCommand();
  void duplicateSelected();
  void removeSelected();
  void moveSelected(int by);

 Q_SIGNALS:
  void selectionChanged(int row);
  void corrected(const QString& reason);
  void told(const QString& text);  // what was done

 private:
  // What items hold: the filter's name as the model knows it, what its family does, what it reads and who reads it, and
  // whether it is intermediate.
  enum Role { kNameRole = Qt::UserRole, kHelpRole, kReadsRole, kIntermediateRole };

  void rebuild();
  [[nodiscard]] int rowToShow(int before) const;
  void takeOrderFromList();
  // Unless an arrow would point upward: then the reason is told, and the list is as it was. `moved`: the row that was
  // moved, where it is now.
  void reorder(FilterBank bank, int moved, const QString& text);
  void rename(QListWidgetItem& item, const std::string& typed);
  void showArrows();
  void itemEdited(QListWidgetItem* item);
  void updateButtons();
  void showRemark(QListWidgetItem& item) const;
  void showMenu(const QPoint& at);
  QToolButton* button(const char* iconName, const QString& tip);

  SessionModel& model_;
  QListWidget* list_;
  ArrowGutter* arrows_;
  QHBoxLayout* rows_;
  QToolButton *add_, *templates_, *duplicate_, *remove_, *up_, *down_;
  std::map<std::string, Remark> remarks_;
  bool rebuilding_ = false;
  int wanted_ = -1;  // the row to select after the next rebuild, -1 for the shown filter
};

}  // namespace sscope
