#include "ui/rooms/compare/explain_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/charts/timeline_chart.h"

namespace sscope {

namespace {

const QString kExplain = QStringLiteral("explain");

QTableWidget* plainTable(const QStringList& titles, const char* name, const QString& title, QWidget* parent) {
  auto* table = new QTableWidget(0, static_cast<int>(titles.size()), parent);
  table->setObjectName(QLatin1String(name));
  table->setAccessibleName(title);
  table->setHorizontalHeaderLabels(titles);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setStretchLastSection(true);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setFrameShape(QFrame::NoFrame);
  table->setWordWrap(true);
  return table;
}

void fill(QTableWidget& table, const std::vector<QStringList>& rows) {
  table.setRowCount(static_cast<int>(rows.size()));
  for (int row = 0; row < table.rowCount(); ++row)
    for (int column = 0; column < table.columnCount(); ++column) {
      const QString& text = rows[static_cast<std::size_t>(row)][column];
      auto* item = new QTableWidgetItem(text);
      item->setToolTip(text);
      table.setItem(row, column, item);
    }
}

}  // namespace

ExplainPage::ExplainPage(RaceModel& race, QWidget* parent) : QWidget(parent), race_(race) {
  setAccessibleName(tr("Explanation of a lane"));
  lane_ = new QComboBox(this);
  lane_->setObjectName(QStringLiteral("explainLane"));
  lane_->setAccessibleName(tr("Lane"));
  rows_ = plainTable({tr("What"), tr("Why and how much")}, "explainRows", tr("Why it ran so"), this);
  memory_ = plainTable({tr("Memory of"), tr("Content"), tr("Size")}, "explainMemory", tr("Content of memory"), this);
  timeline_ = new TimelineChart(this);
  timeline_->setObjectName(QStringLiteral("explainTimeline"));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(em(this, 0.4), em(this, 0.3), em(this, 0.4), em(this, 0.3));
  head->setSpacing(em(this, 0.4));
  head->addWidget(new QLabel(tr("Lane"), this));
  head->addWidget(lane_, 1);
  auto* lower = new QSplitter(Qt::Horizontal, this);
  lower->addWidget(timeline_);
  lower->addWidget(memory_);
  lower->setStretchFactor(0, 3);
  lower->setStretchFactor(1, 2);
  lower->setChildrenCollapsible(false);
  auto* split = new QSplitter(Qt::Vertical, this);
  split->addWidget(rows_);
  split->addWidget(lower);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(split, 1);
  connect(lane_, &QComboBox::currentIndexChanged, this, &ExplainPage::show);
  connect(timeline_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kExplain, png)); });
  connect(&race_, &RaceModel::ended, this, &ExplainPage::refresh);
  refresh();
}

std::vector<compare::Lane> ExplainPage::lanes() const {
  std::vector<compare::Lane> over;
  for (const LaneState& lane : race_.lanes())
    if (lane.result) over.push_back(*lane.result);
  return over;
}

void ExplainPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void ExplainPage::refresh() {
  const QString before = lane_->currentText();
  {
    const QSignalBlocker blocked(lane_);
    lane_->clear();
    for (const compare::Lane& lane : lanes()) lane_->addItem(toQt(lane.name()));
    lane_->setCurrentIndex(std::max<int>(lane_->count() > 0 ? 0 : -1, lane_->findText(before)));
  }
  show(lane_->currentIndex());
}

void ExplainPage::show(int lane) {
  const std::vector<compare::Lane> all = lanes();
  if (lane < 0 || static_cast<std::size_t>(lane) >= all.size()) {
    fill(*rows_, {{tr("nothing yet"), tr("Race first: every lane is explained here.")}});
    fill(*memory_, {});
    timeline_->setTrace({}, palette().color(QPalette::Highlight), tr("No first result yet."));
    return;
  }
  const compare::Lane& chosen = all[static_cast<std::size_t>(lane)];
  const compare::LaneExplanation explanation = compare::explained(chosen);
  std::vector<QStringList> rows;
  for (const compare::ExplainedRow& row : explanation.rows) rows.push_back({toQt(row.topic), toQt(row.words)});
  fill(*rows_, rows);
  fillMemory(explanation);
  timeline_->setTrace(explanation.slabs, engineColor(chosen.measurement.engine), tr("It has no first result."));
}

void ExplainPage::fillMemory(const compare::LaneExplanation& explanation) {
  std::vector<QStringList> rows;
  for (const compare::MemoryRow& row : explanation.memory)
    rows.push_back({toQt(row.where), toQt(row.what), bytesText(row.bytes)});
  fill(*memory_, rows);
  for (int i = 0; i < memory_->rowCount(); ++i)
    memory_->item(i, 2)->setToolTip(tr("%1 bytes").arg(explanation.memory[static_cast<std::size_t>(i)].bytes));
}

void ExplainPage::addOffers(std::vector<ExportOffer>& offers, double scale) const {
  if (lanes().empty()) return;
  TimelineChart* timeline = timeline_;
  addChart(
      offers, tr("timeline of the first result"), kExplain, [timeline, scale] { return timeline->picture(scale); },
      [timeline] { return timeline->csv(); });
  offers.push_back({tr("Chart: timeline of the first result (SVG)"),
                    QLatin1Char('-') + kExplain + QStringLiteral(".svg"),
                    [timeline] { return writeText(timeline->svg()); }});
  offers.push_back({tr("Explanations of the lanes (CSV)"), QStringLiteral("-explanations.csv"),
                    [this] { return writeText(compare::explanationCsv(lanes())); }});
}

}  // namespace sscope

#include "moc_explain_page.cpp"
