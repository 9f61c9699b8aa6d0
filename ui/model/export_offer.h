#pragma once
// What a room has to export besides filtered volumes: pictures, charts and their numbers, reports, fields.

#include <QImage>
#include <QString>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/volume/volume.h"

namespace sscope {

// One thing to export: what it is called and how it is made into a file's content. `prepare` runs on the window's
// thread and returns what writes the file (to a temporary name) in the background.
struct ExportOffer {
  using Writer = std::function<void(const std::filesystem::path&)>;
  QString title;   // "Picture of the views (PNG)"
  QString suffix;  // "-view.png": ends the suggested name, and tells the offers of a room apart
  std::function<Writer()> prepare;
  // A volume: the extension chooses the format, and the writer itself leaves nothing half written.
  bool volume = false;
  VolumeShape shape{};  // of a volume that is known already; empty: any format is offered
  ElementType type = ElementType::f32;
};

// Writers for the two usual kinds.
[[nodiscard]] ExportOffer::Writer writeImage(QImage image);
[[nodiscard]] ExportOffer::Writer writeText(std::string text);

// "-time.png" or "-time.csv" of a chart whose stem is "time".
[[nodiscard]] QString chartSuffix(const QString& stem, bool png);
// A chart as a picture and as its numbers; what they throw is told to the user.
void addChart(std::vector<ExportOffer>& offers, const QString& title, const QString& stem,
              const std::function<QImage()>& picture, const std::function<std::string()>& csv);

}  // namespace sscope
