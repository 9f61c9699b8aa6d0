#include "ui/rooms/filter/profile_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/filter/job/filter_view.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/controls/buttons.h"

namespace sscope {

ProfileData::ProfileData(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent)
    : QObject(parent), model_(model), live_(live), views_(views) {
  const auto drop = [this] {
    latest_.reset();
    read_.clear();
    Q_EMIT changed();
  };
  const auto take = [this] {
    latest_ = live_.result();
    Q_EMIT changed();
  };
  connect(&views_, &VolumeViews::sourceSliceShown, this, &ProfileData::changed);
  connect(&live_, &LiveController::wholeReady, this, take);
  connect(&live_, &LiveController::renamed, this, take);
  connect(&live_, &LiveController::nothingToRun, this, drop);
  connect(&live_, &LiveController::started, this, &ProfileData::changed);
  connect(&live_, &LiveController::previewReady, this, &ProfileData::changed);
  connect(&model_, &SessionModel::dataChanged, this, drop);
  connect(&model_, &SessionModel::shownFilterChanged, this, &ProfileData::changed);
  connect(&reading_, &BackgroundTask::finished, this, &ProfileData::changed);
}

std::vector<ProfileSlice> ProfileData::slices(std::size_t axis) {
  std::vector<ProfileSlice> slices;
  if (!model_.hasData()) return slices;
  const VoxelIndex at = model_.crosshair();
  if (model_.data().large) {
    if (auto seen = views_.sourceSlice(axis); views_.sourceIsExact(axis))
      slices.push_back({tr("source"), std::move(seen.volume), seen.at, false});
  } else {
    slices.push_back({tr("source"), model_.data().volume, at[axis], false});
  }
  std::vector<Request> requests;
  const auto enabled = model_.bank().enabled();
  const std::size_t shown = model_.shownFilterIndex();
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    const std::string& name = enabled[i]->name;
    // The views hold the result of the shown filter.
    if (auto seen = views_.resultSlice(axis); i == shown && seen.volume) {
      slices.push_back({toQt(name), std::move(seen.volume), seen.at, false});
    } else {
      add(slices, name, axis, requests);
    }
  }
  if (!requests.empty()) read(std::move(requests));
  return slices;
}

void ProfileData::add(std::vector<ProfileSlice>& slices, const std::string& name, std::size_t axis,
                      std::vector<Request>& requests) {
  if (!latest_) return;
  const auto place = std::ranges::find(latest_->names, name);
  if (place == latest_->names.end()) return;
  const auto& array = latest_->outputs[static_cast<std::size_t>(place - latest_->names.begin())];
  const std::int64_t at = model_.crosshair()[axis];
  const bool stale = live_.result() == nullptr;
  try {
    if (array->deviceBytes() == 0) {  // in host memory, without a copy
      slices.push_back({toQt(name), array->host({}), at, stale});
    } else if (auto slice = kept(array.get(), axis, at)) {
      slices.push_back({toQt(name), std::move(slice), 0, stale});
    } else {
      requests.push_back({array, axis, at});
    }
  } catch (const Error&) {  // the result is lost; the views report it
  }
}

std::shared_ptr<const Volume> ProfileData::kept(const ResidentArray* array, std::size_t axis, std::int64_t at) const {
  const auto found = read_.find(array);
  if (found == read_.end() || found->second.axis != axis || found->second.at != at) return nullptr;
  return found->second.array.lock().get() == array ? found->second.slice : nullptr;
}

