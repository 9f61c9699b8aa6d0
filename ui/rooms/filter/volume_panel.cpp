#include "ui/rooms/filter/volume_panel.h"

#include <QAction>
#include <QActionGroup>
#include <QColorDialog>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/views/transfer_editor.h"

namespace sscope {

namespace {

QString kindTitle(DataKind kind) {
  switch (kind) {
    case DataKind::Tomography: return VolumePanel::tr("Computed tomography");
    case DataKind::Magnetic: return VolumePanel::tr("Magnetic resonance");
    case DataKind::Signed: return VolumePanel::tr("Both signs");
    case DataKind::Fluorescence: return VolumePanel::tr("Fluorescence");
    case DataKind::Mask: return VolumePanel::tr("Mask");
    case DataKind::Labels: return VolumePanel::tr("Labels");
    case DataKind::Generic: break;
  }
  return VolumePanel::tr("Any data");
}

// "Computed tomography: Bone".
QString presetTitle(const TransferPreset& preset) {
  return VolumePanel::tr("%1: %2").arg(kindTitle(preset.kind), toQt(preset.title));
}

std::string& presetIn(VolumeSettings& settings, std::size_t side) {
  return side == 0 ? settings.sourcePreset : settings.resultPreset;
}
std::vector<TransferPoint>& pointsIn(VolumeSettings& settings, std::size_t side) {
  return side == 0 ? settings.sourcePoints : settings.resultPoints;
}
std::optional<double>& levelIn(VolumeSettings& settings, std::size_t side) {
  return side == 0 ? settings.sourceLevel : settings.resultLevel;
}

QToolButton* textButton(const char* name, const QString& text, const QString& tip, QWidget* parent) {
  auto* button = toolButton(parent, {.name = name, .text = text, .tip = tip, .spoken = text});
  button->setAccessibleDescription(tip);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

}  // namespace

template <class Change>
void VolumePanel::change(const Change& change, const QString& gesture) {
  VolumeSettings next = model_.settings<VolumeSettings>();
  change(next);
  link_.edit(next, gesture);
}

VolumePanel::VolumePanel(SessionModel& model, VolumeViews& views, VolumeLink& link, QWidget* parent)
    : QWidget(parent),
      model_(model),
      views_(views),
      link_(link),
      controls_(VolumeSettings(), QStringLiteral("volume"), this) {
  setAccessibleName(tr("Look of the 3D view"));
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.3);
  column->setContentsMargins(gap, gap, gap, 0);
  column->setSpacing(gap);
  auto* head = new QHBoxLayout;
  buildHead(head);
  column->addLayout(head);
  auto* second = new QHBoxLayout;
  second->addWidget(&controls_.field("linked"));
  why_ = named(new ElidedLabel(this), "volumeWhy");
  second->addWidget(why_, 1);
  column->addLayout(second);
  levelLine_ = new QWidget(this);
  auto* level = bareLayout<QHBoxLayout>(levelLine_);
  buildLevel(level);
  column->addWidget(levelLine_);
  pages_ = new QStackedWidget(this);
  editor_ = named(new TransferEditor(pages_), "volumeTransfer");
  pages_->addWidget(editor_);
  pages_->addWidget(buildCrop());
  column->addWidget(pages_, 1);
  connect(cut_, &QToolButton::toggled, this, [this](bool on) { pages_->setCurrentIndex(on ? 1 : 0); });
  connect(editor_, &TransferEditor::edited, this, &VolumePanel::takePoints);
  connect(editor_, &TransferEditor::colorRequested, this, &VolumePanel::chooseColor);
  controls_.follow(model_);
  model_.follow<VolumeSettings>(this, &VolumePanel::follow);
  connect(&model_, &SessionModel::dataChanged, this, &VolumePanel::follow);
  connect(&model_, &SessionModel::viewChanged, this, &VolumePanel::refresh);
  for (const auto signal : {&VolumeViews::volumeInsightsChanged, &VolumeViews::sliceColorsChanged})
    connect(&views_, signal, this, &VolumePanel::refresh);
  connect(&views_, &VolumeViews::windowChanged, this, &VolumePanel::refresh);
  follow();
}

void VolumePanel::buildHead(QHBoxLayout* row) {
  SettingField& mode = controls_.field("mode");
  if (auto* list = qobject_cast<QComboBox*>(mode.control())) list->setMinimumContentsLength(7);
  mode.setMaximumWidth(em(this, 9));
  row->addWidget(&mode);
  const auto list = [&](const char* name, const QString& spoken, int letters) {
    auto* box = narrowList(this, name, spoken, letters);
    box->setToolTip(spoken);
    row->addWidget(box);
    return box;
  };
  side_ = list("volumeSide", tr("Side whose look is edited"), 6);
  side_->addItems({tr("source"), tr("result")});
  side_->setCurrentIndex(1);
  preset_ = list("volumePreset", tr("Look of the values in 3D"), 12);
  preset_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  preset_->setMaximumWidth(em(this, 22));
  auto* again = textButton("volumeReset", tr("Reset"), tr("Back to the automatic look and level"), this);
  cut_ = textButton("volumeCut", tr("Cut"), tr("Cut the volume open along its axes"), this);
  cut_->setCheckable(true);
  accentWhenChecked(cut_);
  row->setStretchFactor(preset_, 4);
  row->addWidget(again);
  row->addWidget(cut_);
  row->addStretch(1);
  auto* close = toolButton(
      this, {.name = "volumeClose", .icon = "close", .tip = tr("Hide the look of the 3D view (V)"), .flat = true});
  row->addWidget(close);
  connect(side_, &QComboBox::activated, this, &VolumePanel::refresh);
  connect(preset_, &QComboBox::activated, this,
          [this](int index) { choosePreset(preset_->itemData(index).toString()); });
  connect(again, &QToolButton::clicked, this, &VolumePanel::reset);
  connect(close, &QToolButton::clicked, this, &VolumePanel::toggle);
}

void VolumePanel::buildLevel(QHBoxLayout* row) {
  levelSlider_ = named(new ValueSlider(tr("Level of the isosurface"), levelLine_), "volumeLevelSlider");
  levelBox_ = named(new NumberBox(tr("Level of the isosurface"), levelLine_), "volumeLevel");
  levelBox_->setWide(true);
  levelBox_->setToolTip(tr("The surface connects points with this value"));
  levelUnit_ = quietLabel({}, levelLine_);
  levelAuto_ = textButton("volumeLevelAuto", tr("Auto"), tr("Choose the level from the values"), levelLine_);
  levelAuto_->setCheckable(true);
  accentWhenChecked(levelAuto_);
  row->addWidget(quietLabel(tr("level"), levelLine_));
  row->addWidget(levelSlider_, 1);
  row->addWidget(levelBox_);
  row->addWidget(levelUnit_);
  row->addWidget(levelAuto_);
  row->addWidget(&controls_.field("bothSigns"));
  levelGesture_ = new Gesture(levelSlider_);
  connect(levelSlider_, &ValueSlider::realValueEdited, this,
          [this](double value) { takeLevel(value, levelGesture_->now()); });
  connect(levelBox_, &NumberBox::valueEdited, this, [this](double value) { takeLevel(value, levelGesture_->now()); });
  connect(levelAuto_, &QToolButton::clicked, this, [this] { takeLevel({}, {}); });
}

QWidget* VolumePanel::buildCrop() {
  auto* page = new QWidget(pages_);
  auto* grid = bareLayout<QGridLayout>(page);
  const QStringList axes{tr("x"), tr("y"), tr("z")};
  const std::array names{"cropX0", "cropX1", "cropY0", "cropY1", "cropZ0", "cropZ1"};
  grid->addWidget(quietLabel(tr("from"), page), 0, 1);
  grid->addWidget(quietLabel(tr("to"), page), 0, 2);
  for (int axis = 0; axis < 3; ++axis) {
    grid->addWidget(quietLabel(axes.at(axis), page), axis + 1, 0);
    for (int end = 0; end < 2; ++end)
      grid->addWidget(&controls_.field(names.at(static_cast<std::size_t>(2 * axis + end))), axis + 1, end + 1);
  }
  auto* whole = textButton("volumeWhole", tr("Whole"), tr("Show the whole volume again"), page);
  grid->addWidget(whole, 0, 3);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(2, 1);
  grid->setRowStretch(4, 1);
  connect(whole, &QToolButton::clicked, this, [this] {
    change([fresh = VolumeSettings()](VolumeSettings& next) {
      next.cropX0 = next.cropY0 = next.cropZ0 = fresh.cropX0;
      next.cropX1 = next.cropY1 = next.cropZ1 = fresh.cropX1;
    });
  });
  return page;
}

std::size_t VolumePanel::side() const {
  switch (views_.shown()) {
    case VolumeViews::Show::Source: return 0;
    case VolumeViews::Show::Result: return 1;
    case VolumeViews::Show::Both: break;
  }
  return static_cast<std::size_t>(side_->currentIndex());
}

std::shared_ptr<const VolumeInsight> VolumePanel::insight() const { return views_.volumeInsight(side()); }

void VolumePanel::follow() {
  setVisible(model_.hasData() && model_.settings<VolumeSettings>().panel &&
             model_.data().volume->shape().dimensions() == 3);
  refresh();
}

void VolumePanel::toggle() {
  if (!model_.hasData() || model_.data().volume->shape().dimensions() != 3) return;
  model_.changeUnsaved<VolumeSettings>([&](VolumeSettings& next) { next.panel = !next.panel; });
  if (model_.settings<VolumeSettings>().panel) {
    controls_.field("mode").control()->setFocus();
  } else {
    views_.setFocus();
  }
}

void VolumePanel::refresh() {
  if (isHidden()) return;
  side_->setVisible(views_.shown() == VolumeViews::Show::Both);
  levelLine_->setVisible(views_.volumeLook().mode == VolumeMode::Surface);
  refreshPresets();
  refreshLevel();
  refreshEditor();
}

std::vector<VolumePanel::Choice> VolumePanel::choices() const {
  const auto found = insight();
  const DataKind kind = found ? found->found.kind : DataKind::Generic;
  std::vector<Choice> choices;
  choices.push_back({found ? tr("Automatic: %1").arg(toQt(defaultPreset(kind).title)) : tr("Automatic"),
                     QLatin1String(kAutoLook), tr("Chosen by the kind of the data")});
  if (views_.volumeLook().preset[side()] == kOwnLook)
    choices.push_back({tr("Points of your own"), QLatin1String(kOwnLook), tr("The points below, as you moved them")});
  for (const bool own : {true, false})  // those for the kind of the data first
    for (const TransferPreset& preset : transferPresets())
      if ((preset.kind == kind) == own)
        choices.push_back({own ? toQt(preset.title) : presetTitle(preset), toQt(preset.name), toQt(preset.tip), own});
  return choices;
}

void VolumePanel::addToMenu(QMenu& menu) {
  const auto entry = [this](QMenu& in, QActionGroup& group, const QString& text, const QString& tip, bool chosen,
                            auto choose) {
    auto* action = in.addAction(text);
    action->setToolTip(tip);
    action->setCheckable(true);
    action->setChecked(chosen);
    group.addAction(action);
    connect(action, &QAction::triggered, this, choose);
  };
  auto* kinds = menu.addMenu(tr("&Kind of the 3D view"));
  auto* kindGroup = new QActionGroup(kinds);
  kinds->setToolTipsVisible(true);
  for (const SettingChoice& kind : VolumeSettings::table().find("mode")->look.choices)
    entry(*kinds, *kindGroup, toQt(capitalized(kind.title)), toQt(kind.tip),
          kind.value == model_.settings<VolumeSettings>().mode,
          [this, value = kind.value] { change([&](VolumeSettings& next) { next.mode = value; }); });
  const QString which = side() == 0 ? tr("source") : tr("result");
  auto* looks = menu.addMenu(tr("&Look of the %1").arg(which));
  auto* lookGroup = new QActionGroup(looks);
  looks->setToolTipsVisible(true);
  QMenu* others = nullptr;
  for (const Choice& choice : choices()) {
    if (!choice.ofData && others == nullptr) {
      others = looks->addMenu(tr("Of &other data"));
      others->setToolTipsVisible(true);
    }
    entry(choice.ofData ? *looks : *others, *lookGroup, choice.title, choice.tip,
          toQt(views_.volumeLook().preset[side()]) == choice.name, [this, name = choice.name] { choosePreset(name); });
  }
  auto* panel = menu.addAction(tr("&Settings of the look\tV"), this, &VolumePanel::toggle);
  panel->setCheckable(true);
  panel->setChecked(model_.settings<VolumeSettings>().panel);
}

void VolumePanel::refreshPresets() {
  const VolumeLook& look = views_.volumeLook();
  const auto found = insight();
  const std::size_t at = side();
  const DataKind kind = found ? found->found.kind : DataKind::Generic;
  preset_->clear();
  for (const Choice& choice : choices()) {
    preset_->addItem(choice.title, choice.name);
    preset_->setItemData(preset_->count() - 1, choice.tip, Qt::ToolTipRole);
  }
  preset_->setCurrentIndex(std::max(0, preset_->findData(toQt(look.preset[at]))));
  const QString why =
      found ? tr("%1: %2").arg(kindTitle(kind), toQt(found->found.why)) : tr("The 3D view has no picture yet");
  const QString tip = found ? tr("<p>These data are shown as <b>%1</b>, because: %2.</p><p>%3</p>")
                                  .arg(kindTitle(kind).toHtmlEscaped(), toQt(found->found.why).toHtmlEscaped(),
                                       toQt(presetOf(look, at, *found).tip).toHtmlEscaped())
                            : QString();
  why_->setWholeText(why, tip);
  preset_->setToolTip(tip.isEmpty() ? preset_->accessibleName() : tip);
}

void VolumePanel::refreshLevel() {
  const auto found = insight();
  levelLine_->setEnabled(found != nullptr);
  if (!found) return;
  const VolumeLook& look = views_.volumeLook();
  const double level = surfaceLevel(look, side(), *found);
  levelSlider_->setScale(found->levels.low, found->levels.high, false, false);
  levelSlider_->setRealValue(level);
  levelBox_->setValue(level);
  levelUnit_->setText(toQt(valueUnit(*found)));
  controls_.field("bothSigns").setVisible(found->found.kind == DataKind::Signed);
  levelAuto_->setChecked(!look.level[side()]);
}

void VolumePanel::refreshEditor() {
  const auto found = insight();
  if (!found) {
    editor_->clear();
    return;
  }
  const std::size_t at = side();
  editor_->setLevels(found->levels, toQt(valueUnit(*found)));
  const TransferCurve curve = compositeCurve(views_.volumeLook(), at, *found, views_.sliceLook(at));
  if (editor_->points() != curve.points) editor_->setPoints(curve.points);
}

void VolumePanel::choosePreset(const QString& name) {
  change([&](VolumeSettings& next) {
    presetIn(next, side()) = fromQt(name);
    if (name != QLatin1String(kOwnLook)) pointsIn(next, side()).clear();
  });
}

void VolumePanel::takePoints(const QString& gesture) {
  const auto take = [&](VolumeSettings& next) {
    presetIn(next, side()) = kOwnLook;
    pointsIn(next, side()) = editor_->points();
  };
  change(take, gesture);
}

void VolumePanel::chooseColor() {
  const int selected = editor_->selected();
  if (selected < 0) return;
  const Rgb now = editor_->points()[static_cast<std::size_t>(selected)].color;
  auto* dialog = named(new QColorDialog(QColor(toQt(colorText(now))), this), "volumeColor");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Color of the values"));
  connect(dialog, &QColorDialog::colorSelected, editor_, [this](const QColor& color) {
    editor_->setColor({color.redF(), color.greenF(), color.blueF()});
  });
  dialog->open();
}

void VolumePanel::takeLevel(std::optional<double> level, const QString& gesture) {
  change([&](VolumeSettings& next) { levelIn(next, side()) = level; }, gesture);
  refreshLevel();
}

void VolumePanel::reset() {
  change([&](VolumeSettings& next) {
    presetIn(next, side()) = kAutoLook;
    pointsIn(next, side()).clear();
    levelIn(next, side()).reset();
  });
}

}  // namespace sscope

#include "moc_volume_panel.cpp"
