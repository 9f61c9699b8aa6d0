#include "core/parts/thread_mail.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sscope::reach {

namespace {

void requireSize(bool known, std::size_t size, std::size_t other) {
  if (known && size != other) throw std::logic_error("a message has another size than the one that is waited for");
}

}  // namespace

// The first that this side has not joined.
MessagePointer ThreadMail::next(const Line& line, bool Message::*side) {
  std::deque<MessagePointer>& messages = open_[line];
  const auto found = std::find_if(messages.begin(), messages.end(), [&](const auto& one) { return !((*one).*side); });
  if (found != messages.end()) return *found;
  auto message = std::make_shared<Message>();
  message->from = std::get<0>(line);
  message->to = std::get<1>(line);
  return messages.emplace_back(std::move(message));
}

MessagePointer ThreadMail::send(int from, const Send& send) {
  MessagePointer message = next({from, send.rank, send.tag}, &Message::sent);
  requireSize(message->wanted, message->target.size(), send.bytes.size());
  message->source = send.bytes;
  message->sent = true;
  return message;
}

MessagePointer ThreadMail::receive(int to, const Receive& receive) {
  MessagePointer message = next({receive.rank, to, receive.tag}, &Message::wanted);
  requireSize(message->sent, message->source.size(), receive.bytes.size());
  message->target = receive.bytes;
  message->wanted = true;
  return message;
}

MessagePointer ThreadMail::readyFor(int rank) const {
  for (const auto& [line, messages] : open_)
    if (std::get<0>(line) == rank || std::get<1>(line) == rank)
      for (const MessagePointer& message : messages)
        if (message->ready()) return message;
  return nullptr;
}

void ThreadMail::forget(const MessagePointer& message) {
  for (auto line = open_.begin(); line != open_.end(); ++line)
    if (std::erase(line->second, message) > 0) {
      if (line->second.empty()) open_.erase(line);
      return;
    }
}

}  // namespace sscope::reach
