// sscope lattice, as a stranger uses it.

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/base/memory.h"
#include "core/base/paths.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

std::string generated(const TemporaryFolder& folder, const std::string& name, const Arguments& more = {}) {
  const std::string file = folder / name;
  Arguments arguments{"lattice", "generate", "--dims", "4,4,2,4", "--sweeps", "3", "-o", file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(arguments);
  CHECK(lineCount(outcome.err) == 1);
  CHECK(contains(outcome.err, "note: 3 sweeps from a hot start are likely too few"));
  CHECK(outcome.status == 0);
  return file;
}

}  // namespace

TEST_CASE("header values of any length are shown in part, and whole in JSON") {
  const TemporaryFolder folder;
  const std::string file = folder / "a.nersc";
  REQUIRE(run({"lattice", "generate", "--dims", "2,2,2,2", "--sweeps", "0", "-o", file}).status == 0);
  std::string bytes = readTextFile(file);
  bytes.insert(bytes.find("END_HEADER"), "LONG = " + std::string(3000, 'x') + "\n" + std::string(100, 'K') + " = v\n");
  writeTextFile(file, bytes);
  const Outcome outcome = run({"lattice", "info", file});
  REQUIRE(outcome.status == 0);
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() < 350);
  CHECK(reportOf({"lattice", "info", file}).at("header").at("LONG") == std::string(3000, 'x'));
}

TEST_CASE("lattice generate gives the same configuration for the same seed, and info checks it") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), b = generated(folder, "b.nersc");
  const std::string c = generated(folder, "c.nersc", {"--seed", "2"});
  CHECK(readTextFile(a) == readTextFile(b));
  CHECK(readTextFile(a) != readTextFile(c));
  const json info = json::parse(run({"lattice", "info", a, "--json", "-"}).out);
  CHECK(info.at("schema") == "stencilscope.lattice/1");
  CHECK(info.at("format") == "NERSC");
  CHECK(info.at("dims") == json::array({4, 4, 2, 4}));
  CHECK(info.at("checksum_ok") == true);
  CHECK(info.at("max_unitarity_error").get<double>() < 1e-13);
  CHECK(info.at("plaquette").get<double>() > 0.3);
  CHECK(contains(info.at("header").at("FLOATING_POINT").get<std::string>(), "IEEE64BIG"));
  CHECK(contains(run({"lattice", "info", a}).out, "4x4x2x4"));
}

TEST_CASE("lattice convert keeps the links in every format") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), lime = folder / "a.lime", back = folder / "back.nersc";
  CHECK(run({"lattice", "convert", a, "-o", lime}).status == 0);
  CHECK(json::parse(run({"lattice", "info", lime, "--json", "-"}).out).at("format") == "ILDG");
  CHECK(run({"lattice", "convert", lime, "-o", back}).status == 0);
  CHECK(readTextFile(a) == readTextFile(back));
  const Outcome refused = run({"lattice", "convert", a, "-o", lime, "--two-rows"});
  CHECK(refused.status == 2);
}

TEST_CASE("configurations and reports get no name of another kind of file") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc");
  for (const char* name : {"b.nrrd", "b.NHDR", "b.tif", "b.nii.gz", "b.json", "b.h5"}) {
    INFO(name);
    expectRefusal({"lattice", "convert", a, "-o", folder / name}, 2, "name it .nersc, .lime or .ildg");
    expectRefusal({"lattice", "generate", "--dims", "2,2,2,2", "-o", folder / name}, 2, "a gauge configuration");
    CHECK(filesIn(folder.path()) == std::vector<std::string>{"a.nersc"});
  }
  expectRefusal({"lattice", "info", a, "--json", folder / "b.nrrd"}, 2, "name it .json, .csv, .html or .txt");
  for (const char* name : {"b.4000", "b", "b.lime"})
    CHECK(run({"lattice", "convert", a, "-o", folder / name}).status == 0);
}

