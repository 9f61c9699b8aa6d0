#pragma once
// Converts chosen or dropped files of one volume to the single name used for reading.

#include <QString>
#include <QStringList>

namespace sscope {

// Whether the file name holds a printf number or a wildcard and no file has exactly that name.
[[nodiscard]] bool isPattern(const QString& path);

// A single path is returned unchanged; several files become the pattern that matches exactly these, or their folder if
// they are all its files. Throws Error(Usage) if neither is possible.
[[nodiscard]] QString nameOf(const QStringList& files);

}  // namespace sscope
