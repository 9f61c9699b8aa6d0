// Files of volumes, read by our own decoders.

#include <cmath>
#include <functional>
#include <memory>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/input_file.h"
#include "core/io/base/sniff.h"
#include "core/io/native/bmp.h"
#include "core/io/native/meta.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/vti.h"
#include "core/io/native/vtk.h"
#include "core/io/planes/read_planes.h"
#include "core/io/process/protocol.h"
#include "core/volume/losses.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"
#ifdef SSCOPE_FUZZ_TIFF
#include "core/io/itk/dicom_extent.h"
#include "core/io/jpeg/jpeg.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::test {

namespace {

using namespace io;

std::string whatIsWrong(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  if (s.nx < 1 || s.ny < 1 || s.nz < 1 || s.components < 1) return "it has the shape " + s.text();
  for (const double spacing : info.geometry.spacing)
    if (!(spacing > 0)) return "its spacing is " + std::to_string(spacing);
  if (info.metadata.frames < 1 || s.components % info.metadata.frames != 0)
    return std::to_string(info.metadata.frames) + " frames of " + std::to_string(s.components) + " components";
  if (!std::holds_alternative<VolumeInfo>(decodeReply(encodeReply(info)))) return "its description cannot be sent";
  return {};
}

using Locate = std::function<LocatedVolume(const InputPointer& file)>;

// As the reader program does it, header first: the memory is just large enough, so that a byte too much is noticed.
std::string wrongVolume(const std::string& path, const Locate& locate) {
  return outcomeOf([&] {
    const auto file = std::make_shared<const InputFile>(path);
    try {
      static_cast<void>(sniffFormat(*file));
    } catch (const Error&) {
      // Damaged, or of a format that this build does not know: its decoder is tried all the same.
    }
    std::vector<std::byte> voxels;
    const AllocateVoxels none = [](const VolumeInfo&) { return nullptr; };
    const AllocateVoxels allocate = [&](const VolumeInfo& claimed) {
      requireMemory(path, claimedBytes(claimed), static_cast<double>(kMostBytes));
      voxels.resize(static_cast<std::size_t>(claimedBytes(claimed)));
      return voxels.data();
    };
    std::string wrong = whatIsWrong(readWhole(locate(file), path, none, {}));
    if (!wrong.empty()) return wrong;
    VolumeInfo info = readWhole(locate(file), path, allocate, {});
    if (claimedBytes(info) != static_cast<double>(voxels.size())) return std::string("it became another volume");
    noteNonFinite(info, voxels.data(), {});
    return whatIsWrong(info);
  });
}

// With a function of the open file.
template <LocatedVolume (*locateFile)(const InputFile&)>
std::string wrongFile(const char* name, const std::string& bytes) {
  return wrongVolume(putFile(name, bytes), [](const InputPointer& file) { return locateFile(*file); });
}

// Of the first choice of a file, and of the second one.
template <class LocateChosen>
std::string wrongChoice(const char* name, const std::string& bytes, int series, const LocateChosen& locate) {
  return wrongVolume(putFile(name, bytes), [&](const InputPointer& file) {
    Selection selection;
    selection.path = file->path();
    selection.series = series;
    return locate(selection, *file);
  });
}

std::string wrongNrrd(const std::string& bytes) { return wrongFile<locateNrrd>("input.nrrd", bytes); }
std::string wrongMeta(const std::string& bytes) { return wrongFile<locateMeta>("input.mha", bytes); }
std::string wrongNpy(const std::string& bytes) { return wrongChoice("input.npy", bytes, 0, locateNpy); }
std::string wrongMrc(const std::string& bytes) { return wrongFile<locateMrc>("input.mrc", bytes); }
std::string wrongRaw(const std::string& bytes) {
  return wrongVolume(putFile("input.json", bytes),
                     [](const InputPointer& file) { return locateRawJson(file->path()); });
}
#ifdef SSCOPE_IO_ZLIB
std::string wrongNpz(const std::string& bytes) { return wrongChoice("input.npz", bytes, 0, locateNpy); }
#endif

#ifdef SSCOPE_FUZZ_TIFF
// The same bytes as a file, packed or not, and as the header of a pair.
std::string wrongNifti(const std::string& bytes) {
  const std::string wrong = wrongFile<locateNifti>("input.nii", bytes);
  return wrong.empty() ? wrongFile<locateNifti>("input.hdr", bytes) : wrong;
}
std::string wrongTiff(const std::string& bytes) {
  const auto locate = [](const Selection& selection, const InputFile&) { return locateTiff(selection); };
  const std::string wrong = wrongChoice("input.tif", bytes, 0, locate);
  return wrong.empty() ? wrongChoice("input.tif", bytes, 2, locate) : wrong;
}

// A check passes or throws.
template <class Check>
std::string wrongCheck(const Check& check, const char* name, const std::string& bytes) {
  return outcomeOf([&] {
    check(putFile(name, bytes));
    return std::string();
  });
}
std::string wrongJpeg(const std::string& bytes) { return wrongCheck(requireWholeJpeg, "input.jpg", bytes); }
std::string wrongBmp(const std::string& bytes) { return wrongVolume(putFile("input.bmp", bytes), locateBmp); }
std::string wrongVtk(const std::string& bytes) { return wrongFile<locateVtk>("input.vtk", bytes); }
// The check before VTK, then our own reader.
std::string wrongVti(const std::string& bytes) {
  const auto check = [](const std::string& path) { requireVtiArrays(InputFile(path)); };
  const std::string wrong = wrongCheck(check, "input.vti", bytes);
  return wrong.empty() ? wrongFile<locateVti>("input.vti", bytes) : wrong;
}
std::string wrongDicom(const std::string& bytes) { return wrongCheck(requireDicomPixels, "input.dcm", bytes); }
#endif

}  // namespace

std::vector<Target> volumeTargets() {
  std::vector<Target> result = {{"nrrd", wrongNrrd, nrrdSeeds, {".nrrd", ".nhdr"}},
                                {"meta", wrongMeta, metaSeeds, {".mha", ".mhd"}},
                                {"raw", wrongRaw, rawSeeds, {".json"}},
                                {"npy", wrongNpy, npySeeds, {".npy"}},
                                {"mrc", wrongMrc, mrcSeeds, {".mrc", ".rec", ".map"}}};
#ifdef SSCOPE_IO_ZLIB
  result.push_back({"npz", wrongNpz, npzSeeds, {".npz"}});
#endif
#ifdef SSCOPE_FUZZ_TIFF
  result.push_back({"nifti", wrongNifti, niftiSeeds, {".nii", ".nii.gz", ".hdr"}});
  result.push_back({"tiff", wrongTiff, tiffSeeds, {".tif", ".tiff"}});
  result.push_back({"jpeg", wrongJpeg, jpegSeeds, {".jpg", ".jpeg"}});
  result.push_back({"bmp", wrongBmp, bmpSeeds, {".bmp"}});
  result.push_back({"vtk", wrongVtk, vtkSeeds, {".vtk"}});
  result.push_back({"vti", wrongVti, vtiSeeds, {".vti"}});
  result.push_back({"dicom", wrongDicom, dicomSeeds, {".dcm"}});
#endif
  return result;
}

}  // namespace sscope::test
