#pragma once
// Volumes that lie in many files: what somebody chose or dropped, as the one name by which they are read.

#include <QString>
#include <QStringList>

namespace sscope {

// A printf number or a wildcard in the file's name, and no file of exactly that name.
[[nodiscard]] bool isPattern(const QString& path);

// One path as it is. Several files of one folder as the pattern that names them and no other file, or as their folder
// when they are all that is in it. Throws Error(Usage) when neither is so.
[[nodiscard]] QString nameOf(const QStringList& files);

}  // namespace sscope
