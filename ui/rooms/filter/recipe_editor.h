#pragma once
// One filter: its inputs, formula, parameters, generated from the declarations of its family, and picture of its taps.

#include <QWidget>
#include <string>
#include <vector>

#include "core/options/option.h"
#include "ui/model/session_model.h"
#include "ui/rooms/filter/taps_files.h"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace sscope {

class FormulaEditor;
class InputRows;
class KernelView;
class OptionEditor;
class TapsEditor;
struct LengthUnits;

class RecipeEditor : public QWidget {
  Q_OBJECT
 public:
  RecipeEditor(SessionModel& model, const FileTools& files, QWidget* parent = nullptr);
  void setIndex(int index);  // which filter of the bank; -1 for none
  [[nodiscard]] int index() const { return index_; }

 Q_SIGNALS:
  void corrected(const QString& reason, const QString& control);
  void failed(const QString& message);

 private:
  void rebuild();
  void dropOptions();
  void buildOptions();
  void buildTaps(QWidget* parent);
  void refresh();
  void showKernel();
  // Sets the options that depend on the noise or range of the data.
  void takeFromData();
  // Edits a copy of the recipe, as a step of undo.
  template <class Change>
  void change(const QString& text, const Change& change, const QString& gesture = {});
  void chooseInput(std::size_t which, const std::string& name);
  void editFormula(const std::string& text, const QString& gesture);
  void editParameter(const std::string& name, const OptionValue& value, const QString& gesture);
  [[nodiscard]] const FilterRecipe* recipe() const;
  [[nodiscard]] LengthUnits lengthUnits() const;

  SessionModel& model_;
  FileTools files_;
  int index_ = -1;
  std::string builtFamily_, shownName_;
  std::vector<Option> built_;  // the options that have editors
  QVBoxLayout* rows_;
  InputRows* inputs_;
  FormulaEditor* formula_;
  QWidget* options_ = nullptr;
  std::vector<OptionEditor*> editors_;
  QString formulaGesture_;  // the last one of the formula editor, with the constants before it
  OptionValues constantsBefore_;
  TapsEditor* taps_ = nullptr;
  QCheckBox* flip_;
  QLabel* help_;
  QLabel* summary_;
  KernelView* kernel_;
};

}  // namespace sscope
