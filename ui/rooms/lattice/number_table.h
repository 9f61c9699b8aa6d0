#pragma once
// A small table of numbers; Ctrl+C copies the selection with tabs between cells.

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
    QColor color;     // of a square before the first cell; invalid: none
    QString tooltip;  // of the whole row; may be empty
  };
  NumberTable(const QString& accessibleName, QWidget* parent = nullptr);
  // Keeps the selection if the number of columns is unchanged. The first `texts` columns are text, the others numbers.
  void setRows(const QStringList& columns, int texts, const std::vector<Row>& rows);
  [[nodiscard]] QString cell(int row, int column) const;
  // Room for a few rows.
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace sscope
