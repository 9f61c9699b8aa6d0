// Engines that share a computation: the bits of one engine where all are of one kind, and what is told of each.
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <stop_token>
#include <thread>

#include "core/base/error.h"
#include "core/engine/joined_array.h"
#include "core/engine/joined_engine.h"
#include "core/engine/joined_parts.h"
#include "core/engine/joined_plan.h"
#include "core/filter/family.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/program_workload.h"
#include "core/filter/workload/bank_workload.h"
#include "core/filter/workload/conv2d_workload.h"
#include "core/filter/workload/soup_workload.h"
#include "core/measure/verify_variant.h"
#include "core/volume/histogram.h"
#include "core/volume/volume_pool.h"
#include "core/workload/workload_options.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string repeated(const std::string& id, int times) {
  std::string all = id;
  for (int i = 1; i < times; ++i) all += "+" + id;
  return all;
}

bool sameBits(const Volume& a, const Volume& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

// Whether formulas are computed with the sums that they read or in kernels of their own follows from the extents of a
// part, and does not show in the bits.
std::string withoutFormulas(std::string variant) {
  const std::string kernel = "+kernel";
  if (const std::size_t at = variant.find(kernel); at != std::string::npos) variant.erase(at, kernel.size());
  return variant;
}

// Which output of `times` times this engine differs from its own; empty: none.
std::string differenceOf(const test::TestMachine& machine, FilterJob job, const Volume& input, int times) {
  const FilterResult alone = runFilter(machine.engines, machine.variants, job, input, {});
  job.engine = repeated(job.engine, times);
  const FilterResult shared = runFilter(machine.engines, machine.variants, job, input, {});
  for (std::size_t i = 0; i < alone.outputs.size(); ++i)
    if (!sameBits(alone.outputs[i], shared.outputs[i]))
      return shared.report.engine + ", " + alone.names[i] + ", " + alone.report.variant + " and " +
             shared.report.variant + " (" + shared.report.why + ")";
  if (withoutFormulas(shared.report.variant) != withoutFormulas(alone.report.variant))
    return "variants " + alone.report.variant + " and " + shared.report.variant;
  if (shared.report.saturated != alone.report.saturated) return "other elements saturate";
  return {};
}

const std::vector<std::vector<std::string>>& sharedBanks() {
  static const std::vector<std::vector<std::string>> all{
      {"gaussian:sigma=1.2", "box:size=9", "sobel", "laplacian", "median"},
      {"median:size=5", "entropy:size=5,bins=16", "gabor", "bilateral"},
      {"gaussian:sigma=1,name=s,intermediate=true", "sobel:axis=x,input=s,name=gx", "sobel:axis=y,input=s,name=gy",
       "formula:e=sqrt(gx^2+gy^2),name=g", "box:input=g,size=5"},
      {"tv:steps=3", "edges"},
  };
  return all;
}

std::vector<std::byte> outputsOf(Plan& plan, const Workload& workload, const Volume& input) {
  std::vector<std::byte> all;
  std::vector<ArrayView> views;
  std::size_t bytes = 0;
  for (const ArraySpec& spec : workload.outputs()) bytes += static_cast<std::size_t>(spec.bytes());
  all.resize(bytes, std::byte{0xA5});
  std::size_t at = 0;
  for (const ArraySpec& spec : workload.outputs()) {
    views.push_back(denseView({spec.type, spec.extent}, all.data() + at));
    at += static_cast<std::size_t>(spec.bytes());
  }
  const ConstArrayView in = input.view();
  plan.run({{&in, 1}, 0}, views, {});
  return all;
}

std::vector<ConstArrayView> viewsOf(const Workload& workload, const std::vector<std::byte>& outputs) {
  std::vector<ConstArrayView> views;
  std::size_t at = 0;
  for (const ArraySpec& spec : workload.outputs()) {
    views.push_back(denseView(spec, outputs.data() + at));
    at += static_cast<std::size_t>(spec.bytes());
  }
  return views;
}

// Every variant of a ladder on every engine, two and three times; devices, which compile for each part anew, twice, and
// there variants take turns with the cases.
void requireSharedLadder(const Workload& workload, const Volume& input, std::size_t turn) {
  const test::TestMachine machine;
  for (Engine* engine : machine.chosen())
    for (const Variant* row : machine.variants.rows(workload.name(), engine->info().kind)) {
      if (!row->belongsTo(engine->info()) || !row->twinOf.empty()) continue;
      if (row->unsupported && !row->unsupported(engine->info(), workload).empty()) continue;
      INFO(engine->info().id << " " << row->name);
      const bool device = engine->info().isDevice();
      if (device && row->name != "tuned" && turn++ % std::size(kBoundaries) != 0) continue;
      const auto alone = machine.variants.prepare(*engine, workload, row->name, {}, {});
      const auto expected = outputsOf(*alone, workload, input);
      for (const int times : {2, 3}) {
        if (device && times == 3) continue;
        INFO(times << " times");
        Engine& shared = machine.engines.at(repeated(engine->info().id, times));
        const auto plan = machine.variants.prepare(shared, workload, row->name, {}, {});
        const std::vector<std::byte> outputs = outputsOf(*plan, workload, input);
        if (plan->grain() != 0) CHECK((outputs == expected));
        const ConstArrayView in = input.view();
        CHECK(verify(*row, workload, {&in, 1}, viewsOf(workload, outputs), {}, {}).failure == "");
      }
    }
}

OptionValues optionsOf(const std::vector<Option>& options, OptionValues values) {
  return completeOptions(options, values);
}

}  // namespace

