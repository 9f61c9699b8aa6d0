#include "gpu/cuda/cuda_memory.h"

#include <algorithm>

namespace sscope::cuda {

Buffer::Buffer(std::shared_ptr<Session> session, std::int64_t bytes) : session_(std::move(session)), bytes_(bytes) {
  session_->use();
  session_->check("give memory",
                  session_->api().allocate(&address_, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 16))));
}

// Freeing waits for the commands that use the memory.
Buffer::~Buffer() {
  session_->api().useContext(session_->context());
  session_->api().free(address_);
}

Image::Image(std::shared_ptr<Session> session, ElementType type, std::int64_t width, std::int64_t height)
    : session_(std::move(session)), type_(type), width_(width), height_(height) {
  session_->use();
  const DriverApi& api = session_->api();
  const ArrayDescriptor shape{static_cast<std::size_t>(width), static_cast<std::size_t>(height),
                              type == ElementType::u8 ? ArrayFormat::UnsignedInt8 : ArrayFormat::Float, 1};
  session_->check("give memory for an image", api.createArray(&array_, &shape));
  ResourceDescriptor resource;
  resource.resource.array = array_;
  TextureDescriptor texture;
  for (AddressMode& mode : texture.addressMode) mode = AddressMode::Clamp;
  texture.flags = type == ElementType::u8 ? kReadAsInteger : 0;
  const Result result = api.createTexture(&texture_, &resource, &texture, nullptr);
  if (result != kSuccess) api.destroyArray(array_);
  session_->check("make a texture", result);
}

Image::~Image() {
  session_->api().useContext(session_->context());
  session_->api().synchronizeStream(session_->stream());
  session_->api().destroyTexture(texture_);
  session_->api().destroyArray(array_);
}

Copy2d Image::copyFrom(const std::byte* data) const {
  Copy2d copy;
  copy.sourceHost = data;
  copy.targetArray = array_;
  copy.widthBytes = copy.sourcePitch = static_cast<std::size_t>(width_) * bytesOf(type_);
  copy.height = static_cast<std::size_t>(height_);
  return copy;
}

Pinned::Pinned(std::shared_ptr<Session> session, std::int64_t bytes) : session_(std::move(session)) {
  session_->use();
  void* data = nullptr;
  session_->check("give host memory", session_->api().allocateHost(&data, static_cast<std::size_t>(bytes), 0));
  bytes_ = {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)};
}

Pinned::~Pinned() {
  session_->api().useContext(session_->context());
  session_->api().freeHost(bytes_.data());
}

}  // namespace sscope::cuda
