#include "ui/views/slice_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"

namespace sscope {

SliceReader::SliceReader(std::function<void(const Answer&)> receive)
    : bridge_([receive = std::move(receive)](const ReaderNews& news) {
        if (const auto* answer = news.as<Answer>()) receive(*answer);
      }),
      worker_([this, deliver = bridge_.entrance()](const Wish& wish, const NewestWins<Wish>::Turn& turn) {
        try {
          deliver({turn.number, read(wish, {turn.canceled, {}})});
        } catch (const Canceled&) {
          // The views end.
        } catch (const std::exception& error) {
          Answer lost;
          lost.array = wish.array;
          lost.number = wish.number;
          lost.failure = wordsOf(error);
          deliver({turn.number, std::move(lost)});
        }
      }) {}

SliceReader::Answer SliceReader::read(const Wish& wish, const Control& control) {
  Answer answer;
  answer.array = wish.array;
  answer.at = wish.at;
  answer.number = wish.number;
  const ArraySpec& spec = wish.array->spec();
  std::vector<BoxCopy> copies;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!wish.axes[axis]) continue;
    const Box box = sliceBox(spec, axis, std::clamp<std::int64_t>(wish.at[axis], 0, spec.extent[axis] - 1));
    auto slice = std::make_shared<Volume>(
        pools_[axis].make({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type, {}, 1));
    copies.push_back({box, slice->view()});
    answer.slices[axis] = std::move(slice);
  }
  if (!copies.empty()) wish.array->read(copies, control);
  if (wish.sampleStep > 0) answer.samples = std::make_shared<const Volume>(wish.array->every(wish.sampleStep, control));
  return answer;
}

}  // namespace sscope
