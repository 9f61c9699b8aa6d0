#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string_view>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/families/family.h"
#include "core/ladder/ladder_settings.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

// A random valid session: any family, any parameter within its range, any view.
class SessionGenerator {
 public:
  explicit SessionGenerator(std::uint64_t seed) : random_(seed) {}

  Session make() {
    Session session;
    if (chance()) {
      session.data.path = "/data/" + word();
    } else if (chance()) {
      session.data = {"", word(), below(512), static_cast<std::uint64_t>(below(1000))};
    }
    const std::int64_t count = below(5);
    // Each by a generator of its own: what one draws does not shift the draws of those behind it.
    for (std::int64_t i = 0; i < count; ++i)
      session.bank.filters.push_back(SessionGenerator(random_()).recipe(session.bank));
    session.bank.boundary = kBoundaries[below(5)];
    session.bank.constant = real(-100, 100);
    session.bank.output = chance() ? OutputType{kElementTypes[below(8)]} : OutputType{std::nullopt};
    session.engine = chance() ? "cpu:avx2" : "";
    session.variant = chance() ? "dense" : "";
    session.threads = static_cast<int>(below(64));
    session.view.crosshair = {below(100) - 1, below(100), below(100)};
    if (chance()) session.view.sourceWindow = {real(-5, 0), real(0, 5)};
    if (chance()) session.view.resultWindow = {real(-5, 0), real(0, 5)};
    session.view.show = chance() ? "both" : "source";
    session.view.layout = chance() ? "volume" : "axial";
    session.view.shownFilter = chance() ? word() : "";
    session.view.component = static_cast<int>(below(4));
    session.view.room = chance() ? "lattice" : "wavelet";
    session.put(WaveletView{chance() ? "difference" : "result", chance() ? "sagittal" : "volume", chance()});
    session.put(wavelet());
    if (chance()) session.put(lattice());
    if (chance()) session.put(ladder());
    return session;
  }

 private:
  WaveletSettings wavelet() {
    WaveletSettings wavelet;
    wavelet.transform = chance() ? "magic" : "dwt";
    wavelet.wavelet = chance() ? "db3" : "haar";
    wavelet.levels = static_cast<int>(1 + below(9));
    wavelet.rule = chance() ? "hard" : "soft";
    wavelet.automatic = chance();
    wavelet.threshold = real(0, 1000);
    wavelet.direction = chance() ? "inverse" : "forward";
    wavelet.order = static_cast<int>(1 + below(10));
    if (chance()) wavelet.taps = "/taps/" + word();
    if (chance()) wavelet.variant = word();
    return wavelet;
  }
  LatticeSettings lattice() {
    LatticeSettings lattice;
    ConfigurationSource& from = lattice.configuration;
    if (chance()) from.extents = {1 + static_cast<int>(below(8)), 2, 3, 4};
    if (chance()) {
      from.path = "/lattices/" + word();
    } else if (from.hasExtents()) {
      from = {{}, from.extents, real(0, 10), chance(), static_cast<int>(below(99)), 7};
    }
    lattice.observable = chance() ? "polyakov" : "energy";
    lattice.part = chance() ? "phase" : "imaginary";
    lattice.flowTime = real(0, 10);
    lattice.slice = static_cast<int>(below(32));
    lattice.solve.kappa = real(-1, 1);
    lattice.solve.timeBoundary = chance() ? 1 : -1;
    lattice.solve.source = chance() ? "hash" : "point";
    lattice.solve.site = {static_cast<int>(below(8)), 1, 2, 3};
    lattice.solve.color = static_cast<int>(below(3));
    lattice.solve.spin = static_cast<int>(below(4));
    lattice.solve.seed = static_cast<std::uint64_t>(below(1000));
    lattice.solve.propagator = chance();
    lattice.solve.solver = chance() ? "cr" : "cgnr";
    lattice.solve.preconditioner = chance() ? "even-odd" : "none";
    lattice.solve.tolerance = real(1e-12, 0.1);
    lattice.solve.maxIterations = static_cast<int>(1 + below(1000));
    for (std::int64_t i = below(3); i > 0; --i) lattice.solve.places.push_back({"cpu:avx2", word()});
    return lattice;
  }
  LadderSettings ladder() {
    LadderSettings ladder{word(), {}, {}, chance() ? "paper" : "timed", chance(), chance()};
    for (std::int64_t i = below(3); i > 0; --i) ladder.engines.push_back(word());
    for (std::int64_t i = below(3); i > 0; --i) ladder.without.push_back(word());
    return ladder;
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance() { return below(2) == 0; }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  std::string word() {
    std::string text;
    static const char* const kPieces[] = {"a", "Ü", " ", "\"", "\\", "/", "7", "é", "\n", "z"};
    for (std::int64_t i = 0; i < 1 + below(6); ++i) text += kPieces[below(10)];
    return text;
  }
  FilterRecipe recipe(const FilterBank& bank) {
    const FilterFamily& family = anyFamily();
    FilterRecipe recipe;
    recipe.family = family.name;
    std::string name = chance() ? family.name : word();
    std::ranges::replace(name, '\n', 'n');  // names of filters have no control characters
    recipe.name = uniqueName(bank, name);
    recipe.flip = chance();
    recipe.enabled = chance();
    for (const Option& option : family.options)
      if (chance()) recipe.parameters[option.name] = value(option);
    if (!family.make) {
      recipe.taps.size = {1 + below(3), 1 + below(3), 1 + below(3)};
      recipe.taps.anchor = {below(recipe.taps.size[0]), below(recipe.taps.size[1]), below(recipe.taps.size[2])};
      recipe.taps.weights.clear();
      for (std::int64_t i = 0; i < recipe.taps.count(); ++i) recipe.taps.weights.push_back(real(-1, 1));
    }
    return recipe;
  }
  // The one whose name has the least hash, beginning with a random number: a new family takes its share of the draws,
  // and all the others stay as they were.
  const FilterFamily& anyFamily() {
    const std::uint64_t start = random_();
    return *std::ranges::min_element(filterFamilies(), {},
                                     [&](const FilterFamily& family) { return hashOf(start, family.name); });
  }
  // FNV-1a: the same on every machine, which std::hash need not be; and mixed, since short names differ in few bits.
  static std::uint64_t hashOf(std::uint64_t hash, std::string_view name) {
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 29);
  }
  OptionValue value(const Option& option) {
    switch (option.type) {
      case OptionType::Real: return real(option.minimum, option.maximum);
      case OptionType::Integer:
        return static_cast<std::int64_t>(option.minimum) +
               option.step * below(static_cast<std::int64_t>(option.maximum - option.minimum) / option.step + 1);
      case OptionType::Boolean: return chance();
      case OptionType::Choice:
        if (option.choices.empty()) return option.fallback;  // any text: here, that of a formula
        return option.choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(option.choices.size())))];
      case OptionType::Length: break;
    }
    return Length{real(option.minimum, option.maximum), chance()};
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("any session survives JSON unchanged") {
  SessionGenerator generator(7);
  for (int i = 0; i < 500; ++i) {
    const Session session = generator.make();
    const std::string text = toJson(session).dump();
    const Session again = sessionFromJson(nlohmann::json::parse(text));
    INFO("number " << i << "\n before: " << text << "\n after:  " << toJson(again).dump());
    REQUIRE((again == session));  // which have no text: the two lines above
    REQUIRE(toJson(again).dump() == text);
  }
}

