#pragma once
// The inputs of a row of the bank, and its computation as text.

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

#include "core/filter/families/program.h"
#include "core/filter/recipe.h"

class QCheckBox;
class QComboBox;
class QFormLayout;

namespace sscope {

// A summary that completes the picture of the taps, or describes a row without taps.
[[nodiscard]] QString partWords(const ProgramPart& part);

// A list for each input of a row, and whether the row is intermediate.
class InputRows : public QWidget {
  Q_OBJECT
 public:
  explicit InputRows(QWidget* parent = nullptr);
  // Shows a row of the bank; emits nothing. Hidden if the bank has no other row to read.
  void showRow(const FilterBank& bank, int row);
  // The data and the rows above, whose results a row can read.
  [[nodiscard]] static std::vector<std::string> readable(const FilterBank& bank, int row);

 Q_SIGNALS:
  void inputChosen(std::size_t which, const QString& name);
  void intermediateChosen(bool on);

 private:
  void build(const std::vector<std::string>& purposes);
  void fill(QComboBox& list, const FilterBank& bank, int row, const std::string& chosen) const;

  QFormLayout* form_;
  std::vector<std::string> purposes_;
  std::vector<QComboBox*> lists_;
  QCheckBox* intermediate_;
};

}  // namespace sscope