TEST_CASE("lattice field writes observables as volumes") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), out = folder / "out.nrrd";
  for (const char* observable : {"plaquette", "energy", "charge", "link-trace"}) {
    CHECK(run({"lattice", "field", a, "--observable", observable, "-o", out}).status == 0);
    const json info = json::parse(run({"info", out, "--json"}).out);
    CHECK(info.at("dimensions") == json::array({4, 4, 2}));
    CHECK(info.at("components") == 4);
    CHECK(info.at("type") == "f64");
    CHECK(info.at("unit") == "");  // lattice spacings are no millimeters
  }
  CHECK(run({"lattice", "field", a, "--observable", "polyakov", "-o", out}).status == 0);
  const json loops = json::parse(run({"info", out, "--json"}).out);
  CHECK(loops.at("components") == 2);
  CHECK(loops.at("unit") == "");
  CHECK(run({"lattice", "field", a, "--time-slice", "3", "-o", out}).status == 0);
  const json rough = json::parse(run({"info", out, "--json"}).out);
  CHECK(rough.at("components") == 1);
  CHECK(run({"lattice", "field", a, "--time-slice", "3", "--flow", "0.5", "-o", out}).status == 0);
  CHECK(json::parse(run({"info", out, "--json"}).out).at("mean").get<double>() < rough.at("mean").get<double>());
  CHECK(run({"lattice", "field", a, "--time-slice", "4", "-o", out}).status == 2);
  CHECK(run({"lattice", "field", a, "--time-slice", "x", "-o", out}).status == 2);
  CHECK(run({"lattice", "field", a, "--observable", "spin", "-o", out}).status == 2);
}

TEST_CASE("lattice dirac is the same on every engine") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc");
  const Arguments arguments{"lattice", "dirac",   a,   "--kappa", "0.12", "--source",
                            "hash",    "--apply", "2", "--json",  "-"};
  const json preferred = json::parse(run(arguments).out);
  CHECK(preferred.at("verified") == true);
  CHECK(preferred.at("norms2").size() == 3);
  CHECK(preferred.at("first_components").size() == 12);
  Arguments scalar = arguments;
  for (const char* more : {"--engine", "cpu:scalar", "--variant", "scalar"}) scalar.emplace_back(more);
  const json other = json::parse(run(scalar).out);
  CHECK(other.at("engine") == "cpu:scalar");
  CHECK(other.at("variant") == "scalar");
  CHECK(other.at("norms2")[2].get<double>() == Approx(preferred.at("norms2")[2].get<double>()).epsilon(1e-13));
}

TEST_CASE("lattice solve solves, and says when it does not") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc");
  for (const char* solver : {"auto", "cr", "gcr", "bicgstab", "cgnr"}) {
    INFO(solver);
    const Outcome outcome = run({"lattice", "solve", a, "--kappa", "0.11", "--solver", solver, "--json", "-"});
    CHECK(outcome.status == 0);
    const json report = json::parse(outcome.out);
    CHECK(report.at("converged") == true);
    CHECK(report.at("true_residual").get<double>() < 2e-10);
    CHECK(report.at("residuals").size() == report.at("iterations").get<std::size_t>() + 1);
  }
  const json propagator =
      json::parse(run({"lattice", "solve", a, "--kappa", "0.11", "--propagator", "--json", "-"}).out);
  CHECK(propagator.at("systems") == 12);
  CHECK(propagator.at("pion_correlator").size() == 4);
  CHECK(propagator.at("effective_mass").size() == 3);
  const std::string report = folder / "report.json";
  const Outcome failed = run({"lattice", "solve", a, "--kappa", "0.11", "--max-iterations", "2", "--json", report});
  CHECK(failed.status == 1);
  CHECK(lineCount(failed.err) == 1);
  CHECK(contains(failed.err, "2 iterations"));
  CHECK(json::parse(readTextFile(report)).at("converged") == false);
}

