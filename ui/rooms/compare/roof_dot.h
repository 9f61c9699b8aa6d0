#pragma once
// A contender in the roofline: its rate, and the measured roofs of its engine.

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
  QString words;          // the dot in words, for the tooltip and for screen readers

  // GFLOP/s that copies and multiply-adds allow at its intensity.
  [[nodiscard]] double allowed() const;
};

// A roof: rates rise with the operations per byte up to `gflops`.
struct Roof {
  double gbs = 0;     // > 0
  double gflops = 0;  // > 0; of integers, thousand million operations a second
  Qt::PenStyle style = Qt::SolidLine;
  bool bounds = false;  // shares are relative to this roof
  QString words;        // name and measured rates
};

// The dots of lanes with figures and measured roofs; `foreign` ones are gray.
[[nodiscard]] std::vector<RoofDot> roofDots(const compare::Comparison& comparison, bool foreign);
// The measured roofs of its engine, first the one that bounds.
[[nodiscard]] std::vector<Roof> roofsOf(const RoofDot& dot);

}  // namespace sscope