TEST_CASE("engines that share a bank give the bits of one: all boundaries and shapes", "[joined]") {
  const test::TestMachine machine;
  std::uint64_t seed = 0;
  for (const Engine* engine : machine.chosen())
    for (const auto& specs : sharedBanks())
      for (const Boundary boundary : kBoundaries) {
        // Devices compile for each part anew: there banks take turns with the boundaries.
        constexpr std::size_t kTurns = std::size(kBoundaries);
        if (++seed; engine->info().isDevice() && (seed + seed / kTurns) % kTurns != 0) continue;
        // Slabs of one voxel, fewer slices than engines, images and ordinary volumes.
        const VolumeShape shapes[] = {{33, 21, 2, 1}, {17, 40, 13, 1}, {31, 9, 3, 3}, {45, 23, 1, 1}, {20, 19, 24, 1}};
        const VolumeShape& shape = shapes[seed % std::size(shapes)];
        const ElementType type = kElementTypes[seed % std::size(kElementTypes)];
        const Volume input = test::randomVolume(shape, type, seed);
        FilterJob job = test::jobOf(specs, engine->info().id);
        job.bank.boundary = boundary;
        job.bank.constant = boundary == Boundary::constant ? 2.5 : 0;
        if (seed % 3 == 0) job.bank.output = OutputType{std::nullopt};
        INFO(engine->info().id << " " << specs.front() << ", " << toString(boundary) << ", " << toString(type) << ", "
                               << shape.text());
        CHECK(differenceOf(machine, job, input, seed % 2 == 0 ? 2 : 3) == "");
      }
}

TEST_CASE("engines that share a filter give the bits of one: every variant", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({67, 23, 17, 1}, ElementType::f32, 3);
  for (const Engine* engine : machine.chosen())
    for (const Variant* variant : machine.variants.rows("filter", engine->info().kind)) {
      FilterJob job =
          test::jobOf({"gaussian:sigma=1.5", "box:size=7", "gabor:wavelength=5", "median"}, engine->info().id);
      const auto workload = bankWorkload(job.bank, input.spec(), {}, false);
      if (variant->unsupported && !variant->unsupported(engine->info(), *workload).empty()) continue;
      job.variant = variant->name;
      INFO(engine->info().id << " " << variant->name);
      CHECK(differenceOf(machine, job, input, 2) == "");
    }
}

TEST_CASE("engines that share Fourier transforms cut them at multiples of their grain", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({70, 45, 150, 1}, ElementType::f32, 11);
  for (const Engine* engine : machine.chosen()) {
    FilterJob job = test::jobOf({"gabor:wavelength=5,sigma=2"}, engine->info().id);
    job.variant = "fft";
    INFO(engine->info().id);
    CHECK(differenceOf(machine, job, input, 3) == "");
  }
}

