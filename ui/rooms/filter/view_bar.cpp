#include "ui/rooms/filter/view_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/base/focus_order.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/controls/segment_button.h"

namespace sscope {

namespace {

constexpr const char* kShows[] = {"source", "result", "both"};
constexpr const char* kLayouts[] = {"all", "axial", "coronal", "sagittal", "volume"};

template <std::size_t N>
int indexOf(const char* const (&names)[N], const std::string& name) {
  for (std::size_t i = 0; i < N; ++i)
    if (name == names[i]) return static_cast<int>(i);
  return 0;
}

}  // namespace

ViewBar::ViewBar(SessionModel& model, VolumeViews& views, QWidget* parent)
    : TwoRowBar(parent), model_(model), views_(views) {
  QHBoxLayout* row = first();

  show_ = new QButtonGroup(this);
  auto* segments = new QHBoxLayout;
  segments->setSpacing(0);
  segments->addWidget(segmentButton(show_, 0, tr("Source"), nullptr, tr("Show the source (Space switches)"), this));
  segments->addWidget(segmentButton(show_, 1, tr("Result"), nullptr, tr("Show the result (Space switches)"), this));
  segments->addWidget(segmentButton(show_, 2, tr("Both"), nullptr, tr("Source and result side by side"), this));
  row->addLayout(segments);
  filter_ = new QComboBox(this);
  filter_->setObjectName(QStringLiteral("shownFilter"));
  filter_->setAccessibleName(tr("Filter whose result is shown"));
  filter_->setToolTip(filter_->accessibleName());
  filter_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  filter_->setMinimumContentsLength(4);
  filter_->setMaximumWidth(em(this, 14));
  returnFocus(filter_);
  row->addWidget(filter_);
  component_ = new QComboBox(this);
  component_->setObjectName(QStringLiteral("component"));
  component_->setAccessibleName(tr("Component"));
  component_->setToolTip(tr("Which component is shown"));
  returnFocus(component_);
  row->addWidget(component_);
  row->addStretch(1);

  row = second();
  windowLabel_ = quietLabel({}, this);
  row->addWidget(windowLabel_);
  width_ = new NumberBox(tr("Window width"), this);
  width_->setObjectName(QStringLiteral("windowWidth"));
  width_->setRange(1e-300, 1e300);
  width_->setWide(true);
  level_ = new NumberBox(tr("Window level"), this);
  level_->setObjectName(QStringLiteral("windowLevel"));
  level_->setWide(true);
  width_->setToolTip(tr("Width of the shown range of values (drag with the right mouse button in a slice)"));
  level_->setToolTip(tr("Middle of the shown range of values"));
  automatic_ = new QToolButton(this);
  automatic_->setObjectName(QStringLiteral("windowAuto"));
  automatic_->setText(tr("Auto"));
  automatic_->setCheckable(true);
  accentWhenChecked(automatic_);
  automatic_->setToolTip(tr("Choose the window automatically, from the values"));
  row->addWidget(width_);
  levelLabel_ = quietLabel(levelWord(true), this);
  row->addWidget(levelLabel_);
  row->addWidget(level_);
  row->addWidget(automatic_);
  row->addStretch(1);
  row->addSpacing(em(this, 0.6));

  layouts_ = new QButtonGroup(this);
  auto* layouts = new QHBoxLayout;
  layouts->setSpacing(0);
  layouts->addWidget(segmentButton(layouts_, 0, {}, "layout-all", tr("All four views (0)"), this));
  layouts->addWidget(segmentButton(layouts_, 1, {}, "axial", tr("Axial view alone (1)"), this));
  layouts->addWidget(segmentButton(layouts_, 2, {}, "coronal", tr("Coronal view alone (2)"), this));
  layouts->addWidget(segmentButton(layouts_, 3, {}, "sagittal", tr("Sagittal view alone (3)"), this));
  layouts->addWidget(segmentButton(layouts_, 4, {}, "volume", tr("3D view alone (4)"), this));
  row->addLayout(layouts);

  connect(show_, &QButtonGroup::idClicked, this, [this](int id) {
    ViewState view = model_.view();
    view.show = kShows[id];
    model_.setView(view);
  });
  connect(layouts_, &QButtonGroup::idClicked, this, [this](int id) {
    ViewState view = model_.view();
    view.layout = kLayouts[id];
    model_.setView(view);
  });
  connect(filter_, &QComboBox::activated, this, [this](int index) {
    ViewState view = model_.view();
    view.shownFilter = fromQt(filter_->itemText(index));
    model_.setView(view);
  });
  connect(component_, &QComboBox::activated, this, [this](int index) {
    ViewState view = model_.view();
    view.component = component_->itemData(index).toInt();
    model_.setView(view);
  });
  for (NumberBox* box : {width_, level_})  // the keys belong to the views again
    connect(box, &QLineEdit::returnPressed, &views_, qOverload<>(&QWidget::setFocus));
  connect(width_, &NumberBox::valueEdited, this, &ViewBar::editWindow);
  connect(level_, &NumberBox::valueEdited, this, &ViewBar::editWindow);
  connect(automatic_, &QToolButton::clicked, this, &ViewBar::setAutomatic);
  connect(&views_, &VolumeViews::windowChanged, this, &ViewBar::refreshWindow);
  connect(&model_, &SessionModel::filtersChanged, this, &ViewBar::fillFilters);
  connect(&model_, &SessionModel::shownFilterChanged, this, &ViewBar::fillFilters);
  connect(&model_, &SessionModel::dataChanged, this, &ViewBar::fillComponents);
  connect(&model_, &SessionModel::viewChanged, this, &ViewBar::refresh);
  fillFilters();
  fillComponents();
  refresh();
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
  if (components <= 1 && component_->hasFocus()) views_.setFocus();  // or the next box would have it
  component_->setVisible(components > 1);
  const int index = component_->findData(model_.view().component);
  component_->setCurrentIndex(index < 0 ? 0 : index);
  for (QAbstractButton* button : layouts_->buttons())
    button->setVisible(!model_.hasData() || model_.data().volume->shape().dimensions() == 3);
}

// W and L, as radiologists write, where there is no room for more.
QString ViewBar::windowWord(bool whole) const {
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

bool ViewBar::windowOfResult() const { return model_.view().show != "source"; }

void ViewBar::refresh() {
  show_->button(indexOf(kShows, model_.view().show))->setChecked(true);
  layouts_->button(indexOf(kLayouts, model_.view().layout))->setChecked(true);
  const int index = component_->findData(model_.view().component);
  if (index >= 0) component_->setCurrentIndex(index);
  refreshWindow();
}

void ViewBar::refreshWindow() {
  const bool result = windowOfResult();
  windowLabel_->setText(windowWord(wholeWords_));
  const ValueWindow window = result ? views_.resultWindow() : views_.sourceWindow();
  width_->setValue(window[1] - window[0]);
  level_->setValue((window[0] + window[1]) / 2);
  automatic_->setChecked(result ? views_.resultWindowAutomatic() : views_.sourceWindowAutomatic());
}

void ViewBar::editWindow() {
  ViewState view = model_.view();
  const ValueWindow window{level_->value() - width_->value() / 2, level_->value() + width_->value() / 2};
  (windowOfResult() ? view.resultWindow : view.sourceWindow) = window;
  model_.setView(view);
}

void ViewBar::setAutomatic() {
  ViewState view = model_.view();
  (windowOfResult() ? view.resultWindow : view.sourceWindow).reset();
  model_.setView(view);
  refreshWindow();
}

}  // namespace sscope