TEST_CASE("lattice solve preconditions where it can, and says what it did") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), odd = folder / "odd.nersc";
  CHECK(run({"lattice", "generate", "--dims", "3,4,2,4", "--sweeps", "2", "-o", odd}).status == 0);
  const auto solved = [&](const std::string& file, const Arguments& more) {
    Arguments arguments{"lattice", "solve", file, "--kappa", "0.11", "--source", "hash"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  for (const char* solver : {"auto", "gcr", "bicgstab", "cgnr"}) {
    INFO(solver);
    const json plain = json::parse(solved(a, {"--solver", solver, "--preconditioner", "none", "--json", "-"}));
    const json half = json::parse(solved(a, {"--solver", solver, "--json", "-"}));
    const json asked = json::parse(solved(a, {"--solver", solver, "--preconditioner", "even-odd", "--json", "-"}));
    CHECK(plain.at("preconditioner") == "none");
    CHECK_FALSE(plain.contains("preconditioner_note"));
    CHECK(half.at("preconditioner") == "even-odd");
    CHECK(asked.at("preconditioner") == "even-odd");
    CHECK(half.at("iterations") == asked.at("iterations"));
    CHECK(half.at("iterations").get<int>() < plain.at("iterations").get<int>());
    CHECK(half.at("true_residual").get<double>() < 2e-10);
  }
  CHECK(json::parse(solved(a, {"--solver", "cr", "--json", "-"})).at("preconditioner") == "none");
  const json without = json::parse(solved(odd, {"--preconditioner", "even-odd", "--json", "-"}));
  CHECK(without.at("preconditioner") == "none");
  CHECK(contains(without.at("preconditioner_note").get<std::string>(), "3x4x2x4"));
  CHECK(contains(solved(a, {}), "even-odd"));
  CHECK(contains(solved(odd, {}), "none (an extent of 3x4x2x4 is odd)"));
}

TEST_CASE("bench dirac times the operator of a configuration from a file, and says which") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), csv = folder / "out.csv";
  const double plaquette = json::parse(run({"lattice", "info", a, "--json", "-"}).out).at("plaquette").get<double>();
  const Outcome outcome = run({"bench", "dirac", "--input", a, "--engine", "cpu:scalar", "--variant", "all", "--param",
                               "kappa=0.11", "--json", "-", "--csv", csv});
  CHECK(outcome.status == 0);
  const json results = json::parse(outcome.out).at("results");
  std::set<std::string> variants;
  for (const json& row : results) {
    variants.insert(row.at("variant"));
    const json& params = row.at("params");
    CHECK(params.at("lattice") == json::array({4, 4, 2, 4}));
    CHECK(params.at("configuration") == "a.nersc");  // not where it lies on this machine
    CHECK(params.at("plaquette").get<double>() == Approx(plaquette).epsilon(1e-14));
    CHECK(params.at("kappa") == 0.11);
    CHECK(row.at("verified") == true);
  }
  CHECK(variants == std::set<std::string>{"scalar", "threads", "tuned", "tuned-f32", "tuned-mixed"});
  CHECK(contains(readTextFile(csv), "a.nersc"));
  CHECK(contains(run({"bench", "dirac", "--input", a, "--engine", "cpu:scalar"}).out, "configuration=a.nersc"));
  const auto refused = [&](const Arguments& more, int status, const std::string& part) {
    Arguments arguments{"bench", "dirac"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome wrong = run(arguments);
    INFO(wrong.err);
    CHECK(wrong.status == status);
    CHECK(lineCount(wrong.err) == 1);
    CHECK(contains(wrong.err, part));
  };
  refused({"--input", folder / "missing"}, 1, "no such file");
  refused({"--input", csv}, 1, "not a gauge configuration");
  const std::string lime = folder / "a.lime";
  CHECK(run({"lattice", "convert", a, "-o", lime}).status == 0);
  std::string nameless = readTextFile(lime);
  writeTextFile(lime, nameless.replace(nameless.find("ildg-format"), 11, "ildg-farmat"));
  refused({"--input", lime}, 2, "lattice convert FILE --dims");
  refused({"--input", a, "--param", "time=4"}, 2, "time");
  refused({"--input", a, "--param", "links=unit"}, 2, "links");
  refused({"--input", a, "--shape", "4,4,4"}, 2, "--shape");
  refused({"--input", a, "--sweep"}, 2, "--sweep");
  refused({"--sample", "gyroid", "--size", "8"}, 2, "spinor fields");
}