TEST_CASE("engines that share the ladders bank, conv2d and soup give the bits of one", "[joined]") {
  std::uint64_t seed = 0;
  for (const Boundary boundary : kBoundaries) {
    const std::string rule(toString(boundary));
    INFO(rule);
    ++seed;
    const Volume volume = test::randomVolume({37, 18, 11, 1}, seed % 2 == 0 ? ElementType::u8 : ElementType::f32, seed);
    requireSharedLadder(BankWorkload(volume.spec(), optionsOf(BankWorkload::options(), {{"boundary", rule},
                                                                                        {"filters", std::int64_t{4}},
                                                                                        {"size", std::int64_t{5}}})),
                        volume, seed);
    const Volume image = test::randomVolume({71, 45, 1, 1}, ElementType::f32, seed);
    requireSharedLadder(Conv2dWorkload(image.spec(), optionsOf(Conv2dWorkload::options(), {{"boundary", rule}})), image,
                        seed);
    const Volume bytes = test::randomVolume({72, 45, 1, 1}, ElementType::u8, seed);
    requireSharedLadder(SoupWorkload(bytes.spec(), optionsOf(SoupWorkload::options(), {{"boundary", rule}})), bytes,
                        seed);
  }
}

TEST_CASE("a single row is not cut", "[joined]") {
  const test::TestMachine machine;
  const Volume row = test::randomVolume({40, 1, 1, 1}, ElementType::f32, 5);
  const std::string id = machine.engines.preferred().info().id;
  const FilterJob job = test::jobOf({"gaussian:sigma=1"}, id + "+" + id);
  CHECK_THROWS_WITH(runFilter(machine.engines, machine.variants, job, row, {}), ContainsSubstring("a single row"));
}

TEST_CASE("what each of several engines did is told", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({40, 23, 24, 1}, ElementType::f32, 5);
  const std::string id = machine.engines.preferred().info().id;
  FilterJob job = test::jobOf({"gaussian:sigma=1"}, id + "+" + id);
  const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
  CHECK(result.report.engine == id + "+" + id);
  const std::vector<PartShare> shares = sharesIn(result.report.launch, result.report.engine);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].name == id);
  CHECK(shares[1].name == id + " (2)");
  CHECK(shares[0].planes + shares[1].planes == 24);
  CHECK(shares[0].share + shares[1].share == 1);
  for (const PartShare& one : shares) CHECK(one.seconds > 0);
  CHECK_THAT(result.report.why, ContainsSubstring("planes along z: " + id + ": 12 of 24, " + id + " (2): 12 of 24"));
  CHECK(verifyFilter(job, input, result, {}, {}).verified);

  // More engines than planes: the last one has nothing to do.
  const Volume thin = test::randomVolume({40, 23, 2, 1}, ElementType::f32, 5);
  job.engine = repeated(id, 3);
  const FilterResult few = runFilter(machine.engines, machine.variants, job, thin, {});
  CHECK(few.report.engine == id + "+" + id);
  CHECK_THAT(few.report.why, ContainsSubstring(id + " (3): none of 2"));
  CHECK(verifyFilter(job, thin, few, {}, {}).verified);
}

TEST_CASE("engines of several kinds share a bank, and the result is right", "[joined]") {
  const test::TestMachine machine;
  std::string all;
  for (const Engine* engine : machine.chosen()) all += (all.empty() ? "" : "+") + engine->info().id;
  const Volume input = test::randomVolume({40, 33, 48, 1}, ElementType::f32, 8);
  for (const auto& specs : sharedBanks()) {
    const FilterJob job = test::jobOf(specs, all);
    INFO(all << " " << specs.front());
    const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
    const Verification verification = verifyFilter(job, input, result, {}, {});
    CHECK(verification.failure == "");
    CHECK(verification.verified);
  }
}

