#pragma once
// The list of the bank's filters, and menus of templates.

#include <QListWidget>
#include <QWidget>
#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "core/filter/templates/bank_template.h"
#include "ui/base/look.h"
#include "ui/model/session_model.h"

class QHBoxLayout;
class QListWidget;
class QListWidgetItem;
class QMenu;
class QToolButton;

namespace sscope {

class ArrowGutter;

// Adds entries that call `use` with the name of a template, and whether it replaces the bank or is added to it.
void fillTemplateMenu(QMenu& menu, const std::function<void(const std::string& name, bool replace)>& use);

// The model's bank replaced by the template, or with the template below, made for the open data: image or volume,
// voxels, noise. A replaced bank keeps its boundary rule. `shown`: the index of the row to show.
struct UsedTemplate {
  FilterBank bank;
  int shown = 0;
};
[[nodiscard]] UsedTemplate usedTemplate(const SessionModel& model, const BankTemplate& chosen, bool replace);

// As tall as its rows if there is space, and at least as some of them.
class RowsList : public QListWidget {
 public:
  using QListWidget::QListWidget;
  [[nodiscard]] QSize sizeHint() const override { return {em(this, 8), heightOf(std::clamp(count(), 2, kAtLeast))}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
  void fitRows() {
    setMaximumHeight(heightOf(std::max(count(), 2)));
    updateGeometry();
  }

 private:
  static constexpr int kAtLeast = 8;
  [[nodiscard]] int heightOf(int rows) const {
    const int row = count() > 0 ? sizeHintForRow(0) : em(this, 1.4);
    return rows * row + 2 * frameWidth() + 2;
  }
};

// The filters of the bank with arrows between them: enable, reorder, add, duplicate, remove, rename, templates.
class FilterList : public QWidget {
  Q_OBJECT
 public:
  explicit FilterList(SessionModel& model, QWidget* parent = nullptr);

  // Remarks by filter name, shown as an icon with a tooltip. Filters that do not run are gray.
  struct Remark {
    QString text;
    bool leftOut = false;
    bool operator==(const Remark&) const = default;
  };
  void setRemarks(std::map<std::string, Remark> remarks);
  [[nodiscard]] int selected() const;  // row, -1 for none
  void select(int row);
  void addFilter(const std::string& family);
  // Replaces the bank by the template, or adds the template below.
  void useTemplate(const std::string& name, bool replace);
  // Copies the command that applies the bank to the open data in a shell.
  void copyCommand();
  void duplicateSelected();
  void removeSelected();
  void moveSelected(int by);

 Q_SIGNALS:
  void selectionChanged(int row);
  void corrected(const QString& reason);
  void reported(const QString& text);  // for the status line

 private:
  // Data of items: the filter's name in the model, the help of its family, inputs and readers, and whether it is
  // intermediate.
  enum Role { kNameRole = Qt::UserRole, kHelpRole, kReadsRole, kIntermediateRole };

  void rebuild();
  [[nodiscard]] int rowToShow(int before) const;
  void takeOrderFromList();
  // Unless an arrow would point upward: then reports the reason and restores the list. `moved`: the new index of the
  // moved row.
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
