#pragma once
// Screenshots requested on the command line, for all rooms.

#include <QString>

namespace sscope {

class MainWindow;

// Prints the message on standard error and ends the program with status 1.
void endWithError(const QString& message);

// Finishes drawing, saves the window as PNG and ends the program.
void saveScreenshot(MainWindow& window, const QString& path);
// The same, after the latest changes have been drawn.
void saveScreenshotSoon(MainWindow& window, const QString& path);

}  // namespace sscope
