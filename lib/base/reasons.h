// Lines of which something was dropped, replaced or guessed: why, and how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace tt {

class Reasons {
 public:
  // `where` gives "path:line" of a line that was added. It is called by the destructor.
  explicit Reasons(std::function<std::string(std::size_t line)> where) : where_(std::move(where)) {}
  // Warns, for each reason, of the first line and of how many there were, in the order of the
  // first: also when an error ends the work.
  ~Reasons();
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;

  // A line, in any order, from any thread. `text`, which defaults to the reason, says it of this
  // line; it is kept of the first.
  void add(const std::string& reason, std::size_t line, const std::string& text = "");

  bool any() const { return !reasons_.empty(); }

 private:
  struct Lines {
    std::size_t first = 0;
    std::uint64_t count = 0;
    std::string text;
  };
  std::function<std::string(std::size_t)> where_;
  std::mutex mutex_;
  std::map<std::string, Lines> reasons_;
};

}  // namespace tt
