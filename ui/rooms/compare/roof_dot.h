#pragma once
// A contender in the roofline: what it reached, and the roofs that were measured on its engine.

#include <QColor>
#include <QString>
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace sscope {

struct RoofDot {
  std::string engine;
  QString name;
  QColor color;
  double intensity = 0;  // operations per byte of compulsory traffic
  double gflops = 0;     // of the median without transfers
  Ceilings roofs;
  Precision precision = Precision::f32;
  bool integers = false;  // the data are integers
  QString words;          // all of it, for the tooltip and for screen readers

  // GFLOP/s that copies and multiply-adds allow there.
  [[nodiscard]] double allowed() const;
};

// Rates rise with the operations per byte as far as `gflops`.
struct Roof {
  double gbs = 0;     // > 0
  double gflops = 0;  // > 0; of integers, thousand million operations a second
  Qt::PenStyle style = Qt::SolidLine;
  bool bounds = false;  // shares are of this one
  QString words;        // what it is and what was measured
};

// Of lanes with figures and measured roofs; `foreign` ones are gray.
[[nodiscard]] std::vector<RoofDot> roofDots(const compare::Comparison& comparison, bool foreign);
// Those that were measured on its engine, first the one that bounds.
[[nodiscard]] std::vector<Roof> roofsOf(const RoofDot& dot);

}  // namespace sscope
