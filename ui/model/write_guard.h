#pragma once
// Guards writing: asks before files are replaced, and never replaces open files.

#include <QObject>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/job/input_files.h"

class QWidget;

namespace sscope {

class WriteGuard : public QObject {
  Q_OBJECT
 public:
  using Open = std::function<InputFiles()>;

  // `open` returns the files that are open.
  explicit WriteGuard(Open open, QObject* parent = nullptr);

  struct Answer {
    std::function<void()> write;
    // Called with the reason if writing was refused; empty if the user declined.
    std::function<void(const QString& reason)> leave;
  };
  // Calls answer.write at once if none of `files` exists, else after the user agrees in one question for all of them,
  // shown above `over`. Does not block.
  void ask(QWidget* over, const std::vector<std::filesystem::path>& files, const Answer& answer);
  // The sentence that refuses to write an open file; empty if none is open.
  [[nodiscard]] QString refusal(const std::vector<std::filesystem::path>& files) const;

 private:
  Open open_;
};

}  // namespace sscope
