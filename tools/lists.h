// The flags of programs that read lists of candidates.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rerank/list_source.h"
#include "tools/options.h"

namespace tt {

struct ListFlags {
  rerank::ListFiles files;
  std::string output = "-";
  int n_best = 0;  // 0: the best alone, as text
  int threads = 1;
  bool json = false, cost = false;

  // Sets what follows from them. Throws UsageError or Error if they contradict each other, or with
  // `others`, which are read too.
  void check(const Words& others = {});
};

// FILE, --json, --first-line.
std::vector<Option> list_options(ListFlags& flags);
// --source
Option source_option(ListFlags& flags, const std::string& help);
// -o, --n-best, --threads, --cost: of what writes a line, or a list, for each list.
std::vector<Option> answer_options(ListFlags& flags);
// --feature
Option feature_option(ListFlags& flags);

// Writes the answer to each list: its candidates in the order of `rank`, which several threads
// call, with a score of this name. Returns the exit status.
int answer_lists(const ListFlags& flags, const std::string& name,
                 const std::function<std::vector<rerank::Choice>(const rerank::ListItem& item,
                                                                 rerank::ListSource& in)>& rank);

}  // namespace tt
