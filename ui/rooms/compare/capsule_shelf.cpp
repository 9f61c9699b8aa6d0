#include "ui/rooms/compare/capsule_shelf.h"

#include <QWidget>

#include "core/compare/capsule.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"

namespace sscope {

CapsuleShelf::CapsuleShelf(QWidget& over) : QObject(&over), over_(over) {
  connect(&task_, &BackgroundTask::failed, this, &CapsuleShelf::failed);
}

void CapsuleShelf::choose() {
  chooseFiles(over_, tr("Add capsules"), tr("Capsules and pages (*.json *.html *.htm)"),
              QStringLiteral("capsuleFolder"), [this](const QStringList& paths) { open(paths); });
}

void CapsuleShelf::open(const QStringList& paths) {
  task_.queue([this, paths](const Control& control) -> BackgroundTask::Finish {
    std::vector<std::shared_ptr<const compare::Comparison>> read;
    for (const QString& path : paths) {
      control.check();
      read.push_back(std::make_shared<const compare::Comparison>(compare::readCapsule(fromQt(path))));
    }
    return [this, paths, read = std::move(read)] {
      for (qsizetype i = 0; i < paths.size(); ++i) files_.take(paths[i], read[static_cast<std::size_t>(i)]);
      Q_EMIT changed();
    };
  });
}

void CapsuleShelf::clear() {
  files_.clear();
  Q_EMIT changed();
}

}  // namespace sscope

#include "moc_capsule_shelf.cpp"
