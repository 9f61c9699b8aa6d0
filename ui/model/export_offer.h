#pragma once
// What a room can export in addition to filtered volumes: pictures, charts and their numbers, reports, fields.

#include <QImage>
#include <QString>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope {

// One item to export: its title and how to write it. `prepare` runs on the window's thread and returns a function that
// writes the file (under a temporary name) in the background; it reports progress and throws Canceled.
struct ExportOffer {
  using Writer = std::function<void(const std::filesystem::path&, const Control&)>;
  QString title;   // "Picture of the views (PNG)"
  QString suffix;  // "-view.png": ends the suggested name; unique among the room's offers
  std::function<Writer()> prepare;
  // For volumes the extension chooses the format, and the writer itself is atomic.
  bool volume = false;
  VolumeShape shape{};  // of the volume if known; empty: any format is offered
  ElementType type = ElementType::f32;
  Geometry geometry{};  // of the volume if known
  Metadata metadata{};  // likewise
};

// Writers for the two common kinds.
[[nodiscard]] ExportOffer::Writer writeImage(QImage image);
[[nodiscard]] ExportOffer::Writer writeText(std::string text);

// "-time.png" or "-time.csv" for a chart with the stem "time".
[[nodiscard]] QString chartSuffix(const QString& stem, bool png);
// A chart as a picture and as its numbers; exceptions are shown to the user.
void addChart(std::vector<ExportOffer>& offers, const QString& title, const QString& stem,
              const std::function<QImage()>& picture, const std::function<std::string()>& csv);

}  // namespace sscope
