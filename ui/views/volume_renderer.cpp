#include "ui/views/volume_renderer.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkUnsignedCharArray.h>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>
#include <QThread>
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>
#ifdef __linux__
#include <sys/resource.h>
#endif

#include "core/base/words.h"
#include "ui/views/opengl.h"
#include "ui/views/view_style.h"
#include "ui/views/volume_scene.h"
#include "ui/views/volume_stage.h"

namespace sscope {

namespace {
using namespace std::chrono_literals;
constexpr std::size_t kFrames = 9;  // of the median, at most
constexpr auto kPause = 50ms;       // a pause within a motion, not a slow picture
}  // namespace

void FrameClock::asked(Time now) {
  if (over_) {
    frames_.clear();
    shown_.reset();
    over_ = false;
  }
  if (!asked_) asked_ = now;
}

void FrameClock::shown(Time now) {
  if (!asked_) return;
  const bool paused = !shown_ || *asked_ - *shown_ > kPause;
  frames_.push_back(now - (paused ? *asked_ : *shown_));
  if (frames_.size() > kFrames) frames_.pop_front();
  shown_ = now;
  asked_.reset();
}

void FrameClock::rested() {
  asked_.reset();
  over_ = true;
}

std::optional<double> FrameClock::median() const {
  if (frames_.empty()) return {};
  std::vector<Duration> sorted(frames_.begin(), frames_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return std::chrono::duration<double>(*middle).count();
}

namespace {

struct Step {
  int pixelsPerRay = 1;      // along each edge: the picture is made smaller by this
  double voxelsPerStep = 1;  // along the rays
  QString note{};
  int tiles = 1;  // along each edge of the picture; between two of them the work can be stopped
};

// A graphics processor draws the finest picture at once; software goes from coarse to fine, and stays coarse while the
// camera moves. Triangles are drawn much faster than rays are cast. A projection misses values between its steps.
std::vector<Step> steps(bool software, const VolumeRenderer::Request& request, bool newData) {
  using Effort = VolumeRenderer::Effort;
  const VolumeMode mode = request.look.mode;
  const bool projected = mode != VolumeMode::Composite && mode != VolumeMode::Surface;
  const Effort effort = request.effort;
  if (!software) return {{.voxelsPerStep = effort == Effort::Moving ? 1 : 0.5}};
  const Step coarse{4, projected ? 1 : 2.0, VolumeRenderer::tr("quarter resolution")};
  const Step middle{2, projected ? 0.8 : 1.2, VolumeRenderer::tr("half resolution"), 2};
  const Step fine{1, projected ? 0.5 : 0.7, {}, 4};
  if (mode == VolumeMode::Surface) return {effort == Effort::Moving ? Step{2, 1, middle.note} : Step{.tiles = 2}};
  if (effort == Effort::Moving) return {coarse};
  if (effort == Effort::Finest) return {fine};
  return newData ? std::vector<Step>{coarse, middle, fine} : std::vector<Step>{middle, fine};
}

std::size_t firstSide(const VolumeRenderer::Request& request) { return request.shown[0] ? 0 : 1; }

// Leaves other colors unchanged.
void colorGrays(QImage& image, const QRect& part, const GrayColors& colors) {
  const QRect inside = part & image.rect();
  for (int y = inside.top(); y <= inside.bottom(); ++y) {
    auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = inside.left(); x <= inside.right(); ++x)
      if (const int gray = qRed(row[x]); gray == qGreen(row[x]) && gray == qBlue(row[x]))
        row[x] = colors[static_cast<std::size_t>(gray)];
  }
}

// Lowers the priority of the calling thread, and of every thread that it starts later, below the window's and the
// computation's. No effect if the system has no priorities per thread.
void lowerThreadPriority() {
#ifdef __linux__
  // On Linux this is the priority of one thread, and inherited; QThread's priorities do nothing under the usual
  // scheduler.
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, 0, kNice);
#endif
}

}  // namespace

