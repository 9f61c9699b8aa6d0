#pragma once
// The start of the window, and screenshots for scripts.

#include <QString>
#include <cstdint>
#include <optional>
#include <string>

#include "ui/base/look.h"

namespace sscope {

class MainWindow;

struct StartOptions {
  std::string file;             // empty: a sample
  std::string sample;           // empty: the default one
  std::int64_t sampleSize = 0;  // 0: the sample's default
  std::string screenshot;       // not empty: save the window there when all results are done, then quit
  std::string room;             // not empty: "filter", "wavelet", "lattice", "ladders" or "compare"
  double flow = 0;              // of a configuration: smooth it for this flow time
  std::optional<double> solve;  // of a configuration: solve with this kappa; a screenshot waits for its end
  std::string ladder;           // not empty: open the Ladders room and run this ladder; a screenshot waits for its end
  std::int64_t memory = 0;      // bytes that data and results may take; 0: two thirds of the free memory
  std::optional<Appearance> appearance;
};

// Starts to open; returns at once.
void start(MainWindow& window, const StartOptions& options);

// For the optional subjects: shows the field of a configuration, smoothed first if requested, and takes a screenshot of
// a transform once it has been verified.
void showLattice(MainWindow& window, const StartOptions& options);
void showTransform(MainWindow& window, const QString& path);

// Opens the Compare room; for a screenshot it races once there are data.
void showRace(MainWindow& window, const StartOptions& options);

// Screenshots requested on the command line, for all rooms.

// Prints the message on standard error and ends the program with status 1.
void endWithError(const QString& message);

// Finishes drawing, saves the window as PNG and ends the program.
void saveScreenshot(MainWindow& window, const QString& path);
// The same, after the latest changes have been drawn.
void saveScreenshotSoon(MainWindow& window, const QString& path);

}  // namespace sscope
