#pragma once
// Engines of this machine that share each computation: each computes a part of the outputs (core/engine/joined_plan.h).

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"

namespace sscope {

// It forwards every call to its parts. Its kind is that of the processor if one part is the processor, else that of the
// first part; its ceilings are the sums of theirs.
class JoinedEngine final : public Engine {
 public:
  // At least one part; an engine may occur twice. The parts outlive it. Throws Error(Usage) for other libraries.
  explicit JoinedEngine(std::vector<Engine*> parts);

  [[nodiscard]] const std::vector<Engine*>& parts() const { return parts_; }

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  // Measures the parts one after the other, those of the processor with the threads that they get in a joined run.
  // Devices that share the processor's memory count as if they had their own, which makes their utilization too small.
  [[nodiscard]] Ceilings measureCeilings(int threads, const Control& control) override;
  void poison(std::uint8_t byte, const Control& control) override;
  [[nodiscard]] HeldMemory heldMemory() const override;
  void giveBack(const Control& control) override;

 private:
  // Each engine once.
  [[nodiscard]] std::vector<Engine*> distinct() const;

  std::vector<Engine*> parts_;
  EngineInfo info_;
};

// Whether an id names several engines: "cuda:0+cuda:1", "cuda:all".
[[nodiscard]] bool namesJoined(std::string_view id);

// The engine with such an id; its own id is "cuda:0+cuda:1". If "cuda:all" is a single device, that device. It lives as
// long as the program. Callable from any thread. Throws what EngineSet::at() throws for each part, and Error(Usage).
[[nodiscard]] Engine& joinedEngine(const EngineSet& engines, std::string_view id);

// The ids to offer to users: all devices of a kind if there are at least two, and the widest level of the processor
// with the first device that is not the processor itself.
[[nodiscard]] std::vector<std::string> offeredJoins(const EngineSet& engines);

}  // namespace sscope
