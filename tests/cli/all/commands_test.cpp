// devices, sample, info and run.

#include <filesystem>
#include <limits>

#include "core/filter/families/recipe_text.h"
#include "core/ladder/ladder_settings.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// session.json: a box of in.nrrd, or of a sample.
struct SessionScene : Scene {
  explicit SessionScene(const Volume& in = randomVolume({6, 5, 4, 1}, ElementType::f32, 1)) : Scene(in) {
    session.data.path = "in.nrrd";
    session.bank.filters.push_back(parseFilterSpec("box:size=3"));
    save();
  }
  void takeSample() {
    session.data = {};
    session.data.sample = "gyroid";
    session.data.size = 16;
    save();
  }
  void save() const { writeSession(path("session.json"), session); }
  Session session;
};

}  // namespace

TEST_CASE("devices lists every engine, absent ones with the reason") {
  const Scene scene;
  const Outcome text = scene.ok("devices");
  CHECK(text.err.empty());
  for (const char* id : {"cpu:scalar", "cpu:sse4", "cpu:avx2", "cpu:avx512", "opencl:0", "cuda:0"})
    CHECK(contains(text.out, id));
  const json document = scene.report("devices");
  CHECK(document.at("schema") == "stencilscope.devices/1");
  CHECK(document.at("machine").at("threads").get<int>() >= 1);
  for (const json& engine : document.at("engines")) {
    INFO(engine.dump());
    CHECK(engine.at("available").get<bool>() != engine.contains("reason"));
    CHECK(engine.at("id").get<std::string>().rfind("peer:", 0) != 0);
  }
}

TEST_CASE("samples are listed and written, the same for the same seed") {
  const Scene scene;
  const Outcome list = scene.ok("sample --list");
  for (const char* name : {"marschner-lobb", "shepp-logan", "gyroid", "foam", "zone-plate", "siemens-star"})
    CHECK(contains(list.out, name));
  for (const std::string name : {"a 3", "b 3", "c 4"})
    scene.ok("sample foam --size 16 -o " + name.substr(0, 1) + ".nrrd --seed " + name.substr(2));
  CHECK(scene.text("a.nrrd") == scene.text("b.nrrd"));
  CHECK(scene.text("a.nrrd") != scene.text("c.nrrd"));
}

TEST_CASE("info shows dimensions, type, geometry and values, and writes its JSON where it is asked to") {
  Volume volume({3, 2, 2, 1}, ElementType::f32, {{0.5, 1, 2}, {1, 2, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "mm"});
  for (std::size_t i = 0; i < 12; ++i) volume.elements<float>()[i] = static_cast<float>(i);
  const Scene scene(volume);
  const Outcome text = scene.ok("info in.nrrd"), bare = scene.ok("info in.nrrd --json");
  CHECK(contains(text.out, "3 x 2 x 2"));
  CHECK(contains(text.out, "f32"));
  const json document = json::parse(bare.out), exact{{"dimensions", {3, 2, 2}},
                                                     {"spacing", {0.5, 1, 2}},
                                                     {"origin", {1, 2, 3}},
                                                     {"unit", "mm"},
                                                     {"type", "f32"},
                                                     {"min", 0},
                                                     {"max", 11},
                                                     {"mean", 5.5},
                                                     {"non_finite", 0}};
  for (const auto& [key, value] : exact.items()) CHECK(document.at(key) == value);
  CHECK(scene.ok("info --json in.nrrd").out == bare.out);  // the file behind --json is read
  CHECK(scene.ok("info in.nrrd --json -").out == bare.out);
  CHECK(scene.ok("info in.nrrd --json report.json").out.empty());
  CHECK(scene.text("report.json") == bare.out);
  scene.write("other.nrrd", volume);
  scene.refuse(2, {{"info --json", "FILE is required"}, {"info --json other.nrrd in.nrrd", "name it .json"}});
}

TEST_CASE("info reads data larger than memory by planes") {
  Volume volume = randomVolume({64, 32, 100, 2}, ElementType::f32, 1);
  volume.elements<float>()[70000] = std::numeric_limits<float>::quiet_NaN();
  const Scene scene(volume);
  json whole = scene.report("info in.nrrd"), planes = scene.report("info in.nrrd --memory 200K");
  CHECK(planes.at("mean").get<double>() == Approx(whole.at("mean").get<double>()).epsilon(1e-12));
  CHECK(planes.at("non_finite") == 1);
  for (json* one : {&whole, &planes}) one->erase("mean");
  CHECK(planes == whole);
  scene.refuse("info in.nrrd --noise --memory 200K", 1, "the noise is estimated from all voxels at once");
}

TEST_CASE("run does what the session describes, from the session's folder") {
  SessionScene scene;
  scene.session.engine = "cpu:scalar";
  scene.session.bank.filters.push_back(parseFilterSpec("sobel"));
  scene.save();
  const Outcome outcome = scene.ok("run session.json -o {}.nrrd --json report.json");
  CHECK(contains(outcome.out, "cpu:scalar"));
  CHECK((scene.has("box.nrrd") && scene.has("sobel.nrrd")));
  CHECK(scene.document("report.json").at("verification").at("verified") == true);
  // A sample; nothing is written unless it is asked for.
  const std::vector<std::string> before = scene.files();
  scene.takeSample();
  CHECK(contains(scene.ok("run session.json").out, "GFLOP/s"));
  CHECK(scene.files() == before);
}

TEST_CASE("run finds data that moved with the session, and takes another place of them") {
  const SessionScene scene;
  for (const char* name : {"a", "b"}) fs::create_directory(scene.path(name));
  for (const char* name : {"in.nrrd", "session.json"}) fs::rename(scene.path(name), scene.folder() / "a" / name);
  fs::rename(scene.path("a"), scene.path("b"));
  scene.ok("run b/session.json");
  fs::rename(scene.path("b/in.nrrd"), scene.path("elsewhere.nrrd"));
  for (const char* part : {"in.nrrd", "--data FILE"}) scene.refuse("run b/session.json", 1, part);
  scene.ok("run b/session.json --data elsewhere.nrrd -o out.nrrd");
  CHECK(scene.volume().shape() == scene.volume("elsewhere.nrrd").shape());
}

TEST_CASE("run chooses the type of a picture as filter does") {
  if (!hasItk()) SSCOPE_SKIP("PNG needs ITK");
  SessionScene scene(randomVolume({12, 10, 1, 1}, ElementType::u8, 1));
  const auto save = [&] {
    scene.save();
    scene.write("bank.json", toJson(scene.session.bank).dump());
  };
  save();
  for (const char* line : {"run session.json -o run.png", "filter in.nrrd --filter box:size=3 --verify -o filter.png",
                           "filter in.nrrd --bank bank.json --verify -o bank.png"})
    CHECK(
        contains(scene.ok(line).err, "note: the results are stored as u8, rounded, because the file cannot hold f32"));
  CHECK(scene.text("run.png") == scene.text("filter.png"));
  CHECK(scene.text("bank.png") == scene.text("filter.png"));
  for (const ElementType chosen : {ElementType::i16, ElementType::f32}) {
    scene.session.bank.output = {chosen};
    save();
    for (const char* line : {"run session.json -o no.png", "filter in.nrrd --bank bank.json -o no.png"}) {
      const Outcome outcome = scene.run(line);
      CHECK(outcome.status == 1);
      CHECK(contains(outcome.err, std::string(toString(chosen))));
    }
  }
}

TEST_CASE("run writes its report where its table cannot be written") {
  if (!fs::exists("/dev/full")) SSCOPE_SKIP("there is no /dev/full");
  SessionScene scene;
  scene.takeSample();
  const Outcome outcome = scene.shell("sscope run session.json --json r.json > /dev/full");
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.err, "cannot write to the standard output"));
  CHECK(scene.document("r.json").at("verification").at("verified") == true);
}

