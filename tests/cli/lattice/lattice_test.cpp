// sscope lattice, as a stranger uses it.

#include <filesystem>
#include <set>
#include <sstream>

#include "core/base/memory.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/lattice/lattice_scene.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;
namespace fs = std::filesystem;

TEST_CASE("lattice generate gives the same configuration for the same seed, and info checks it") {
  const LatticeScene scene;
  const json info = scene.report("lattice info a.nersc");
  CHECK(info.at("schema") == "stencilscope.lattice/1");
  CHECK(info.at("format") == "NERSC");
  CHECK(info.at("dims") == json::array({4, 4, 2, 4}));
  CHECK(info.at("checksum_ok") == true);
  CHECK(info.at("max_unitarity_error").get<double>() < 1e-13);
  CHECK(info.at("plaquette").get<double>() > 0.3);
  CHECK(contains(info.at("header").at("FLOATING_POINT").get<std::string>(), "IEEE64BIG"));
  CHECK(contains(scene.ok("lattice info a.nersc").out, "4x4x2x4"));
  const auto seeded = [&](const std::string& seed) {
    scene.generate("seeded", " --start hot --sweeps 3 --seed " + seed);
    return scene.text("seeded");
  };
  const std::string ten = seeded("10");
  CHECK(seeded("10") == ten);
  CHECK(seeded("010") == ten);  // a seed is what its digits mean
  CHECK(seeded("8") != ten);
  CHECK(seeded("18446744073709551615") != ten);
}

TEST_CASE("header values of any length are shown in part, and whole in JSON") {
  const LatticeScene scene;
  std::string bytes = scene.text("a.nersc");
  bytes.insert(bytes.find("END_HEADER"), "LONG = " + std::string(3000, 'x') + "\n" + std::string(100, 'K') + " = v\n");
  scene.write("a.nersc", bytes);
  std::istringstream lines(scene.ok("lattice info a.nersc").out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() < 350);
  CHECK(scene.report("lattice info a.nersc").at("header").at("LONG") == std::string(3000, 'x'));
}

TEST_CASE("lattice convert keeps the links in every format") {
  const LatticeScene scene;
  scene.ok("lattice convert a.nersc -o a.lime");
  CHECK(scene.report("lattice info a.lime").at("format") == "ILDG");
  scene.ok("lattice convert a.lime -o back.nersc");
  CHECK(scene.text("a.nersc") == scene.text("back.nersc"));
  scene.refuse("lattice convert a.nersc -o a.lime --two-rows", 2, "");
  // Configurations and reports get no name of another kind of file.
  for (const std::string name : {"b.nrrd", "b.NHDR", "b.tif", "b.nii.gz", "b.json", "b.h5"}) {
    scene.refuse("lattice convert a.nersc -o " + name, 2, "name it .nersc, .lime or .ildg");
    scene.refuse("lattice generate --dims 2,2,2,2 -o " + name, 2, "a gauge configuration");
  }
  scene.refuse("lattice info a.nersc --json b.nrrd", 2, "name it .json, .csv, .html or .txt");
  for (const std::string name : {"b.4000", "b", "b.lime"}) scene.ok("lattice convert a.nersc -o " + name);
}

TEST_CASE("lattice field writes observables as volumes") {
  const LatticeScene scene;
  const auto field = [&](const std::string& more) {
    scene.ok("lattice field a.nersc -o out.nrrd " + more);
    return scene.report("info out.nrrd");
  };
  for (const std::string observable : {"plaquette", "energy", "charge", "link-trace"}) {
    const json info = field("--observable " + observable);
    CHECK(info.at("dimensions") == json::array({4, 4, 2}));
    CHECK(info.at("components") == 4);
    CHECK(info.at("type") == "f64");
    CHECK(info.at("unit") == "");  // lattice spacings are no millimeters
  }
  const json loops = field("--observable polyakov");
  CHECK(loops.at("components") == 2);
  CHECK(loops.at("unit") == "");
  const json rough = field("--time-slice 3"), smooth = field("--time-slice 3 --flow 0.5");
  CHECK(rough.at("components") == 1);
  CHECK(smooth.at("mean").get<double>() < rough.at("mean").get<double>());
}

