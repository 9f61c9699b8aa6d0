#pragma once
// A small table of numbers to read and copy: Ctrl+C takes what is selected, with tabs between the cells.

#include <QColor>
#include <QStringList>
#include <QTableWidget>
#include <vector>

namespace sscope {

class NumberTable : public QTableWidget {
  Q_OBJECT
 public:
  struct Row {
    QStringList cells;
    QColor color;     // of a square before the first cell; not valid: none
    QString tooltip;  // of the whole row; may be empty
  };
  NumberTable(const QString& accessibleName, QWidget* parent = nullptr);
  // Selected rows stay selected where there are as many columns as before. The first `texts` columns are text, the
  // others numbers.
  void setRows(const QStringList& columns, int texts, const std::vector<Row>& rows);
  [[nodiscard]] QString cell(int row, int column) const;
  // Room for a few rows.
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace sscope
