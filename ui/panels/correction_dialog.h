#pragma once
// What a file says wrongly of its voxels, or not at all, in the words of the command line (core/volume/correction.h).

#include <QDialog>
#include <QString>
#include <string>
#include <vector>

#include "core/volume/selection.h"
#include "core/volume/volume_io.h"

class QCheckBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace sscope {

class RawPreview;

class CorrectionDialog : public QDialog {
  Q_OBJECT
 public:
  // `name`: of the data, perhaps with corrections; `info`: what they are now. Null: the file has no header, and its
  // layout is asked for, which begins with the likeliest of those that its size suggests. `io` shows a slice of it.
  CorrectionDialog(const std::string& name, const VolumeInfo* info, VolumeIo& io, QWidget* parent = nullptr);

  // The name with what was entered, once the dialog was accepted.
  [[nodiscard]] std::string name() const { return selection_.name(); }

 private:
  QLineEdit* addLayout(QFormLayout& form, const QString& text);
  QLineEdit* addField(QFormLayout& form, const char* key, const QString& label, const QString& example,
                      const QString& help, const QString& text);
  void take(const char* key, const QString& label, QLineEdit* edit);
  void check();

  const Selection before_;
  Selection selection_;
  struct Field {
    std::string key;
    QLineEdit* edit;
  };
  std::vector<Field> fields_;
  QCheckBox* labels_;
  QLabel* refusal_;
  RawPreview* preview_ = nullptr;  // where there is a layout
  QDialogButtonBox* buttons_;
};

}  // namespace sscope
