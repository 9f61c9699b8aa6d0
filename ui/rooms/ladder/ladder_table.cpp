#include "ui/rooms/ladder/ladder_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/rooms/ladder/rung_details.h"

namespace sscope {

namespace {

QString remark(const Measurement& m) {
  if (!m.skipped.empty()) return LadderRows::tr("skipped: %1").arg(toQt(m.skipped));
  if (!m.failed.empty()) return LadderRows::tr("FAILED: %1").arg(toQt(m.failed));
  if (!m.twinOf.empty()) return LadderRows::tr("memory-only twin of %1").arg(toQt(m.twinOf));
  const QString coverage = toQt(m.verification.coverage);
  return m.searched.empty() ? coverage : LadderRows::tr("%1 · tiles found by a search").arg(coverage);
}

// Parameters that are the same in all rows, which need no column.
std::set<std::string> sharedParameters(const std::vector<Measurement>& rows) {
  std::set<std::string> shared;
  if (rows.empty()) return shared;
  for (const auto& [name, value] : rows.front().params.items()) {
    const bool same = std::all_of(rows.begin(), rows.end(), [&, key = name, &first = value](const Measurement& m) {
      return m.params.contains(key) && m.params.at(key) == first;
    });
    if (same) shared.insert(name);
  }
  return shared;
}

// A square of the engine's color beside its name.
QPixmap swatch(const QColor& color, int side) {
  QPixmap pixmap(side, side);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(pixmap.rect(), side * 0.25, side * 0.25);
  return pixmap;
}

}  // namespace

void LadderRows::setRows(const std::vector<Measurement>& rows) {
  shared_ = sharedParameters(rows);
  const auto known = static_cast<int>(rows_.size());
  const auto now = static_cast<int>(rows.size());
  if (now > known) {
    beginInsertRows({}, known, now - 1);
    rows_ = rows;
    endInsertRows();
    if (known > 0) Q_EMIT dataChanged(index(0, 0), index(known - 1, kColumns - 1));
  } else {
    beginResetModel();
    rows_ = rows;
    endResetModel();
  }
}

int LadderRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LadderRows::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant LadderRows::text(const Measurement& m, int column) const {
  if (column == kEngine) return toQt(m.engine);
  if (column == kRung) return toQt(m.variant);
  if (column == kParameters) return parametersText(m, shared_);
  if (column == kRemark) return remark(m);
  if (!m.hasFigures()) return {};
  const Spread spread = m.spread();
  switch (column) {
    case kTime: return QString::number(spread.median * 1e3, 'g', 4);
    case kSpread:
      return QStringLiteral("%1–%2").arg(formatNumber(spread.firstQuartile * 1e3),
                                         formatNumber(spread.thirdQuartile * 1e3));
    case kGflops: return m.twinOf.empty() ? QVariant(formatNumber(m.gflops())) : QVariant();
    case kShare: return m.twinOf.empty() && m.share() ? QVariant(toQt(shareText(m))) : QVariant();
    case kError: return m.twinOf.empty() && m.hasFigures() ? QVariant(toQt(errorText(m))) : QVariant();
    default: return {};
  }
}

QVariant LadderRows::sortValue(const Measurement& m, int column) const {
  const bool figures = m.hasFigures();
  switch (column) {
    case kTime: return figures ? m.spread().median : 1e300;
    case kSpread: return figures ? m.spread().thirdQuartile - m.spread().firstQuartile : 1e300;
    case kGflops: return figures && m.twinOf.empty() ? m.gflops() : -1;
    case kShare: return figures ? m.share().value_or(-1) : -1;
    case kError: return figures ? m.verification.relativeL2 : -1;
    default: return text(m, column);
  }
}

QVariant LadderRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Measurement& m = at(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(m, column);
    case kSortRole: return sortValue(m, column);
    case Qt::ToolTipRole: return measurementTip(m);
    case Qt::TextAlignmentRole:
      return column >= kTime && column <= kError ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole: return m.hasFigures() ? QVariant() : QVariant(absentColor());
    case Qt::DecorationRole:
      if (column != kEngine) return {};
      return swatch(m.skipped.empty() ? engineColor(m.engine) : absentColor(), 10);
    default: return {};
  }
}

QVariant LadderRows::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section >= kTime && section <= kError)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kEngine: return tr("Engine");
    case kRung: return tr("Rung");
    case kParameters: return tr("Parameters that differ");
    case kTime: return tr("ms");
    case kSpread: return tr("quartiles, ms");
    case kGflops: return tr("GFLOP/s");
    case kShare: return tr("of ceiling");
    case kError: return tr("error");
    case kRemark: return tr("Remark");
    default: return {};
  }
}

LadderTable::LadderTable(QWidget* parent) : QTableView(parent) {
  rows_ = new LadderRows(this);
  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(rows_);
  sorted_->setSortRole(LadderRows::kSortRole);
  setModel(sorted_);
  setObjectName(QStringLiteral("ladderTable"));
  setAccessibleName(tr("Measured rows"));
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);  // as measured
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setAlternatingRowColors(true);
  setWordWrap(false);
  setFrameShape(NoFrame);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(em(this, 1.5));
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
  const double widths[] = {7.5, 13, 13, 5, 7.5, 5.5, 5.5, 5};
  for (int column = 0; column < LadderRows::kRemark; ++column) setColumnWidth(column, em(this, widths[column]));
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
    if (now.isValid() && !quiet_) Q_EMIT chosen(rows_->at(sorted_->mapToSource(now).row()));
  });
  connect(this, &QTableView::activated, this,
          [this](const QModelIndex& now) { Q_EMIT chosen(rows_->at(sorted_->mapToSource(now).row())); });
}

void LadderTable::setRows(const std::vector<Measurement>& rows) {
  quiet_ = true;
  rows_->setRows(rows);
  quiet_ = false;
}

void LadderTable::select(const Measurement& measurement) {
  for (int row = 0; row < rows_->rowCount(); ++row) {
    const Measurement& m = rows_->at(row);
    if (m.engine != measurement.engine || m.variant != measurement.variant || m.params != measurement.params ||
        m.shape != measurement.shape)
      continue;
    quiet_ = true;
    setCurrentIndex(sorted_->mapFromSource(rows_->index(row, 0)));
    quiet_ = false;
    return;
  }
}

}  // namespace sscope

#include "moc_ladder_table.cpp"
