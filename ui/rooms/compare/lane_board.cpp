#include "ui/rooms/compare/lane_board.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QShowEvent>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/model/engine_times.h"
#include "ui/rooms/compare/race_job.h"

namespace sscope {

namespace {

using compare::Lane;
using compare::Times;

struct LaneText {
  Q_DECLARE_TR_FUNCTIONS(Lane)
};

constexpr double kThousand = 1000;

PartColors colorsOf(const std::string& engine) {
  return {phaseColor(engine, Phase::Compile), phaseColor(engine, Phase::Upload), phaseColor(engine, Phase::Kernel),
          phaseColor(engine, Phase::Download), absentColor()};
}

PartColors grays() {
  const QColor gray = absentColor();
  return {gray.darker(150), gray.darker(120), gray, gray.lighter(118), gray.lighter(135)};
}

QString firstWords(double seconds) { return LaneText::tr("first result after %1").arg(formatSeconds(seconds)); }

void takeFirst(DrawnLane& drawn, const compare::FirstResult& first) {
  drawn.clock = first.seconds;
  drawn.firstParts = compare::partsOfRun(first.phases, true, first.seconds);
}

QString numbersOf(const Lane& lane) {
  const Measurement& m = lane.measurement;
  const Spread total = lane.total();
  QStringList words{LaneText::tr("%1 to %2 (quartiles of %n)", nullptr, static_cast<int>(lane.totals.size()))
                        .arg(formatSeconds(total.firstQuartile), formatSeconds(total.thirdQuartile))};
  words << LaneText::tr("1000 volumes: %1").arg(toQt(compare::durationText(kThousand * total.median)));
  if (const auto share = m.share()) words << LaneText::tr("%1 % of its roof").arg(formatNumber(100 * *share));
  words << toQt(verificationText(m.verification)) +
               (m.otherFilter   ? QStringLiteral(", ") + LaneText::tr("another filter")
                : m.approximate ? QStringLiteral(", ") + LaneText::tr("approximate")
                                : QString());
  return words.join(QStringLiteral(" · "));
}

// Takes the record of a lane that has ended.
void takeResult(DrawnLane& drawn, const Lane& lane) {
  drawn.name = toQt(lane.name());
  drawn.reason = toQt(lane.reason());
  if (!lane.measurement.failed.empty()) drawn.reason = LaneText::tr("failed: %1").arg(drawn.reason);
  if (lane.first) takeFirst(drawn, *lane.first);
  for (const std::string& words : lane.disturbances()) drawn.marks << toQt(words);
  if (!lane.hasFigures()) return;
  drawn.totals = lane.totals;
  drawn.total = lane.total();
  drawn.quoted = true;
  drawn.parts = compare::partsOfRun(lane.measurement.phases, false, drawn.total->median);
  drawn.numbers = numbersOf(lane);
}

Phases medianPhases(const std::vector<Phases>& all) {
  Phases median;
  for (const auto phase : {&Phases::upload, &Phases::kernel, &Phases::download, &Phases::overlap}) {
    std::vector<double> values;
    for (const Phases& one : all) values.push_back(one.*phase);
    median.*phase = medianOf(values);
  }
  return median;
}

void takeState(DrawnLane& drawn, const LaneState& lane, bool busy) {
  if (!lane.engine.available()) drawn.reason = toQt(lane.engine.absentReason);
  drawn.clock = lane.clock();
  drawn.running = busy && lane.stage == LaneState::Stage::Computing;
  if (lane.first) {
    takeFirst(drawn, *lane.first);
  } else {
    Phases phases;
    for (const compare::SlabTime& slab : lane.slabs) phases += slab.phases;
    drawn.firstParts = compare::partsOfRun(phases, true, drawn.clock);
  }
  drawn.totals = lane.totals;
  if (!lane.totals.empty()) {
    drawn.total = spreadOf(lane.totals);
    drawn.parts = compare::partsOfRun(medianPhases(lane.repeated), false, drawn.total->median);
  }
  if (!busy) {
    drawn.status = LaneText::tr("canceled");
    return;
  }
  switch (lane.stage) {
    case LaneState::Stage::Waiting: drawn.status = LaneText::tr("waits for its turn"); break;
    case LaneState::Stage::Computing: drawn.status = LaneText::tr("computes its first result"); break;
    case LaneState::Stage::Checking:
      drawn.status = LaneText::tr("its first result is compared with the reference");
      break;
    case LaneState::Stage::Checked:
      drawn.status = lane.firstVerified && lane.firstVerified->verified
                         ? LaneText::tr("verified, waits for the quiet repetitions")
                         : toQt(lane.firstVerified ? lane.firstVerified->failure : std::string());
      break;
    case LaneState::Stage::Quiet:
      drawn.status = LaneText::tr("%n quiet repetition(s)", nullptr, static_cast<int>(lane.totals.size()));
      break;
    case LaneState::Stage::Ended: break;
  }
}

void rank(std::vector<DrawnLane>& drawn, const compare::Standing& standing) {
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i].factor = standing.factor[i];
  if (standing.winner) drawn[*standing.winner].winner = standing.level.empty();
  for (const std::size_t place : standing.level) drawn[place].level = true;
  if (standing.winner && !standing.level.empty()) drawn[*standing.winner].level = true;
}

// While the race runs, from the repetitions so far; there is no winner yet.
void rankSoFar(std::vector<DrawnLane>& drawn) {
  double best = 0;
  for (const DrawnLane& lane : drawn)
    if (lane.total && (best <= 0 || lane.total->median < best)) best = lane.total->median;
  for (DrawnLane& lane : drawn)
    if (lane.total && best > 0) lane.factor = lane.total->median / best;
}

}  // namespace

