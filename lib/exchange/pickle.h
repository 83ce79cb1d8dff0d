// The tensors of a file that torch.save() wrote: a zip archive whose data.pkl says which bytes are
// which tensor, or, before version 1.6, pickles with the bytes behind them.
//
// A pickle is a program; this one is never run. It is read by a list of the instructions and names
// that a dictionary of tensors needs, and refused where it has another. Source: Lib/pickletools.py
// of Python (the instructions), torch/serialization.py and torch/_utils.py (the names).
#pragma once

#include <string>
#include <string_view>

#include "exchange/foreign.h"

namespace tt {

// Throws Error if the file is neither, is damaged, or its pickle holds anything but a dictionary.
// Its members that are no tensors of floating-point numbers, but of a kind that such files have,
// are left out.
ForeignTensors read_torch(const std::string& path);

// Reads a pickle alone: its dictionary, thrown away. Throws Error as read_torch() does.
void read_pickle(std::string_view bytes, const std::string& name);

}  // namespace tt