TEST_CASE("lattice dirac is the same on every engine") {
  const LatticeScene scene;
  const std::string dirac = "lattice dirac a.nersc --kappa 0.12 --source hash --apply 2";
  const json preferred = scene.report(dirac), other = scene.report(dirac + " --engine cpu:scalar --variant scalar");
  CHECK(preferred.at("verified") == true);
  CHECK(preferred.at("norms2").size() == 3);
  CHECK(preferred.at("first_components").size() == 12);
  CHECK(other.at("engine") == "cpu:scalar");
  CHECK(other.at("variant") == "scalar");
  CHECK(other.at("norms2")[2].get<double>() == Approx(preferred.at("norms2")[2].get<double>()).epsilon(1e-13));
  // An operator applied until no number holds the result.
  scene.refuse("lattice dirac a.nersc --kappa 10 --apply 1000", 1, "exceeds the range of numbers");
}

TEST_CASE("lattice solve solves, and reports when it does not") {
  const LatticeScene scene;
  for (const std::string solver : {"auto", "cr", "gcr", "bicgstab", "cgnr"}) {
    INFO(solver);
    const json report = scene.report("lattice solve a.nersc --kappa 0.11 --solver " + solver);
    CHECK(report.at("converged") == true);
    CHECK(report.at("true_residual").get<double>() < 2e-10);
    CHECK(report.at("residuals").size() == report.at("iterations").get<std::size_t>() + 1);
  }
  const json propagator = scene.report("lattice solve a.nersc --kappa 0.11 --propagator");
  CHECK(propagator.at("systems") == 12);
  CHECK(propagator.at("pion_correlator").size() == 4);
  CHECK(propagator.at("effective_mass").size() == 3);
  const Outcome failed = scene.run("lattice solve a.nersc --kappa 0.11 --max-iterations 2 --json report.json");
  CHECK(failed.status == 1);
  CHECK(lineCount(failed.err) == 1);
  CHECK(contains(failed.err, "2 iterations"));
  CHECK(scene.document("report.json").at("converged") == false);
}

TEST_CASE("lattice solve preconditions where it can, and reports what it did") {
  const LatticeScene scene;
  scene.ok("lattice generate --dims 3,4,2,4 --sweeps 2 -o odd.nersc");
  const std::string solve = "lattice solve a.nersc --kappa 0.11 --source hash",
                    odd = "lattice solve odd.nersc --kappa 0.11 --source hash", halved = " --preconditioner even-odd";
  for (const std::string solver : {" --solver auto", " --solver gcr", " --solver bicgstab", " --solver cgnr"}) {
    INFO(solver);
    const json plain = scene.report(solve + solver + " --preconditioner none"), half = scene.report(solve + solver),
               asked = scene.report(solve + solver + halved);
    CHECK(plain.at("preconditioner") == "none");
    CHECK_FALSE(plain.contains("preconditioner_note"));
    CHECK(half.at("preconditioner") == "even-odd");
    CHECK(asked.at("preconditioner") == "even-odd");
    CHECK(half.at("iterations") == asked.at("iterations"));
    CHECK(half.at("iterations").get<int>() < plain.at("iterations").get<int>());
    CHECK(half.at("true_residual").get<double>() < 2e-10);
  }
  CHECK(scene.report(solve + " --solver cr").at("preconditioner") == "none");
  const json without = scene.report(odd + halved);
  CHECK(without.at("preconditioner") == "none");
  CHECK(contains(without.at("preconditioner_note").get<std::string>(), "3x4x2x4"));
  CHECK(contains(scene.ok(solve).out, "even-odd"));
  CHECK(contains(scene.ok(odd).out, "none (an extent of 3x4x2x4 is odd)"));
}

