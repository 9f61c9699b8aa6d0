#pragma once
// The table of all rows of a ladder that ran: their results, or why they have none.

#include <QAbstractTableModel>
#include <QTableView>
#include <set>
#include <string>
#include <vector>

#include "core/measure/measurement.h"

class QSortFilterProxyModel;

namespace sscope {

class LadderRows : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kEngine, kRung, kParameters, kTime, kSpread, kGflops, kShare, kError, kRemark, kColumns };
  static constexpr int kSortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;
  // Keeps the selection and scroll position if rows are only added.
  void setRows(const std::vector<Measurement>& rows);
  [[nodiscard]] const Measurement& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QVariant text(const Measurement& row, int column) const;
  [[nodiscard]] QVariant sortValue(const Measurement& row, int column) const;

  std::vector<Measurement> rows_;
  std::set<std::string> shared_;  // parameters that are the same in all rows
};

class LadderTable : public QTableView {
  Q_OBJECT
 public:
  explicit LadderTable(QWidget* parent = nullptr);
  void setRows(const std::vector<Measurement>& rows);
  // Selects the row of this measurement without emitting a signal.
  void select(const Measurement& measurement);

 Q_SIGNALS:
  void chosen(const sscope::Measurement& measurement);

 private:
  LadderRows* rows_;
  QSortFilterProxyModel* sorted_;
  bool quiet_ = false;
};

}  // namespace sscope
