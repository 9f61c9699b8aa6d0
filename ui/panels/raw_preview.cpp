#include "ui/panels/raw_preview.h"

#include "core/base/error.h"
#include "core/volume/volume_stream.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/panels/thumbnail.h"

namespace sscope {

namespace {

// Nothing but the slice is read: the file may be larger than memory.
Volume middleSlice(VolumeIo& io, const std::string& name, const Control& control) {
  const auto source = io.openSource(name, control);
  VolumeShape shape = source->info().shape;
  const std::int64_t planes = shape.nz > 1 ? 1 : shape.ny, first = shape.nz > 1 ? shape.nz / 2 : 0;
  shape.nz = 1;
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
  if (shape.elements() * static_cast<std::int64_t>(bytesOf(source->info().type)) > kMostBytes)
    throw makeError(ErrorKind::Memory, RawPreview::tr("a slice of this layout has more than 1 GiB, and is not shown"),
                    {});
  Volume slice(shape, source->info().type);
  source->read(first, first + planes, {slice.data(), static_cast<std::size_t>(slice.bytes())}, control);
  return slice;
}

}  // namespace

RawPreview::RawPreview(VolumeIo& io, QWidget* parent) : QLabel(parent), io_(io) {
  setObjectName(QStringLiteral("preview"));
  setAccessibleName(tr("The middle slice"));
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);
  setMinimumHeight(em(this, 16));
  connect(&reading_, &BackgroundTask::failed, this, [this](const QString& message) { setText(message); });
}

void RawPreview::showSlice(const std::string& name) {
  if (name == name_) return;
  name_ = name;
  if (name.empty()) {
    reading_.cancel();
    clear();
    return;
  }
  reading_.start(
      [this, name, edge = em(this, 16) * devicePixelRatioF()](const Control& control) -> BackgroundTask::Finish {
        const QImage image = thumbnail(middleSlice(io_, name, control), static_cast<int>(edge));
        return [this, image] {
          QPixmap picture = QPixmap::fromImage(image);
          picture.setDevicePixelRatio(devicePixelRatioF());
          setPixmap(picture);
        };
      });
}

}  // namespace sscope

#include "moc_raw_preview.cpp"
