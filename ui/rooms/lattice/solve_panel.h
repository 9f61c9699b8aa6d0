#pragma once
// Solves with Wilson's operator on several engines: controls, live residuals, where the time goes, and the pion
// correlator.

#include <QTimer>
#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "core/lattice/configuration.h"
#include "ui/base/toolbox.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/lattice/lattice_controller.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTabWidget;

namespace sscope {

class CurveChart;
class Notice;
class NumberTable;
class Plot;
class SolveCorrelator;
class SolveKernels;
class SolveSetup;

enum class SolveField { Source, Solution, Residual };

class SolvePanel : public QWidget {
  Q_OBJECT
 public:
  explicit SolvePanel(const Toolbox& toolbox, QWidget* parent = nullptr);

  // Sets the configuration and drops earlier results. Null: none.
  void setConfiguration(std::shared_ptr<const lattice::Configuration> configuration);
  // The engines to solve on, in order; the others are compared with the first.
  void setEngines(const std::vector<std::string>& engines);
  // Of CPU engines, 0 for all.
  void setThreads(int threads) { threads_ = threads; }
  void solve();
  [[nodiscard]] QSize minimumSizeHint() const override;
  // Returns at once.
  void cancel();
  [[nodiscard]] double progress() const;  // 0..1
  // Hides the status for callers that show statusChanged() elsewhere.
  void hideStatus();
  [[nodiscard]] SolveController& controller() { return controller_; }
  // The controls, on the left until the caller moves them elsewhere.
  [[nodiscard]] SolveSetup& setup() { return *setup_; }
  // |psi|^2 of the first engine's run that has some; null: there is none.
  [[nodiscard]] std::shared_ptr<const SolveDensities> densities() const;
  // The text of the last statusChanged().
  [[nodiscard]] QString statusText() const;
  // Residuals, correlator and traces, then PNG and CSV of each chart. `scale`: pixels per logical pixel.
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale);

 Q_SIGNALS:
  void densitiesChanged();
  // The user wants to see this field of densities().
  void fieldRequested(sscope::SolveField field);
  void statusChanged(const QString& words);
  void busyChanged(bool busy);
  void exportRequested(const QString& suffix);  // of an offer
  void enginesRequested();                      // to choose others
  void offersChanged();

 protected:
  // In a narrow window the controls are above the results.
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QSplitter& split() const;
  QWidget* buildResidual();
  QWidget* buildFieldsButton();
  QWidget* buildStatus();
  void connectController();
  [[nodiscard]] std::vector<Plot*> charts() const;
  // The suffix of the offer for this chart as a picture or as numbers.
  [[nodiscard]] QString offerOf(const Plot& chart, bool png) const;
  void showResidual();
  void showRuns();
  void showProgress();
  void setStatus(const QString& words);
  void showEnd();
  void setBusy(bool busy);

  SolveController controller_;
  std::shared_ptr<const lattice::Configuration> configuration_;
  int threads_ = 0;
  SolveSetup* setup_;
  Notice* notice_;
  QTabWidget* tabs_;
  CurveChart* residual_;
  NumberTable* runs_;
  SolveKernels* kernels_;
  SolveCorrelator* correlator_;
  QWidget* statusRow_;
  QLabel* status_;
  QProgressBar* progress_;
  QPushButton* fields_;
  std::shared_ptr<const SolveDensities> reported_;  // by densitiesChanged()
  QTimer redraw_;                                   // combines many points into one redraw
};

}  // namespace sscope
