#pragma once
// The controls of a solve: the operator, the source, the solver, and how each engine computes.

#include <QWidget>
#include <array>
#include <string>
#include <vector>

#include "core/lattice/job/lattice_settings.h"
#include "core/lattice/job/solve_run.h"
#include "ui/base/toolbox.h"

class QLabel;
class QPushButton;

namespace sscope {

class NumberBox;
class SettingControls;
class SolvePlaces;

class SolveSetup : public QWidget {
  Q_OBJECT
 public:
  explicit SolveSetup(const Toolbox& toolbox, QWidget* parent = nullptr);

  // The source's coordinates are kept inside. Null: none, and nothing can be solved.
  void setLattice(const lattice::Lattice* lattice);
  // Those to solve on, in order, the first being what the others are compared with; absent ones are left out.
  void setEngines(const std::vector<std::string>& engines);
  void setBusy(bool busy);
  void setKappa(double kappa);
  // Everything but the field and the threads.
  [[nodiscard]] SolveJob job() const;
  [[nodiscard]] std::vector<SolvePlace> places() const;
  // As a session holds them. Variants of engines that are not among those of setEngines() are left out.
  [[nodiscard]] SolveSettings settings() const;
  void restore(const SolveSettings& settings);

 Q_SIGNALS:
  // settings() are others, by somebody's hand; edits with the same gesture, unless it is empty, are one act.
  void edited(const QString& gesture);
  void settled();  // likewise, by one of the functions above
  void solveRequested();
  void cancelRequested();
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox
  void enginesRequested();                                        // to choose others

 private:
  QWidget* buildOperator();
  QWidget* buildSource();
  QWidget* buildSolver();
  void showChosen();  // what follows from it
  void refreshButtons();
  void followEdits();
  [[nodiscard]] QWidget* buildSite();
  [[nodiscard]] const SolveSettings& chosen() const;  // all that has a control made from its row

  SettingControls* controls_;
  QLabel* mass_;
  std::array<NumberBox*, lattice::kDirections> coordinates_{};
  SolvePlaces* places_;
  QPushButton* solve_;
  QPushButton* cancel_;
  bool ready_ = false, busy_ = false, taking_ = false;
};

}  // namespace sscope
