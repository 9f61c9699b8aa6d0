#include "ui/model/export_offer.h"

#include <QFile>
#include <QObject>
#include <algorithm>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/job/output_files.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// The file of a picture, which Qt writes in pieces of some kilobytes; none is accepted after a stop.
class PictureFile : public QFile {
 public:
  PictureFile(const std::filesystem::path& path, const QImage& image, const Control& control)
      : QFile(toQt(path.string())), control_(control), most_(static_cast<double>(image.sizeInBytes())) {}

 protected:
  qint64 writeData(const char* data, qint64 size) override {
    if (control_.stopRequested()) return -1;
    written_ += size;
    // A share of the uncompressed picture.
    control_.report(std::min(1.0, static_cast<double>(written_) / most_),
                    fromQt(Words::tr("writing, %1").arg(bytesText(static_cast<std::int64_t>(written_)))));
    return QFile::writeData(data, size);
  }

 private:
  const Control& control_;
  double most_;
  qint64 written_ = 0;
};

}  // namespace

ExportOffer::Writer writeImage(QImage image) {
  return [image = std::move(image)](const std::filesystem::path& path, const Control& control) {
    PictureFile file(path, image, control);
    const bool written = file.open(QIODevice::WriteOnly) && image.save(&file, "PNG");
    file.close();
    control.check();
    if (!written || file.error() != QFileDevice::NoError)
      throw makeError(ErrorKind::Io, Words::tr("cannot write %1").arg(toQt(path.string())),
                      Words::tr("choose another folder or free some space"));
  };
}

ExportOffer::Writer writeText(std::string text) {
  return [text = std::move(text)](const std::filesystem::path& path, const Control& control) {
    control.check();
    writeTextFile(path, text);
  };
}

QString chartSuffix(const QString& stem, bool png) {
  return QLatin1Char('-') + stem + (png ? QStringLiteral(".png") : QStringLiteral(".csv"));
}

void addChart(std::vector<ExportOffer>& offers, const QString& title, const QString& stem,
              const std::function<QImage()>& picture, const std::function<std::string()>& csv) {
  offers.push_back({QObject::tr("Chart: %1 (PNG)").arg(title), chartSuffix(stem, true),
                    [picture] { return writeImage(picture()); }});
  offers.push_back(
      {QObject::tr("Chart: %1 (CSV)").arg(title), chartSuffix(stem, false), [csv] { return writeText(csv()); }});
}

namespace {

// Components innermost: all of the first output, then all of the second.
Volume interleaved(const std::vector<Volume>& outputs, const Control& control) {
  VolumeShape shape = outputs.front().shape();
  const auto each = static_cast<std::size_t>(shape.components);
  const std::size_t all = each * outputs.size();
  shape.components = static_cast<int>(all);
  Volume result(shape, outputs.front().type(), outputs.front().geometry());
  dispatch(result.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto target = result.elements<T>();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      control.check();
      const auto source = outputs[i].elements<T>();
      for (std::size_t v = 0; v < source.size() / each; ++v)
        for (std::size_t c = 0; c < each; ++c) target[v * all + i * each + c] = source[v * each + c];
    }
  });
  return result;
}

// Copying from a device is the quick part of an export.
constexpr double kCopyShare = 0.1;

}  // namespace

std::shared_ptr<const ResidentFilterResult> keptOutputs(const std::shared_ptr<const ResidentFilterResult>& result,
                                                        const FilterBank& bank) {
  if (!result) return nullptr;
  const auto rows = bank.results();
  auto kept =
      std::make_shared<ResidentFilterResult>(ResidentFilterResult{{}, {}, result->report, result->geometry, {}});
  for (std::size_t i = 0; i < result->outputs.size(); ++i)
    if (std::ranges::any_of(rows, [&](const FilterRecipe* row) { return row->name == result->names[i]; })) {
      kept->outputs.push_back(result->outputs[i]);
      kept->names.push_back(result->names[i]);
      if (i < result->lastSteps.size()) kept->lastSteps.push_back(result->lastSteps[i]);
    }
  return kept->outputs.empty() ? nullptr : kept;
}

std::vector<std::filesystem::path> exportVolumes(VolumeIo& io, const ResidentFilterResult& result,
                                                 const Metadata& ofInput, const GrowingProvenance& made,
                                                 const std::string& pattern, const Control& control) {
  const auto& [type, extent] = result.outputs.front()->spec();
  const VolumeShape shape{extent[0], extent[1], extent[2], static_cast<int>(extent[3])};
  const OutputPlan plan = planOutputs(io, pattern, result.names, shape, type, true);
  requireKept(io, plan, {shape, type, result.geometry}, ofInput, false);
  HeldNames names;
  WriteOptions how = writeOptionsFor(plan, ofInput, {});
  how.names = &names;
  const FilterResult host = hostResult(result, control.part(0, kCopyShare));
  if (plan.interleaved) {
    how.provenance = made.of(result.names);
    io.write(plan.files.front(), interleaved(host.outputs, control), how, control.part(kCopyShare, 1));
    names.commit();
    return plan.files;
  }
  const auto shareOf = [&](std::size_t files) {
    return kCopyShare + (1 - kCopyShare) * static_cast<double>(files) / static_cast<double>(plan.files.size());
  };
  for (std::size_t i = 0; i < plan.files.size(); ++i) {
    how.provenance = made.of({result.names.at(i)});
    io.write(plan.files[i], host.outputs[i], how, control.part(shareOf(i), shareOf(i + 1)));
  }
  names.commit();
  return plan.files;
}

}  // namespace sscope
