// What a session holds of the Lattice room, and how the room comes back from it.

#include <cmath>

#include "core/lattice/wilson_flow.h"
#include "ui/base/text.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/lattice/time_player.h"

namespace sscope {

namespace {

// In the order of LoopPart.
constexpr std::array<const char*, kLoopParts> kParts{"real", "imaginary", "modulus", "phase"};

ConfigurationSource sourceOf(const LatticeController& lattices) {
  ConfigurationSource from;
  if (const auto& made = lattices.generated())
    from = {{}, made->extents, made->beta, made->hot, made->sweeps, made->seed};
  from.path = fromQt(lattices.path());
  if (lattices.givenExtents()) from.extents = *lattices.givenExtents();
  return from;
}

}  // namespace

LatticeSettings LatticePage::settings() const {
  LatticeSettings settings = restored_;
  if (controller_.configuration()) {
    settings.configuration = sourceOf(controller_);
    settings.flowTime = controller_.flowSteps() * lattice::kFlowStep;
    settings.slice = fields_->slice();
  }
  // Solutions are not in the session.
  for (const lattice::ObservableInfo& info : lattice::observables())
    if (info.name == controller_.choice()) settings.observable = info.name;
  settings.part = kParts[static_cast<std::size_t>(fields_->part())];
  settings.solve = solve_->setup().settings();
  return settings;
}

void LatticePage::restore(const LatticeSettings& settings) {
  restored_ = settings;
  const ConfigurationSource& from = settings.configuration;
  const auto steps = static_cast<int>(std::lround(settings.flowTime / lattice::kFlowStep));
  if (!from.path.empty()) {
    controller_.open(toQt(from.path), from.hasExtents() ? std::optional(from.extents) : std::nullopt, steps);
  } else if (!from.empty()) {
    controller_.generate({from.extents, from.beta, from.hot, from.sweeps, from.seed}, steps);
  }
  if (!from.empty()) fields_->setSlice(settings.slice);
  controller_.choose(settings.observable);
  for (std::size_t part = 0; part < kParts.size(); ++part)
    if (settings.part == kParts[part]) fields_->setPart(static_cast<LoopPart>(part));
  solve_->setup().restore(settings.solve);
}

}  // namespace sscope
