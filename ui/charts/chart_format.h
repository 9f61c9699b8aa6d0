#pragma once
// Numbers and axes of charts, and lines of their CSV.

#include <array>
#include <concepts>
#include <string>
#include <vector>

#include <QString>

#include "core/measure/table.h"


namespace sscope {

// "12.4 ms", "830 µs", "1.20 s": three significant digits.
[[nodiscard]] QString formatSeconds(double seconds);
// "45.2 GFLOP/s".
[[nodiscard]] QString formatGflops(double gflops);
// Three significant digits without exponent where that is readable.
[[nodiscard]] QString formatNumber(double value);
// "5" and "246", "0.0" and "246.3": whole numbers exactly, others with the same number of decimals. Numbers that hardly
// differ get the digits in which they do.
[[nodiscard]] std::array<QString, 2> formatEnds(double low, double high);
// "5 … 246".
[[nodiscard]] QString formatRange(double low, double high);
// "predicted 3.10 ms, took 2.60 ms: 16 % less"; seconds, both above 0.
[[nodiscard]] QString formatPrediction(double predicted, double took);
// "1,234,567"; and in short form: "940", "12k", "6.7M".
[[nodiscard]] QString formatCount(qint64 count);
[[nodiscard]] QString shortCount(qint64 count);

// The unit for an axis with times up to `longest` seconds, and its number per second.
struct TimeUnit {
  QString name;
  double perSecond = 1;
};
[[nodiscard]] TimeUnit timeUnit(double longest);

// Round values from 0 to the first at or above `highest`, at most `most` steps of 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> zeroBasedTicks(double highest, int most);

// Round values from the last at or below `low` to the first at or above `high`, in about `most` steps of 1, 2 or 5
// times a power of ten; low < high.
[[nodiscard]] std::vector<double> roundTicks(double low, double high, int most);

// Cells of a line of CSV: texts, numbers with all their digits, and integers.
[[nodiscard]] inline std::string csvText(const QString& text) { return csvCell(text.toStdString()); }
[[nodiscard]] inline std::string csvText(const std::string& text) { return csvCell(text); }
[[nodiscard]] inline std::string csvText(const char* text) { return csvCell(text); }
[[nodiscard]] inline std::string csvText(double value) { return csvNumber(value); }
[[nodiscard]] inline std::string csvText(std::integral auto value) { return std::to_string(value); }
template <class First, class... Cells>
[[nodiscard]] std::string csvLine(const First& first, const Cells&... cells) {
  std::string text = csvText(first);
  (..., (text += ',' + csvText(cells)));
  return text + '\n';
}

}  // namespace sscope
