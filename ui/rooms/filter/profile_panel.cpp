#include "ui/rooms/filter/profile_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/filter/job/filter_view.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"

namespace sscope {

namespace {

// The line inside the data; none where it has no length.
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

// While it is dragged it is no step of undo; then it is one.
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
