#pragma once
// The controls of the heat bath.

#include <QWidget>
#include <array>

#include "core/lattice/job/lattice_job.h"

class QComboBox;
class QPushButton;

namespace sscope {

class NumberBox;

// Four boxes for the extents along x, y, z and t.
class ExtentsRow : public QWidget {
  Q_OBJECT
 public:
  explicit ExtentsRow(const char* name, QWidget* parent = nullptr);
  void setExtents(const lattice::Extents& extents);
  [[nodiscard]] lattice::Extents extents() const;

 Q_SIGNALS:
  void edited();
  void corrected(const QString& reason, const QString& control);  // as in NumberBox

 private:
  std::array<NumberBox*, 4> boxes_{};
};

class GenerateStrip : public QWidget {
  Q_OBJECT
 public:
  explicit GenerateStrip(QWidget* parent = nullptr);
  [[nodiscard]] GenerateSettings settings() const;
  void setSettings(const GenerateSettings& settings);
  void setBusy(bool busy);

 Q_SIGNALS:
  void generateRequested(const sscope::GenerateSettings& settings);
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox

 private:
  void tellSize();

  ExtentsRow* extents_;
  NumberBox* beta_;
  QComboBox* start_;
  NumberBox* sweeps_;
  NumberBox* seed_;
  QPushButton* generate_;
};

}  // namespace sscope
