#pragma once
// The controls of a solve: the operator, the source, the solver, and where it runs.

#include <QWidget>
#include <array>
#include <string>
#include <vector>

#include "core/lattice/job/lattice_settings.h"
#include "core/lattice/job/solve_run.h"
#include "ui/base/toolbox.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace sscope {

class NumberBox;
class SettingControls;

// The engines of a solve, each with one or several variants of the operator.
class SolvePlaces : public QWidget {
  Q_OBJECT
 public:
  explicit SolvePlaces(const Toolbox& toolbox, QWidget* parent = nullptr);

  // Sets the engines in this order, without absent ones. Keeps the chosen variants.
  void setEngines(const std::vector<std::string>& engines);
  // Sets the variants; ignores other engines and unknown variants.
  void setVariants(const std::vector<SolvePlace>& places);
  [[nodiscard]] std::vector<SolvePlace> places() const;
  [[nodiscard]] bool empty() const { return rows_.empty(); }

 Q_SIGNALS:
  void changed();
  void edited();            // the user changed them
  void enginesRequested();  // to choose others

 private:
  struct Row {
    std::string engine;
    QComboBox* variant = nullptr;
  };
  void build(const std::vector<SolvePlace>& chosen);
  void addEngine(const EngineInfo& engine, const std::vector<SolvePlace>& chosen);
  void addRow(const EngineInfo& engine, const std::string& variant, bool first);
  void addAnother(const std::string& engine);
  void remove(std::size_t row);
  void addHint();

  const Toolbox& toolbox_;
  std::vector<std::string> engines_;
  QFormLayout* form_ = nullptr;
  std::vector<Row> rows_;
};

class SolveSetup : public QWidget {
  Q_OBJECT
 public:
  explicit SolveSetup(const Toolbox& toolbox, QWidget* parent = nullptr);

  // Limits the coordinates of the source. Null: there is none, and nothing can be solved.
  void setLattice(const lattice::Lattice* lattice);
  // Sets the engines in this order, without absent ones. The others are compared with the first.
  void setEngines(const std::vector<std::string>& engines);
  void setBusy(bool busy);
  void setKappa(double kappa);
  // Everything but the field and the threads.
  [[nodiscard]] SolveJob job() const;
  [[nodiscard]] std::vector<SolvePlace> places() const;
  // As in sessions. Variants of engines that are not those of setEngines() are left out.
  [[nodiscard]] SolveSettings settings() const;
  void restore(const SolveSettings& settings);

 Q_SIGNALS:
  // The user changed settings(). Edits with the same gesture, unless it is empty, are one undo step.
  void edited(const QString& gesture);
  void settled();  // one of the functions above changed settings()
  void solveRequested();
  void cancelRequested();
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox
  void enginesRequested();                                        // to choose others

 private:
  QWidget* buildOperator();
  QWidget* buildSource();
  QWidget* buildSolver();
  void showChosen();  // updates what depends on chosen()
  void refreshButtons();
  void followEdits();
  [[nodiscard]] QWidget* buildSite();
  [[nodiscard]] const SolveSettings& chosen() const;  // the settings of controls_

  SettingControls* controls_;
  QLabel* mass_;
  std::array<NumberBox*, lattice::kDirections> coordinates_{};
  SolvePlaces* places_;
  QPushButton* solve_;
  QPushButton* cancel_;
  bool ready_ = false, busy_ = false, restoring_ = false;
};

}  // namespace sscope
