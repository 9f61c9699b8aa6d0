#include "ui/rooms/compare/break_even_page.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/compare/break_even.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/charts/grid_chart.h"
#include "ui/controls/buttons.h"
#include "ui/rooms/compare/look_runner.h"

namespace sscope {

namespace {

const QString kMapStem = QStringLiteral("break-even");
constexpr const char *kTotalTimes = "total", *kKernelTimes = "kernel";

}  // namespace

BreakEvenPage::BreakEvenPage(BreakEvenModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setAccessibleName(tr("Break-even map"));
  chart_ = new GridChart(this);
  chart_->setObjectName(QStringLiteral("breakEven"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  auto* area = new QScrollArea(this);
  area->setWidget(chart_);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  column->addWidget(area, 1);
  connect(chart_, &GridChart::cellActivated, this, [this](int column_, int row) {
    const compare::BreakEvenMap& map = model_.map();
    const std::size_t at = static_cast<std::size_t>(row) * map.axes.edges.size() + static_cast<std::size_t>(column_);
    if (at < map.cells.size() && map.cells[at].reason.empty()) Q_EMIT raceRequested(map.cells[at]);
  });
  connect(chart_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kMapStem, png)); });
  connect(&model_, &BreakEvenModel::changed, this, &BreakEvenPage::show);
  show();
  followBusy();
}

QWidget* BreakEvenPage::buildBar() {
  auto* bar = new LookBar(this);
  const auto line = [&](const char* name, const QString& title, const QString& tip) {
    auto* edit = new QLineEdit(bar);
    edit->setObjectName(QLatin1String(name));
    edit->setAccessibleName(title);
    edit->setToolTip(tip);
    edit->setMinimumWidth(em(this, 5));
    return edit;
  };
  edges_ = line("mapEdges", tr("Edges"), tr("Voxels along each edge of the data, which are noise: 32, 64, 128"));
  parameter_ = new QComboBox(bar);
  parameter_->setObjectName(QStringLiteral("mapParameter"));
  parameter_->setAccessibleName(tr("What varies"));
  parameter_->setToolTip(tr("What varies from row to row, or how many filters run"));
  values_ = line("mapValues", tr("Values of what varies"), tr("Its values: 1, 2, 4"));
  bar->first()->addWidget(new QLabel(tr("Edges"), bar));
  bar->first()->addWidget(edges_, 1);
  bar->first()->addWidget(parameter_);
  bar->first()->addWidget(values_, 1);
  times_ = new SegmentRow(bar);
  times_->add(kTotalTimes, tr("with"), nullptr, tr("Measured cells are ranked by times with transfers"));
  times_->add(kKernelTimes, tr("without transfers"), nullptr,
              tr("Measured cells are ranked by times without transfers, as the model always is"));
  times_->setValue(kTotalTimes);
  bar->second()->addWidget(times_);
  predict_ = new QPushButton(tr("Model"), bar);
  predict_->setObjectName(QStringLiteral("mapModel"));
  predict_->setToolTip(tr("Fills the map with what counted work over measured rates predicts"));
  measure_ = new QPushButton(bar);
  measure_->setObjectName(QStringLiteral("mapMeasure"));
  bar->second()->addWidget(predict_);
  bar->second()->addWidget(measure_);
  connect(parameter_, &QComboBox::activated, this, &BreakEvenPage::proposeValues);
  connect(times_, &SegmentRow::chosen, this, [this](const std::string& value) {
    transfers_ = value == kTotalTimes;
    show();
  });
  connect(predict_, &QPushButton::clicked, this, [this] { Q_EMIT fillRequested(false); });
  connect(measure_, &QPushButton::clicked, this, [this] {
    if (model_.busy())
      Q_EMIT cancelRequested();
    else
      Q_EMIT fillRequested(true);
  });
  return bar;
}

void BreakEvenPage::setRecipe(const compare::CaseRecipe& recipe) {
  const bool first = edges_->text().isEmpty();
  const bool dimension = first || (recipe.data.spec.extent[2] == 1) != (recipe_.data.spec.extent[2] == 1);
  recipe_ = recipe;
  if (dimension) {
    const std::vector<std::int64_t> edges = compare::proposedEdges(recipe);
    edges_->setText(toQt(compare::axisText({edges.begin(), edges.end()})));
  }
  const QString before = parameter_->currentText();
  const std::vector<std::string> names = compare::variedParameters(recipe);
  QStringList shown;
  for (const std::string& name : names) shown << toQt(name);
  QStringList known;
  for (int i = 0; i < parameter_->count() - 1; ++i) known << parameter_->itemText(i);
  if (parameter_->count() > 0 && shown == known) return;
  {
    const QSignalBlocker blocked(parameter_);
    parameter_->clear();
    parameter_->addItems(shown);
    parameter_->addItem(tr("nothing varies"));
    parameter_->setCurrentIndex(std::max<int>(0, parameter_->findText(before)));
  }
  if (before.isEmpty() || parameter_->currentText() != before) proposeValues();
}

