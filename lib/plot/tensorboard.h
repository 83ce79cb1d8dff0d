// Logs of trainings as event files, which TensorBoard shows.
//
// A file is records of length (uint64), CRC of it, data and CRC of these (uint32), all
// little-endian; a CRC is CRC-32C, turned right by 15 bits, plus 0xa282ead8. Data are an Event of
// protocol buffers: wall_time (double, 1), step (int64, 2), file_version (string, 3;
// "brain.Event:2" in the first), or summary (5) of values (1), each with tag (string, 1) and
// simple_value (float, 2). See TensorFlow's event.proto, summary.proto and record_writer.h.
#pragma once

#include <string>
#include <vector>

#include "plot/training_log.h"

namespace tt::plot {

// Writes a file of events of each log, all its numbers by update, as "train/loss" and
// "valid/bleu", to folder/NAME, its run in TensorBoard. Times are seconds since the training began.
// Throws Error if a name is no path within the folder, or if a file cannot be written.
void write_tensorboard(const std::string& folder, const std::vector<TrainingLog>& logs);

}  // namespace tt::plot
