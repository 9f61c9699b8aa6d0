// sscope-reader-vti: .vti files. VTK's IOXML reads those whose voxels are compressed or encoded.

#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkXMLImageDataReader.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/native/vti.h"
#include "core/io/reader/decode_input.h"

namespace sscope::io {

namespace {

// Receives VTK's errors, which would else be printed.
class ErrorListener : public vtkCommand {
 public:
  static ErrorListener* New() { return new ErrorListener; }
  void Execute(vtkObject*, unsigned long, void*) override { heard = true; }
  bool heard = false;
};

ElementType typeOf(const vtkDataArray& array, const std::string& path) {
  const int vtk = const_cast<vtkDataArray&>(array).GetDataType();
  const auto size = static_cast<std::size_t>(const_cast<vtkDataArray&>(array).GetDataTypeSize());
  if (vtk == VTK_FLOAT) return ElementType::f32;
  if (vtk == VTK_DOUBLE) return ElementType::f64;
  const bool isSigned = vtk == VTK_CHAR || vtk == VTK_SIGNED_CHAR || vtk == VTK_SHORT || vtk == VTK_INT ||
                        vtk == VTK_LONG || vtk == VTK_LONG_LONG || vtk == VTK_ID_TYPE;
  if (size == 1) return isSigned ? ElementType::i8 : ElementType::u8;
  if (size == 2) return isSigned ? ElementType::i16 : ElementType::u16;
  if (size == 4) return isSigned ? ElementType::i32 : ElementType::u32;
  throw cannotRead(ErrorKind::Unsupported, path, "its voxels are 64-bit integers",
                   "save them as 32-bit integers or as floating point");
}

Geometry geometryOf(vtkImageData& image, bool points) {
  Geometry g;
  int extent[6];
  image.GetExtent(extent);
  std::array<double, 6> ends{};
  std::copy_n(extent, 6, ends.begin());
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    g.spacing[axis] = image.GetSpacing()[a];
    for (int r = 0; r < 3; ++r)
      g.direction[static_cast<std::size_t>(3 * r + a)] = image.GetDirectionMatrix()->GetElement(r, a);
  }
  std::copy_n(image.GetOrigin(), 3, g.origin.begin());
  return vtiPlaced(g, ends, points);
}

std::string nameOf(vtkAbstractArray* each) { return each->GetName() == nullptr ? "" : each->GetName(); }

// The active scalars, else the first array, of the points, or of the cells, with a notice.
LocatedVolume locateByVtk(const InputFile& file) {
  const std::string& path = file.path();
  const vtkNew<vtkXMLImageDataReader> reader;
  const vtkNew<ErrorListener> errors;
  reader->AddObserver(vtkCommand::ErrorEvent, errors);
  reader->SetFileName(path.c_str());
  if (reader->CanReadFile(path.c_str()) == 0)
    throw cannotRead(ErrorKind::BadData, path, "it is VTK XML but not image data", "export it as image data (.vti)");
  reader->UpdateInformation();
  reader->Update();
  vtkImageData* image = reader->GetOutput();
  const bool points = image->GetPointData()->GetNumberOfArrays() > 0;
  vtkDataSetAttributes* attributes = points ? static_cast<vtkDataSetAttributes*>(image->GetPointData())
                                            : static_cast<vtkDataSetAttributes*>(image->GetCellData());
  vtkDataArray* array = attributes->GetScalars() != nullptr   ? attributes->GetScalars()
                        : attributes->GetNumberOfArrays() > 0 ? attributes->GetArray(0)
                                                              : nullptr;
  if (errors->heard || array == nullptr) throw damaged(path, "its voxels cannot be decoded");
  VolumeInfo info;
  int extent[3];
  image->GetDimensions(extent);
  if (!points)
    for (int& n : extent) n = std::max(1, n - 1);
  info.shape = {extent[0], extent[1], extent[2], array->GetNumberOfComponents()};
  info.type = typeOf(*array, path);
  info.geometry = geometryOf(*image, points);
  info.format = "VTK XML image";
  if (!points) info.notices.emplace_back("the values belong to cells; each cell is taken as a voxel");
  std::vector<std::string> others;
  for (vtkDataSetAttributes* each : {static_cast<vtkDataSetAttributes*>(image->GetPointData()),
                                     static_cast<vtkDataSetAttributes*>(image->GetCellData())})
    for (int n = 0; n < each->GetNumberOfArrays(); ++n)
      if (each->GetAbstractArray(n) != array) others.push_back(nameOf(each->GetAbstractArray(n)));
  if (!others.empty()) info.notices.push_back(otherArraysNotice(nameOf(array), others));
  takeTextsOfVti(file, info);
  if (array->GetNumberOfTuples() < info.shape.voxels())
    throw damaged(path, "it holds fewer voxels than its header states");
  repairGeometry(info);
  const vtkSmartPointer<vtkDataArray> values(array);
  const Stored stored = storedAs(info.type);
  LocatedVolume located = decodedVolume(path, std::move(info), stored,
                                        [values](std::int64_t, std::int64_t, std::span<std::byte> out, const Control&) {
                                          std::memcpy(out.data(), values->GetVoidPointer(0), out.size());
                                        });
  located.onlyWhole = "VTK reads it as a whole";
  return located;
}

// Files whose voxels can be located are read as they lie; VTK reads all others.
LocatedVolume locateEither(const InputFile& file) {
  try {
    return locateVti(file);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
  }
  return locateByVtk(file);
}

}  // namespace

void continueElsewhere(const Request& /*request*/, const Input& /*input*/) {}

LocatedVolume locateInput(const Input& input, const Control& control) {
  return locateWith(
      input, [](const Selection&, const InputPointer& file) { return locateEither(*file); }, control);
}

}  // namespace sscope::io
