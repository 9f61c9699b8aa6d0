#include "ui/base/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

// The resources of a static library are loaded on request, from outside any namespace.
static void initializeIcons() { Q_INIT_RESOURCE(icons); }

namespace sscope {

namespace {

class TintedSvg : public QIconEngine {
 public:
  explicit TintedSvg(QByteArray svg) : svg_(std::move(svg)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
    const QPalette palette = QApplication::palette();
    const QColor color =
        palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
    QByteArray tinted = svg_;
    tinted.replace("currentColor", color.name().toLatin1());
    QSvgRenderer(tinted).render(painter, QRectF(rect));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }
  [[nodiscard]] QIconEngine* clone() const override { return new TintedSvg(*this); }

 private:
  QByteArray svg_;
};

}  // namespace

QIcon icon(const char* name) {
  initializeIcons();
  QFile file(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QIcon(new TintedSvg(file.readAll()));
}

QIcon applicationIcon() {
  initializeIcons();
  return QIcon(QStringLiteral(":/icons/stencilscope.svg"));
}

}  // namespace sscope
