#pragma once
// Measures of the board, in lines of text, and what its parts are named.

#include <array>

#include <QRectF>
#include <QString>

namespace sscope::lane_layout {

inline constexpr double kMargin = 0.6;   // around everything
inline constexpr double kLane = 7;       // least height of a lane
inline constexpr double kPicture = 6.1;  // height of a picture; the widest are kWidest as wide
inline constexpr double kWidest = 1.3;
inline constexpr double kWords = 4.7;    // from the top of a lane to its numbers in words
inline constexpr double kText = 1.15;    // height of a line of text
inline constexpr double kNumbers = 9.5;  // width of the numbers beside the bars
inline constexpr double kBar = 0.75;     // height of a bar
inline constexpr double kDot = 0.16;     // radius of a repetition's dot

}  // namespace sscope::lane_layout
