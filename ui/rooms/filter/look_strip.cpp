#include "ui/rooms/filter/look_strip.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/filter/job/filter_view.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/charts/color_scale.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/model/visible_slices.h"
#include "ui/views/auto_window.h"
#include "ui/views/difference_slices.h"

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

LookStrip::LookStrip(SessionModel& model, VolumeViews& views, QWidget* parent)
    : QWidget(parent), model_(model), views_(views), controls_(FilterView(), QStringLiteral("view"), this) {
  auto* rows = new QVBoxLayout(this);
  const int gap = em(this, 0.3);
  rows->setContentsMargins(gap, 0, gap, gap / 2);
  rows->setSpacing(0);
  auto* line = new QHBoxLayout;
  line->setSpacing(gap);
  for (const char* row : {"compare", "difference"}) {
    SettingField& field = controls_.field(row);
    if (auto* list = qobject_cast<QComboBox*>(field.control())) {
      int letters = 0;
      for (int i = 0; i < list->count(); ++i) letters = std::max(letters, static_cast<int>(list->itemText(i).size()));
      list->setMinimumContentsLength(letters);
    }
    focusByTabOnly(field.control());
    line->addWidget(&field);
  }
  // A range of one kind is meaningless for another.
  controls_.along<FilterView>("difference", [](FilterView& view) { view.differenceRange = 0; });
  controls_.follow(model_);
  colors_ = named(new ColorBar(this), "sliceColorBar");
  what_ = quietLabel({}, this);
  what_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  line->addWidget(colors_);
  line->addWidget(what_, 3);
  rows->addLayout(line);
  line->addStretch(1);
  norms_ = named(new ElidedLabel(this), "differenceNorms", tr("Norms of the difference"));
  rows->addWidget(norms_);
  connect(&views_, &VolumeViews::differenceChanged, this, &LookStrip::refresh);
  connect(&model_, &SessionModel::viewChanged, this, &LookStrip::refresh);
  model_.follow<FilterView>(this, &LookStrip::refresh);
  connect(&views_, &VolumeViews::sliceColorsChanged, this, &LookStrip::refresh);
  connect(&views_, &VolumeViews::windowChanged, this, &LookStrip::refresh);
  connect(&views_, &VolumeViews::showChanged, this, &LookStrip::refresh);
  connect(&model_, &SessionModel::shownFilterChanged, this, &LookStrip::refresh);
  refresh();
}

void LookStrip::refresh() {
  const auto difference = views_.difference(views_.activeSlice());
  const bool differs = difference.has_value();
  const bool colored = !(views_.sliceColors() == ColorUse()) && views_.component() >= 0;
  const bool both = model_.view().show == "both";
  const auto& settings = model_.settings<FilterView>();
  norms_->setVisible(differs);
  colors_->setVisible(differs || colored);
  what_->setVisible(differs || colored);
  controls_.field("compare").setVisible(both);
  controls_.field("difference").setVisible(both && settings.compare == "difference");
  setVisible(model_.hasData() && (both || colored));
  if (differs) {
    showDifference(*difference);
    return;
  }
  // Side by side, each side has its own window.
  const bool source = views_.shown() == VolumeViews::Show::Source || views_.resultTakesSourceWindow();
  colors_->setScale(views_.sliceColors(), source ? views_.sourceWindow() : views_.resultWindow());
  what_->setText(views_.resultTakesSourceWindow() ? tr("colors of source and result")
                 : source                         ? tr("colors of the source")
                                                  : tr("colors of the result"));
}

void LookStrip::showDifference(const ShownDifference& difference) {
  const bool relative = difference.kind == DifferenceKind::Relative;
  colors_->setScale(difference.colors, difference.window);
  const QString kind = relative ? tr("relative difference, as a share of the source")
                       : difference.kind == DifferenceKind::Absolute ? tr("magnitude of the difference")
                                                                     : tr("result minus source");
  const QStringList names{tr("axial"), tr("coronal"), tr("sagittal")};
  const auto view = static_cast<int>(views_.activeSlice());
  const bool flat = model_.data().volume->shape().dimensions() == 2;
  what_->setText(flat ? kind : tr("%1 · %2 slice").arg(kind, names.at(view)));
  const QString text = allNorms(difference.norms, shownFilterKeepsMean(model_));
  norms_->setWholeText(text,
                       QStringLiteral("<p>%1</p><p>%2</p>").arg(text.toHtmlEscaped(), normsHelp().toHtmlEscaped()));
  norms_->setAccessibleDescription(text);
}

}  // namespace sscope

#include "moc_look_strip.cpp"
