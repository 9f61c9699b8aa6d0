#pragma once
// The objects that the window works with. `app` creates and owns them, since ui includes neither gpu nor ITK nor the
// generators.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/volume/volume_io.h"

namespace sscope::lattice {
class ConfigurationIo;
}

namespace sscope {

// A built-in sample as the window offers it.
struct SampleOffer {
  std::string name;   // "marschner-lobb"
  std::string label;  // "Marschner-Lobb"
  std::string description;
  int dimensions = 3;
  // size 0 for the default number of voxels along each edge.
  std::function<Volume(std::int64_t size, std::uint64_t seed, const Control&)> make;
};

// All members outlive the window.
struct Toolbox {
  EngineSet* engines = nullptr;
  const VariantTable* variants = nullptr;
  VolumeIo* io = nullptr;
  // For the subject lattice, if it is built: reading and recognizing its files.
  lattice::ConfigurationIo* configurations = nullptr;
  std::function<bool(const std::string& path)> isConfiguration;
  std::vector<SampleOffer> samples;
  // The text of a kernel by the name of its file (Variant::kernelFile), for display; empty for an unknown name.
  std::function<std::string(const std::string& file)> kernelText;
  // Bytes that open data and their results may take; larger files open as an overview. 0: two thirds of the free
  // memory.
  std::int64_t memory = 0;
};

}  // namespace sscope
