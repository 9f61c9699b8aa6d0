#pragma once
// Templates of banks in menus.

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

// Entries that call `use` with a template's name and whether its rows replace the bank's or are added to them.
void fillTemplateMenu(QMenu& menu, const std::function<void(const std::string& name, bool replace)>& use);

// The model's bank with the template in its place or below it, made for the open data: an image or a volume, its voxels
// and its noise. Of a replaced bank the boundary rule stays. `shown`: the place of the row to look at.
struct UsedTemplate {
  FilterBank bank;
  int shown = 0;
};
[[nodiscard]] UsedTemplate usedTemplate(const SessionModel& model, const BankTemplate& chosen, bool replace);

// The list of rows inside the list of filters.

// As tall as its rows: at least as some of them, and as all where there is room.
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

// The list of the bank's filters, with arrows from what is read to its readers: enable, reorder by dragging or buttons,
// add, duplicate, remove, rename, templates.

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
