#pragma once
// What the window exports: filtered volumes, and the pictures, charts, numbers, reports and fields of a room.

#include <QImage>
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/filter/job/filter_job.h"
#include "core/volume/metadata.h"
#include "core/volume/provenance.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"

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

// The outputs of rows that the bank keeps; null if there is none. `result` is a result of this bank.
[[nodiscard]] std::shared_ptr<const ResidentFilterResult> keptOutputs(
    const std::shared_ptr<const ResidentFilterResult>& result, const FilterBank& bank);

// Writes the outputs to the files of `pattern` (core/job/output_files.h), from devices by way of the host; several
// outputs in one file become its components. The metadata of the input and the provenance are written as by `sscope
// filter`. Throws Error(Usage, Unsupported, Io), if possible before anything is written, or Canceled. Returns the files
// written.
std::vector<std::filesystem::path> exportVolumes(VolumeIo& io, const ResidentFilterResult& result,
                                                 const Metadata& ofInput, const GrowingProvenance& made,
                                                 const std::string& pattern, const Control& control);

}  // namespace sscope
