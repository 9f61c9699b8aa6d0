#include "gpu/cuda/cuda_objects.h"

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

LoadedModule::~LoadedModule() {
  session_->api().useContext(session_->context());
  session_->api().synchronizeStream(session_->stream());
  session_->api().unloadModule(module_);
}

Kernel::Kernel(std::shared_ptr<const LoadedModule> module, const std::string& entry) : module_(std::move(module)) {
  const Session& session = module_->session();
  session.use();
  session.check("make a kernel of its program",
                session.api().moduleFunction(&function_, module_->handle(), entry.c_str()));
  allowedLocal_ = attribute(FunctionAttribute::MaxDynamicSharedSizeBytes);
}

int Kernel::attribute(FunctionAttribute attribute) const {
  const Session& session = module_->session();
  int value = 0;
  session.use();
  session.check("describe a kernel", session.api().functionAttribute(&value, attribute, function_));
  return value;
}

KernelAttributes Kernel::attributes() const {
  KernelAttributes a;
  a.registers = attribute(FunctionAttribute::NumRegs);
  a.localBytes = attribute(FunctionAttribute::SharedSizeBytes);
  a.privateBytes = attribute(FunctionAttribute::LocalSizeBytes);
  a.constantBytes = attribute(FunctionAttribute::ConstSizeBytes);
  a.largestGroup = attribute(FunctionAttribute::MaxThreadsPerBlock);
  return a;
}

void Kernel::allowLocal(std::int64_t bytes) {
  if (bytes <= allowedLocal_) return;
  const Session& session = module_->session();
  session.use();
  session.check("give so much local memory",
                session.api().setFunctionAttribute(function_, FunctionAttribute::MaxDynamicSharedSizeBytes,
                                                   static_cast<int>(bytes)));
  allowedLocal_ = bytes;
}

}  // namespace sscope::cuda
