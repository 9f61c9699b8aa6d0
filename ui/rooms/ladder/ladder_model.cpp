#include "ui/rooms/ladder/ladder_model.h"

#include <QMetaObject>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/measure/published.h"
#include "core/workload/catalog.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr std::chrono::milliseconds kPoll{5};

// How long a run of the size "what two minutes allow" may take.
constexpr double kPatienceSeconds = 120;

const Variant* variantOf(const Toolbox& toolbox, const std::string& workload, const BenchRow& row) {
  for (const EngineInfo& info : toolbox.engines->infos())
    if (info.id == row.engine)
      for (const Variant* variant : toolbox.variants->rows(workload, info.kind))
        if (variant->name == row.variant) return variant;
  return nullptr;
}

// The rung that a row belongs to: itself, or the one it is the twin of.
std::string rungOf(const Toolbox& toolbox, const std::string& workload, const BenchRow& row) {
  const Variant* variant = variantOf(toolbox, workload, row);
  return variant && !variant->twinOf.empty() ? variant->twinOf : row.variant;
}

std::set<std::array<std::int64_t, 3>> shapesOf(const Sweep& sweep) {
  std::set<std::array<std::int64_t, 3>> shapes;
  for (const SweepPoint& point : sweep.points) shapes.insert(sweep.shapeOf(point));
  return shapes;
}

// A sweep with one point would show nothing until its last row is done. This makes a point of each rung, so that rungs
// run one after the other; the engines of a rung and its memory-only twin still take turns.
void splitByRung(const Toolbox& toolbox, Sweep& sweep) {
  if (sweep.points.size() != 1) return;
  const SweepPoint whole = sweep.points.front();
  sweep.points.clear();
  std::vector<std::string> order;
  for (const BenchRow& row : whole.rows) {
    const std::string rung = rungOf(toolbox, sweep.workload, row);
    auto place = std::find(order.begin(), order.end(), rung);
    if (place == order.end()) {
      place = order.insert(order.end(), rung);
      sweep.points.push_back({whole.values, {}, rung});
    }
    sweep.points[static_cast<std::size_t>(place - order.begin())].rows.push_back(row);
  }
}

bool sameRow(const Measurement& a, const Measurement& b) {
  return a.engine == b.engine && a.variant == b.variant && givenParameters(a) == givenParameters(b);
}

