// The Lattice room in a session: what it shows and solves comes back, and a file that is gone keeps nothing else from
// it.

#include <QSlider>
#include <QToolButton>

#include "core/lattice/configuration.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_settings.h"
#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"

using namespace sscope;
using namespace sscope::test;

namespace {

void type(TestWindow& test, const char* box, const char* text) {
  auto& line = test.find<NumberBox>(box);
  typeInto(line, QLatin1String(text));
}

void save(TestWindow& test, const std::filesystem::path& path) { test.save(toQt(path.string())); }

// A session of a smoothed energy density, solved for on two engines, one of them in two ways.
Session saveOpened(const TemporaryFolder& folder) {
  TestWindow test;
  test.workshop.configurations->write(folder / "small.nersc", lattice::hotStart(lattice::Lattice({4, 4, 4, 6}), 2), {},
                                      {});
  test.setBank({"gaussian:sigma=1.25"});
  EngineChoice choice;
  choice.engine = "cpu:avx2";
  test.model().editEngineChoice(choice, "engine"_q);
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt((folder / "small.nersc").string()));
  REQUIRE(waitForField(test));
  test.window->roomOf<LatticeRoom>().controller().choose("energy");
  test.window->roomOf<LatticeRoom>().controller().setFlowSteps(7);
  REQUIRE(waitForField(test));
  test.find<QSlider>("latticeTime").setValue(3);
  test.window->roomOf<LatticeRoom>().latticePage().fields().setPart(LoopPart::Phase);
  test.window->roomOf<LatticeRoom>().latticePage().tabs().setCurrentIndex(1);
  type(test, "solveKappa", "0.1125");
  type(test, "solveTolerance", "1e-7");
  type(test, "solveMaxIterations", "321");
  type(test, "solveSourceT", "5");
  type(test, "solveSpin", "2");
  test.find<QComboBox>("solveSolver").setCurrentText("gcr"_q);
  test.find<QComboBox>("solveTimeBoundary").setCurrentIndex(1);
  test.find<QAbstractButton>("compare-cpu:scalar").click();
  test.press("solveAdd-cpu:scalar");
  const SolveSetup& setup = test.window->roomOf<LatticeRoom>().latticePage().solve().setup();
  REQUIRE_SOON(setup.places().size() == 3);
  CHECK(setup.places()[1].engine == setup.places()[2].engine);
  CHECK(setup.places()[1].variant != setup.places()[2].variant);
  save(test, folder / "work.json");
  CHECK_FALSE(test.model().dirty());
  return test.model().session();
}

}  // namespace

TEST_CASE("a session brings the Lattice room back as it was") {
  const TemporaryFolder folder;
  const Session before = saveOpened(folder);
  TestWindow test;
  REQUIRE(test.openFile(folder / "work.json"));
  CHECK(test.window->room() == "lattice");
  REQUIRE(waitForField(test));
  CHECK(test.window->roomOf<LatticeRoom>().controller().name() == "small.nersc"_q);
  CHECK(test.window->roomOf<LatticeRoom>().controller().field()->key == "energy");
  CHECK(test.window->roomOf<LatticeRoom>().controller().flowSteps() == 7);
  CHECK(test.window->roomOf<LatticeRoom>().latticePage().fields().player().slice() == 3);
  CHECK(test.find<NumberBox>("latticeFlowTime").value() == Approx(0.07));
  const SolveJob job = test.window->roomOf<LatticeRoom>().latticePage().solve().setup().job();
  CHECK(job.wilson.kappa == 0.1125);
  CHECK(job.wilson.timeBoundary == 1);
  CHECK(job.source.site[3] == 5);
  CHECK(job.solver.solver == lattice::Solver::Gcr);
  CHECK(job.solver.maxIterations == 321);
  CHECK(test.window->roomOf<LatticeRoom>().latticePage().solve().setup().places().size() == 3);
  save(test, folder / "again.json");
  CHECK(test.model().session() == before);
  CHECK_FALSE(test.model().dirty());
}

