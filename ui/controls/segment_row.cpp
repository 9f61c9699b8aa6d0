#include "ui/controls/segment_row.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/look.h"

namespace sscope {

QToolButton* segmentButton(QButtonGroup* group, int id, const QString& text, const char* iconName, const QString& tip,
                           QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setCheckable(true);
  accentWhenChecked(button);
  button->setText(text);
  if (iconName) button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  group->addButton(button, id);
  return button;
}

SegmentRow::SegmentRow(QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(0);
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

#include "moc_segment_row.cpp"
