#pragma once
// What the starts of all rooms end with, where a screenshot was asked for.

#include <QString>

namespace sscope {

class MainWindow;

// On standard error, and the program ends with 1.
void endWithError(const QString& message);

// Draws what is still being refined, saves the window as PNG and ends the program.
void saveScreenshot(MainWindow& window, const QString& path);
// The same when what has just changed is drawn.
void saveScreenshotSoon(MainWindow& window, const QString& path);

}  // namespace sscope