LaneBoard::LaneBoard(std::function<std::string()> numbers, QWidget* parent)
    : Chart(parent), numbers_(std::move(numbers)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Lanes of the race"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void LaneBoard::setLanes(const QString& title, const QStringList& sentences, std::vector<DrawnLane> lanes,
                         const LaneWindow& window) {
  const int before = heightForWidth(width());
  title_ = title;
  sentences_ = sentences;
  lanes_ = std::move(lanes);
  window_ = window;
  if (chosen_ && *chosen_ >= lanes_.size()) chosen_.reset();
  QStringList words = sentences_;
  for (const DrawnLane& lane : lanes_) words << lane.words().join(QStringLiteral(", "));
  if (!chosen_) setAccessibleDescription(words.join(QLatin1Char('\n')));
  if (heightForWidth(width()) != before) updateGeometry();
  update();
}

void LaneBoard::showEvent(QShowEvent* event) {
  Chart::showEvent(event);
  updateGeometry();  // a hidden board did not report its new height
}

int LaneBoard::heightForWidth(int width) const {
  double height = headHeight(width) + footHeight();
  for (const DrawnLane& lane : lanes_) height += laneHeight(lane, width);
  return static_cast<int>(std::ceil(height));
}

QSize LaneBoard::sizeHint() const {
  const int width = em(this, 50);
  return {width, heightForWidth(width)};
}

QSize LaneBoard::minimumSizeHint() const { return {em(this, 22), em(this, 8)}; }

QRectF LaneBoard::laneArea(std::size_t lane) const {
  double top = headHeight(width());
  for (std::size_t i = 0; i < lane; ++i) top += laneHeight(lanes_[i], width());
  return {0, top, static_cast<double>(width()), laneHeight(lanes_[lane], width())};
}

std::optional<std::size_t> LaneBoard::laneAt(const QPointF& at) const {
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (laneArea(i).contains(at)) return i;
  return {};
}

void LaneBoard::choose(std::optional<std::size_t> lane) {
  if (lane == chosen_) return;
  chosen_ = lane;
  update();
  if (!lane) return;
  setAccessibleDescription(lanes_[*lane].words().join(QStringLiteral(", ")));
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
  Q_EMIT laneShown(laneArea(*lane).toAlignedRect());
}

bool LaneBoard::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto lane = laneAt(help->pos())) {
      QStringList words;
      for (const QString& each : lanes_[*lane].words()) words << each.toHtmlEscaped();
      const QString name = words.takeFirst();
      QToolTip::showText(help->globalPos(),
                         QStringLiteral("<p><b>%1</b></p><p>%2</p>").arg(name, words.join(QStringLiteral("<br>"))),
                         this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return Chart::event(event);
}

void LaneBoard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  prepare(painter);
  if (chosen_) {
    QColor wash = palette().color(QPalette::Highlight);
    wash.setAlphaF(0.12F);
    painter.fillRect(laneArea(*chosen_), wash);
  }
  draw(painter);
  drawFocus(painter);
}

void LaneBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose(laneAt(event->position()));
  Chart::mousePressEvent(event);
}

void LaneBoard::keyPressEvent(QKeyEvent* event) {
  const auto last = static_cast<int>(lanes_.size()) - 1;
  const int now = chosen_ ? static_cast<int>(*chosen_) : -1;
  int next = now;
  switch (event->key()) {
    case Qt::Key_Down: next = std::min(now + 1, last); break;
    case Qt::Key_Up: next = now < 0 ? last : std::max(now - 1, 0); break;
    case Qt::Key_Home: next = 0; break;
    case Qt::Key_End: next = last; break;
    default: Chart::keyPressEvent(event); return;
  }
  if (next >= 0 && next <= last) choose(static_cast<std::size_t>(next));
}

void LaneBoard::focusInEvent(QFocusEvent* event) {
  Chart::focusInEvent(event);
  update();
}

void LaneBoard::focusOutEvent(QFocusEvent* event) {
  Chart::focusOutEvent(event);
  update();
}

QStringList DrawnLane::words() const {
  QStringList all{name};
  if (!hardware.isEmpty()) all << hardware;
  if (!reason.isEmpty()) return all << reason;
  if (total && quoted) {
    all << LaneText::tr("median %1 with transfers").arg(formatSeconds(total->median));
    if (winner) all << LaneText::tr("the fastest");
    if (level) all << LaneText::tr("as fast as the fastest, within their quartiles");
    if (factor > 1 && !level) all << LaneText::tr("%1 times the fastest").arg(formatNumber(factor));
    all << numbers;
    static const QStringList kParts{LaneText::tr("compile"), LaneText::tr("upload"), LaneText::tr("kernel"),
                                    LaneText::tr("download"), LaneText::tr("rest")};
    QStringList phases;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i] > 0) phases << kParts[static_cast<qsizetype>(i)] + QLatin1Char(' ') + formatSeconds(parts[i]);
    all << LaneText::tr("of a run: %1").arg(phases.join(QStringLiteral(", ")));
  }
  if (clock > 0) all << firstWords(clock);
  if (!status.isEmpty()) all << status;
  for (const QString& mark : marks) all << QStringLiteral("! ") + mark;
  return all;
}

std::vector<DrawnLane> drawnLanes(const std::vector<LaneState>& lanes, bool busy) {
  std::vector<DrawnLane> drawn;
  std::vector<Lane> results;
  for (const LaneState& lane : lanes) {
    DrawnLane& one = drawn.emplace_back();
    one.name = toQt(contenderName(lane.contender));
    one.hardware = toQt(lane.engine.name);
    one.colors = lane.engine.available() ? colorsOf(lane.contender.engine) : grays();
    if (!lane.picture.empty()) one.picture = &lane.picture;
    if (lane.result) {
      takeResult(one, *lane.result);
      results.push_back(*lane.result);
    } else {
      takeState(one, lane, busy);
    }
  }
  if (results.size() == lanes.size()) {
    rank(drawn, compare::standing(results, Times::Total));
  } else {
    rankSoFar(drawn);
  }
  return drawn;
}

std::vector<DrawnLane> drawnLanes(const compare::Comparison& capsule) {
  std::vector<DrawnLane> drawn;
  for (const Lane& lane : capsule.lanes) {
    DrawnLane& one = drawn.emplace_back();
    takeResult(one, lane);
    one.foreign = true;
    one.colors = grays();
    one.name = toQt(capsule.where()) + QStringLiteral(": ") + one.name;
    one.hardware =
        LaneText::tr("%1, capsule of %2").arg(toQt(lane.measurement.engineName), toQt(capsule.date.substr(0, 10)));
  }
  rank(drawn, compare::standing(capsule.lanes, Times::Total));
  return drawn;
}

}  // namespace sscope

#include "moc_lane_board.cpp"