TEST_CASE("names of several engines are read, and errors say which one is wrong", "[joined]") {
  const test::TestMachine machine;
  const EngineSet& engines = machine.engines;
  const std::string first = engines.preferred().info().id;
  Engine& shared = engines.at(first + "+cpu:scalar");
  CHECK(shared.info().id == first + "+cpu:scalar");
  CHECK(&engines.at(first + "+cpu:scalar") == &shared);
  CHECK(engines.find(first + "+cpu:scalar") == &shared.info());
  CHECK(engines.find(first + "+nobody") == nullptr);
  CHECK_THROWS_WITH(engines.at(first + "+nobody"), ContainsSubstring("there is no engine nobody"));
  CHECK_THROWS_WITH(engines.at(first + "+"), ContainsSubstring("an engine is missing beside a +"));
  CHECK_THROWS_WITH(engines.at("+" + first), ContainsSubstring("an engine is missing beside a +"));
  CHECK_THROWS_WITH(engines.at("cpu:all"), ContainsSubstring("names the same processor several times"));
  CHECK_THROWS_WITH(engines.at("gpu:all"), ContainsSubstring("there are no engines gpu:all"));
  CHECK_THROWS_WITH(engines.at("(" + first + "+" + first + ")+" + first), ContainsSubstring("there is no engine ("));
  for (const char* kind : {"opencl", "cuda"}) {
    const std::string all = std::string(kind) + ":all";
    std::string ids;
    const EngineInfo* absent = nullptr;
    for (const EngineInfo& info : engines.infos()) {
      if (toString(info.kind) != kind) continue;
      if (info.available()) ids += (ids.empty() ? "" : "+") + info.id;
      if (!info.available()) absent = &info;
    }
    if (!ids.empty())
      CHECK(engines.at(all).info().id == ids);
    else if (absent != nullptr)
      CHECK_THROWS_WITH(engines.at(all), ContainsSubstring(absent->absentReason));
  }
}

namespace {

class NamedEngine final : public Engine {
 public:
  NamedEngine(const std::string& id, EngineKind kind, bool isProcessor = false) {
    info_.id = info_.name = id;
    info_.kind = kind;
    info_.isProcessor = isProcessor;
  }
  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Ceilings measureCeilings(int threads, const Control&) override {
    Ceilings ceilings;
    ceilings.gflopsF32 = 10.0 * threads;
    ceilings.gbs = 5;
    ceilings.threads = threads;
    return ceilings;
  }

 private:
  EngineInfo info_;
};

}  // namespace

TEST_CASE("engines to share the work are offered where there are several", "[joined]") {
  EngineSet engines;
  const auto add = [&](const std::string& id, EngineKind kind, bool isProcessor = false) {
    engines.add(std::make_unique<NamedEngine>(id, kind, isProcessor));
  };
  add("cpu:scalar", EngineKind::Cpu);
  add("cpu:wide", EngineKind::Cpu);
  CHECK(offeredJoins(engines).empty());
  add("opencl:0", EngineKind::OpenCl, true);
  CHECK(offeredJoins(engines).empty());  // the processor again
  add("cuda:0", EngineKind::Cuda);
  CHECK(offeredJoins(engines) == std::vector<std::string>{"cpu:wide+cuda:0"});
  CHECK(engines.at("cuda:all").info().id == "cuda:0");
  add("cuda:1", EngineKind::Cuda);
  CHECK(offeredJoins(engines) == std::vector<std::string>{"cuda:0+cuda:1", "cpu:wide+cuda:0"});
  CHECK(engines.at("cuda:all").info().id == "cuda:0+cuda:1");
  add("peer:other", EngineKind::Peer);
  CHECK_THROWS_WITH(engines.at("cuda:0+peer:other"), ContainsSubstring("peer:other is another library"));

  Engine& mixed = engines.at("cuda:0+cpu:scalar+cpu:wide");
  CHECK(mixed.info().kind == EngineKind::Cpu);
  CHECK(mixed.info().hasThreads());
  CHECK(engines.at("cuda:0+cuda:1").info().kind == EngineKind::Cuda);
  // Of eight threads each level of the processor has four; a device that is there twice is one.
  const Ceilings sums = mixed.measureCeilings(8, {});
  CHECK(sums.gflopsF32 == 80 + 40 + 40);
  CHECK(sums.gbs == 15);
  CHECK(sums.threads == 8);
  CHECK(engines.at("cuda:0+cuda:0").measureCeilings(8, {}).gbs == 5);
}