void BreakEvenPage::proposeValues() {
  const bool varies = parameter_->currentIndex() < parameter_->count() - 1;
  values_->setEnabled(varies);
  values_->setText(varies ? toQt(compare::axisText(compare::proposedValues(recipe_, fromQt(parameter_->currentText()))))
                          : QString());
}

compare::BreakEvenAxes BreakEvenPage::axes() const {
  compare::BreakEvenAxes axes;
  axes.edges = compare::edgesFrom(fromQt(edges_->text()));
  if (parameter_->currentIndex() >= parameter_->count() - 1) return axes;
  axes.parameter = fromQt(parameter_->currentText());
  axes.values = compare::numbersFrom(fromQt(values_->text()));
  return axes;
}

void BreakEvenPage::followBusy() {
  const bool busy = model_.busy();
  predict_->setEnabled(!busy);
  measure_->setText(busy ? tr("Cancel (Esc)") : tr("Measure"));
  measure_->setToolTip(busy ? tr("Stops; the cells that are measured stay")
                            : tr("Runs a race in every cell, every output verified"));
}

// The times by which a cell is ranked: measured ones, else the model's.
compare::CellTimes BreakEvenPage::timesOf(const compare::BreakEvenCell& cell) const {
  if (!cell.measured) return compare::CellTimes::Predicted;
  return transfers_ ? compare::CellTimes::Total : compare::CellTimes::Kernel;
}

namespace {

struct MapText {
  Q_DECLARE_TR_FUNCTIONS(BreakEvenMap)
};

QString timesText(const compare::BreakEvenMap& map, const compare::BreakEvenCell& cell) {
  QStringList lines;
  for (std::size_t i = 0; i < cell.times.size(); ++i) {
    const compare::CellTime& time = cell.times[i];
    QStringList parts;
    if (time.total > 0) parts << MapText::tr("%1 with transfers").arg(formatSeconds(time.total));
    if (time.kernel > 0) parts << MapText::tr("%1 without").arg(formatSeconds(time.kernel));
    if (time.predicted > 0) parts << MapText::tr("%1 predicted").arg(formatSeconds(time.predicted));
    if (!time.reason.empty()) parts << toQt(time.reason);
    if (!parts.isEmpty()) lines << toQt(map.lanes[i]) + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
  }
  return lines.join(QStringLiteral("; "));
}

}  // namespace

void BreakEvenPage::show() {
  const compare::BreakEvenMap& map = model_.map();
  GridPlot plot{tr("The fastest of each cell, and by what factor"), kMapStem};
  plot.empty =
      tr("Which engine wins at which size? Model fills the map at once with what counted work over measured rates "
         "predicts (hatched); Measure races in every cell. A click or Enter takes a cell to the race.");
  plot.csv = compare::toCsv(map);
  for (const std::int64_t edge : map.axes.edges) plot.across << tr("edge %1").arg(edge);
  const std::size_t wide = map.axes.edges.size();
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const compare::BreakEvenCell& cell = map.cells[i];
    const QString row = toQt(compare::rowName(map, cell));
    if (i % wide == 0) plot.down << row;
    GridCell drawn;
    const auto winner = compare::winnerOf(cell, timesOf(cell));
    if (winner) {
      drawn.title = toQt(map.lanes[winner->contender]);
      if (winner->factor > 1) drawn.detail = tr("%1 times").arg(formatNumber(winner->factor));
      drawn.color = engineColor(model_.contenders()[winner->contender].engine);
      drawn.fill = winner->measured ? GridCell::Fill::Solid : GridCell::Fill::Hatched;
    } else {
      drawn.title = QStringLiteral("–");
    }
    const QString winnerText = !winner            ? cell.reason.empty() ? tr("no lane has a time") : toQt(cell.reason)
                                          : winner->measured ? tr("%1 wins, measured").arg(drawn.title)
                                                  : tr("%1 wins, as the model expects").arg(drawn.title);
    drawn.words = tr("edge %1, %2: %3. %4").arg(QString::number(cell.edge), row, winnerText, timesText(map, cell));
    plot.cells.push_back(std::move(drawn));
  }
  if (!map.cells.empty()) {
    plot.corner = map.axes.parameter.empty() ? QString() : toQt(map.axes.parameter);
    const QString error = toQt(compare::errorText(map));
    plot.note = tr("Hatched: the model, without transfers. Solid: measured, %1 transfers. %2.")
                    .arg(transfers_ ? tr("with") : tr("without"), error.left(1).toUpper() + error.mid(1));
  }
  chart_->setPlot(std::move(plot));
}

void BreakEvenPage::addOffers(std::vector<ExportOffer>& offers, double scale) const {
  if (model_.map().cells.empty()) return;
  GridChart* chart = chart_;
  addChart(
      offers, tr("break-even map"), kMapStem, [chart, scale] { return chart->picture(scale); },
      [chart] { return chart->csv(); });
  offers.push_back({tr("Chart: break-even map (SVG)"), QLatin1Char('-') + kMapStem + QStringLiteral(".svg"),
                    [chart] { return writeText(chart->svg()); }});
}

}  // namespace sscope

#include "moc_break_even_page.cpp"