TEST_CASE("another configuration begins a session without a file, and the one that opens keeps its own") {
  LatticeTest test;
  for (const char* name : {"one.nersc", "two.nersc"})
    test.workshop.configurations->write(test.folder / name, lattice::hotStart(lattice::Lattice({4, 4, 4, 4}), 2), {},
                                        {});
  REQUIRE(test.open(test.folder / "one.nersc"));
  save(test, test.folder / "one.json");
  const QString one = toQt((test.folder / "one.json").string());
  REQUIRE(test.model().path() == one);
  REQUIRE_SOON(!test.lattices().busy());
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt((test.folder / "two.nersc").string()));
  REQUIRE_SOON(test.lattices().name() == "two.nersc"_q && !test.lattices().busy());
  test.window->save();
  CHECK(test.model().path().isEmpty());
  CHECK_THAT(readSession(fromQt(one)).get<LatticeSettings>().configuration.path, EndsWith("one.nersc"));
  // While the configuration of a session comes, what is kept of the room is not the one before.
  const QSignalSpy opened(&test.window->loader(), &DataLoader::sessionOpened);
  REQUIRE(test.openFile(test.folder / "one.json"));
  REQUIRE(opened.size() == 1);
  test.window->roomOf<LatticeRoom>().keep();
  CHECK(test.model().path() == one);
  REQUIRE_SOON(test.lattices().name() == "one.nersc"_q && !test.lattices().busy());
  test.window->roomOf<LatticeRoom>().keep();
  CHECK(test.model().path() == one);
}

TEST_CASE("a session whose configuration is gone says so in the room and opens the rest") {
  const TemporaryFolder folder;
  const Session before = saveOpened(folder);
  std::filesystem::remove(folder / "small.nersc");
  TestWindow test;
  REQUIRE(test.openFile(folder / "work.json"));
  CHECK(test.window->room() == "lattice");
  auto& notice = test.find<Notice>("latticeNotice");
  REQUIRE_SOON(!notice.message().isEmpty());
  CHECK(notice.message().contains("small.nersc"_q));
  CHECK(test.window->roomOf<LatticeRoom>().controller().configuration() == nullptr);
  CHECK(test.model().bank() == before.bank);
  CHECK(test.model().session().engine == "cpu:avx2");
  CHECK(test.find<NumberBox>("solveKappa").value() == 0.1125);
  // Saved again, it still names the file.
  save(test, folder / "again.json");
  CHECK(readSession((folder / "again.json").string()).get<LatticeSettings>().configuration.path ==
        (folder / "small.nersc").string());
}

TEST_CASE("a generated configuration comes back with the same links, and older sessions leave the room alone") {
  const TemporaryFolder folder;
  std::shared_ptr<const lattice::Configuration> made;
  {
    TestWindow test;
    GenerateSettings settings;
    settings.extents = {4, 4, 2, 6};
    settings.beta = 5.5;
    settings.sweeps = 3;
    settings.seed = 11;
    test.window->roomOf<LatticeRoom>().controller().generate(settings);
    REQUIRE(waitForField(test));
    made = test.window->roomOf<LatticeRoom>().controller().configuration();
    save(test, folder / "work.json");
  }
  TestWindow test;
  REQUIRE(test.openFile(folder / "work.json"));
  CHECK(test.window->room() == "filter");
  REQUIRE(waitForField(test));
  const auto again = test.window->roomOf<LatticeRoom>().controller().configuration();
  CHECK(again->field == made->field);
  CHECK(test.find<NumberBox>("generateSeed").value() == 11);
  writeSession((folder / "older.json").string(), Session());
  REQUIRE(test.openFile(folder / "older.json"));
  CHECK(test.window->roomOf<LatticeRoom>().controller().configuration() == again);
}