namespace {

// A plan that copies its planes and takes so long for each.
class SlowCopy final : public Plan {
 public:
  SlowCopy(const FilterWorkload& workload, double secondsPerPlane, bool fails)
      : workload_(workload), seconds_(secondsPerPlane), fails_(fails) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    const Box& box = workload_.region();
    const auto planes = static_cast<double>(box.size(2));
    if (fails_) throw Error(ErrorKind::Device, "it fell over", "pick it up");
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds_ * planes);
    while (std::chrono::steady_clock::now() < until) {
      control.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const ArrayView& to = outputs[0];
    for (std::int64_t z = 0; z < to.extent[2]; ++z)
      for (std::int64_t y = 0; y < to.extent[1]; ++y)
        for (std::int64_t x = 0; x < to.extent[0]; ++x)
          to.as<float>()[to.offset(x, y, z)] =
              inputs.arrays[0].as<float>()[inputs.arrays[0].offset(x, y, z + box.begin[2])];
    RunReport report;
    report.engine = "cpu:scalar";
    report.variant = "copy";
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override { return "a copy"; }

 private:
  FilterWorkload workload_;
  double seconds_;
  bool fails_;
};

// The part that begins at the first plane takes `first` seconds a plane, all others `other`.
// `preparing` is called first where a part is prepared.
VariantTable slowTable(
    double first, double other, bool otherFails,
    std::function<void(const Control&)> preparing = [](const Control&) {}) {
  Variant row;
  row.workload = "filter";
  row.name = "copy";
  row.kind = EngineKind::Cpu;
  row.explanation = "Copies.";
  row.prepare = [=](Engine&, const Workload& workload, const PrepareOptions&,
                    const Control& control) -> std::unique_ptr<Plan> {
    preparing(control);
    const auto& filter = dynamic_cast<const FilterWorkload&>(workload);
    const bool begins = filter.region().begin[2] == 0;
    return std::make_unique<SlowCopy>(filter, begins ? first : other, !begins && otherFails);
  };
  VariantTable table;
  table.add(std::move(row));
  return table;
}

struct Shared {
  test::TestMachine machine;
  Volume input = test::randomVolume({8, 8, 40, 1}, ElementType::f32, 5);
  Volume output{{8, 8, 40, 1}, ElementType::f32};
  Engine& engine = machine.engines.at("cpu:scalar+cpu:scalar");
  std::unique_ptr<Workload> workload =
      bankWorkload(test::jobOf({"gaussian:sigma=1"}, "").bank, input.spec(), {}, false);

  RunReport run(Plan& plan, const Control& control = {}) {
    const ConstArrayView in = input.view();
    const ArrayView out = output.view();
    return plan.run({{&in, 1}, 0}, {&out, 1}, control);
  }
};

}  // namespace

TEST_CASE("parts follow the speeds that runs show", "[joined]") {
  Shared shared;
  const VariantTable table = slowTable(4e-3, 5e-4, false);
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  const auto planesOfFirst = [&] { return sharesIn(shared.run(*plan).launch, "cpu:scalar+cpu:scalar").at(0).planes; };
  CHECK(planesOfFirst() == 20);
  CHECK(planesOfFirst() == 20);  // the first run may have been slow for other reasons
  const double then = planesOfFirst();
  CHECK(then < 12);
  CHECK(then >= 1);
  CHECK(sameBits(shared.input, shared.output));
}

TEST_CASE("the first error of a part ends the run, with the name of its engine", "[joined]") {
  Shared shared;
  const VariantTable table = slowTable(1, 0, true);  // the first part alone would take 20 s
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  try {
    shared.run(*plan);
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Device);
    CHECK(std::string(error.what()) == "cpu:scalar (2): it fell over; pick it up");
  }
}

