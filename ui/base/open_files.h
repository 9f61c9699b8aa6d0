#pragma once
// Dialogs that ask for files, and the contents of files that are open beside each other.

#include <QFileInfo>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

class QFileDialog;
class QWidget;

namespace sscope {

// A dialog that asks for a file or folder. It is not modal, and deletes itself when it is closed.
struct FileDialog {
  QString title;
  QString start{};    // a folder, or the suggested file
  QString filters{};  // as of QFileDialog
  bool folder = false;
  bool write = false;  // whoever uses the path asks before overwriting
  QString suffix{};    // of files to write, by default
};
QFileDialog* showFileDialog(QWidget* parent, const FileDialog& look,
                            const std::function<void(const QString& path)>& chosen);

// Shows a dialog over `over`, in the folder of the last files, which is stored under the setting `folderKey`. While the
// dialog is open, another call brings it to the front.
void chooseFiles(QWidget& over, const QString& title, const QString& filter, const QString& folderKey,
                 const std::function<void(const QStringList& paths)>& chosen);

// The contents of open files, in the order in which they were opened.
template <class Content>
class OpenFiles {
 public:
  // A file that is already open is replaced.
  void take(const QString& path, Content content) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (const qsizetype known = paths_.indexOf(absolute); known >= 0) {
      contents_[static_cast<std::size_t>(known)] = std::move(content);
      return;
    }
    paths_ << absolute;
    contents_.push_back(std::move(content));
  }
  void clear() {
    paths_.clear();
    contents_.clear();
  }
  [[nodiscard]] const QStringList& paths() const { return paths_; }
  [[nodiscard]] const std::vector<Content>& contents() const { return contents_; }

 private:
  QStringList paths_;
  std::vector<Content> contents_;
};

}  // namespace sscope
