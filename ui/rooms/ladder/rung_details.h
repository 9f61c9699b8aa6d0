#pragma once
// One row of a ladder as text, and the explanation of a rung.

#include <QString>
#include <QSyntaxHighlighter>
#include <QWidget>
#include <set>
#include <string>

#include "core/measure/measurement.h"
#include "ui/base/toolbox.h"

class QLabel;
class QPlainTextEdit;

namespace sscope {

class Swatch;

// "filters 8 · size 7 · unroll 4", without those in `skip`.
[[nodiscard]] QString parametersText(const Measurement& measurement, const std::set<std::string>& skip = {});
// "256 x 256 x 256 u8".
[[nodiscard]] QString shapeText(const Measurement& measurement);
// All details as rich text: times with spread and repetitions, rates, share of the ceiling, verification, or why there
// are no results.
[[nodiscard]] QString measurementTip(const Measurement& measurement);

// Minimal syntax highlighting for kernels: comments, preprocessor lines, keywords, numbers.
class KernelHighlighter : public QSyntaxHighlighter {
 public:
  KernelHighlighter(QTextDocument* document, bool dark);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  QTextCharFormat comment_, directive_, word_, number_;
};

// The explanation of a rung, its source, the results of one run, and the text of its kernel.
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
