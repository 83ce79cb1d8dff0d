#include "train/inputs.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "train/run.h"

namespace tt {

void check_inputs(const TrainingInputs& in) {
  std::vector<std::string> read{in.dev_source, in.dev_target, in.source_subword, in.from};
  if (in.target_subword != in.source_subword) read.push_back(in.target_subword);
  for (const CorpusPart& part : in.train) read.insert(read.end(), {part.source, part.target});
  // A part of two -, of which the reader of corpora says what is wrong with it, counts as one.
  const auto whole = std::count_if(in.train.begin(), in.train.end(),
                                   [](const CorpusPart& part) { return part.source == "-" && part.target == "-"; });
  if (std::count(read.begin(), read.end(), "-") - whole > 1)
    throw Error("stdin is to be read more than once; give files for all but one -");
  if (!in.store.empty()) {
    if (in.store == "-") throw Error("the store is a file that is read again, and cannot be -; give its name");
    if (same_path(in.store, in.folder)) throw Error(in.store, ": is the folder of the run; write the store to another file");
    if (is_of_run(in.store, in.folder)) throw Error(in.store, ": is a file of the run; write the store to another file");
    check_not_read(in.store, read);
    read.push_back(in.store);
  }
  if (!in.log.empty() && !in.store.empty() && same_path(in.log, in.store))
    throw Error(in.log, ": is the store; write the log to another file");
  check_not_read(in.log, read);
  if (same_path(in.log, in.folder)) throw Error(in.log, ": is the folder of the run; write the log to another file");
  if (is_of_run(in.log, in.folder)) throw Error(in.log, ": is a file of the run; write the log to another file");
  if (first_invalid_utf8(in.from) < in.from.size())
    throw Error(in.from, ": the name is not UTF-8, as the run's state has it; rename the file");
}

}  // namespace tt
