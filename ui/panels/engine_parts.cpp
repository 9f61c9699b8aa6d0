#include "ui/panels/engine_parts.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QFontMetricsF>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QRadioButton>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/labels.h"

namespace sscope {

EngineList::EngineList(const std::vector<EngineInfo>& infos, QWidget* parent) : QWidget(parent) {
  group_ = new QButtonGroup(this);
  auto* grid = bareLayout<QGridLayout>(this);
  grid->setHorizontalSpacing(em(this, 0.4));
  grid->setVerticalSpacing(em(this, 0.15));
  grid->setColumnStretch(2, 1);
  int row = 0;
  auto* compare = quietLabel(tr("compare"), this);
  grid->addWidget(quietLabel(tr("run on"), this), row, 0, 1, 3);
  grid->addWidget(compare, row++, 3, Qt::AlignRight);
  for (const EngineInfo& info : infos)
    if (info.available()) addEngine(info, row++);
  for (const EngineInfo& info : infos)
    if (!info.available()) addEngine(info, row++);
  next_ = row;
}

void EngineList::addEngine(const EngineInfo& info) {
  if (std::ranges::find(rows_, info.id, &Row::id) == rows_.end()) addEngine(info, next_++);
}

void EngineList::addEngine(const EngineInfo& info, int row) {
  auto* grid = qobject_cast<QGridLayout*>(layout());
  if (!info.available()) {
    auto* text = quietLabel(tr("%1 absent: %2").arg(toQt(info.id), toQt(info.absentReason)), this);
    text->setObjectName(toQt("absent-" + info.id));
    text->setWordWrap(true);
    text->setToolTip(toQt(info.name));
    grid->addWidget(new Swatch(absentColor(), this), row, 1, Qt::AlignTop);
    grid->addWidget(text, row, 2, 1, 2);
    return;
  }
  auto* radio = new QRadioButton(this);
  radio->setObjectName(toQt("run-" + info.id));
  radio->setAccessibleName(tr("Run on %1").arg(toQt(info.id)));
  auto* name = new QLabel(toQt(info.id), this);
  QString tip = toQt(info.name);
  if (!info.driver.empty()) tip += QLatin1Char('\n') + toQt(info.driver);
  if (info.memoryBytes > 0) tip += QLatin1Char('\n') + tr("%1 memory").arg(bytesText(info.memoryBytes));
  name->setToolTip(tip);
  radio->setToolTip(tip);
  name->setBuddy(radio);
  auto* check = new QCheckBox(this);
  check->setObjectName(toQt("compare-" + info.id));
  check->setAccessibleName(tr("Compare with %1").arg(toQt(info.id)));
  check->setToolTip(tr("Also run %1, for the charts").arg(toQt(info.id)));
  group_->addButton(radio);
  grid->addWidget(radio, row, 0);
  grid->addWidget(new Swatch(engineColor(info.id), this), row, 1);
  grid->addWidget(name, row, 2);
  grid->addWidget(check, row, 3, Qt::AlignRight);
  connect(radio, &QRadioButton::clicked, this, [this, id = info.id] { Q_EMIT chosen(id); });
  connect(check, &QCheckBox::clicked, this, &EngineList::comparedChanged);
  rows_.push_back({info.id, radio, check});
}

void EngineList::setCurrent(const std::string& id) {
  for (const Row& row : rows_) {
    row.radio->setChecked(row.id == id);
    row.check->setEnabled(row.id != id);
  }
}

void EngineList::setCompared(const std::vector<std::string>& ids) {
  for (const Row& row : rows_) row.check->setChecked(std::find(ids.begin(), ids.end(), row.id) != ids.end());
}

std::vector<std::string> EngineList::compared() const {
  std::vector<std::string> ids;
  for (const Row& row : rows_)
    if (row.check->isChecked()) ids.push_back(row.id);
  return ids;
}

namespace {

// "CUDA device 0" of "cuda:0".
QString deviceName(const EngineInfo& info) {
  const QString number = toQt(info.id).section(QLatin1Char(':'), 1);
  switch (info.kind) {
    case EngineKind::Cuda: return Words::tr("CUDA device %1").arg(number);
    case EngineKind::OpenCl: return Words::tr("OpenCL device %1").arg(number);
    default: return toQt(info.id);
  }
}

QString deviceTip(const EngineInfo& info, const HeldMemory& held) {
  QStringList lines{QStringLiteral("<b>%1</b>").arg(toQt(info.name).toHtmlEscaped())};
  lines << Words::tr("results, and space for the next ones: %1").arg(bytesText(held.results));
  lines << Words::tr("data and temporary buffers: %1").arg(bytesText(held.buffers));
  lines << Words::tr("limit: %1 of %2").arg(bytesText(held.budget), bytesText(info.memoryBytes));
  if (info.isProcessor) lines << Words::tr("This device is the processor and shares the machine\u2019s memory.");
  lines << Words::tr(
      "When a run needs more, the least recently used results move to the machine\u2019s memory. An export copies "
      "a result there.");
  return lines.join(QStringLiteral("<br>"));
}

}  // namespace

ResultPlace placeOf(const ResidentFilterResult* result, const EngineSet& engines) {
  if (result == nullptr || result->outputs.empty()) return {};
  std::int64_t all = 0;
  std::size_t onDevice = 0;
  for (const auto& output : result->outputs) {
    all += output->spec().bytes();
    onDevice += output->deviceBytes() > 0 ? 1 : 0;
  }
  const EngineInfo* info = engines.find(result->outputs.front()->engine());
  if (info == nullptr || !info->isDevice())
    return {Words::tr("in memory"), bytesText(all),
            Words::tr("The result takes %1 of the machine\u2019s memory.").arg(bytesText(all))};
  const HeldMemory held = engines.at(info->id).heldMemory();
  const QString tip = deviceTip(*info, held);
  if (onDevice == 0)
    return {
        Words::tr("in memory"), bytesText(all),
        Words::tr("%1 had no space for the result, or needed it for another one.<br>%2").arg(deviceName(*info), tip)};
  const QString device = onDevice == result->outputs.size() ? Words::tr("on %1").arg(deviceName(*info))
                                                            : Words::tr("partly on %1").arg(deviceName(*info));
  return {device, Words::tr("%1 of %2").arg(bytesText(held.all()), bytesText(info->memoryBytes)), tip};
}

BusyMeter::BusyMeter(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Busy processor cores"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setToolTip(tr("Busy share of each processor core, all programs together"));
}

void BusyMeter::setBusy(std::vector<double> percent) {
  percent_ = std::move(percent);
  known_ = true;
  double sum = 0;
  for (double& p : percent_) {
    p = std::clamp(p, 0.0, 100.0);
    sum += p;
  }
  setAccessibleDescription(
      percent_.empty()
          ? tr("unavailable")
          : tr("%1 % of %2 cores").arg(std::lround(sum / static_cast<double>(percent_.size()))).arg(percent_.size()));
  update();
}

QSize BusyMeter::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(16 * line), static_cast<int>(2 * line)};
}
QSize BusyMeter::minimumSizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(8 * line), static_cast<int>(2 * line)};
}

