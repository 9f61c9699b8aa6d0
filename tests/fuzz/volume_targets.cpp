// Files of volumes, read by our own decoders.

#include <cmath>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/sniff.h"
#include "core/io/native/bmp_read.h"
#include "core/io/native/meta_read.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/vti_arrays.h"
#include "core/io/native/vtk_read.h"
#include "core/io/process/protocol.h"
#include "core/volume/losses.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"
#ifdef SSCOPE_FUZZ_TIFF
#include "core/io/itk/dicom_extent.h"
#include "core/io/jpeg/jpeg_extent.h"
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

// As the reader program does it, header first: the memory is just large enough, so that a byte too much is noticed.
std::string wrongVolume(const std::string& path, const Decode& decode) {
  return outcomeOf([&] {
    try {
      static_cast<void>(sniffFormat(path));
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
    std::string wrong = whatIsWrong(decode(path, none, {}));
    if (!wrong.empty()) return wrong;
    VolumeInfo info = decode(path, allocate, {});
    if (claimedBytes(info) != static_cast<double>(voxels.size())) return std::string("it became another volume");
    noteNonFinite(info, voxels.data(), {});
    return whatIsWrong(info);
  });
}

VolumeInfo decodeNrrd(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  return readNrrd(parseNrrdHeader(path), path, allocate, control);
}

std::string wrongNrrd(const std::string& bytes) { return wrongVolume(putFile("input.nrrd", bytes), decodeNrrd); }
std::string wrongMeta(const std::string& bytes) { return wrongVolume(putFile("input.mha", bytes), readMeta); }
VolumeInfo decodeNpy(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  Selection file;
  file.path = path;
  return readNpy(file, allocate, control);
}
std::string wrongNpy(const std::string& bytes) { return wrongVolume(putFile("input.npy", bytes), decodeNpy); }
std::string wrongNpz(const std::string& bytes) { return wrongVolume(putFile("input.npz", bytes), decodeNpy); }
std::string wrongMrc(const std::string& bytes) { return wrongVolume(putFile("input.mrc", bytes), readMrc); }
std::string wrongRaw(const std::string& bytes) { return wrongVolume(putFile("input.json", bytes), readRawJson); }

#ifdef SSCOPE_FUZZ_TIFF
// The same bytes as a file, packed or not, and as the header of a pair.
std::string wrongNifti(const std::string& bytes) {
  const std::string wrong = wrongVolume(putFile("input.nii", bytes), readNifti);
  return wrong.empty() ? wrongVolume(putFile("input.hdr", bytes), readNifti) : wrong;
}
std::string wrongTiff(const std::string& bytes) {
  const auto decode = [](int series) {
    return [series](const std::string& path, const AllocateVoxels& allocate, const Control& control) {
      Selection choice;
      choice.path = path;
      choice.series = series;
      return readTiff(choice, allocate, control);
    };
  };
  const std::string wrong = wrongVolume(putFile("input.tif", bytes), decode(0));
  return wrong.empty() ? wrongVolume(putFile("input.tif", bytes), decode(2)) : wrong;
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
std::string wrongBmp(const std::string& bytes) { return wrongVolume(putFile("input.bmp", bytes), readBmp); }
std::string wrongVtk(const std::string& bytes) { return wrongVolume(putFile("input.vtk", bytes), readVtk); }
std::string wrongVti(const std::string& bytes) { return wrongCheck(requireVtiArrays, "input.vti", bytes); }
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
