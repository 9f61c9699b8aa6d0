#pragma once
// The parameters of one filter, generated from its family's declarations, and the picture of its taps.

#include <QWidget>
#include <vector>

#include "ui/model/session_model.h"

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace sscope {

class KernelView;
class OptionEditor;
struct LengthUnits;
class TapsEditor;

class RecipeEditor : public QWidget {
  Q_OBJECT
 public:
  explicit RecipeEditor(SessionModel& model, QWidget* parent = nullptr);
  void setIndex(int index);  // which filter of the bank; -1 for none
  [[nodiscard]] int index() const { return index_; }

 Q_SIGNALS:
  void rebuilt();  // with new controls, which must be inserted into the Tab order
  void corrected(const QString& reason, const QString& control);
  void failed(const QString& message);

 private:
  void rebuild();
  void refresh();
  void showKernel();
  // Fills in the option that the noise of the data suits.
  void takeNoise();
  void editParameter(const std::string& name, const OptionValue& value, const QString& gesture);
  [[nodiscard]] const FilterRecipe* recipe() const;
  [[nodiscard]] LengthUnits lengthUnits() const;

  SessionModel& model_;
  int index_ = -1;
  std::string builtFamily_;
  QVBoxLayout* rows_;
  QWidget* options_ = nullptr;
  std::vector<OptionEditor*> editors_;
  TapsEditor* taps_ = nullptr;
  QCheckBox* flip_;
  QLabel* help_;
  QLabel* summary_;
  KernelView* kernel_;
};

}  // namespace sscope
