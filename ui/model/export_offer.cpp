#include "ui/model/export_offer.h"

#include <QFile>
#include <QObject>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// A file of a picture, which is written in pieces of some kilobytes. No more are accepted after a stop.
class PictureFile : public QFile {
 public:
  PictureFile(const std::filesystem::path& path, const QImage& image, const Control& control)
      : QFile(toQt(path.string())), control_(control), most_(static_cast<double>(image.sizeInBytes())) {}

 protected:
  qint64 writeData(const char* data, qint64 size) override {
    if (control_.stopRequested()) return -1;
    written_ += size;
    // Its part of the picture that is not packed: never more than there is.
    control_.report(std::min(1.0, static_cast<double>(written_) / most_),
                    fromQt(Words::tr("writing, %1").arg(bytesText(written_))));
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

}  // namespace sscope
