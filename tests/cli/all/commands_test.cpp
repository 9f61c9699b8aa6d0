#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/ladder/ladder_settings.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("devices lists every engine, absent ones with the reason") {
  const Outcome text = run({"devices"});
  CHECK(text.status == 0);
  CHECK(text.err.empty());
  for (const char* id : {"cpu:scalar", "cpu:sse4", "cpu:avx2", "cpu:avx512", "opencl:0", "cuda:0"})
    CHECK(contains(text.out, id));
  const json document = json::parse(run({"devices", "--json", "-"}).out);
  CHECK(document.at("schema") == "stencilscope.devices/1");
  CHECK(document.at("machine").at("threads").get<int>() >= 1);
  for (const json& engine : document.at("engines")) {
    INFO(engine.dump());
    CHECK(engine.at("available").get<bool>() != engine.contains("reason"));
    CHECK(engine.at("id").get<std::string>().rfind("peer:", 0) != 0);
  }
}

TEST_CASE("samples are listed and written, the same for the same seed") {
  const TemporaryFolder folder;
  const Outcome list = run({"sample", "--list"});
  CHECK(list.status == 0);
  for (const char* name : {"marschner-lobb", "shepp-logan", "gyroid", "foam", "zone-plate", "siemens-star"})
    CHECK(contains(list.out, name));
  const std::string a = folder / "a.nrrd", b = folder / "b.nrrd", c = folder / "c.nrrd";
  CHECK(run({"sample", "foam", "-o", a, "--size", "16", "--seed", "3"}).status == 0);
  CHECK(run({"sample", "foam", "-o", b, "--size", "16", "--seed", "3"}).status == 0);
  CHECK(run({"sample", "foam", "-o", c, "--size", "16", "--seed", "4"}).status == 0);
  CHECK(readTextFile(a) == readTextFile(b));
  CHECK(readTextFile(a) != readTextFile(c));
}

TEST_CASE("info tells dimensions, type, geometry and values") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd";
  Volume volume({3, 2, 2, 1}, ElementType::f32, {{0.5, 1, 2}, {1, 2, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "mm"});
  for (std::size_t i = 0; i < 12; ++i) volume.elements<float>()[i] = static_cast<float>(i);
  writeNrrd(in, volume);
  const Outcome text = run({"info", in});
  CHECK(text.status == 0);
  CHECK(contains(text.out, "3 x 2 x 2"));
  CHECK(contains(text.out, "f32"));
  const json document = json::parse(run({"info", in, "--json"}).out);
  CHECK(document.at("dimensions") == json::array({3, 2, 2}));
  CHECK(document.at("spacing") == json::array({0.5, 1, 2}));
  CHECK(document.at("origin") == json::array({1, 2, 3}));
  CHECK(document.at("unit") == "mm");
  CHECK(document.at("min") == 0);
  CHECK(document.at("max") == 11);
  CHECK(document.at("mean") == 5.5);
  CHECK(document.at("non_finite") == 0);
}

TEST_CASE("info writes its JSON where it is asked to, and takes a file behind --json for what is read") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", report = folder / "report.json";
  writeNrrd(in, randomVolume({4, 3, 2, 1}, ElementType::u8, 1));
  const std::string bare = run({"info", in, "--json"}).out;
  CHECK(json::parse(bare).at("type") == "u8");
  CHECK(run({"info", "--json", in}).out == bare);
  CHECK(run({"info", in, "--json", "-"}).out == bare);
  const Outcome written = run({"info", in, "--json", report});
  CHECK(written.status == 0);
  CHECK(written.out.empty());
  CHECK(readTextFile(report) == bare);
  expectRefusal({"info", in, "--json", in}, 2, "which is read");
  expectRefusal({"info", "--json"}, 2, "FILE is required");
  const std::string other = folder / "other.nrrd";
  writeNrrd(other, randomVolume({4, 3, 2, 1}, ElementType::u8, 2));
  const std::string before = readTextFile(other);
  expectRefusal({"info", "--json", other, in}, 2, "name it .json");
  CHECK(readTextFile(other) == before);
}

TEST_CASE("info reads data larger than memory by planes") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd";
  Volume volume = randomVolume({64, 32, 100, 2}, ElementType::f32, 1);
  volume.elements<float>()[70000] = std::numeric_limits<float>::quiet_NaN();
  writeNrrd(in, volume);
  json whole = json::parse(run({"info", in, "--json"}).out);
  const Outcome outcome = run({"info", in, "--json", "--memory", "200K"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  json planes = json::parse(outcome.out);
  CHECK(planes.at("mean").get<double>() == Approx(whole.at("mean").get<double>()).epsilon(1e-12));
  CHECK(planes.at("non_finite") == 1);
  for (json* one : {&whole, &planes}) one->erase("mean");
  CHECK(planes == whole);
  expectRefusal({"info", in, "--noise", "--memory", "200K"}, 1, "the noise is estimated from all voxels at once");
}

TEST_CASE("run does what the session says, from the session's folder") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({10, 10, 10, 1}, ElementType::f32, 1));
  Session session;
  session.data.path = "in.nrrd";
  session.engine = "cpu:scalar";
  for (const char* spec : {"gaussian", "sobel"}) session.bank.filters.push_back(parseFilterSpec(spec));
  writeSession(folder / "session.json", session);
  const Outcome outcome =
      run({"run", folder / "session.json", "-o", folder / "{}.nrrd", "--json", folder / "report.json"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.out, "cpu:scalar"));
  CHECK(std::filesystem::exists(folder / "gaussian.nrrd"));
  CHECK(std::filesystem::exists(folder / "sobel.nrrd"));
  CHECK(json::parse(readTextFile(folder / "report.json")).at("verification").at("verified") == true);
}

