#pragma once
// Where a solve runs: the engines, each with one or several variants of the operator.

#include <QWidget>
#include <string>
#include <vector>

#include "core/lattice/job/solve_run.h"
#include "ui/base/toolbox.h"

class QComboBox;
class QFormLayout;
class QToolButton;

namespace sscope {

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

}  // namespace sscope
