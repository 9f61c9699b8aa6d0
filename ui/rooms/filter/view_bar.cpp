#include "ui/rooms/filter/view_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "core/filter/job/filter_view.h"
#include "core/filter/job/volume_settings.h"
#include "core/filter/laboratory/laboratory_view.h"
#include "ui/base/icons.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/controls/number_box.h"
#include "ui/model/visible_slices.h"
#include "ui/rooms/filter/look_strip.h"

namespace sscope {

ViewBar::ViewBar(SessionModel& model, VolumeViews& views, QWidget* parent)
    : TwoRowBar(parent), model_(model), views_(views), controls_(FilterView(), QStringLiteral("view"), this) {
  buildChoice(first());
  buildWindow(second());
  layouts_ = new SegmentRow(this);
  layouts_->addLayouts();
  second()->addWidget(layouts_);
  follow();
  fillFilters();
  fillComponents();
  refresh();
}

void ViewBar::buildChoice(QHBoxLayout* row) {
  show_ = new SegmentRow(this);
  show_->add("source", tr("Source"), nullptr, tr("Show the source (Space switches)"));
  show_->add("result", tr("Result"), nullptr, tr("Show the result (Space switches)"));
  show_->add("both", tr("Compare"), nullptr, tr("Source and result together (C chooses how)"));
  row->addWidget(show_);
  filter_ = named(new QComboBox(this), "shownFilter", tr("Filter whose result is shown"));
  filter_->setToolTip(filter_->accessibleName());
  filter_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  filter_->setMinimumContentsLength(4);
  filter_->setMaximumWidth(em(this, 14));
  focusByTabOnly(filter_);
  row->addWidget(filter_);
  component_ = named(new QComboBox(this), "component", tr("Component"));
  component_->setToolTip(tr("The shown component"));
  focusByTabOnly(component_);
  row->addWidget(component_);
  buildLook(row);
  row->addStretch(1);
}

void ViewBar::buildWindow(QHBoxLayout* row) {
  windowLabel_ = quietLabel({}, this);
  width_ = named(new NumberBox(tr("Window width"), this), "windowWidth");
  width_->setRange(1e-300, 1e300);
  levelLabel_ = quietLabel(levelWord(true), this);
  level_ = named(new NumberBox(tr("Window level"), this), "windowLevel");
  level_->setToolTip(tr("Middle of the shown range of values"));
  automatic_ = toolButton(this, {.name = "windowAuto",
                                 .text = tr("Auto"),
                                 .tip = tr("Choose the window automatically, from the values"),
                                 .checkable = true});
  for (NumberBox* box : {width_, level_}) {
    box->setWide(true);
    // Enter returns the keyboard to the views.
    connect(box, &QLineEdit::returnPressed, &views_, qOverload<>(&QWidget::setFocus));
    connect(box, &NumberBox::valueEdited, this, &ViewBar::editWindow);
  }
  for (QWidget* each : std::initializer_list<QWidget*>{windowLabel_, width_, levelLabel_, level_, automatic_})
    row->addWidget(each);
  row->addStretch(1);
  row->addSpacing(em(this, 0.6));
}

void ViewBar::buildLook(QHBoxLayout* row) {
  look_ = toolButton(
      this, {.name = "look",
             .icon = "colors",
             .tip = tr("Colors of the slices, inversion, gamma, windows of computed tomography, and details of the "
                       "comparison"),
             .spoken = tr("Colors and comparison")});
  row->addWidget(look_);
  profile_ = toolButton(
      this, {.name = "profile",
             .icon = "profile",
             .tip = tr("Line profile: drag a line in a slice to see the values of source and outputs along it (P)"),
             .spoken = tr("Line profile"),
             .checkable = true});
  row->addWidget(profile_);
  connect(profile_, &QToolButton::clicked, this, &ViewBar::profileRequested);
  laboratory_ = toolButton(
      this,
      {.name = "laboratory",
       .icon = "laboratory",
       .tip = tr("Laboratory: impulse response, spectrum and figures of the filter, and coverage of the bank (L)"),
       .spoken = tr("Laboratory"),
       .checkable = true});
  row->addWidget(laboratory_);
  connect(laboratory_, &QToolButton::clicked, this, &ViewBar::laboratoryRequested);
  volume_ = toolButton(
      this, {.name = "volumeLook",
             .icon = "transfer",
             .tip = tr("Look of the 3D view: volume, projections, isosurface, presets, transfer function, cuts (V)"),
             .spoken = tr("Look of the 3D view"),
             .checkable = true});
  row->addWidget(volume_);
  connect(volume_, &QToolButton::clicked, this, &ViewBar::volumeRequested);
  popup_ = new LookPopup(model_, controls_, this);
  connect(look_, &QToolButton::clicked, this, [this] { popup_->showBelow(*look_); });
  connect(popup_, &LookPopup::windowChosen, this, &ViewBar::chooseWindow);
}

void ViewBar::follow() {
  controls_.follow(model_);
  model_.follow<FilterView>(this, &ViewBar::refresh);
  model_.follow<LaboratoryView>(this, &ViewBar::refresh);
  model_.follow<VolumeSettings>(this, &ViewBar::refresh);
  connect(&views_, &VolumeViews::differenceChanged, this, &ViewBar::refreshWindow);
  connect(show_, &SegmentRow::chosen, this,
          [this](const std::string& value) { model_.changeView([&value](ViewState& view) { view.show = value; }); });
  connect(layouts_, &SegmentRow::chosen, this,
          [this](const std::string& value) { model_.changeView([&value](ViewState& view) { view.layout = value; }); });
  connect(filter_, &QComboBox::activated, this, [this](int index) {
    model_.changeView([this, index](ViewState& view) { view.shownFilter = fromQt(filter_->itemText(index)); });
  });
  connect(component_, &QComboBox::activated, this, [this](int index) {
    model_.changeView([this, index](ViewState& view) { view.component = component_->itemData(index).toInt(); });
  });
  connect(automatic_, &QToolButton::clicked, this, &ViewBar::setAutomatic);
  connect(&views_, &VolumeViews::windowChanged, this, &ViewBar::refreshWindow);
  connect(&model_, &SessionModel::filtersChanged, this, &ViewBar::fillFilters);
  connect(&model_, &SessionModel::shownFilterChanged, this, &ViewBar::fillFilters);
  connect(&model_, &SessionModel::dataChanged, this, &ViewBar::fillComponents);
  connect(&model_, &SessionModel::viewChanged, this, &ViewBar::refresh);
}

void ViewBar::fillFilters() {
  filter_->clear();
  for (const FilterRecipe* recipe : model_.bank().enabled()) filter_->addItem(toQt(recipe->name));
  filter_->setCurrentIndex(static_cast<int>(model_.shownFilterIndex()));
  filter_->setEnabled(filter_->count() > 0);
}

void ViewBar::fillComponents() {
  component_->clear();
  const int components = model_.hasData() ? model_.data().volume->shape().components : 1;
  const bool color = components == 3 && bytesOf(model_.data().volume->type()) == 1;
  if (color) component_->addItem(tr("color"), -1);
  const QStringList colors{tr("red"), tr("green"), tr("blue")};
  for (int c = 0; c < components; ++c) component_->addItem(color ? colors.at(c) : tr("component %1").arg(c), c);
  if (components <= 1 && component_->hasFocus()) views_.setFocus();  // otherwise the next box would get it
  component_->setVisible(components > 1);
  const int index = component_->findData(model_.view().component);
  component_->setCurrentIndex(index < 0 ? 0 : index);
  layouts_->showButtons(!model_.hasData() || model_.data().volume->shape().dimensions() == 3);
}

// W and L, as radiologists write, if there is no space for more.
QString ViewBar::windowWord(bool whole) const {
  if (differs()) return tr("±");
  if (!whole) return tr("W");
  return windowOfResult() ? tr("result window") : tr("source window");
}

QString ViewBar::levelWord(bool whole) { return whole ? tr("level") : tr("L"); }

int ViewBar::wordsWidth() const {
  const QFontMetrics metrics(windowLabel_->font());
  return metrics.horizontalAdvance(windowWord(true) + levelWord(true)) -
         metrics.horizontalAdvance(windowWord(false) + levelWord(false));
}

void ViewBar::showWords(bool shown) {
  wholeWords_ = shown;
  windowLabel_->setText(windowWord(shown));
  levelLabel_->setText(levelWord(shown));
}

bool ViewBar::differs() const {
  return model_.view().show == "both" && model_.settings<FilterView>().compare == "difference";
}

bool ViewBar::windowOfResult() const { return model_.view().show != "source" && !views_.resultTakesSourceWindow(); }

void ViewBar::refresh() {
  show_->setValue(model_.view().show);
  layouts_->setValue(model_.view().layout);
  profile_->setChecked(model_.settings<FilterView>().profile);
  laboratory_->setChecked(model_.settings<LaboratoryView>().shown);
  volume_->setChecked(model_.settings<VolumeSettings>().panel);
  volume_->setEnabled(!model_.hasData() || model_.data().volume->shape().dimensions() == 3);
  for (QWidget* each : std::initializer_list<QWidget*>{levelLabel_, level_}) each->setVisible(!differs());
  const int index = component_->findData(model_.view().component);
  if (index >= 0) component_->setCurrentIndex(index);
  refreshWindow();
}

void ViewBar::refreshWindow() {
  const bool result = windowOfResult();
  windowLabel_->setText(windowWord(wholeWords_));
  width_->setToolTip(
      differs() ? tr("The largest difference with a color of its own (drag with the right mouse button in a slice)")
                : tr("Width of the shown range of values (drag with the right mouse button in a slice)"));
  if (differs()) {
    width_->setValue(views_.differenceRange());
    automatic_->setChecked(model_.settings<FilterView>().differenceRange == 0);
    return;
  }
  const ValueWindow window = result ? views_.resultWindow() : views_.sourceWindow();
  width_->setValue(window[1] - window[0]);
  level_->setValue((window[0] + window[1]) / 2);
  automatic_->setChecked(result ? views_.resultWindowAutomatic() : views_.sourceWindowAutomatic());
}

void ViewBar::setRange(double range) {
  CompareLook look = views_.compare();
  look.range = range;
  Q_EMIT views_.compareEdited(look);
}

void ViewBar::chooseWindow(double low, double high) {
  model_.changeView([this, low, high](ViewState& view) {
    view.sourceWindow = ValueWindow{low, high};
    if (shownFilterKeepsMean(model_)) view.resultWindow = view.sourceWindow;
  });
}

void ViewBar::editWindow() {
  if (differs()) {
    setRange(width_->value());
    return;
  }
  const ValueWindow window{level_->value() - width_->value() / 2, level_->value() + width_->value() / 2};
  model_.changeView(
      [this, &window](ViewState& view) { (windowOfResult() ? view.resultWindow : view.sourceWindow) = window; });
}

void ViewBar::setAutomatic() {
  if (differs()) {
    model_.changeUnsaved<FilterView>([&](FilterView& view) { view.differenceRange = 0; });
    refreshWindow();
    return;
  }
  model_.changeView([this](ViewState& view) { (windowOfResult() ? view.resultWindow : view.sourceWindow).reset(); });
  refreshWindow();
}

}  // namespace sscope

#include "moc_view_bar.cpp"
