// The settings of the Lattice room: as it stands, and how it follows them.

#include <QTabWidget>
#include <cmath>

#include "core/lattice/wilson_flow.h"
#include "ui/base/text.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/lattice/time_player.h"

namespace sscope {

namespace {

ConfigurationSource sourceOf(const LatticeController& lattices) {
  ConfigurationSource from;
  if (const auto& made = lattices.generated())
    from = {{}, made->extents, made->beta, made->hot, made->sweeps, made->seed};
  from.path = fromQt(lattices.path());
  if (lattices.givenExtents()) from.extents = *lattices.givenExtents();
  return from;
}

int stepsOf(const LatticeSettings& settings) {
  return static_cast<int>(std::lround(settings.flowTime / lattice::kFlowStep));
}

}  // namespace

LatticeSettings LatticePage::settings(const LatticeSettings& before) const {
  LatticeSettings settings = before;
  using Activity = LatticeController::Activity;
  // While another one comes, the one of the session stays in it.
  const Activity now = controller_.activity();
  if (controller_.configuration() && now != Activity::Opening && now != Activity::Generating) {
    settings.configuration = sourceOf(controller_);
    settings.flowTime = controller_.flowSteps() * lattice::kFlowStep;
    settings.slice = fields_->slice();
  }
  // Solutions are not in the session.
  for (const lattice::ObservableInfo& info : lattice::observables())
    if (info.name == controller_.choice()) settings.observable = info.name;
  settings.part = kLoopPartNames[static_cast<std::size_t>(fields_->part())];
  settings.solve = solve_->setup().settings();
  return settings;
}

void LatticePage::apply(const LatticeSettings& settings) {
  if (controller_.configuration()) controller_.setFlowSteps(stepsOf(settings));
  if (settings.solve != solve_->setup().settings()) tabs_->setCurrentWidget(solve_);
  applyChoices(settings);
}

void LatticePage::applyChoices(const LatticeSettings& settings) {
  if (this->settings(settings).observable != settings.observable) controller_.choose(settings.observable);
  for (std::size_t part = 0; part < kLoopPartNames.size(); ++part)
    if (settings.part == kLoopPartNames[part]) fields_->setPart(static_cast<LoopPart>(part));
  if (settings.solve != solve_->setup().settings()) solve_->setup().restore(settings.solve);
}

void LatticePage::restore(const LatticeSettings& settings) {
  const ConfigurationSource& from = settings.configuration;
  if (!from.path.empty()) {
    controller_.open(toQt(from.path), from.hasExtents() ? std::optional(from.extents) : std::nullopt,
                     stepsOf(settings));
  } else if (!from.empty()) {
    controller_.generate({from.extents, from.beta, from.hot, from.sweeps, from.seed}, stepsOf(settings));
  }
  if (!from.empty()) fields_->setSlice(settings.slice);
  applyChoices(settings);
}

}  // namespace sscope
