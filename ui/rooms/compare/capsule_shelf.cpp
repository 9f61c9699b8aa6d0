#include "ui/rooms/compare/capsule_shelf.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include "core/compare/capsule.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// Where the last capsule was.
const QString kFolderKey = QStringLiteral("capsuleFolder");

}  // namespace

CapsuleShelf::CapsuleShelf(QWidget& over) : QObject(&over), over_(over) {
  connect(&task_, &BackgroundTask::failed, this, &CapsuleShelf::failed);
}

void CapsuleShelf::choose() {
  auto* dialog = new QFileDialog(&over_, tr("Add capsules"), QSettings().value(kFolderKey).toString(),
                                 tr("Capsules and pages (*.json *.html *.htm)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
    if (paths.isEmpty()) return;
    QSettings().setValue(kFolderKey, QFileInfo(paths.front()).absolutePath());
    open(paths);
  });
  dialog->show();
}

void CapsuleShelf::open(const QStringList& paths) {
  task_.start([this, paths](const Control& control) -> BackgroundTask::Finish {
    std::vector<std::shared_ptr<const compare::Comparison>> read;
    for (const QString& path : paths) {
      control.check();
      read.push_back(std::make_shared<const compare::Comparison>(compare::readCapsule(fromQt(path))));
    }
    return [this, paths, read = std::move(read)] {
      for (qsizetype i = 0; i < paths.size(); ++i) {
        const QString path = QFileInfo(paths[i]).absoluteFilePath();
        const auto& capsule = read[static_cast<std::size_t>(i)];
        // The same file again is the file as it is now.
        if (const qsizetype known = paths_.indexOf(path); known >= 0) {
          capsules_[static_cast<std::size_t>(known)] = capsule;
          continue;
        }
        paths_ << path;
        capsules_.push_back(capsule);
      }
      Q_EMIT changed();
    };
  });
}

void CapsuleShelf::clear() {
  capsules_.clear();
  paths_.clear();
  Q_EMIT changed();
}

}  // namespace sscope
