#include "ui/model/paths.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <algorithm>

#include "core/base/error.h"
#include "ui/base/text.h"

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

namespace {

QString inFolder(const QDir& folder, const QString& name) { return folder.absoluteFilePath(name); }

// The number of characters that all names have in common at the start, or at the end.
qsizetype commonStart(const QStringList& names, bool atEnd) {
  const QString& first = names.front();
  qsizetype length = first.size();
  for (const QString& name : names) {
    qsizetype same = 0;
    const auto at = [&](const QString& text) { return atEnd ? text[text.size() - 1 - same] : text[same]; };
    while (same < std::min(length, name.size()) && at(first) == at(name)) ++same;
    length = same;
  }
  return length;
}

// Replaces the special characters of patterns by "any one character".
QString literal(QString text) {
  for (QChar& c : text)
    if (QStringLiteral("*?[]\\%").contains(c)) c = QLatin1Char('?');
  return text;
}

qsizetype matching(const QStringList& entries, const QString& pattern) {
  const QRegularExpression wanted(
      QRegularExpression::wildcardToRegularExpression(pattern, QRegularExpression::UnanchoredWildcardConversion));
  const QRegularExpression whole(QRegularExpression::anchoredPattern(wanted.pattern()));
  return std::ranges::count_if(entries, [&](const QString& name) { return whole.match(name).hasMatch(); });
}

}  // namespace

bool isPattern(const QString& path) {
  static const QRegularExpression kNumberOrWildcard(QStringLiteral("[*?\\[]|%0?[0-9]*[dui]"));
  return !QFileInfo::exists(path) && kNumberOrWildcard.match(QFileInfo(path).fileName()).hasMatch();
}

QString nameOf(const QStringList& files) {
  if (files.size() == 1) return files.front();
  const QDir folder = QFileInfo(files.front()).absoluteDir();
  QStringList names;
  for (const QString& file : files) {
    const QFileInfo info(file);
    if (!info.isFile() || info.absoluteDir() != folder)
      throw makeError(ErrorKind::Usage, Words::tr("cannot open these %1 files and folders together").arg(files.size()),
                      Words::tr("choose one of them, or the slices of one volume, all in one folder"));
    names << info.fileName();
  }
  const QStringList all = folder.entryList(QDir::Files);
  if (all.size() == names.size()) return folder.absolutePath();
  const qsizetype start = commonStart(names, false);
  const qsizetype shortest = std::ranges::min(names, {}, &QString::size).size();
  const qsizetype end = std::min(commonStart(names, true), shortest - start);
  const QString pattern = literal(names.front().left(start)) + QLatin1Char('*') + literal(names.front().right(end));
  const qsizetype found = matching(all, pattern);
  if (found != names.size())
    throw makeError(ErrorKind::Usage,
                    Words::tr("cannot open these %1 files as slices: %2 matches %3 files in the folder")
                        .arg(names.size())
                        .arg(pattern)
                        .arg(found),
                    Words::tr("choose all of them, or put the slices of one volume into a folder of their own"));
  return inFolder(folder, pattern);
}

}  // namespace sscope

#include "moc_paths.cpp"
