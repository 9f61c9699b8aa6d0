#pragma once
// Corrections of what a file states about its voxels (core/volume/correction.h): of one fact in place, or in a dialog.

#include <QDialog>
#include <QLabel>
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

// A fact of the data; a double click, Enter or F2 replaces it by a field while it is edited.
class FactLabel : public QLabel {
  Q_OBJECT
 public:
  explicit FactLabel(const QString& text, QWidget* parent = nullptr);
  // `typed`: the text of the field at first.
  void setEditable(const QString& typed);

 Q_SIGNALS:
  void editing();                     // the field was shown
  void entered(const QString& text);  // different from the text at first

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void edit();
  void leave();  // removes the field

  bool editable_ = false;
  QString typed_;
  QLineEdit* field_ = nullptr;  // null: not being edited
};

// Takes corrections in the notation of the command line.
class CorrectionDialog : public QDialog {
  Q_OBJECT
 public:
  // `name`: of the data, with their corrections if any; `info`: their current state. Null: the file has no header, and
  // the dialog asks for its layout, at first the likeliest one for its size. `io` reads a slice to show.
  CorrectionDialog(const std::string& name, const VolumeInfo* info, VolumeIo& io, QWidget* parent = nullptr);

  // The name with the entered corrections, after the dialog was accepted.
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
  RawPreview* preview_ = nullptr;  // if there is a layout
  QDialogButtonBox* buttons_;
};

}  // namespace sscope
