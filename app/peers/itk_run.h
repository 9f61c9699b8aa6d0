#pragma once
// One timed run of a filter of ITK on our memory.

#include <itkCommand.h>
#include <itkImage.h>
#include <itkMultiThreaderBase.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/volume/array_view.h"

namespace sscope::peers {

// Filters that ITK makes inside a filter take their threads from the global setting.
class ItkThreads {
 public:
  explicit ItkThreads(int threads) : before_(itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads()) {
    itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(static_cast<itk::ThreadIdType>(threads));
  }
  ~ItkThreads() { itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(before_); }
  ItkThreads(const ItkThreads&) = delete;
  ItkThreads& operator=(const ItkThreads&) = delete;

 private:
  itk::ThreadIdType before_;
};

// Our memory as an ITK image, without a copy.
template <class Image>
typename Image::Pointer itkImage(const ArraySpec& spec, const typename Image::PixelType* data) {
  using Pixel = typename Image::PixelType;
  auto image = Image::New();
  typename Image::SizeType size;
  for (unsigned a = 0; a < 3; ++a) size[a] = static_cast<itk::SizeValueType>(spec.extent[a]);
  image->SetRegions(typename Image::RegionType(size));
  // ITK has no read-only container; filters do not write to their input.
  image->GetPixelContainer()->SetImportPointer(const_cast<Pixel*>(data),
                                               static_cast<itk::SizeValueType>(spec.elements()), false);
  return image;
}

// Times a fresh filter from images to images of one type and copies its output.
template <class Filter>
double runItk(Filter& filter, const ArraySpec& spec, const std::byte* from, std::byte* to, int threads,
              const Control& control) {
  using Image = typename Filter::OutputImageType;
  using Pixel = typename Image::PixelType;
  const ItkThreads limit(threads);
  filter.SetNumberOfWorkUnits(static_cast<itk::ThreadIdType>(threads));
  filter.SetInput(itkImage<Image>(spec, reinterpret_cast<const Pixel*>(from)));
  filter.AddObserver(itk::ProgressEvent(), [&](const itk::EventObject&) {
    control.report(filter.GetProgress(), "filtering with ITK");
    if (control.stopRequested()) filter.AbortGenerateDataOn();
  });
  double seconds = 0;
  try {
    const Stopwatch clock;
    filter.Update();
    seconds = clock.seconds();
  } catch (const itk::ProcessAborted&) {
    throw Canceled();
  } catch (const itk::ExceptionObject& e) {
    throw Error(ErrorKind::Unsupported, std::string("ITK failed: ") + e.GetDescription());
  }
  std::copy_n(filter.GetOutput()->GetBufferPointer(), spec.elements(), reinterpret_cast<Pixel*>(to));
  return seconds;
}

}  // namespace sscope::peers
