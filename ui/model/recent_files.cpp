#include "ui/model/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace sscope {

namespace {
constexpr qsizetype kMaximum = 10;
const QString kKey = QStringLiteral("recentFiles");
}  // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent), paths_(QSettings().value(kKey).toStringList()) {}

void RecentFiles::add(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  paths_.removeAll(absolute);
  paths_.prepend(absolute);
  while (paths_.size() > kMaximum) paths_.removeLast();
  store();
}

void RecentFiles::clear() {
  paths_.clear();
  store();
}

void RecentFiles::store() {
  QSettings().setValue(kKey, paths_);
  Q_EMIT changed();
}

}  // namespace sscope

#include "moc_recent_files.cpp"