TEST_CASE("bench dirac times the operator of a configuration from a file, and names it") {
  useKnownCeilings();
  const LatticeScene scene;
  const double plaquette = scene.report("lattice info a.nersc").at("plaquette");
  const json results =
      scene.report("bench dirac --input a.nersc --engine cpu:scalar --variant all --param kappa=0.11 --csv out.csv")
          .at("results");
  std::set<std::string> variants;
  for (const json& row : results) {
    variants.insert(row.at("variant"));
    const json& params = row.at("params");
    CHECK(params.at("lattice") == json::array({4, 4, 2, 4}));
    CHECK(params.at("configuration") == "a.nersc");
    CHECK(params.at("plaquette").get<double>() == Approx(plaquette).epsilon(1e-14));
    CHECK(params.at("kappa") == 0.11);
    CHECK(row.at("verified") == true);
  }
  CHECK(variants == std::set<std::string>{"scalar", "threads", "tuned", "tuned-f32", "tuned-mixed"});
  CHECK(contains(scene.text("out.csv"), "a.nersc"));
  // Not where it is on this machine.
  CHECK(contains(scene.ok("bench dirac --engine cpu:scalar --input " + scene.path("a.nersc")).out,
                 "configuration=a.nersc"));
  scene.ok("lattice convert a.nersc -o a.lime");
  std::string nameless = scene.text("a.lime");
  scene.write("a.lime", nameless.replace(nameless.find("ildg-format"), 11, "ildg-farmat"));
  scene.refuse(1, {{"bench dirac --input missing", "no such file"},
                   {"bench dirac --input out.csv", "not a gauge configuration"}});
  scene.refuse(2, {{"bench dirac --input a.lime", "lattice convert FILE --dims"},
                   {"bench dirac --input a.nersc --param time=4", "time"},
                   {"bench dirac --input a.nersc --param links=unit", "links"},
                   {"bench dirac --input a.nersc --shape 4,4,4", "--shape"},
                   {"bench dirac --input a.nersc --sweep", "--sweep"},
                   {"bench dirac --sample gyroid --size 8", "spinor fields"}});
}

TEST_CASE("lattice solve and bench trace the kernels of the conjugate residual") {
  useKnownCeilings();
  const LatticeScene scene;
  const auto kernels = [](const json& document) {
    std::set<std::string> names;
    for (const json& event : document.at("traceEvents"))
      if (event.at("ph") == "X") names.insert(event.at("name"));
    return names;
  };
  const std::string cr = "lattice solve a.nersc --kappa 0.11 --solver cr";
  CHECK(contains(scene.ok(cr + " --engine cpu:scalar --variant threads --trace t.json").out, "stencilCore"));
  for (const char* kernel : {"xscal", "xaxpy", "xnrm2", "dot", "stencilCore", "iteration 1"})
    CHECK(kernels(scene.document("t.json")).contains(kernel));
  CHECK(contains(scene.ok("bench cr --engine cpu:scalar --shape 2,2,2 --param iterations=3 --trace t.json").out,
                 "operator and dot"));
  CHECK(kernels(scene.document("t.json")).contains("iteration 3"));
  CHECK_FALSE(kernels(scene.document("t.json")).contains("iteration 4"));
  // A trace alone is a document on the standard output.
  CHECK(json::parse(scene.ok(cr + " --trace -").out).contains("traceEvents"));
  scene.refuse(2, {{"lattice solve a.nersc --kappa 0.11 --trace t.json", "--trace"},
                   {"bench dirac --shape 2,2,2 --trace t.json", "--trace"}});
}