TEST_CASE("run chooses the type of a picture as filter does") {
  if (!hasItk()) SSCOPE_SKIP("PNG needs ITK");
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({12, 10, 1, 1}, ElementType::u8, 1));
  Session session;
  session.data.path = "in.nrrd";
  session.bank.filters.push_back(parseFilterSpec("box:size=3"));
  writeSession(folder / "session.json", session);
  writeTextFile(folder / "bank.json", toJson(session.bank).dump());
  const std::string note = "note: the results are stored as u8, rounded, because the file cannot hold f32";
  for (const Arguments& command :
       {Arguments{"run", folder / "session.json", "-o", folder / "run.png"},
        Arguments{"filter", folder / "in.nrrd", "--filter", "box:size=3", "--verify", "-o", folder / "filter.png"},
        Arguments{"filter", folder / "in.nrrd", "--bank", folder / "bank.json", "--verify", "-o",
                  folder / "bank.png"}}) {
    const Outcome outcome = run(command);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(contains(outcome.err, note));
  }
  CHECK(readTextFile(folder / "run.png") == readTextFile(folder / "filter.png"));
  CHECK(readTextFile(folder / "bank.png") == readTextFile(folder / "filter.png"));
  for (const ElementType chosen : {ElementType::i16, ElementType::f32}) {  // by somebody
    session.bank.output = {chosen};
    writeSession(folder / "session.json", session);
    writeTextFile(folder / "bank.json", toJson(session.bank).dump());
    for (const Arguments& command :
         {Arguments{"run", folder / "session.json", "-o", folder / "no.png"},
          Arguments{"filter", folder / "in.nrrd", "--bank", folder / "bank.json", "-o", folder / "no.png"}}) {
      const Outcome outcome = run(command);
      CHECK(outcome.status == 1);
      CHECK(contains(outcome.err, std::string(toString(chosen))));
    }
  }
}

TEST_CASE("run writes its report where its table cannot be written") {
  if (!std::filesystem::exists("/dev/full")) SSCOPE_SKIP("there is no /dev/full");
  const TemporaryFolder folder;
  Session session;
  session.data.sample = "gyroid";
  session.data.size = 8;
  session.bank.filters.push_back(parseFilterSpec("box"));
  writeSession(folder / "session.json", session);
  const std::string err = folder / "err";
  CHECK(shell("sscope run " + (folder / "session.json").string() + " --json " + (folder / "r.json").string() +
              " > /dev/full 2> " + err) == 1);
  CHECK(contains(readTextFile(err), "cannot write to the standard output"));
  CHECK(json::parse(readTextFile(folder / "r.json")).at("verification").at("verified") == true);
}

TEST_CASE("run reads the frame that the session's data choose") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({6, 5, 4, 1}, ElementType::f32, 1));
  Session session;
  session.bank.filters.push_back(parseFilterSpec("box"));
  for (const char* choice : {"in.nrrd@t=0", "in.nrrd@c=0,t=0"}) {
    session.data.path = choice;
    writeSession(folder / "session.json", session);
    CHECK(run({"run", folder / "session.json"}).status == 0);
  }
  session.data.path = "other.nrrd@t=0";
  writeSession(folder / "session.json", session);
  CHECK(contains(run({"run", folder / "session.json"}).err, "are not there"));
}

TEST_CASE("run says which parts of a session it does not run") {
  const TemporaryFolder folder;
  Session session;
  session.data.sample = "gyroid";
  session.data.size = 16;
  session.bank.filters.push_back(parseFilterSpec("box"));
  const auto runIt = [&] {
    writeSession(folder / "session.json", session);
    return run({"run", folder / "session.json", "--json", folder / "report.json"});
  };
  CHECK(!contains(runIt().err, "is not run"));
  CHECK(json::parse(readTextFile(folder / "report.json")).at("notices").empty());
  WaveletSettings wavelet;
  wavelet.levels = 2;
  session.put(wavelet);
  LatticeSettings lattice;
  lattice.configuration.extents = {4, 4, 4, 4};
  session.put(lattice);
  LadderSettings ladder;
  ladder.workload = "soup";
  session.put(ladder);
  session.foreign["colors"] = "{}";
  const Outcome both = runIt();
  CHECK(both.status == 0);
  CHECK(contains(both.err, "note: the session's Wavelet room is not run; use sscope dwt"));
  CHECK(contains(both.err, "note: the session's Lattice room is not run; use sscope lattice"));
  CHECK(contains(both.err, "note: the session's Ladders room is not run; use sscope bench soup --sweep"));
  CHECK(contains(both.err, "note: the session's \"colors\" is not run; this version does not know it"));
  CHECK(json::parse(readTextFile(folder / "report.json")).at("notices").size() == 4);
  // With nothing to filter there is nothing to run.
  session.bank.filters.clear();
  session.view.room = "wavelet";
  const Outcome none = runIt();
  CHECK(none.status != 0);
  CHECK(contains(none.err, "has no filter to run; the session's Wavelet room is not run; use sscope dwt"));
  session.data = {};
  session.view.room = "lattice";
  session.put(WaveletSettings());
  CHECK(contains(runIt().err, "has no data to filter; the session's Lattice room is not run; use sscope lattice"));
  session.view.room = "ladders";
  CHECK(contains(runIt().err, "has no data to filter; the session's Ladders room is not run; use sscope bench soup"));
}

TEST_CASE("run takes a sample and writes nothing unless told") {
  const TemporaryFolder folder;
  Session session;
  session.data.sample = "gyroid";
  session.data.size = 16;
  session.bank.filters.push_back(parseFilterSpec("box"));
  writeSession(folder / "session.json", session);
  const Outcome outcome = run({"run", folder / "session.json"});
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.out, "GFLOP/s"));
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"session.json"});
}