class VolumeRenderer::Worker : public QThread {
 public:
  explicit Worker(VolumeRenderer& owner) : owner_(owner) {
    surface_.setFormat(QSurfaceFormat::defaultFormat());
    surface_.create();  // belongs to the UI thread
    start();
  }
  ~Worker() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      stop_.request_stop();
    }
    wake_.notify_one();
    wait();
  }

  void submit(Request request, std::optional<std::promise<VolumePicture>> promise) {
    {
      const std::lock_guard lock(mutex_);
      stop_.request_stop();
      stop_ = std::stop_source();
      waiting_ = std::move(request);
      if (promise) promise_ = std::move(promise);
    }
    wake_.notify_one();
  }

  void interrupt() {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    waiting_.reset();
  }

 protected:
  void run() override;

 private:
  void draw(Request& request, const std::stop_token& stop);
  QImage renderImage(const Request& request, int tiles, const std::stop_token& stop);
  QImage renderTile(const QSize& size);
  void deliverNote(const Request& request, const QString& note);
  void deliver(VolumePicture picture);

  VolumeRenderer& owner_;
  QOffscreenSurface surface_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Request> waiting_;
  std::optional<std::promise<VolumePicture>> promise_;
  std::stop_source stop_;
  bool ending_ = false;

  // Below: used by the worker thread only.
  QOpenGLContext* context_ = nullptr;
  vtkGenericOpenGLRenderWindow* window_ = nullptr;
  std::unique_ptr<VolumeScene> scene_;
  std::unique_ptr<VolumeStage> stage_;
  bool software_ = false;
};

void VolumeRenderer::Worker::run() {
  lowerThreadPriority();  // before software OpenGL starts threads of its own
  QOpenGLContext context;
  context.setFormat(QSurfaceFormat::defaultFormat());
  const bool usable = context.create() && context.makeCurrent(&surface_);
  context_ = &context;

  vtkNew<vtkGenericOpenGLRenderWindow> window;
  window_ = window;
  window->SetOwnContext(0);
  window->SetFrameBlitModeToNoBlit();
  window->SetMultiSamples(0);
  vtkNew<vtkCallbackCommand> isCurrent;
  isCurrent->SetCallback([](vtkObject*, unsigned long, void*, void* answer) { *static_cast<bool*>(answer) = true; });
  window->AddObserver(vtkCommand::WindowIsCurrentEvent, isCurrent);
  if (usable) {
    window->GetState()->Reset();
    window->OpenGLInitContext();
    window->SetMapped(1);
    software_ = isSoftwareRenderer(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER)));
    scene_ = std::make_unique<VolumeScene>(window);
    stage_ = std::make_unique<VolumeStage>(*scene_);
  }

  for (;;) {
    Request request;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || waiting_; });
      if (ending_) break;
      request = std::move(*waiting_);
      waiting_.reset();
      stop = stop_.get_token();
    }
    if (!usable) {
      deliverNote(request, VolumeRenderer::tr("the 3D view needs OpenGL 3.2"));
      continue;
    }
    try {
      draw(request, stop);
    } catch (const Canceled&) {
      // A newer request waits.
    } catch (const std::exception& error) {
      deliverNote(request, VolumeRenderer::tr("the 3D view failed: %1").arg(QString::fromStdString(wordsOf(error))));
    }
  }
  if (usable) window->Finalize();
  stage_.reset();
  scene_.reset();
}

QImage VolumeRenderer::Worker::renderTile(const QSize& size) {
  vtkOpenGLState* state = window_->GetState();
  state->Reset();
  state->Push();
  window_->SetSize(size.width(), size.height());
  window_->Render();
  vtkNew<vtkUnsignedCharArray> rgba;
  window_->GetRGBACharPixelData(0, 0, size.width() - 1, size.height() - 1, 1, rgba);
  state->Pop();
  const QImage upsideDown(rgba->GetPointer(0), size.width(), size.height(), QImage::Format_RGBA8888);
  return upsideDown.mirrored().convertToFormat(QImage::Format_RGB32);
}

