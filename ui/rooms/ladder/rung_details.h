#pragma once
// Details of a rung: its explanation, its source, the results of one run, and the text of its kernel.

#include <QWidget>

#include "core/measure/measurement.h"
#include "ui/base/toolbox.h"

class QLabel;
class QPlainTextEdit;

namespace sscope {

class Swatch;

class RungDetails : public QWidget {
  Q_OBJECT
 public:
  explicit RungDetails(const Toolbox& toolbox, QWidget* parent = nullptr);

  void showMeasurement(const Measurement& measurement);
  // For a rung that was not run, on the first kind of engine that has it.
  void showRung(const std::string& workload, const std::string& rung);
  void clear();
  [[nodiscard]] QString title() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show(const Variant* variant, const QString& title, const QString& figures);
  void color();

  const Toolbox& toolbox_;
  Swatch* swatch_;
  QLabel* title_;
  QLabel* text_;
  QLabel* sourceTitle_;
  QPlainTextEdit* source_;
};

}  // namespace sscope
