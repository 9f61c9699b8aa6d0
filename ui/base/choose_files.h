#pragma once
// Lets the user choose files to open beside what is open.

#include <QString>
#include <QStringList>
#include <functional>

class QWidget;

namespace sscope {

// Over `over`, in the folder where the last ones were, which is kept under `folderKey`. There is one such dialog at a
// time: asked for again, it comes to the front.
void chooseFiles(QWidget& over, const QString& title, const QString& filter, const QString& folderKey,
                 const std::function<void(const QStringList& paths)>& chosen);

}  // namespace sscope