// Each tile is a picture of its own: a camera turned to its part of the whole. With two sides, the window holds the
// same part of both.
QImage VolumeRenderer::Worker::renderImage(const Request& request, int tiles, const std::stop_token& stop) {
  const int sides = request.shown[0] && request.shown[1] ? 2 : 1;
  const QSize side(std::max(1, request.pixels.width() / sides), request.pixels.height());
  const QSize tile((side.width() + tiles - 1) / tiles, (side.height() + tiles - 1) / tiles);
  // The tiles exceed the picture, which is cut evenly.
  const QPoint cut = QPoint(tile.width() * tiles - side.width(), tile.height() * tiles - side.height()) / 2;
  QImage whole(request.pixels, QImage::Format_RGB32);
  whole.fill(viewBackground());
  QPainter painter(&whole);
  for (int j = 0; j < tiles; ++j)
    for (int i = 0; i < tiles; ++i) {
      if (stop.stop_requested()) throw Canceled();
      scene_->setCamera(
          request.camera,
          {.column = i, .row = j, .count = tiles, .share = static_cast<double>(tile.height()) / side.height()});
      QImage drawn = renderTile({tile.width() * sides, tile.height()});
      for (int s = 0; s < sides; ++s)
        if (const GrayColors* colors =
                stage_->grayColors(sides == 2 ? static_cast<std::size_t>(s) : firstSide(request)))
          colorGrays(drawn, QRect(QPoint(s * tile.width(), 0), tile), *colors);
      const QPoint place = QPoint(i * tile.width(), (tiles - 1 - j) * tile.height()) - cut;
      for (int s = 0; s < sides; ++s) {
        painter.setClipRect(QRect(QPoint(s * side.width(), 0), side));
        painter.drawImage(place + QPoint(s * side.width(), 0), drawn, QRect(QPoint(s * tile.width(), 0), tile));
      }
    }
  return whole;
}

void VolumeRenderer::Worker::draw(Request& request, const std::stop_token& stop) {
  Control control;
  control.stop = stop;
  stage_->bring(request, control);
  scene_->setShown(request.shown);
  request.volumes = {};  // released before the slow part: the bricks are made
  const QStringList about = stage_->words(request);
  const auto plan = steps(software_, request, stage_->takeNews());
  // A coarse picture is always finished: otherwise there would be none while a slider moves faster than surfaces are
  // made.
  const std::stop_token until = request.effort == Effort::Moving ? std::stop_token() : stop;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (until.stop_requested()) throw Canceled();
    scene_->setStep(plan[i].voxelsPerStep);
    Request sized = request;
    sized.pixels = (request.pixels / plan[i].pixelsPerRay).expandedTo(QSize(2, 2));
    QStringList words = about;
    if (!plan[i].note.isEmpty()) words << plan[i].note;
    VolumePicture picture;
    picture.image = renderImage(sized, plan[i].tiles, until);
    picture.camera = request.camera;
    picture.note = words.join(QStringLiteral(", "));
    picture.insights = stage_->insights();
    picture.moving = request.effort == Effort::Moving;
    picture.complete = i + 1 == plan.size() && request.effort != Effort::Moving;
    picture.contents = request.contents;
    deliver(std::move(picture));
  }
}

void VolumeRenderer::Worker::deliverNote(const Request& request, const QString& note) {
  VolumePicture picture;
  picture.camera = request.camera;
  picture.note = note;
  picture.complete = true;
  picture.contents = request.contents;
  deliver(std::move(picture));
}

void VolumeRenderer::Worker::deliver(VolumePicture picture) {
  if (picture.complete) {
    const std::lock_guard lock(mutex_);
    if (promise_ && !waiting_) {
      promise_->set_value(picture);
      promise_.reset();
    }
  }
  QMetaObject::invokeMethod(
      &owner_, [this, picture] { Q_EMIT owner_.drawn(picture); }, Qt::QueuedConnection);
}

VolumeRenderer::VolumeRenderer(QObject* parent) : QObject(parent), worker_(std::make_unique<Worker>(*this)) {}
VolumeRenderer::~VolumeRenderer() { worker_.reset(); }

void VolumeRenderer::request(Request request) { worker_->submit(std::move(request), std::nullopt); }

void VolumeRenderer::interrupt() { worker_->interrupt(); }

VolumePicture VolumeRenderer::drawNow(Request request) {
  request.effort = Effort::Finest;
  std::promise<VolumePicture> promise;
  auto picture = promise.get_future();
  worker_->submit(std::move(request), std::move(promise));
  return picture.get();
}

}  // namespace sscope

#include "moc_volume_renderer.cpp"