void ProfileData::read(std::vector<Request> requests) {
  std::erase_if(read_, [](const auto& each) { return each.second.array.expired(); });
  reading_.start([this, requests = std::move(requests)](const Control& control) -> BackgroundTask::Finish {
    std::vector<Read> found;
    for (const Request& request : requests) {
      const ArraySpec& spec = request.array->spec();
      const Box box = sliceBox(spec, request.axis, request.at);
      Volume slice({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type);
      const BoxCopy copy{box, slice.view()};
      request.array->read({&copy, 1}, control);
      found.push_back({request.array, request.axis, request.at, std::make_shared<const Volume>(std::move(slice))});
    }
    return [this, found = std::move(found)] {
      for (const Read& each : found)
        if (const auto array = each.array.lock()) read_[array.get()] = each;
    };
  });
}

namespace {

constexpr const char* kStem = "line-profile";

// Colors of Okabe and Ito that are visible on white and on black.
QColor curveColor(std::size_t output) {
  static constexpr std::array<QRgb, 6> kColors{0xE69F00, 0x0090D8, 0x009E73, 0xCC79A7, 0xD55E00, 0x8A7FD0};
  return QColor(kColors[output % kColors.size()]);
}

// From 0 to 1 over the finite values; a constant is in the middle.
std::vector<double> stretched(std::vector<double> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  // Halves prevent an overflow of the difference.
  for (double& value : values) value = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : value - low + 0.5;
  return values;
}

}  // namespace

ProfileChart::ProfileChart(QWidget* parent) : CurveChart(parent) { clear(); }

void ProfileChart::clear() {
  profile_ = {};
  points_.clear();
  values_.clear();
  CurvePlot plot;
  plot.title = tr("Line profile");
  plot.stem = QLatin1String(kStem);
  plot.note = tr("Drag a line in a slice.");
  setPlot(std::move(plot));
}

void ProfileChart::setProfile(const ProfilePlot& profile) {
  profile_ = profile;
  points_ = profilePoints(profile_.line);
  show();
}

QString ProfileChart::unit() const { return profile_.inVoxels ? QString() : unitText(profile_.geometry.unit); }

void ProfileChart::show() {
  const QString unit = this->unit();
  const std::array<double, 3> spacing = unit.isEmpty() ? std::array<double, 3>{1, 1, 1} : profile_.geometry.spacing;
  CurvePlot plot;
  plot.title = tr("Line profile");
  plot.stem = QLatin1String(kStem);
  const QString grid = profile_.flat ? tr("pixels") : tr("voxels");
  plot.xLabel = tr("distance along the line, %1").arg(unit.isEmpty() ? grid : unit);
  plot.yLabel = profile_.ownScales ? tr("value, from the least to the largest of each curve") : tr("value");
  plot.fitted = true;
  QStringList notes;
  if (!profile_.flat) notes << tr("slice %1 = %2").arg(QLatin1Char("xyz"[profile_.line.axis])).arg(profile_.at);
  const bool nearest = profile_.sampling == ProfileSampling::Nearest;
  notes << (profile_.flat ? nearest ? tr("values of the nearest pixels") : tr("bilinear between pixels")
            : nearest ? tr("values of the nearest voxels")
                          : tr("trilinear between voxels"));
  if (profile_.component < 0) notes << tr("mean of the channels");
  values_.clear();
  bool stale = false;
  std::vector<double> distances;
  for (const SlicePoint& point : points_) distances.push_back(profileDistance(profile_.line, point, spacing));
  for (std::size_t i = 0; i < profile_.slices.size(); ++i) {
    const ProfileSlice& slice = profile_.slices[i];
    values_.push_back(
        profileValues(*slice.volume, slice.at, profile_.line.axis, points_, profile_.component, profile_.sampling));
    Curve curve{slice.name, distances, profile_.ownScales ? stretched(values_.back()) : values_.back()};
    curve.color = i == 0 ? palette().color(QPalette::Text) : curveColor(i - 1);
    curve.width = i == 0 ? 1.5 : 1;
    curve.dashed = slice.stale;
    stale |= slice.stale;
    plot.curves.push_back(std::move(curve));
  }
  if (stale) notes << tr("dashed: of the previous setting");
  plot.note = notes.join(QStringLiteral(" · "));
  setPlot(std::move(plot));
}

void ProfileChart::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !points_.empty()) show();
  CurveChart::changeEvent(event);
}

std::string ProfileChart::csv() const {
  const auto axes = axesOfSlice(profile_.line.axis);
  const std::string unit = fromQt(this->unit());
  std::string out = csvCell("distance_" + (unit.empty() ? std::string("voxels") : unit)) + ",x,y,z";
  for (const Curve& curve : plot().curves) out += ',' + csvCell(fromQt(curve.name));
  out += '\n';
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::array<double, 3> index{};
    index[profile_.line.axis] = static_cast<double>(profile_.at);
    index[axes[0]] = points_[i][0];
    index[axes[1]] = points_[i][1];
    out += csvNumber(plot().curves.empty() ? 0 : plot().curves.front().x[i]);
    for (const double each : index) out += ',' + csvNumber(each);
    for (const std::vector<double>& values : values_) out += ',' + csvNumber(values[i]);
    out += '\n';
  }
  return out;
}

namespace {

// The line inside the data; none if it has no length.
std::optional<ProfileLine> lineOf(const FilterView& view, const VolumeShape& shape) {
  ProfileLine line{static_cast<std::size_t>(view.profileAxis), {}, {}};
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  if (shape.dimensions() == 2) line.axis = 2;
  const auto axes = axesOfSlice(line.axis);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto last = static_cast<double>(extent[axes[k]] - 1);
    line.from[k] = std::clamp(view.profileLine[k], 0.0, last);
    line.to[k] = std::clamp(view.profileLine[2 + k], 0.0, last);
  }
  if (line.from == line.to) return {};
  return line;
}

