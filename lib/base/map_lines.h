// An ordered pipeline for tools that map lines to lines.
//
// Results must not depend on scheduling: any thread may run a task, so a task may depend only on
// its number.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/report.h"

namespace tt {

// The threads of map_lines(), as one that maps a block sees them (a team, as in OpenMP).
class Team {
 public:
  virtual int thread() const = 0;  // the one that maps, in [0, threads())
  virtual int threads() const = 0;

  // Calls task(i, thread) once for every i in [0, tasks), on this thread and on those that have no
  // block to map, and returns when all are done. Rethrows the exception of the failed task with the
  // lowest number. A task may not call it.
  virtual void run(std::size_t tasks,
                   const std::function<void(std::size_t i, int thread)>& task) = 0;

  // Calls `step` when those of all blocks before this one have been called, or will not be. At most
  // once for a block.
  virtual void in_turn(const std::function<void()>& step) = 0;

 protected:
  ~Team() = default;
};

// Reads lines in blocks of at most `block`, maps each block on one of `threads` threads, and writes
// the results in input order, each block as soon as all earlier ones are written. Where the input
// has no further line ready, as at its end, the threads share what there is, so that the tool can
// be used interactively through a pipe, and a short file keeps all threads busy. `map` gets the
// lines, the number of the first (from 1) and the threads, and must return one output line per
// input line (TT_CHECK). Exceptions from `map` and from reading are rethrown after all earlier
// lines have been written. Throws Error if the threads cannot be started. `bar` shows how many
// lines have been written. `in_order`: a block, of as many lines as all threads would have, is
// mapped after the one before it, and shared by the threads.
using LineMap = std::function<std::vector<std::string>(std::vector<std::string>&& lines,
                                                       std::size_t first, Team& team)>;
void map_lines(LineSource& in, Output& out, int threads, std::size_t block, Progress& bar,
               const LineMap& map, bool in_order = false);

}  // namespace tt
