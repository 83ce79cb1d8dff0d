// A child process, for a library that may crash, or end its process, over what it is given.
#pragma once

#include <functional>
#include <string>

namespace tt {

struct ChildResult {
  std::string bytes;  // what the work returned
  std::string ended;  // how the child ended if it did not return: "status 255", "signal 11
                      // (Segmentation fault)"
};

// Runs `work` in a copy of this process and waits for it; the copy ends with this process. Throws
// the Error that the work throws, and Error if no process can be started.
ChildResult run_in_child(const std::function<std::string()>& work);

}  // namespace tt