void put(FilterView& view, const ProfileLine& line) {
  view.profileAxis = static_cast<int>(line.axis);
  view.profileLine = {line.from[0], line.from[1], line.to[0], line.to[1]};
}

}  // namespace

ProfilePanel::ProfilePanel(SessionModel& model, LiveController& live, VolumeViews& views, QWidget* parent)
    : QWidget(parent),
      model_(model),
      views_(views),
      data_(model, live, views),
      controls_(FilterView(), QStringLiteral("view"), this) {
  chart_ = named(new ProfileChart(this), "profileChart");
  auto* close =
      toolButton(this, {.name = "profileClose", .icon = "close", .tip = tr("Hide the line profile (P)"), .flat = true});
  auto* head = new QHBoxLayout;
  for (const char* row : {"profileSampling", "profileUnit", "profileScale"}) {
    SettingField& field = controls_.field(row);
    constexpr int kFewLetters = 6;
    if (auto* list = qobject_cast<QComboBox*>(field.control())) list->setMinimumContentsLength(kFewLetters);
    field.setMaximumWidth(em(this, 9));
    head->addWidget(&field);
  }
  head->addStretch(1);
  head->addWidget(close);
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.3);
  column->setContentsMargins(gap, gap, gap, 0);
  column->setSpacing(gap);
  column->addLayout(head);
  column->addWidget(chart_, 1);
  connect(close, &QToolButton::clicked, this, &ProfilePanel::toggle);
  controls_.follow(model_);
  model_.follow<FilterView>(this, &ProfilePanel::follow);
  connect(&model_, &SessionModel::dataChanged, this, &ProfilePanel::follow);
  connect(&model_, &SessionModel::crosshairChanged, this, &ProfilePanel::refresh);
  connect(&model_, &SessionModel::viewChanged, this, &ProfilePanel::refresh);
  connect(&data_, &ProfileData::changed, this, &ProfilePanel::refresh);
  connect(&views_, &VolumeViews::slicesPainted, this, [this] {
    if (const auto now = line()) refreshIfOther(now->axis);
  });
  connect(&views_, &VolumeViews::profileDragged, this, &ProfilePanel::take);
  connect(&views_, &VolumeViews::profileDropped, this, &ProfilePanel::drop);
  follow();
}

std::optional<ProfileLine> ProfilePanel::line() const {
  if (!model_.hasData() || !model_.settings<FilterView>().profile) return {};
  return lineOf(model_.settings<FilterView>(), model_.data().volume->shape());
}

void ProfilePanel::follow() {
  const bool on = model_.hasData() && model_.settings<FilterView>().profile;
  setVisible(on);
  views_.setProfile(on, line());
  refresh();
}

void ProfilePanel::toggle() {
  if (!model_.hasData()) return;
  FilterView view = model_.settings<FilterView>();
  view.profile = !view.profile;
  if (view.profile && !lineOf(view, model_.data().volume->shape())) put(view, views_.profileThroughCrosshair());
  model_.edit(view);
  if (!view.profile) views_.setFocus();
}

// A whole drag becomes one step of undo.
void ProfilePanel::take(const ProfileLine& line) {
  FilterView view = model_.settings<FilterView>();
  if (!before_) before_ = lineOf(view, model_.data().volume->shape()).value_or(ProfileLine{line.axis, {}, {}});
  put(view, line);
  model_.setSettings(view);
}

void ProfilePanel::drop() {
  if (!before_) return;
  const FilterView now = model_.settings<FilterView>();
  FilterView view = now;
  put(view, *before_);
  before_.reset();
  model_.setSettings(view);
  model_.edit(now);
}

void ProfilePanel::refreshIfOther(std::size_t axis) {
  if (drawn_.lock() != views_.resultSlice(axis).volume) refresh();
}

void ProfilePanel::refresh() {
  if (isHidden()) return;
  const auto now = line();
  if (!now) {
    chart_->clear();
    return;
  }
  const auto& settings = model_.settings<FilterView>();
  ProfilePlot plot;
  plot.line = *now;
  plot.at = model_.crosshair()[now->axis];
  plot.flat = model_.data().volume->shape().dimensions() == 2;
  plot.slices = data_.slices(now->axis);
  plot.component = model_.view().component;
  plot.sampling = settings.profileSampling == "nearest" ? ProfileSampling::Nearest : ProfileSampling::Linear;
  plot.inVoxels = settings.profileUnit == "voxels";
  plot.ownScales = settings.profileScale == "own";
  plot.geometry = model_.data().volume->geometry();
  drawn_ = views_.resultSlice(now->axis).volume;
  chart_->setProfile(plot);
}

}  // namespace sscope

#include "moc_profile_panel.cpp"
