// How long a run will take: known once, in its first minute, where its first report is far off.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "model/config.h"

namespace tt {

class Outlook {
 public:
  // Before an update of so many parts, of which `at_once` are computed side by side. `updates`: how
  // many there will be; 0: nobody knows. `late`: seconds without a report. Keeps a reference to the
  // configuration.
  Outlook(const Config& config, std::int64_t parts, int at_once, double updates, double late = 10);

  // A part of the first update is done, or an update. Each returns a message once, when it is late
  // and no report has come; empty text otherwise. The first may be called by any thread.
  std::string part();
  std::string update(std::int64_t number);

 private:
  std::string message(double share);  // `share`: of an update, or how many are done
  const Config& config_;
  const double began_, updates_, late_;
  const std::int64_t parts_, at_once_;
  std::int64_t done_ = 0, updates_done_ = 0;
  bool open_ = true;  // there may be a message
  std::mutex mutex_;
};

}  // namespace tt
