#include "ui/rooms/lattice/solve_words.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/rooms/lattice/lattice_plots.h"

namespace sscope {

namespace {

constexpr int kShownRows = 4;

QPixmap squareOf(const QColor& color, int side, double scale) {
  QPixmap pixmap(QSize(side, side) * scale);
  pixmap.setDevicePixelRatio(scale);
  pixmap.fill(color);
  return pixmap;
}

}  // namespace

NumberTable::NumberTable(const QString& accessibleName, QWidget* parent) : QTableWidget(parent) {
  setAccessibleName(accessibleName);
  setEditTriggers(NoEditTriggers);
  setSelectionBehavior(SelectRows);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setFrameShape(NoFrame);
  setWordWrap(false);
  // Tab leaves the table.
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(em(this, 1.5));
  horizontalHeader()->setHighlightSections(false);
}

void NumberTable::setRows(const QStringList& columns, int texts, const std::vector<Row>& rows) {
  setColumnCount(static_cast<int>(columns.size()));
  setHorizontalHeaderLabels(columns);
  setRowCount(static_cast<int>(rows.size()));
  for (int r = 0; r < rowCount(); ++r) {
    const Row& row = rows[static_cast<std::size_t>(r)];
    for (int c = 0; c < columnCount(); ++c) {
      QTableWidgetItem* cell = item(r, c);
      if (!cell) setItem(r, c, cell = new QTableWidgetItem);
      cell->setText(row.cells.value(c));
      cell->setToolTip(row.tooltip);
      cell->setTextAlignment((c < texts ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
      if (c == 0 && row.color.isValid())
        cell->setData(Qt::DecorationRole, squareOf(row.color, em(this, 0.6), devicePixelRatioF()));
    }
  }
  for (int c = 0; c < columnCount(); ++c)
    horizontalHeaderItem(c)->setTextAlignment((c < texts ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  resizeColumnsToContents();
}

QString NumberTable::cell(int row, int column) const {
  const QTableWidgetItem* found = item(row, column);
  return found ? found->text() : QString();
}

QSize NumberTable::sizeHint() const {
  return {em(this, 24), horizontalHeader()->sizeHint().height() + kShownRows * em(this, 1.5) + em(this, 0.4)};
}

void NumberTable::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) {
    QTableWidget::keyPressEvent(event);
    return;
  }
  QStringList lines;
  for (int r = 0; r < rowCount(); ++r) {
    QStringList cells;
    bool selected = false;
    for (int c = 0; c < columnCount(); ++c) {
      cells << cell(r, c);
      selected = selected || (item(r, c) && item(r, c)->isSelected());
    }
    if (selected) lines << cells.join(QLatin1Char('\t'));
  }
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

namespace {

const QString kDot = QStringLiteral(" · ");

int systemsOf(const SolveJob& job) { return job.propagator ? lattice::kSpinorElements : 1; }

// Whether several variants run on its engine.
bool sharesEngine(const std::vector<SolveLine>& lines, const SolveLine& line) {
  const auto same = [&line](const SolveLine& other) { return other.place.engine == line.place.engine; };
  return std::count_if(lines.begin(), lines.end(), same) > 1;
}

QString shortNameOf(const std::vector<SolveLine>& lines, const SolveLine& line) {
  return sharesEngine(lines, line) ? nameOf(line) : toQt(line.place.engine);
}

QString stateOf(const SolveController& controller, std::size_t place) {
  const SolveLine& line = controller.lines()[place];
  if (!line.run && controller.busy()) return place == controller.place() ? Words::tr("solving") : Words::tr("waiting");
  if (!line.run) return line.points.empty() ? Words::tr("not started") : Words::tr("canceled");
  if (line.run->converged) return Words::tr("solved");
  return line.run->points.empty() ? Words::tr("failed") : Words::tr("not solved");
}

QString solverOf(const SolveRun& run) {
  const QString solver = toQt(lattice::toString(run.solver));
  return run.preconditioner == lattice::Preconditioner::None
             ? solver
             : solver + QStringLiteral(", ") + toQt(lattice::toString(run.preconditioner));
}

QString tooltipOf(const SolveLine& line) {
  if (!line.run) return {};
  const SolveRun& run = *line.run;
  if (!run.failure.empty()) return toQt(run.failure);
  QStringList lines{
      run.resident ? Words::tr("The whole solver ran on the engine")
                   : Words::tr("The engine applied the operator; this machine's processor computed vectors and sums")};
  if (line.shared)
    lines << Words::tr("The window was also computing something else: the times are longer than the engine's own");
  if (!run.preconditionerNote.empty()) lines << Words::tr("Not preconditioned: %1").arg(toQt(run.preconditionerNote));
  lines << Words::tr("%n thread(s); one application of the operator agrees with the formula to %1 (%2)", nullptr,
                     run.threads)
               .arg(numberText(run.check.relativeL2, 2), toQt(run.check.coverage));
  return lines.join(QLatin1Char('\n'));
}

QString pointWords(const SolveJob& job, const SolvePoint& point) {
  QString words = Words::tr("iteration %1, residual %2").arg(point.iteration).arg(numberText(point.residual, 3));
  if (job.propagator) words += kDot + Words::tr("system %1 of %2").arg(point.system + 1).arg(lattice::kSpinorElements);
  return words;
}

}  // namespace

QStringList runColumns() {
  return {Words::tr("Engine"),        Words::tr("Variant"),       Words::tr("State"), Words::tr("Solver"),
          Words::tr("Iterations"),    Words::tr("True residual"), Words::tr("Solve"), Words::tr("Setup"),
          Words::tr("Per iteration"), Words::tr("Difference")};
}

std::vector<NumberTable::Row> runRows(const SolveController& controller) {
  std::vector<NumberTable::Row> rows;
  for (const SolveLine& line : controller.lines()) {
    NumberTable::Row row;
    row.color = engineColor(line.place.engine);
    row.tooltip = tooltipOf(line);
    row.cells = {toQt(line.place.engine), toQt(line.run ? line.run->variant : line.place.variant),
                 stateOf(controller, rows.size())};
    if (line.run && !line.run->points.empty()) {
      const SolveRun& run = *line.run;
      row.cells << solverOf(run) << formatCount(run.iterations) << numberText(run.trueResidual, 3)
                << (line.shared ? Words::tr("%1 (shared)") : QStringLiteral("%1")).arg(formatSeconds(run.solveSeconds))
                << formatSeconds(run.setupSeconds)
                << (run.iterations > 0 ? formatSeconds(run.solveSeconds / run.iterations) : QString())
                << (std::isnan(run.difference) ? QString() : numberText(run.difference, 2));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

QString jobWords(const SolveJob& job) {
  QStringList words{Words::tr("κ %1").arg(numberText(job.wilson.kappa, 6)),
                    job.wilson.timeBoundary < 0 ? Words::tr("antiperiodic in time") : Words::tr("periodic in time")};
  if (job.source.point) {
    QStringList site;
    for (const int at : job.source.site) site << QString::number(at);
    const QString point = QStringLiteral("(%1)").arg(site.join(QStringLiteral(", ")));
    words << (job.propagator
                  ? Words::tr("all colors and spins of the point %1").arg(point)
                  : Words::tr("point %1, color %2, spin %3").arg(point).arg(job.source.color).arg(job.source.spin));
  } else {
    words << Words::tr("random numbers from seed %1").arg(job.source.seed);
  }
  return words.join(QStringLiteral(" · "));
}

double solvedShare(const SolveController& controller) {
  const std::vector<SolveLine>& lines = controller.lines();
  if (lines.empty()) return 0;
  double done = static_cast<double>(controller.place());
  const SolveLine& line = lines[std::min(controller.place(), lines.size() - 1)];
  if (!line.points.empty()) {
    const SolvePoint& last = line.points.back();
    const double gone = std::log(std::max(last.residual, 1e-300)) / std::log(controller.job().solver.tolerance);
    done += (last.system + std::clamp(gone, 0.0, 1.0)) / systemsOf(controller.job());
  }
  return std::clamp(done / static_cast<double>(lines.size()), 0.0, 1.0);
}

QString progressWords(const SolveController& controller) {
  const std::vector<SolveLine>& lines = controller.lines();
  if (controller.place() >= lines.size()) return {};
  const SolveLine& line = lines[controller.place()];
  const QString engine = shortNameOf(lines, line);
  if (line.points.empty() || line.run)
    return controller.step().empty() ? engine : engine + QStringLiteral(": ") + toQt(controller.step());
  return engine + QStringLiteral(": ") + pointWords(controller.job(), line.points.back());
}

QString canceledWords(const SolveController& controller) {
  const std::vector<SolveLine>& lines = controller.lines();
  if (std::any_of(lines.begin(), lines.end(), [](const SolveLine& line) { return line.run && line.run->converged; }))
    return Words::tr("canceled") + kDot + endWords(lines);
  const bool some = controller.place() < lines.size() && !lines[controller.place()].points.empty();
  return some ? Words::tr("canceled") + kDot + progressWords(controller) : Words::tr("canceled");
}

QString endWords(const std::vector<SolveLine>& lines) {
  int solved = 0;
  double difference = -1, residual = 0;
  for (const SolveLine& line : lines) {
    if (!line.run || !line.run->converged) continue;
    ++solved;
    residual = std::max(residual, line.run->trueResidual);
    if (!std::isnan(line.run->difference)) difference = std::max(difference, line.run->difference);
  }
  if (solved == 0) return Words::tr("not solved");
  const bool variants =
      std::any_of(lines.begin(), lines.end(), [&](const SolveLine& line) { return sharesEngine(lines, line); });
  QString words = lines.size() == 1 ? Words::tr("solved on %1").arg(nameOf(lines.front()))
                                    : (variants ? Words::tr("solved with %1 of %2 variants")
                                                : Words::tr("solved on %1 of %2 engines"))
                                          .arg(solved)
                                          .arg(lines.size());
  words += kDot + Words::tr("true residual %1").arg(numberText(residual, 3));
  if (std::any_of(lines.begin(), lines.end(), [](const SolveLine& line) { return line.shared; }))
    words += kDot + Words::tr("timed while the window was computing something else");
  if (difference >= 0) words += kDot + Words::tr("solutions differ by up to %1").arg(numberText(difference, 2));
  return words;
}

QString failureWords(const std::vector<SolveLine>& lines) {
  // Engines with the same reason share a line.
  QStringList reasons, engines;
  for (const SolveLine& line : lines) {
    if (!line.run || line.run->failure.empty()) continue;
    QString reason = toQt(line.run->failure);
    if (!line.run->points.empty())
      reason = Words::tr("%1 (true residual %2)").arg(reason, numberText(line.run->trueResidual, 3));
    const QString engine = shortNameOf(lines, line);
    if (const auto same = reasons.indexOf(reason); same >= 0) {
      engines[same] += QStringLiteral(", ") + engine;
    } else {
      reasons << reason;
      engines << engine;
    }
  }
  QStringList words;
  for (qsizetype k = 0; k < reasons.size(); ++k) words << engines[k] + QStringLiteral(": ") + reasons[k];
  return words.join(QLatin1Char('\n'));
}

}  // namespace sscope

#include "moc_solve_words.cpp"