void BusyMeter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetricsF metrics(font());
  const double line = metrics.height();
  const QColor pale = palette().color(QPalette::PlaceholderText);
  if (percent_.empty()) {
    painter.setPen(pale);
    if (known_) painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, tr("unavailable"));
    return;
  }
  double sum = 0;
  for (const double p : percent_) sum += p;
  const QString text = tr("%1\u202F% busy").arg(std::lround(sum / static_cast<double>(percent_.size())));
  const double words = metrics.horizontalAdvance(tr("%1\u202F% busy").arg(100)) + 0.6 * line;
  const QRectF bars = QRectF(rect()).adjusted(0.25 * line, 0.25 * line, -words, -0.25 * line);
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRectF(bars.right(), 0, words, height()), Qt::AlignVCenter | Qt::AlignRight, text);

  const auto count = static_cast<double>(percent_.size());
  const double pitch = std::min(bars.width() / count, 1.6 * line);
  const double gap = pitch > 4 ? std::max(1.0, 0.12 * pitch) : 0;
  QColor trough = palette().color(QPalette::Text);
  trough.setAlphaF(0.12F);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t i = 0; i < percent_.size(); ++i) {
    const QRectF box(bars.left() + static_cast<double>(i) * pitch, bars.top(), pitch - gap, bars.height());
    painter.fillRect(box, trough);
    const double h = box.height() * percent_[i] / 100;
    painter.fillRect(QRectF(box.left(), box.bottom() - h, box.width(), h), palette().color(QPalette::Highlight));
  }
}

namespace {

constexpr double kShareHeight = 1.25;  // lines

}  // namespace

ShareLanes::ShareLanes(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Share of each engine"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ShareLanes::setShares(std::vector<PartShare> shares) {
  const bool resized = shares.size() != shares_.size();
  shares_ = std::move(shares);
  QStringList texts;
  for (const PartShare& one : shares_)
    texts << tr("%1: %2 planes, %3 %, %4")
                 .arg(toQt(one.name))
                 .arg(std::lround(one.planes))
                 .arg(numberText(100 * one.share, 3), formatSeconds(one.seconds));
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  setToolTip(texts.join(QLatin1Char('\n')));
  if (resized) updateGeometry();
  update();
}

QSize ShareLanes::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(16 * line),
          static_cast<int>(std::ceil(kShareHeight * line * static_cast<double>(shares_.size())))};
}

QSize ShareLanes::minimumSizeHint() const {
  return {static_cast<int>(8 * QFontMetricsF(font()).height()), sizeHint().height()};
}

void ShareLanes::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetricsF metrics(font());
  const double line = metrics.height(), gap = 0.4 * line;
  double names = 0, figures = 0;
  std::vector<QString> texts;
  for (const PartShare& one : shares_) {
    texts.push_back(tr("%1 % · %2").arg(numberText(100 * one.share, 3), formatSeconds(one.seconds)));
    names = std::max(names, metrics.horizontalAdvance(toQt(one.name)));
    figures = std::max(figures, metrics.horizontalAdvance(texts.back()));
  }
  names = std::min(names, 0.4 * width());
  const double longest = std::max(0.0, width() - names - figures - 2 * gap);
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    const double y = kShareHeight * line * static_cast<double>(k);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(0, y, names, kShareHeight * line), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(toQt(shares_[k].name), Qt::ElideMiddle, names));
    painter.drawText(QRectF(width() - figures, y, figures, kShareHeight * line), Qt::AlignVCenter | Qt::AlignRight, texts[k]);
    const std::string id = shares_[k].name.substr(0, shares_[k].name.find(' '));
    painter.fillRect(QRectF(names + gap, y + 0.3 * line, longest * shares_[k].share, 0.65 * line), engineColor(id));
  }
}

}  // namespace sscope

#include "moc_engine_parts.cpp"