TEST_CASE("lattice solve and bench trace the kernels of the conjugate residual") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), trace = folder / "trace.json";
  const Outcome solved = run({"lattice", "solve", a, "--kappa", "0.11", "--solver", "cr", "--engine", "cpu:scalar",
                              "--variant", "threads", "--trace", trace});
  INFO(solved.err);
  CHECK(solved.status == 0);
  CHECK(contains(solved.out, "stencilCore"));
  const auto kernelsOf = [&] {
    std::set<std::string> names;
    const json document = json::parse(readTextFile(trace));
    for (const json& event : document.at("traceEvents"))
      if (event.at("ph") == "X") names.insert(event.at("name"));
    return names;
  };
  for (const char* kernel : {"xscal", "xaxpy", "xnrm2", "dot", "stencilCore", "iteration 1"})
    CHECK(kernelsOf().contains(kernel));
  const Outcome bench =
      run({"bench", "cr", "--engine", "cpu:scalar", "--shape", "2,2,2", "--param", "iterations=3", "--trace", trace});
  INFO(bench.err);
  CHECK(bench.status == 0);
  CHECK(contains(bench.out, "operator and dot"));
  CHECK(kernelsOf().contains("iteration 3"));
  CHECK_FALSE(kernelsOf().contains("iteration 4"));
  CHECK(run({"lattice", "solve", a, "--kappa", "0.11", "--trace", trace}).status == 2);
  CHECK(run({"bench", "dirac", "--shape", "2,2,2", "--trace", trace}).status == 2);
}

TEST_CASE("lattice refuses what is wrong in one line") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), out = folder / "out.nersc";
  const auto refused = [](const Arguments& arguments, int status, const std::string& part) {
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, part));
    CHECK(outcome.out == "");
  };
  refused({"lattice", "info", folder / "missing"}, 1, "no such file");
  refused({"lattice", "info", a, "--dims", "4,4,4,4"}, 2, "4x4x2x4");
  refused({"lattice", "generate", "--dims", "4,4,4", "-o", out}, 2, "--dims");
  refused({"lattice", "generate", "--dims", "4,4,4,0", "-o", out}, 2, "4x4x4x0");
  refused({"lattice", "generate", "--dims", "4000,4000,4000,4000", "-o", out}, 2, "too large");
  refused({"lattice", "generate", "--dims", "4,4,4,4", "--beta", "-1", "-o", out}, 2, "--beta");
  refused({"lattice", "generate", "--dims", "4,4,4,4", "-o", folder / "nowhere" / "x.nersc"}, 1, "nowhere");
  refused({"lattice", "dirac", a}, 2, "--kappa");
  refused({"lattice", "dirac", a, "--kappa", "nan"}, 2, "kappa");
  for (const char* kappa : {"", "inf", "10.5"}) refused({"lattice", "dirac", a, "--kappa", kappa}, 2, "--kappa");
  refused({"lattice", "dirac", a, "--kappa", "0.1", "--engine", "cpu:mmx"}, 2, "cpu:mmx");
  refused({"lattice", "dirac", a, "--kappa", "0.1", "--variant", "fastest"}, 2, "fastest");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--tolerance", "0"}, 2, "--tolerance");
  for (const char* seed : {"-1", "", "1.5", "18446744073709551616"})
    refused({"lattice", "generate", "--dims", "4,4,4,4", "--seed", seed, "-o", out}, 2, "--seed: " + std::string(seed));
  refused({"lattice", "generate", "--dims", "4,4,4,4", "-o", ""}, 2, "no file is named");
  refused({"lattice", "convert", a, "-o", a}, 2, "which is read");
  refused({"lattice", "field", a, "--observable", "polyakov", "--time-slice", "1", "-o", out}, 2, "--time-slice");
  refused({"lattice", "field", a, "--flow", "nan", "-o", folder / "x.nrrd"}, 2, "nan");
  // Found out before the work, not after it.
  refused({"lattice", "field", a, "--flow", "1000", "--time-slice", "4", "-o", folder / "x.nrrd"}, 2, "0 to 3");
  for (const char* command : {"dirac", "solve"})
    refused({"lattice", command, a, "--kappa", "0.1", "--json", folder / "nowhere" / "x.json"}, 1, "nowhere");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--twist", "0.1"}, 2, "--solver cr");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--solver", "cr", "--twist", "nan"}, 2, "twist");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--solver", "cr", "--twist", "1e300"}, 2, "--twist");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--solver", "cr", "--preconditioner", "even-odd"}, 2,
          "--preconditioner");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--preconditioner", "ilu"}, 2, "--preconditioner");
  refused({"lattice", "solve", a, "--kappa", "0.1", "--propagator", "--source", "hash"}, 2, "--source");
  refused({"bench", "dirac", "--report", folder / "nowhere" / "x.html"}, 1, "nowhere");
  std::string damaged = readTextFile(a);
  damaged[damaged.size() - 5] ^= 1;
  writeTextFile(folder / "damaged.nersc", damaged);
  refused({"lattice", "info", folder / "damaged.nersc"}, 1, "checksum");
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("lattice does not write over the configuration, nor two things to one place") {
  const TemporaryFolder folder;
  const std::string a = generated(folder, "a.nersc"), other = folder / "other.json", volume = folder / "a.nrrd";
  const std::string before = readTextFile(a);
  std::filesystem::create_symlink("a.nersc", folder / "link");
  const auto refused = [&](const Arguments& arguments, const std::string& part) {
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, part));
    CHECK(outcome.out == "");
  };
  for (const std::string& same : {a, (folder / "." / "a.nersc").string(), (folder / "link").string()}) {
    refused({"lattice", "info", a, "--json", same}, "which is read");
    refused({"lattice", "dirac", a, "--kappa", "0.1", "--json", same}, "which is read");
    refused({"lattice", "solve", a, "--kappa", "0.1", "--json", same}, "which is read");
    refused({"lattice", "solve", a, "--kappa", "0.1", "--solver", "cr", "--trace", same}, "which is read");
    refused({"lattice", "field", a, "-o", same}, "which is read");
    refused({"bench", "dirac", "--input", a, "--csv", same}, "which is read");
  }
  std::filesystem::copy_file(a, volume);
  refused({"lattice", "field", volume, "-o", volume}, "which is read");
  const Arguments cr{"lattice", "solve", a, "--kappa", "0.1", "--solver", "cr"};
  const auto both = [&](const std::string& report, const std::string& trace) {
    Arguments arguments = cr;
    for (const std::string& more : {std::string("--json"), report, std::string("--trace"), trace})
      arguments.push_back(more);
    return arguments;
  };
  refused(both(other, (folder / "." / "other.json").string()), "two outputs");
  refused(both("-", "-"), "two outputs");
  CHECK(readTextFile(a) == before);
  CHECK(readTextFile(volume) == before);
  CHECK_FALSE(std::filesystem::exists(other));
  // A trace alone is a document on the standard output.
  Arguments trace = cr;
  for (const char* more : {"--trace", "-"}) trace.emplace_back(more);
  CHECK(json::parse(run(trace).out).contains("traceEvents"));
}

