#include "ui/rooms/compare/lane_state.h"

#include <QPainter>
#include <algorithm>

#include "core/base/overloaded.h"

namespace sscope {

namespace {

using Stage = LaneState::Stage;

void addPicture(LaneState& lane, const compare::SlabFinished& event, const LaneScene& scene) {
  if (!event.outputs || event.outputs->empty()) return;
  const Volume& output = (*event.outputs)[std::min(scene.output, event.outputs->size() - 1)];
  lane.picture.add(output, scene.geometry, scene.plane, event.time.box);
}

// One lane computes at a time: a lane that still computes when the next one begins has no first result.
void settle(std::vector<LaneState>& lanes) {
  for (LaneState& lane : lanes)
    if (lane.stage == Stage::Computing) lane.stage = Stage::Waiting;
}

constexpr std::int64_t kMostPixels = 360;  // along an edge

// The part of a range of indices on the screen, from `first` on.
struct Part {
  std::int64_t first = 0, count = 0;
};
Part partAlong(std::size_t axis, bool flipped, std::int64_t extent, const Box& box) {
  const std::int64_t count = box.end[axis] - box.begin[axis];
  return {flipped ? extent - box.end[axis] : box.begin[axis], count};
}

}  // namespace

double LaneState::clock() const {
  if (first) return first->seconds;
  if (stage == Stage::Computing && running.isValid()) return static_cast<double>(running.nsecsElapsed()) * 1e-9;
  return slabs.empty() ? 0 : slabs.back().end;
}

void apply(const compare::RaceEvent& event, std::chrono::steady_clock::time_point emitted,
           std::vector<LaneState>& lanes, const LaneScene& scene) {
  const auto at = [&lanes](const auto& what) -> LaneState* {
    return what.lane < lanes.size() ? &lanes[what.lane] : nullptr;
  };
  std::visit(Overloaded{[&](const compare::LaneStarted& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          settle(lanes);
                          lane->stage = Stage::Computing;
                          lane->running.start();
                        },
                        [&](const compare::SlabFinished& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->slabs.push_back(what.time);
                          addPicture(*lane, what, scene);
                        },
                        [&](const compare::FirstDone& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->stage = Stage::Checking;
                          lane->first = what.result;
                        },
                        [&](const compare::LaneVerified& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr || !what.first) return;
                          lane->stage = Stage::Checked;
                          lane->firstVerified = what.verification;
                        },
                        [&](const compare::QuietPhase& /*what*/) { settle(lanes); },
                        [&](const compare::Repetition& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->stage = Stage::Quiet;
                          if (what.sample.apart) return;
                          lane->totals.push_back(what.sample.phases.total);
                          lane->repeated.push_back(what.sample.phases);
                          lane->repeatedAt.push_back(emitted);
                        },
                        [](const compare::RepetitionDisturbed& /*what*/) {},  // the result counts them
                        [&](const compare::LaneEnded& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->stage = Stage::Ended;
                          lane->result = what.result;
                        }},
             event);
}

void LanePicture::add(const Volume& output, const Geometry& geometry, std::int64_t at, const Box& finished) {
  const bool flat = output.shape().dimensions() == 2;
  const std::size_t normal = flat ? 2 : 1;
  const SlicePlane plane = slicePlane(normal, output.shape(), geometry);
  const std::int64_t depth = plane.extent[normal];
  const std::int64_t slice = flat ? 0 : at < 0 ? depth / 2 : std::min(at, depth - 1);
  if (slice < finished.begin[normal] || slice >= finished.end[normal]) return;
  const std::int64_t across = plane.extent[plane.across], up = plane.extent[plane.up];
  const std::int64_t reduction = std::max<std::int64_t>(1, (std::max(across, up) + kMostPixels - 1) / kMostPixels);
  const Part x = partAlong(plane.across, plane.acrossFlipped, across, finished);
  const Part y = partAlong(plane.up, plane.upFlipped, up, finished);
  const bool colored = output.type() == ElementType::u8 && output.shape().components >= 3;
  Strip strip;
  strip.values = extractSlice(output, plane, slice, colored ? -1 : 0, {x.first, y.first, x.count, y.count, reduction});
  strip.left = static_cast<double>(x.first) / static_cast<double>(across);
  strip.width = static_cast<double>(x.count) / static_cast<double>(across);
  strip.height = static_cast<double>(y.count) / static_cast<double>(up);
  strip.top = 1 - static_cast<double>(y.first) / static_cast<double>(up) - strip.height;
  strips_.push_back(std::move(strip));
  aspect_ = plane.width() / plane.height();
  width_ = std::max<std::int64_t>(1, across / reduction);
  height_ = std::max<std::int64_t>(1, up / reduction);
  window_.reset();
}

std::vector<double> LanePicture::values() const {
  std::vector<double> all;
  for (const Strip& strip : strips_)
    std::ranges::copy_if(strip.values.values, std::back_inserter(all), [](double v) { return v - v == 0; });
  return all;
}

const QImage& LanePicture::image(const LaneWindow& window) const {
  if (window_ == window) return image_;
  window_ = window;
  image_ = QImage(static_cast<int>(width_), static_cast<int>(height_), QImage::Format_ARGB32_Premultiplied);
  image_.fill(Qt::transparent);
  QPainter painter(&image_);
  for (const Strip& strip : strips_) {
    QImage part(static_cast<int>(strip.values.width), static_cast<int>(strip.values.height), QImage::Format_RGB32);
    std::vector<std::uint32_t> pixels(static_cast<std::size_t>(strip.values.width * strip.values.height));
    mapToPixels(strip.values, window, pixels.data());
    for (int row = 0; row < part.height(); ++row)
      std::copy_n(pixels.data() + static_cast<std::ptrdiff_t>(row) * part.width(), part.width(),
                  reinterpret_cast<std::uint32_t*>(part.scanLine(row)));
    const double w = image_.width(), h = image_.height();
    painter.drawImage(QRectF(strip.left * w, strip.top * h, strip.width * w, strip.height * h), part);
  }
  return image_;
}

}  // namespace sscope
