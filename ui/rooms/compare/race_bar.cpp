#include "ui/rooms/compare/race_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/controls/labels.h"
#include "ui/controls/setting_controls.h"

namespace sscope {

RaceBar::RaceBar(SettingControls& controls, QWidget* parent) : TwoRowBar(parent) {
  race_ = new QPushButton(this);
  race_->setObjectName(QStringLiteral("race"));
  race_->setIcon(icon("compare"));
  doing_ = new ElidedLabel(this);
  doing_->setObjectName(QStringLiteral("raceDoing"));
  doing_->setAccessibleName(tr("What the race does"));
  first()->addWidget(race_);
  first()->addWidget(doing_, 1);
  SettingField& again = controls.field("again");
  again.setParent(this);
  second()->addWidget(&again);
  QToolButton* add = button("open", tr("Add capsules…"),
                            tr("Opens capsules or pages of other machines, as gray lanes beside these"), "addCapsules");
  clear_ = button("close", {}, tr("Removes the lanes of other machines"), "clearCapsules");
  QToolButton* save =
      button("export", tr("Export…"), tr("Pictures, numbers, the page and the capsule (Ctrl+E)"), "exportRace");
  connect(race_, &QPushButton::clicked, this, &RaceBar::raceClicked);
  connect(add, &QToolButton::clicked, this, &RaceBar::addRequested);
  connect(clear_, &QToolButton::clicked, this, &RaceBar::clearRequested);
  connect(save, &QToolButton::clicked, this, &RaceBar::exportRequested);
  showBusy(false);
  showCapsules(0);
}

QToolButton* RaceBar::button(const char* iconName, const QString& text, const QString& tip, const char* name) {
  auto* made = new QToolButton(this);
  made->setObjectName(QLatin1String(name));
  made->setIcon(icon(iconName));
  made->setText(text);
  made->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  made->setToolTip(tip);
  made->setAccessibleName(text.isEmpty() ? tip : text);
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::StrongFocus);
  second()->addWidget(made);
  return made;
}

void RaceBar::showBusy(bool busy) {
  race_->setText(busy ? tr("Cancel (Esc)") : tr("Race (F5)"));
  race_->setToolTip(busy ? tr("Stops the race; what the lanes have stays")
                         : tr("Computes the job on every contender, and then times them in turns"));
}

void RaceBar::showDoing(const QString& text) {
  if (doing_->wholeText() != text) doing_->setWholeText(text);
}

void RaceBar::showCapsules(int count) { clear_->setVisible(count > 0); }

}  // namespace sscope

#include "moc_race_bar.cpp"
