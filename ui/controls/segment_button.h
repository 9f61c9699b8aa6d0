#pragma once

#include <QString>

class QButtonGroup;
class QToolButton;
class QWidget;

namespace sscope {

// One of several buttons of which one is checked: of `group`, under `id`. iconName may be null, the text empty.
[[nodiscard]] QToolButton* segmentButton(QButtonGroup* group, int id, const QString& text, const char* iconName,
                                         const QString& tip, QWidget* parent);

}  // namespace sscope
