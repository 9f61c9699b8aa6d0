#include "ui/rooms/filter/arrow_gutter.h"

#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/filter/families/family.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/program.h"
#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

std::unordered_map<std::string, int> placesOf(const FilterBank& bank) {
  std::unordered_map<std::string, int> places;
  for (std::size_t row = 0; row < bank.filters.size(); ++row)
    places.try_emplace(bank.filters[row].name, static_cast<int>(row));
  return places;
}

}  // namespace

std::vector<std::string> namesRead(const FilterRecipe& recipe) {
  try {
    return inputsOf(recipe);
  } catch (const Error&) {
    return {};
  }
}

std::vector<BankArrow> bankArrows(const FilterBank& bank) {
  const auto places = placesOf(bank);
  std::vector<BankArrow> arrows;
  for (int row = 0; row < static_cast<int>(bank.filters.size()); ++row)
    for (const std::string& name : namesRead(bank.filters[static_cast<std::size_t>(row)])) {
      const auto found = places.find(name);
      BankArrow arrow{name == kSourceName || found == places.end() ? -1 : found->second, row};
      if ((arrow.from < 0 && name != kSourceName) || arrow.from >= row) continue;
      if (std::ranges::find(arrows, arrow) == arrows.end()) arrows.push_back(arrow);
    }
  return arrows;
}

QString orderRefused(const FilterBank& before, const FilterBank& after) {
  const auto places = placesOf(after);
  for (const BankArrow& arrow : bankArrows(before)) {
    if (arrow.from < 0) continue;
    const std::string& read = before.filters[static_cast<std::size_t>(arrow.from)].name;
    const std::string& reader = before.filters[static_cast<std::size_t>(arrow.to)].name;
    if (places.at(read) > places.at(reader))
      return Words::tr("%1 reads %2 and must stay below it; change its input first").arg(toQt(reader), toQt(read));
  }
  return {};
}

FilterRecipe withFormula(FilterRecipe recipe, const std::string& text) {
  const Formula formula = Formula::parse(text);
  OptionValues kept;
  kept[kFormulaText] = text;
  for (const FormulaConstant& constant : formula.constants()) {
    const auto given = recipe.parameters.find(constant.name);
    if (constant.name == kFormulaText || given == recipe.parameters.end() ||
        !std::holds_alternative<double>(given->second))
      continue;
    const double value = std::clamp(std::get<double>(given->second), constant.minimum, constant.maximum);
    if (value != constant.value) kept[constant.name] = value;
  }
  recipe.parameters = std::move(kept);
  return recipe;
}

namespace {

constexpr int kMostLanes = 6;  // further ones share the outermost

}  // namespace

