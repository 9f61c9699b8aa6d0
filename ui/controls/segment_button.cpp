#include "ui/controls/segment_button.h"

#include <QButtonGroup>
#include <QToolButton>

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

}  // namespace sscope
