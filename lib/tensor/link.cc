// Links by way of the host: its own memory as it is, and that of any device, which is copied.
#include "tensor/link.h"

#include <array>
#include <vector>

namespace tt {
namespace {

std::size_t bytes(std::int64_t size) { return static_cast<std::size_t>(size) * sizeof(float); }

// Memory that the host may access is sent from where it is.
class DirectLink : public Link {
 public:
  DirectLink(const Backend& backend, const Ranks& ranks) : backend_(backend), ranks_(ranks) {}
  const Backend& backend() const override { return backend_; }
  void exchange(int queue, std::span<const Part> sent, std::span<const Part> received) override {
    for (const Part& part : received) ranks_.receive(queue, part.rank, part.at, bytes(part.size));
    for (const Part& part : sent) ranks_.send(queue, part.rank, part.at, bytes(part.size));
  }
  void wait(int queue) override { ranks_.wait(queue); }
  void give_up() override { ranks_.give_up(); }

 protected:
  const Backend& backend_;
  const Ranks& ranks_;
};

class StagedLink final : public DirectLink {
 public:
  using DirectLink::DirectLink;
  void exchange(int queue, std::span<const Part> sent, std::span<const Part> received) override {
    Staged& s = queues_[static_cast<std::size_t>(queue)];
    s.received.assign(received.begin(), received.end());
    std::int64_t size = 0;
    for (const auto& parts : {sent, received})
      for (const Part& part : parts) size += part.size;
    if (s.host.size() < static_cast<std::size_t>(size))
      s.host.resize(static_cast<std::size_t>(size));
    float* at = s.host.data();
    for (const Part& part : received) {
      ranks_.receive(queue, part.rank, at, bytes(part.size));
      at += part.size;
    }
    for (const Part& part : sent) {
      if (part.size > 0) backend_.download(at, part.at, bytes(part.size));
      ranks_.send(queue, part.rank, at, bytes(part.size));
      at += part.size;
    }
  }
  void wait(int queue) override {
    ranks_.wait(queue);
    Staged& s = queues_[static_cast<std::size_t>(queue)];
    const float* at = s.host.data();
    for (const Part& part : s.received) {
      if (part.size > 0) backend_.upload(part.at, at, bytes(part.size));
      at += part.size;
    }
    s.received.clear();
  }

 private:
  struct Staged {
    std::vector<float> host;
    std::vector<Part> received;  // to `host`, from its beginning
  };
  std::array<Staged, Ranks::kQueues> queues_;
};

}  // namespace

std::unique_ptr<Link> Backend::link(const Ranks& ranks) const {
  if (is_host()) return std::make_unique<DirectLink>(*this, ranks);
  return std::make_unique<StagedLink>(*this, ranks);
}

}  // namespace tt
