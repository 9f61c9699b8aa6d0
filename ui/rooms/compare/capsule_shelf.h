#pragma once
// Capsules of others that are open in the Compare room.

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/compare/comparison.h"
#include "ui/base/background_task.h"

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
  [[nodiscard]] bool empty() const { return capsules_.empty(); }
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // In the order in which they were opened; never null.
  [[nodiscard]] const std::vector<std::shared_ptr<const compare::Comparison>>& capsules() const { return capsules_; }
  [[nodiscard]] const QStringList& paths() const { return paths_; }

 Q_SIGNALS:
  void changed();
  void failed(const QString& message);

 private:
  QWidget& over_;
  std::vector<std::shared_ptr<const compare::Comparison>> capsules_;
  QStringList paths_;
  BackgroundTask task_;
};

}  // namespace sscope
