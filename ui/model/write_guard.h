#pragma once
// What the window may write: it asks before files are replaced, and never replaces what is open.

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

  // `open` tells which files are open when it is asked.
  explicit WriteGuard(Open open, QObject* parent = nullptr);

  struct Answer {
    std::function<void()> write;
    // With the reason, one sentence, where it was refused; empty where the user does not want it.
    std::function<void(const QString& reason)> leave;
  };
  // Calls answer.write at once when none of `files` is there, else after the user agreed, above `over`; nothing blocks
  // meanwhile. One question for all of them.
  void ask(QWidget* over, const std::vector<std::filesystem::path>& files, const Answer& answer);
  // The sentence that refuses to write a part of what is open; empty: none is.
  [[nodiscard]] QString refusal(const std::vector<std::filesystem::path>& files) const;

 private:
  Open open_;
};

}  // namespace sscope