TEST_CASE("lattice refuses what is wrong in one line") {
  const LatticeScene scene;
  std::string damaged = scene.text("a.nersc");
  damaged[damaged.size() - 5] ^= 1;
  scene.write("damaged.nersc", damaged);
  const std::string generate = "lattice generate --dims 4,4,4,4 -o o.nersc ",
                    solve = "lattice solve a.nersc --kappa 0.1 ", dirac = "lattice dirac a.nersc ",
                    field = "lattice field a.nersc -o x.nrrd ";
  scene.refuse(1, {{"lattice info missing", "no such file"},
                   {"lattice info damaged.nersc", "checksum"},
                   {"lattice generate --dims 4,4,4,4 -o nowhere/x.nersc", "nowhere"},
                   {dirac + "--kappa 0.1 --json nowhere/x.json", "nowhere"},
                   {solve + "--json nowhere/x.json", "nowhere"},
                   {"bench dirac --report nowhere/x.html", "nowhere"}});
  scene.refuse(2, {{"lattice info a.nersc --dims 4,4,4,4", "4x4x2x4"},
                   {"lattice generate --dims 4,4,4 -o o.nersc", "--dims"},
                   {"lattice generate --dims 4,4,4,0 -o o.nersc", "4x4x4x0"},
                   {"lattice generate --dims 4000,4000,4000,4000 -o o.nersc", "too large"},
                   {generate + "--beta -1", "--beta"},
                   {generate + "--seed -1", "--seed: -1"},
                   {generate + "--seed 1.5", "--seed: 1.5"},
                   {generate + "--seed 18446744073709551616", "--seed: 18446744073709551616"},
                   {dirac, "--kappa"},
                   {dirac + "--kappa nan", "kappa"},
                   {dirac + "--kappa ''", "--kappa"},
                   {dirac + "--kappa 10.5", "--kappa"},
                   {dirac + "--kappa 0.1 --engine cpu:mmx", "cpu:mmx"},
                   {dirac + "--kappa 0.1 --variant fastest", "fastest"},
                   {"lattice flow a.nersc --step 0", "--step"},
                   {"lattice flow a.nersc --to nan", "nan"},
                   {"lattice flow a.nersc --step 0.5 --to 0.1", "step"},
                   {"lattice flow a.nersc --step 0.2 --to 3", "not stable in steps above 0.15"},
                   {"lattice flow a.nersc --step 1 --to 3", "not stable in steps above 0.15"},
                   {field + "--observable polyakov --time-slice 1", "--time-slice"},
                   {field + "--observable spin", "spin"},
                   {field + "--time-slice x", "x"},
                   {field + "--flow nan", "nan"},
                   // Found out before the work, not after it.
                   {field + "--flow 1000 --time-slice 4", "0 to 3"},
                   {solve + "--tolerance 0", "--tolerance"},
                   {solve + "--twist 0.1", "--solver cr"},
                   {solve + "--solver cr --twist nan", "twist"},
                   {solve + "--solver cr --twist 1e300", "--twist"},
                   {solve + "--solver cr --preconditioner even-odd", "--preconditioner"},
                   {solve + "--preconditioner ilu", "--preconditioner"},
                   {solve + "--propagator --source hash", "--source"}});
}

TEST_CASE("a lattice that does not fit in memory is refused before it is read or made") {
  const std::int64_t available = availableMemory();
  constexpr std::int64_t kSlice = std::int64_t{64} * 64 * 64 * 4 * 9 * 16;
  const std::int64_t times = available * 7 / 10 / kSlice;  // one copy would fit, two do not
  if (times < 1 || times > 4096) SSCOPE_SKIP("the free memory of this machine is not known, or is too large");
  const Scene scene{Scene::Empty()};
  const std::string t = std::to_string(times);
  const std::string header =
      "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE_3x3\nDIMENSION_1 = 64\nDIMENSION_2 = 64\nDIMENSION_3 = 64\nDIMENSION_4 "
      "= " +
      t + "\nFLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
  scene.write("large.nersc", header);
  std::error_code code;
  fs::resize_file(scene.path("large.nersc"), header.size() + static_cast<std::uintmax_t>(times * kSlice), code);
  if (code) SSCOPE_SKIP("no room for a file with holes");
  scene.refuse(1, {{"lattice info large.nersc", "memory"}, {"lattice generate -o x --dims 64,64,64," + t, "memory"}});
}
