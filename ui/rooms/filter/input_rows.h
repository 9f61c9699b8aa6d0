#pragma once
// What a row of the bank computes, in words: of its taps, or of the stages that it is made of.

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

// What the picture of the taps does not say; of rows without taps, all there is to say.
[[nodiscard]] QString partWords(const ProgramPart& part);

// What a row of the bank reads, one list for each of its inputs, and whether others only read it.

class InputRows : public QWidget {
  Q_OBJECT
 public:
  explicit InputRows(QWidget* parent = nullptr);
  // Shows a row of the bank; emits nothing. Hidden where the bank has nothing else to read.
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
