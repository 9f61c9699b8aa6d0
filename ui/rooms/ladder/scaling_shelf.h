#pragma once
// Reports of `sscope-mpi bench --scaling` that are open in the Ladders room.

#include <QObject>
#include <QStringList>
#include <vector>

#include "core/reach/scaling_record.h"
#include "ui/base/background_task.h"
#include "ui/base/open_files.h"

class QWidget;

namespace sscope {

class ScalingShelf : public QObject {
  Q_OBJECT
 public:
  // Dialogs are shown over `over`.
  explicit ScalingShelf(QWidget& over);

  void choose();
  // Read in the background; one that cannot be read leaves all as they were.
  void open(const QStringList& paths);
  void clear();
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // In the order in which they were opened.
  [[nodiscard]] const std::vector<reach::ScalingRecord>& records() const { return files_.contents(); }
  [[nodiscard]] const QStringList& paths() const { return files_.paths(); }

 Q_SIGNALS:
  void changed();
  void opened(const QString& workload);  // after changed(): of the last one
  void failed(const QString& message);

 private:
  QWidget& over_;
  OpenFiles<reach::ScalingRecord> files_;
  BackgroundTask task_;
};

}  // namespace sscope
