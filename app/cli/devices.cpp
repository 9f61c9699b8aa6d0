// sscope devices: the engines of this machine, absent ones with the reason, and their ceilings.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/program.h"
#include "core/measure/ceilings.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"

namespace sscope::cli {

namespace {

struct DevicesArguments {
  bool measure = false;
  std::string json;
};

struct Device {
  EngineInfo info;
  std::optional<Ceilings> ceilings;
};

std::vector<Device> collect(Program& program, const EngineSet& engines, bool measure) {
  std::vector<Device> devices;
  const Control control = program.control();
  for (const EngineInfo& info : engines.infos()) {
    control.check();
    Device device{info, std::nullopt};
    if (info.available()) {
      if (measure) {
        control.report(static_cast<double>(devices.size()) / static_cast<double>(engines.infos().size()),
                       "measuring " + info.id);
        device.ceilings = engines.at(info.id).measureCeilings(0, control);
        storeCeilings(info, 0, *device.ceilings);
      } else {
        device.ceilings = storedCeilings(info, 0);
      }
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

nlohmann::json toJson(const std::vector<Device>& devices) {
  nlohmann::json list = nlohmann::json::array();
  for (const Device& device : devices) {
    const EngineInfo& info = device.info;
    nlohmann::json row{{"id", info.id},
                       {"kind", std::string(toString(info.kind))},
                       {"name", info.name},
                       {"driver", info.driver},
                       {"available", info.available()},
                       {"fp64", info.fp64},
                       {"compute_units", info.computeUnits},
                       {"memory_bytes", info.memoryBytes},
                       {"ceilings", nullptr}};
    if (!info.available()) row["reason"] = info.absentReason;
    if (device.ceilings) row["ceilings"] = sscope::toJson(*device.ceilings);
    list.push_back(std::move(row));
  }
  return {{"schema", "stencilscope.devices/1"},
          {"version", SSCOPE_VERSION},
          {"machine", sscope::toJson(thisMachine())},
          {"engines", std::move(list)}};
}

std::string devicesTable(const std::vector<Device>& devices) {
  TextRows rows{{"engine", "GFLOP/s f32", "GFLOP/s f64", "loaded", "GOP/s integer", "GB/s", "cache", "local",
                 "measured", "name"}};
  for (const Device& device : devices) {
    if (!device.info.available()) {
      rows.push_back({device.info.id, "absent: " + device.info.absentReason});
    } else if (!device.ceilings) {
      rows.push_back({device.info.id, "-", "-", "-", "-", "-", "-", "-", "no", device.info.name});
    } else {
      const Ceilings& c = *device.ceilings;
      const auto known = [](double rate) { return rate > 0 ? shortNumber(rate) : "-"; };
      rows.push_back({device.info.id, shortNumber(c.gflopsF32), device.info.fp64 ? shortNumber(c.gflopsF64) : "-",
                      known(c.gflopsLoaded), known(c.gopsInteger), shortNumber(c.gbs), known(c.gbsCache),
                      known(c.gbsLocal), c.date, device.info.name});
    }
  }
  return textTable(rows);
}

int run(Program& program, const DevicesArguments& options) {
  const Workshop workshop = makeWorkshop();
  const std::vector<Device> devices = collect(program, workshop.engines, options.measure);
  if (options.json.empty()) {
    writeText(program, "-", devicesTable(devices));
  } else {
    writeJson(program, options.json, toJson(devices));
  }
  return 0;
}

}  // namespace

void addDevices(CLI::App& app, Program& program) {
  const auto options = std::make_shared<DevicesArguments>();
  CLI::App* command =
      app.add_subcommand("devices", "List the engines with their properties and, if one is absent, the reason");
  command->add_flag("--measure", options->measure,
                    "Measure each engine's arithmetic and bandwidth now, and store them");
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