TEST_CASE("a run that is canceled while it is cut again leaves a plan that runs", "[joined]") {
  Shared shared;
  std::stop_source stop;
  std::atomic<int> prepared = 0;
  const VariantTable table = slowTable(4e-3, 5e-4, false, [&](const Control& control) {
    if (++prepared > 2) stop.request_stop();
    control.check();
  });
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  shared.run(*plan);
  shared.run(*plan);  // which shows that the parts end far apart
  CHECK_THROWS_AS(shared.run(*plan, {stop.get_token(), {}}), Canceled);
  CHECK(prepared > 2);
  shared.run(*plan);
  CHECK(sameBits(shared.input, shared.output));
}

TEST_CASE("a run on several engines is canceled", "[joined]") {
  Shared shared;
  const VariantTable table = slowTable(1, 1, false);
  const auto plan = table.prepare(shared.engine, *shared.workload, "", {}, {});
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  CHECK_THROWS_AS(shared.run(*plan, {stop.get_token(), {}}), Canceled);
  CHECK_THROWS_AS(shared.run(*plan, {stop.get_token(), {}}), Canceled);
}

TEST_CASE("a workload that cannot be cut is refused by engines that would share it", "[joined]") {
  class Whole final : public FilterWorkload {
   public:
    using FilterWorkload::FilterWorkload;
    [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box&) const override { return nullptr; }
  };
  Shared shared;
  const Whole whole(dynamic_cast<const FilterWorkload&>(*shared.workload).operators(), Boundary::nearest, 0,
                    shared.input.spec(), ElementType::f32);
  CHECK_THROWS_WITH(shared.machine.variants.prepare(shared.engine, whole, "", {}, {}),
                    ContainsSubstring("cannot be cut into parts for cpu:scalar+cpu:scalar"));
}

TEST_CASE("a shared plan takes other weights, and results stay in parts on devices", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({24, 20, 19, 1}, ElementType::f32, 5);
  for (const Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    FilterJob job = test::jobOf({"gaussian:sigma=1", "sharpen"}, engine->info().id);
    const FilterResult one = runFilter(machine.engines, machine.variants, job, input, {});
    const FilterJob other = test::jobOf({"gaussian:sigma=1.1", "sharpen"}, repeated(engine->info().id, 2));
    job.engine = other.engine;
    PreparedFilter prepared(machine.engines, machine.variants, job, input, {});
    VolumePool pool;
    const ResidentFilterResult resident = prepared.runResident(pool, {});
    REQUIRE(resident.outputs.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      ResidentArray& array = *resident.outputs[i];
      const auto host = hostArray("host", std::shared_ptr<const Volume>(&one.outputs[i], [](const Volume*) {}));
      CHECK(array.spec() == host->spec());
      CHECK((array.deviceBytes() > 0) == engine->info().isDevice());
      const Box box{{3, 2, 5}, {20, 17, 15}};
      CHECK(array.range(box, 0, {}) == host->range(box, 0, {}));
      const Bins bins = binsFor(host->range(box, 0, {}), ElementType::f32, 16);
      CHECK(array.counts(box, 0, bins, {}) == host->counts(box, 0, bins, {}));
      CHECK(sameBits(array.every(7, {}), host->every(7, {})));
      const BrickBlocks blocks = brickBlocks(array.spec(), 0, 8);
      CHECK(array.means(blocks, {}) == host->means(blocks, {}));
      Volume part({17, 15, 10, 1}, ElementType::f32), expected({17, 15, 10, 1}, ElementType::f32);
      const BoxCopy own{box, part.view()}, truth{box, expected.view()};
      array.read({&own, 1}, {});
      host->read({&truth, 1}, {});
      CHECK(sameBits(part, expected));
      CHECK(sameBits(*array.host({}), one.outputs[i]));
    }
    if (!prepared.adopt(other, input, {})) continue;  // plans of this engine do not
    FilterResult adopted = prepared.makeRoom();
    prepared.run(adopted, {});
    const FilterResult fresh = runFilter(machine.engines, machine.variants, other, input, {});
    for (std::size_t i = 0; i < 2; ++i) CHECK(sameBits(adopted.outputs[i], fresh.outputs[i]));
  }
}
