#include "app/mpi/commands.h"

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/measure/table.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "app/cli/lattice/lattice_command.h"
#endif

namespace sscope::mpi {

namespace {

struct RankPlace {
  int rank = 0;
  std::string machine;
  int localRank = 0, localSize = 1, cores = 1;
};

std::vector<RankPlace> places(World& world, const Control& control) {
  MpiRanks& ranks = world.ranks();
  const std::array<double, 3> own{static_cast<double>(ranks.localRank()), static_cast<double>(ranks.localSize()),
                                  static_cast<double>(world.cores())};
  const std::vector<double> all = ranks.gather(own, control);
  std::vector<RankPlace> result;
  for (std::size_t r = 0; r < world.hosts().size(); ++r)
    result.push_back({static_cast<int>(r), world.hosts()[r], static_cast<int>(all[3 * r]),
                      static_cast<int>(all[3 * r + 1]), static_cast<int>(all[3 * r + 2])});
  return result;
}

int listRanks(World& world, cli::Program& program, const std::string& json) {
  const std::vector<RankPlace> all = places(world, program.control());
  TextRows rows{{"rank", "machine", "rank there", "cores"}};
  nlohmann::json list = nlohmann::json::array();
  for (const RankPlace& each : all) {
    rows.push_back({std::to_string(each.rank), each.machine,
                    std::to_string(each.localRank) + " of " + std::to_string(each.localSize),
                    std::to_string(each.cores)});
    list.push_back({{"rank", each.rank},
                    {"machine", each.machine},
                    {"local_rank", each.localRank},
                    {"local_size", each.localSize},
                    {"cores", each.cores}});
  }
  if (json != "-") cli::writeText(program, "-", textTable(rows));
  if (!json.empty())
    cli::writeJson(program, json, {{"schema", "stencilscope.ranks/1"}, {"version", SSCOPE_VERSION}, {"ranks", list}});
  return 0;
}

void addRanks(World& world, CLI::App& app, cli::Program& program) {
  const auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("ranks", "List the ranks: their machines, and the cores that each may use");
  command->add_option("--json", *json, "Write JSON to FILE, or to the standard output (-)")->type_name("FILE|-");
  command->callback([&world, &program, json] {
    program.action = [&world, &program, json] { return listRanks(world, program, *json); };
  });
}

#ifndef SSCOPE_WITHOUT_LATTICE
void addLattice(CLI::App& app, cli::Program& program) {
  CLI::App* command = app.add_subcommand("lattice", "Wilson's operator, flow and observables of a gauge configuration");
  command->require_subcommand(1);
  cli::addLatticeSolve(*command, program);
  cli::addLatticeFlow(*command, program);
  cli::addLatticeField(*command, program);
}
#endif

}  // namespace

cli::CommandSet commands(World& world) {
  return {"sscope-mpi",
          "The commands of sscope whose work several processes can share, of one or many machines: "
          "mpirun -n 4 sscope-mpi ...",
          {[&world](CLI::App& app, cli::Program& program) { addRanks(world, app, program); }, addRankFilter,
#ifndef SSCOPE_WITHOUT_WAVELET
           addRankMagic, addRankDwt,
#endif
           [&world](CLI::App& app, cli::Program& program) { addScalingBench(world, app, program); }
#ifndef SSCOPE_WITHOUT_LATTICE
           ,
           addLattice
#endif
          },
          "sscope",
          {"devices", "info", "sample", "convert", "compare", "run"}};
}

}  // namespace sscope::mpi
