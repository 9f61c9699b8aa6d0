#pragma once
// What files hold that are open beside each other, in the order in which they were opened.

#include <QFileInfo>
#include <QStringList>
#include <cstddef>
#include <utility>
#include <vector>

namespace sscope {

template <class Content>
class OpenFiles {
 public:
  // The same file again is the file as it is now.
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
