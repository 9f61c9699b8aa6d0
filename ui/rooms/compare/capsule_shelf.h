#pragma once
// The capsules of others that are open in the Compare room.

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/compare/comparison.h"
#include "ui/base/background_task.h"
#include "ui/base/open_files.h"

class QWidget;

namespace sscope {

class CapsuleShelf : public QObject {
  Q_OBJECT
 public:
  // Dialogs are shown over `over`.
  explicit CapsuleShelf(QWidget& over);

  void choose();
  // JSON or pages, read in the background.
  void open(const QStringList& paths);
  void clear();
  [[nodiscard]] bool empty() const { return files_.contents().empty(); }
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // In the order in which they were opened; never null.
  [[nodiscard]] const std::vector<std::shared_ptr<const compare::Comparison>>& capsules() const {
    return files_.contents();
  }
  [[nodiscard]] const QStringList& paths() const { return files_.paths(); }

 Q_SIGNALS:
  void changed();
  void failed(const QString& message);

 private:
  QWidget& over_;
  OpenFiles<std::shared_ptr<const compare::Comparison>> files_;
  BackgroundTask task_;
};

}  // namespace sscope
