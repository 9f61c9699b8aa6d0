#pragma once
// Engines of this machine that share each computation, a part of its outputs on each (core/engine/joined_plan.h).

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"

namespace sscope {

// It holds nothing but the names of the others and asks each of them. Its kind is that of the processor if one of them
// is the processor's, else that of the first; its ceilings are the sums of theirs.
class JoinedEngine final : public Engine {
 public:
  // At least one; an engine may be there twice. They outlive it. Throws Error(Usage) for other libraries.
  explicit JoinedEngine(std::vector<Engine*> parts);

  [[nodiscard]] const std::vector<Engine*>& parts() const { return parts_; }

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  // Of one after the other, those of the processor with the threads that they have beside each other. Devices that
  // share the processor's memory are counted as if they had one of their own, which makes shares of it too small.
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

// Whether an id is one of several engines: "cuda:0+cuda:1", "cuda:all".
[[nodiscard]] bool namesJoined(std::string_view id);

// The engine of such an id, with the id "cuda:0+cuda:1"; where "cuda:all" is one device, that one. It stays as long as
// the program runs. From any thread. Throws what EngineSet::at() throws for each of them, and Error(Usage).
[[nodiscard]] Engine& joinedEngine(const EngineSet& engines, std::string_view id);

// Ids of those that are worth offering to somebody who has not asked: all devices of a kind where there are two, and
// the widest level of the processor with the first device that is not the processor itself.
[[nodiscard]] std::vector<std::string> offeredJoins(const EngineSet& engines);

}  // namespace sscope
