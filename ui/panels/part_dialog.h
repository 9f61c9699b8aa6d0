#pragma once
// Which of the series, arrays or datasets that a file holds is opened.

#include <QDialog>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

class QTreeWidget;

namespace sscope {

class PartDialog : public QDialog {
  Q_OBJECT
 public:
  // `parts`: of `name`; the usual one, or else the first, is chosen at first.
  PartDialog(const std::string& name, const std::vector<FilePart>& parts, QWidget* parent = nullptr);

  // The name with the chosen one behind it.
  [[nodiscard]] std::string name() const;

 private:
  std::string name_;
  std::vector<FilePart> parts_;
  QTreeWidget* list_;
};

}  // namespace sscope
