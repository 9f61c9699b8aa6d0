#pragma once
// Texts about a solve: the table of its runs and the sentences of the status line.

#include <QColor>
#include <QString>
#include <QStringList>
#include <QTableWidget>
#include <vector>

#include "ui/rooms/lattice/lattice_controller.h"

namespace sscope {

// A small table of numbers. Ctrl+C copies the selection with tabs between the cells.
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

// Texts about a solve: the table of its runs and the sentences of the status line.

inline constexpr int kRunTexts = 4;  // columns of text, before those of numbers
[[nodiscard]] QStringList runColumns();
[[nodiscard]] std::vector<NumberTable::Row> runRows(const SolveController& controller);

// The parameters of the solve, which may differ from the controls by now: "κ 0.12 · antiperiodic in time · point …".
[[nodiscard]] QString jobWords(const SolveJob& job);

// Progress toward the tolerance, 0..1, over all engines and systems.
[[nodiscard]] double solvedShare(const SolveController& controller);
[[nodiscard]] QString progressWords(const SolveController& controller);
[[nodiscard]] QString canceledWords(const SolveController& controller);
[[nodiscard]] QString endWords(const std::vector<SolveLine>& lines);
// Why engines failed, one line each; empty if none did.
[[nodiscard]] QString failureWords(const std::vector<SolveLine>& lines);

}  // namespace sscope
