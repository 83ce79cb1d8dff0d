// Models in eight bits: what stands in their file in place of the float32 matrices; man/tt-model.5 has it for readers of the
// file.
#pragma once

#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "nn/params.h"

namespace tt {

inline constexpr const char* kWeights = "weights";  // metadata: the form of the matrices; without it they are float32
inline constexpr const char* kInt8 = "int8";
inline constexpr const char* kScales = ".scales";  // behind the name of a matrix in eight bits: its scales

// The form of a model's file. Throws Error if this program does not know it.
WeightForm stored_form(const TensorFile& file);

// The tensors of a file in that form, without data, in the order of declaration.
std::vector<NamedTensor> stored_tensors(const Params& params, WeightForm form);

// Freezes parameters that have no values yet, leaves them in the file where the backend has the host's memory, and copies them
// elsewhere. `form` is what they shall have; a file in eight bits keeps its own. Throws Error as check_tensors() does.
void load_frozen(Params& params, const TensorFile& file, const Backend& backend, WeightForm form);

}  // namespace tt