TEST_CASE("a session with one member broken is refused or read, never a crash") {
  SessionGenerator generator(11);
  const nlohmann::json wrong[] = {nullptr,
                                  3,
                                  -1.5,
                                  "text",
                                  true,
                                  nlohmann::json::array(),
                                  nlohmann::json::object(),
                                  1e300,
                                  18446744073709551615ULL};
  int refused = 0;
  for (int i = 0; i < 50; ++i) {
    const nlohmann::json good = toJson(generator.make()).flatten();
    for (const auto& [pointer, value] : good.items())
      for (const auto& replacement : wrong) {
        nlohmann::json broken = good;
        broken[pointer] = replacement.is_structured() ? nlohmann::json(nullptr) : replacement;
        try {
          static_cast<void>(sessionFromJson(broken.unflatten()));
        } catch (const Error& error) {
          ++refused;
          CHECK_FALSE(std::string(error.what()).empty());
        }
      }
  }
  CHECK(refused > 100);
}

TEST_CASE("relative data paths are relative to the session file") {
  const test::TemporaryFolder folder;
  Session session;
  session.data.path = "scans/brain.nii.gz";
  LatticeSettings lattice;
  lattice.configuration.path = "../l8.nersc";
  session.put(lattice);
  writeSession((folder / "s.json").string(), session);
  CHECK(readSession((folder / "s.json").string()).data.path == (folder / "scans/brain.nii.gz").string());
  CHECK(readSession((folder / "s.json").string()).get<LatticeSettings>().configuration.path ==
        (folder.path().parent_path() / "l8.nersc").string());
}

