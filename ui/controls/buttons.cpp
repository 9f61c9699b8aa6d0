#include "ui/controls/buttons.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/look.h"

namespace sscope {

QToolButton* toolButton(QWidget* parent, const ToolButton& look) {
  auto* button =
      named(new QToolButton(parent), look.name, look.spoken.isEmpty() && look.text.isEmpty() ? look.tip : look.spoken);
  button->setText(look.text);
  if (look.icon) button->setIcon(icon(look.icon));
  if (look.icon && !look.text.isEmpty()) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setToolTip(look.tip);
  button->setAutoRaise(look.flat);
  button->setCheckable(look.checkable);
  if (look.checkable) accentWhenChecked(button);
  return button;
}

QToolButton* segmentButton(QButtonGroup* group, int id, const QString& text, const char* iconName, const QString& tip,
                           QWidget* parent) {
  QToolButton* button =
      toolButton(parent, {.text = text, .icon = iconName, .tip = tip, .spoken = tip, .checkable = true});
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  group->addButton(button, id);
  return button;
}

QComboBox* narrowList(QWidget* parent, const char* name, const QString& spoken, int letters) {
  auto* list = named(new QComboBox(parent), name, spoken);
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list->setMinimumContentsLength(letters);
  return list;
}

SegmentRow::SegmentRow(QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
  bareLayout<QHBoxLayout>(this, 0);
  connect(group_, &QButtonGroup::idClicked, this,
          [this](int id) { Q_EMIT chosen(values_[static_cast<std::size_t>(id)]); });
}

void SegmentRow::add(const char* value, const QString& text, const char* iconName, const QString& tip) {
  layout()->addWidget(segmentButton(group_, static_cast<int>(values_.size()), text, iconName, tip, this));
  values_.emplace_back(value);
}

void SegmentRow::addLayouts() {
  add("all", {}, "layout-all", tr("All four views (0)"));
  add("axial", {}, "axial", tr("Axial view alone (1)"));
  add("coronal", {}, "coronal", tr("Coronal view alone (2)"));
  add("sagittal", {}, "sagittal", tr("Sagittal view alone (3)"));
  add("volume", {}, "volume", tr("3D view alone (4)"));
}

void SegmentRow::setValue(const std::string& value) {
  const auto found = std::ranges::find(values_, value);
  group_->button(found == values_.end() ? 0 : static_cast<int>(found - values_.begin()))->setChecked(true);
}

void SegmentRow::showButtons(bool shown) {
  for (QAbstractButton* button : group_->buttons()) button->setVisible(shown);
}

}  // namespace sscope

#include "moc_buttons.cpp"
