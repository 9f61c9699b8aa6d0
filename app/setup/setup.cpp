#include "app/setup/setup.h"

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/io/volume_io.h"
#include "datasets/samples.h"
#include "gpu/gpu_engines.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/io/lattice/configuration_io.h"
#endif

namespace sscope {

Workshop makeWorkshop(const std::filesystem::path& readerProgram, Devices devices) {
  Workshop workshop;
  addCpuEngines(workshop.engines);
  addCpuVariants(workshop.variants);
  if (devices == Devices::Find) addGpuEngines(workshop.engines);
  addGpuVariants(workshop.variants);
  workshop.io = makeVolumeIo(readerProgram);
#ifndef SSCOPE_WITHOUT_LATTICE
  workshop.configurations = makeConfigurationIo(readerProgram);
#endif
  return workshop;
}

LoadedVolume load(VolumeIo& io, const DataSource& source, const Control& control) {
  if (!source.path.empty()) return io.read(source.path, control);
  if (source.sample.empty()) throw Error(ErrorKind::Usage, "there is no data", "name a file or a sample");
  LoadedVolume loaded;
  loaded.volume = makeSample(source.sample, source.size, source.seed, control);
  loaded.info.shape = loaded.volume.shape();
  loaded.info.type = loaded.volume.type();
  loaded.info.geometry = loaded.volume.geometry();
  loaded.info.format = "built-in sample " + source.sample;
  return loaded;
}

std::unique_ptr<ArrivingVolume> open(VolumeIo& io, const DataSource& source, const Control& control) {
  if (!source.path.empty()) return io.open(source.path, control);
  return std::make_unique<ArrivedVolume>(load(io, source, control));
}

}  // namespace sscope
