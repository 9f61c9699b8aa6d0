#include "ui/panels/engine_list.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QRadioButton>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
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
  check->setToolTip(tr("Run %1 as well, for the charts").arg(toQt(info.id)));
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

}  // namespace sscope

#include "moc_engine_list.cpp"
