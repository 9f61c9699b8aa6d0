#include "core/base/ability.h"

#include "core/engine/forwarding_plan.h"
#include "core/engine/run_trace.h"
#include "core/engine/traced_plan.h"
#include "core/workload/free_boundaries.h"
#include "tests/support/catch.h"

namespace sscope {

namespace {

struct Counting {
  virtual ~Counting() = default;
  virtual int count() = 0;
};
struct Singing {
  virtual ~Singing() = default;
};

class CountingPlan final : public Plan, public Singing, public Counting {
 public:
  RunReport run(const Inputs&, std::span<const ArrayView>, const Control&) override { return {}; }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override { return "counts"; }
  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<Singing, Counting>(ability, this);
  }
  int count() override { return ++count_; }

 private:
  int count_ = 0;
};

}  // namespace

TEST_CASE("a plan shows its abilities and no others") {
  CountingPlan plan;
  REQUIRE(abilityOf<Counting>(plan) == static_cast<Counting*>(&plan));
  CHECK(abilityOf<Singing>(plan) == static_cast<Singing*>(&plan));
  CHECK(abilityOf<FreeBoundaries>(plan) == nullptr);
}

TEST_CASE("a wrapper does not hide the abilities of a plan") {
  const auto plan = traced(std::make_unique<ForwardingPlan>(std::make_unique<CountingPlan>()), "counting",
                           std::make_shared<RunTrace>());
  auto* counting = abilityOf<Counting>(*plan);
  REQUIRE(counting != nullptr);
  CHECK(counting->count() == 1);
  CHECK(abilityOf<FreeBoundaries>(*plan) == nullptr);
}

}  // namespace sscope