QString minutes(double seconds) {
  const auto whole = static_cast<int>(std::ceil(seconds));
  return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

LadderModel::LadderModel(const Toolbox& toolbox, QObject* parent) : QObject(parent), toolbox_(toolbox) {
  connect(&task_, &BackgroundTask::progressed, this, [this](double fraction, const QString& stage) {
    fraction_ = fraction;
    stage_ = stage;
    Q_EMIT progressed();
  });
  connect(&task_, &BackgroundTask::finished, this, [this] { end(tr("done")); });
  connect(&task_, &BackgroundTask::canceled, this, [this] { end(tr("canceled; the results so far are kept")); });
  connect(&task_, &BackgroundTask::failed, this, [this](const QString& message) {
    Q_EMIT failed(message);
    end(message);
  });
}

void LadderModel::run(const LadderChoice& choice) {
  choice_ = choice;
  const std::uint64_t number = ++run_;
  rows_ = done_ = 0;
  searches_.clear();
  tuned_ = 0;
  fraction_ = -1;
  stage_ = tr("choosing the points");
  clock_.start();
  running_ = true;
  Q_EMIT started();
  Q_EMIT progressed();
  task_.start(
      [this, choice, number, options = timing, search = tuning](const Control& control) -> BackgroundTask::Finish {
        const std::scoped_lock alone(computing_);
        for (; othersAtWork && othersAtWork(); std::this_thread::sleep_for(kPoll)) control.check();
        SweepRequest request;
        request.workload = choice.workload;
        request.everyPoint = choice.everyPoint;
        for (BenchRow& row : ladderRows(*toolbox_.engines, *toolbox_.variants, choice.workload, choice.engines))
          if (choice.rungs.contains(rungOf(toolbox_, choice.workload, row))) request.rows.push_back(std::move(row));
        std::stable_partition(request.rows.begin(), request.rows.end(),
                              [](const BenchRow& row) { return row.variant != kTopRung; });
        if (choice.size == LadderSize::Small) request.shape = findWorkloadKind(choice.workload)->smallShape;
        Sweep sweep = makeSweep(*toolbox_.engines, *toolbox_.variants, request);
        if (choice.size == LadderSize::Timed)
          chooseSize(*toolbox_.engines, *toolbox_.variants, sweep, options, kPatienceSeconds, control);
        splitByRung(toolbox_, sweep);
        if (choice.tuneFirst) sweep.tuneFirst = search;
        const QString reason = toQt(sweep.sizeReason);
        const auto begun = [this, number, rows = sweep.rowCount(), shapes = shapesOf(sweep), reason] {
          begin(number, rows, shapes, reason);
        };
        QMetaObject::invokeMethod(this, begun, Qt::QueuedConnection);
        const auto finished = [this, number](const Measurement& measurement) {
          QMetaObject::invokeMethod(
              this, [this, number, measurement] { add(number, {measurement}); }, Qt::QueuedConnection);
        };
        const SweepOutcome outcome = runSweep(*toolbox_.engines, *toolbox_.variants, sweep, options, control, finished);
        QStringList searches;
        for (const TuneResult& result : outcome.searches) searches << toQt(toText(result));
        const auto tuned = std::count_if(outcome.searches.begin(), outcome.searches.end(),
                                         [](const TuneResult& result) { return result.skipped.empty(); });
        return [this, searches, tuned] {
          searches_ = searches;
          tuned_ = static_cast<std::size_t>(tuned);
        };
      });
}

std::vector<const Variant*> LadderModel::rungs(const std::string& workload) const {
  std::vector<const Variant*> rungs;
  for (const Variant& variant : toolbox_.variants->rows()) {
    if (variant.workload != workload || !variant.twinOf.empty() || isPeer(variant.kind)) continue;
    if (std::none_of(rungs.begin(), rungs.end(), [&](const Variant* known) { return known->name == variant.name; }))
      rungs.push_back(&variant);
  }
  std::stable_sort(rungs.begin(), rungs.end(),
                   [](const Variant* a, const Variant* b) { return rungHeight(a->name) < rungHeight(b->name); });
  return rungs;
}

LadderModel::Results LadderModel::results(const std::string& workload) const {
  const auto found = results_.find(workload);
  return found == results_.end() ? std::make_shared<const std::vector<Measurement>>() : found->second;
}

std::vector<Figure> LadderModel::figures(const std::string& workload) const {
  return figuresOf(workload, *results(workload), publishedValues());
}

void LadderModel::begin(std::uint64_t number, std::size_t rows, const Shapes& shapes, const QString& sizeReason) {
  if (number != run_) return;
  rows_ = rows;
  shapes_ = shapes;
  sizeReason_ = sizeReason;
  clock_.start();  // choosing the size is over
  Q_EMIT progressed();
}

void LadderModel::add(std::uint64_t number, const std::vector<Measurement>& rows) {
  if (number != run_) return;
  std::vector<Measurement> all = *results(choice_.workload);
  for (const Measurement& row : rows) {
    // Results for other sizes than those of this sweep are dropped.
    std::erase_if(all, [&](const Measurement& m) { return m.shape != row.shape && !shapes_.contains(m.shape); });
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Measurement& other) { return sameRow(other, row); });
    if (known != all.end()) {
      *known = row;
    } else {
      all.push_back(row);
    }
  }
  done_ += rows.size();
  results_[choice_.workload] = std::make_shared<const std::vector<Measurement>>(std::move(all));
  Q_EMIT changed(toQt(choice_.workload));
  if (busy()) Q_EMIT progressed();
}

void LadderModel::end(const QString& how) {
  running_ = false;
  fraction_ = 1;
  const WorkloadKind* kind = findWorkloadKind(choice_.workload);
  QString outcome = tr("%1: %2 · %3 rows in %4")
                        .arg(toQt(kind->title), how)
                        .arg(done_)
                        .arg(minutes(static_cast<double>(clock_.elapsed()) * 1e-3));
  if (tuned_ > 0) outcome += QStringLiteral(" · ") + tr("tuned first: %1").arg(tuned_);
  Q_EMIT ended(outcome);
}

QString LadderModel::progressText() const {
  const WorkloadKind* kind = findWorkloadKind(choice_.workload);
  QStringList parts;
  if (rows_ > 0) parts << tr("row %1 of %2").arg(std::min(done_ + 1, rows_)).arg(rows_);
  if (!stage_.isEmpty()) parts << stage_;
  const double elapsed = static_cast<double>(clock_.elapsed()) * 1e-3;
  if (rows_ > 0 && fraction_ > 0.02 && elapsed > 2)
    parts << tr("%1 left").arg(minutes(elapsed * (1 - fraction_) / fraction_));
  return QStringLiteral("%1: %2").arg(toQt(kind->title), parts.join(QStringLiteral(" · ")));
}

}  // namespace sscope

#include "moc_ladder_model.cpp"