TEST_CASE("run reads the frame that the session's data choose") {
  SessionScene scene;
  for (const std::string choice : {"in.nrrd@t=0", "in.nrrd@c=0,t=0", "other.nrrd@t=0"}) {
    scene.session.data.path = choice;
    scene.save();
    const Outcome outcome = scene.run("run session.json");
    if (choice.starts_with("in"))
      CHECK(outcome.status == 0);
    else
      CHECK(contains(outcome.err, "do not exist"));
  }
}

TEST_CASE("run names the parts of a session that it does not run") {
  SessionScene scene;
  scene.takeSample();
  CHECK(!contains(scene.ok("run session.json --json report.json").err, "is not run"));
  CHECK(scene.document("report.json").at("notices").empty());
  WaveletSettings wavelet;
  wavelet.levels = 2;
  scene.session.put(wavelet);
  LatticeSettings lattice;
  lattice.configuration.extents = {4, 4, 4, 4};
  scene.session.put(lattice);
  LadderSettings ladder;
  ladder.workload = "soup";
  scene.session.put(ladder);
  scene.session.foreign["colors"] = "{}";
  scene.save();
  const Outcome all = scene.ok("run session.json --json report.json");
  for (const char* part : {"Wavelet room is not run; use sscope dwt", "Lattice room is not run; use sscope lattice",
                           "Ladders room is not run; use sscope bench soup --sweep",
                           "\"colors\" is not run; this version does not know it"})
    CHECK(contains(all.err, std::string("note: the session's ") + part));
  CHECK(scene.document("report.json").at("notices").size() == 4);
  // With nothing to filter there is nothing to run.
  const auto refused = [&](const char* room, const std::string& part) {
    scene.session.view.room = room;
    scene.save();
    const Outcome none = scene.run("run session.json");
    CHECK(none.status != 0);
    CHECK(contains(none.err, part));
  };
  scene.session.bank.filters.clear();
  refused("wavelet", "has no filter to run; the session's Wavelet room is not run; use sscope dwt");
  scene.session.data = {};
  scene.session.put(WaveletSettings());
  refused("lattice", "has no data to filter; the session's Lattice room is not run; use sscope lattice");
  refused("ladders", "has no data to filter; the session's Ladders room is not run; use sscope bench soup");
}
