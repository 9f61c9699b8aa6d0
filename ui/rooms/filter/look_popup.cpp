#include "ui/rooms/filter/look_popup.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/controls/buttons.h"
#include "ui/views/auto_window.h"

namespace sscope {

LookPopup::LookPopup(SessionModel& model, SettingControls& controls, QWidget* parent)
    : QFrame(parent, Qt::Popup), model_(model) {
  setObjectName(QStringLiteral("lookPopup"));
  setAccessibleName(tr("Colors and comparison"));
  setFrameShape(QFrame::StyledPanel);
  auto* column = new QVBoxLayout(this);
  const auto addGroup = [&](const QString& title, const char* group) {
    column->addWidget(headingLabel(title, this));
    auto* form = new QFormLayout;
    controls.addGroup(form, group);
    column->addLayout(form);
  };
  addGroup(tr("Colors of the slices"), "colors");
  windows_ = new QWidget(this);
  auto* windows = bareLayout<QVBoxLayout>(windows_);
  windows->addWidget(headingLabel(tr("Windows of computed tomography"), windows_));
  auto* line = new QHBoxLayout;
  const auto addWindow = [&](const char* name, const QString& title, const CtWindow& window) {
    auto* button =
        toolButton(windows_, {.name = name,
                              .text = title,
                              .tip = tr("Width %1, level %2 Hounsfield units").arg(window.width).arg(window.level)});
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this,
            [this, window] { Q_EMIT windowChosen(window.level - window.width / 2, window.level + window.width / 2); });
    line->addWidget(button);
  };
  addWindow("ctBrain", tr("Brain"), kCtBrain);
  addWindow("ctLung", tr("Lung"), kCtLung);
  addWindow("ctBone", tr("Bone"), kCtBone);
  addWindow("ctAbdomen", tr("Abdomen"), kCtAbdomen);
  line->addStretch(1);
  windows->addLayout(line);
  column->addWidget(windows_);
  addGroup(tr("Comparison"), "comparison");
  setMinimumWidth(em(this, 22));
  connect(&model_, &SessionModel::dataChanged, this, &LookPopup::followData);
  followData();
}

void LookPopup::followData() {
  windows_->setVisible(model_.hasData() && !model_.data().large && looksLikeHounsfield(*model_.data().volume));
  adjustSize();
}

void LookPopup::showBelow(const QWidget& button) {
  adjustSize();
  QRect place(button.mapToGlobal(QPoint(0, button.height())), size());
  const QRect all = button.screen()->availableGeometry();
  place.moveLeft(std::max(all.left(), std::min(place.left(), all.right() - place.width())));
  place.moveTop(std::max(all.top(), std::min(place.top(), all.bottom() - place.height())));
  move(place.topLeft());
  show();
  focusStops(this).front()->setFocus(Qt::PopupFocusReason);
}

}  // namespace sscope

#include "moc_look_popup.cpp"