TEST_CASE("a session finds its data where they stayed and where they moved with it") {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  fs::create_directories(folder / "work" / "scans");
  const fs::path session = folder / "work" / "s.json";
  const std::string brain = folder / "work" / "scans" / "brain.nii", taps = folder / "work" / "taps.txt",
                    links = folder / "l8.nersc", slices = folder / "work" / "scans" / "cut_%03d.png";
  for (const std::string& file : {brain, taps, links, (folder / "work" / "scans" / "cut_007.png").string()})
    writeTextFile(file, "x");
  Session saved;
  saved.data.path = GENERATE(0, 1) == 0 ? brain : slices;
  WaveletSettings wavelet;
  wavelet.taps = taps;
  saved.put(wavelet);
  LatticeSettings lattice;
  lattice.configuration.path = links;
  saved.put(lattice);
  writeSession(session.string(), saved);
  CHECK(readSession(session.string()) == saved);
  SECTION("the session moves alone") {
    fs::create_directory(folder / "other");
    fs::rename(session, folder / "other" / "s.json");
    CHECK(readSession((folder / "other" / "s.json").string()) == saved);
  }
  SECTION("it moves with its data") {
    fs::create_directory(folder / "new");
    fs::rename(folder / "work", folder / "new" / "project");
    fs::rename(folder / "l8.nersc", folder / "new" / "l8.nersc");
    const fs::path moved = folder / "new" / "project";
    const Session found = readSession((moved / "s.json").string());
    CHECK(found.data.path == (moved / "scans" / fs::path(saved.data.path).filename()).string());
    CHECK(found.get<WaveletSettings>().taps == (moved / "taps.txt").string());
    CHECK(found.get<LatticeSettings>().configuration.path == (folder / "new" / "l8.nersc").string());
  }
  SECTION("the data are gone: where they were is not forgotten") {
    fs::remove_all(folder / "work" / "scans");
    CHECK(readSession(session.string()) == saved);
  }
}

TEST_CASE("whatever stands where a relative path should, the session is read") {
  const test::TemporaryFolder folder;
  for (const char* wrong : {"3", "null", "[]", "{}", "\"\"", "\"../../..\""}) {
    writeTextFile(folder / "s.json",
                  std::string(R"({"schema":"stencilscope.session/1","data":{"path":"/none/x.nii","relativePath":)") +
                      wrong + R"(},"bank":{"schema":"stencilscope.bank/1","filters":[]}})");
    CHECK_NOTHROW(readSession((folder / "s.json").string()));
  }
}

TEST_CASE("unreadable sessions name the file") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_WITH(readSession((folder / "none.json").string()),
                    ContainsSubstring("none.json") && ContainsSubstring("no such file"));
  writeTextFile(folder / "bad.json", "{\"schema\":");
  CHECK_THROWS_WITH(readSession((folder / "bad.json").string()),
                    ContainsSubstring("bad.json") && ContainsSubstring("not JSON"));
  writeTextFile(folder / "bad.json", R"({"schema": "stencilscope.session/1", "threads": 1e999})");
  CHECK_THROWS_AS(readSession((folder / "bad.json").string()), Error);
  CHECK_THROWS_WITH(readSession((folder / "bad.json").string()),
                    ContainsSubstring("bad.json") && ContainsSubstring("too large"));
  writeTextFile(folder / "other.json", "{}");
  CHECK_THROWS_WITH(readSession((folder / "other.json").string()),
                    ContainsSubstring("other.json") && ContainsSubstring("schema"));
}

TEST_CASE("a file behind a symbolic link is written, and the link stays") {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "there");
  writeTextFile(folder / "there" / "a.txt", "one");
  fs::create_symlink(fs::path("there") / "a.txt", folder / "link.txt");
  fs::path seen;
  writeAtomically(folder / "link.txt", [&](const fs::path& temporary) {
    seen = temporary;
    std::ofstream(temporary) << "two";
  });
  CHECK(fs::is_symlink(folder / "link.txt"));
  CHECK(readTextFile(folder / "there" / "a.txt") == "two");
  CHECK(fs::equivalent(seen.parent_path(), folder / "there"));  // a rename does not leave the file's disk
  CHECK(seen.string().ends_with("link.txt"));
  // What a link stands for is judged as if it had been named.
  fs::create_symlink("/dev/null", folder / "device");
  fs::create_symlink("there", folder / "place");
  CHECK_THROWS_WITH(writeTextFile(folder / "device", "x"), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(writeTextFile(folder / "place", "x"), ContainsSubstring("folder"));
  CHECK(fs::is_symlink(folder / "device"));
}

TEST_CASE("text files are written whole or not at all") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(writeTextFile(folder / "missing/a.txt", "x"), Error);
  CHECK_THROWS_AS(writeTextFile(folder.path(), "x"), Error);
  writeTextFile(folder / "a.txt", "one");
  CHECK_THROWS_AS(writeAtomically(folder / "a.txt",
                                  [](const std::filesystem::path& temporary) {
                                    writeTextFile(temporary, "half");
                                    throw Canceled();
                                  }),
                  Canceled);
  CHECK(readTextFile(folder / "a.txt") == "one");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  CHECK(files == 1);
}