ArrowGutter::ArrowGutter(QListWidget& list, QWidget* parent) : QWidget(parent), list_(list) {
  setObjectName(QStringLiteral("arrows"));
  setAccessibleName(tr("Inputs of the filters"));
  setToolTip(tr("Each arrow goes from a row, or from the data (the dot), to a row that reads it"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  list_.setMouseTracking(true);
  list_.viewport()->installEventFilter(this);
  list_.installEventFilter(this);
  connect(&list_, &QListWidget::currentRowChanged, this, qOverload<>(&QWidget::update));
  connect(list_.verticalScrollBar(), &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
  hide();
}

void ArrowGutter::setArrows(std::vector<BankArrow> arrows, std::vector<bool> on) {
  arrows_ = std::move(arrows);
  on_ = std::move(on);
  hovered_ = -1;
  layTrunks();
  setVisible(std::ranges::any_of(arrows_, [](const BankArrow& arrow) { return arrow.from >= 0; }));
  updateGeometry();
  update();
}

// Short lines are next to the list, long ones outside.
void ArrowGutter::layTrunks() {
  trunks_.clear();
  for (const BankArrow& arrow : arrows_) {
    auto found = std::ranges::find(trunks_, arrow.from, &Trunk::from);
    if (found == trunks_.end()) found = trunks_.insert(found, {arrow.from, arrow.to, 0});
    found->last = std::max(found->last, arrow.to);
  }
  std::ranges::stable_sort(trunks_, {}, [](const Trunk& trunk) { return trunk.last - trunk.from; });
  lanes_ = 0;
  for (auto trunk = trunks_.begin(); trunk != trunks_.end(); ++trunk) {
    const auto free = [&](int lane) {
      return std::none_of(trunks_.begin(), trunk, [&](const Trunk& other) {
        return other.lane == lane && other.from < trunk->last && trunk->from < other.last;
      });
    };
    while (trunk->lane + 1 < kMostLanes && !free(trunk->lane)) ++trunk->lane;
    lanes_ = std::max(lanes_, trunk->lane + 1);
  }
}

double ArrowGutter::laneWidth() const { return em(this, 0.4); }

QSize ArrowGutter::sizeHint() const { return {static_cast<int>((lanes_ + 1.2) * laneWidth()), em(this, 2)}; }

double ArrowGutter::xOf(int lane) const { return width() - (lane + 1.5) * laneWidth(); }

double ArrowGutter::yOf(int row, int side) const {
  if (row < 0) return em(this, 0.2);
  const QRect place = list_.visualItemRect(list_.item(row));
  const QPoint center = list_.viewport()->mapTo(parentWidget(), place.center()) - pos();
  return center.y() + side * 0.14 * place.height();
}

int ArrowGutter::markedRow() const {
  if (hovered_ >= 0) return hovered_;
  return list_.hasFocus() ? list_.currentRow() : -1;
}

void ArrowGutter::setHovered(int row) {
  if (row == hovered_) return;
  hovered_ = row;
  update();
}

void ArrowGutter::paintArrow(QPainter& painter, const BankArrow& arrow, bool marked) const {
  if (arrow.to >= list_.count() || arrow.from >= list_.count()) return;
  const auto trunk = std::ranges::find(trunks_, arrow.from, &Trunk::from);
  const auto isOn = [&](int row) { return row < 0 || on_.at(static_cast<std::size_t>(row)); };
  QColor color = marked ? palette().color(QPalette::Highlight) : quietColor(this);
  QPen pen(color, (marked ? 0.12 : 0.07) * em(this, 1));
  if (!isOn(arrow.from) || !isOn(arrow.to)) pen.setStyle(Qt::DotLine);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  const double x = xOf(trunk->lane), y0 = yOf(arrow.from, 1), y1 = yOf(arrow.to, -1), end = width() - 1.0;
  const double head = 0.55 * laneWidth();
  QPainterPath line(arrow.from < 0 ? QPointF(x, y0) : QPointF(end, y0));
  line.lineTo(x, y0);
  line.lineTo(x, y1);
  line.lineTo(end - head, y1);
  painter.drawPath(line);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({{end, y1}, {end - 1.4 * head, y1 - head}, {end - 1.4 * head, y1 + head}}));
  if (arrow.from < 0) painter.drawEllipse(QPointF(x, y0), 0.7 * head, 0.7 * head);
}

void ArrowGutter::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int row = markedRow();
  const auto isMarked = [row](const BankArrow& arrow) { return row >= 0 && (arrow.from == row || arrow.to == row); };
  for (const bool marked : {false, true})  // highlighted ones on top
    for (const BankArrow& arrow : arrows_)
      if (isMarked(arrow) == marked) paintArrow(painter, arrow, marked);
}

bool ArrowGutter::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Leave: setHovered(-1); break;
    case QEvent::MouseMove:
      if (watched == list_.viewport())
        setHovered(list_.indexAt(static_cast<QMouseEvent*>(event)->position().toPoint()).row());
      break;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
    case QEvent::Resize:
    case QEvent::Move: update(); break;
    default: break;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace sscope

#include "moc_arrow_gutter.cpp"
