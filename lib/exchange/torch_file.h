// The tensors of a file that torch.save() wrote: a zip archive whose data.pkl says which bytes are
// which tensor, or, before version 1.6, pickles with the bytes behind them. Its pickles are never
// run (exchange/pickle.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exchange/foreign.h"

namespace tt {

// Throws Error if the file is neither, is damaged, or its pickle holds anything but a dictionary.
// Its members that are no tensors of floating-point numbers, but of a kind that such files have,
// are left out.
ForeignTensors read_torch(const std::string& path);

// A dictionary of a training program: its tensors are in some of its dictionaries, whose names and
// a dot stand before theirs; the rest, such as the options of the run, is data.
struct TorchCheckpoint {
  nlohmann::json data;
  ForeignTensors tensors;
};
// Throws Error as read_torch(), but for what else the pickle holds.
TorchCheckpoint read_torch_checkpoint(const std::string& path,
                                      const std::vector<std::string>& dictionaries);

}  // namespace tt
