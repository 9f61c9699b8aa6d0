#include "ui/model/export_offer.h"

#include <QCoreApplication>
#include <QObject>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

struct OfferText {
  Q_DECLARE_TR_FUNCTIONS(ExportOffer)
};

}  // namespace

ExportOffer::Writer writeImage(QImage image) {
  return [image = std::move(image)](const std::filesystem::path& path) {
    if (!image.save(toQt(path.string()), "PNG"))
      throw makeError(ErrorKind::Io, OfferText::tr("cannot write %1").arg(toQt(path.string())),
                      OfferText::tr("choose another folder or free some space"));
  };
}

ExportOffer::Writer writeText(std::string text) {
  return [text = std::move(text)](const std::filesystem::path& path) { writeTextFile(path, text); };
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