TEST_CASE("a seed is what its digits say") {
  const TemporaryFolder folder;
  const auto hot = [](const char* seed) { return Arguments{"--start", "hot", "--seed", seed}; };
  const std::string ten = readTextFile(generated(folder, "10", hot("10")));
  CHECK(readTextFile(generated(folder, "010", hot("010"))) == ten);
  CHECK(readTextFile(generated(folder, "8", hot("8"))) != ten);
  CHECK(readTextFile(generated(folder, "most", hot("18446744073709551615"))) != ten);
}

TEST_CASE("what does not fit in memory is refused before it is read or made") {
  const std::int64_t available = availableMemory();
  constexpr std::int64_t kSlice = std::int64_t{64} * 64 * 64 * 4 * 9 * 16;
  const std::int64_t times = available * 7 / 10 / kSlice;  // one copy would fit, two do not
  if (times < 1 || times > 4096) SSCOPE_SKIP("the free memory of this machine is not known, or is too large");
  const TemporaryFolder folder;
  const std::string dims = "64,64,64," + std::to_string(times), file = folder / "large.nersc";
  const std::string header =
      "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE_3x3\nDIMENSION_1 = 64\nDIMENSION_2 = 64\nDIMENSION_3 = 64\nDIMENSION_4 "
      "= " +
      std::to_string(times) + "\nFLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
  writeTextFile(file, header);
  std::error_code code;
  std::filesystem::resize_file(file, header.size() + static_cast<std::uintmax_t>(times * kSlice), code);
  if (code) SSCOPE_SKIP("no room for a file with holes");
  for (const Arguments& arguments :
       {Arguments{"lattice", "info", file}, Arguments{"lattice", "generate", "--dims", dims, "-o", folder / "x"}}) {
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, "memory"));
  }
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"large.nersc"});
}

TEST_CASE("Ctrl-C ends lattice generate and leaves nothing") {
  const TemporaryFolder folder;
  Running running({"lattice", "generate", "--dims", "16,16,16,16", "--sweeps", "100000", "-o", folder / "a.nersc"});
  running.waitUntilBusy();
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  CHECK(outcome.status == 128 + SIGINT);
  CHECK(contains(outcome.err, "canceled"));
  CHECK(filesIn(folder.path()).empty());
}
