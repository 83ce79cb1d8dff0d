// Models whose file has something else in place of the float32 matrices: eight bits, or the order
// of products; man/tt-model.5 has it for readers of the file.
#pragma once

#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "nn/params.h"

namespace tt {

inline constexpr const char* kWeights =
    "weights";  // metadata: the form of the matrices; without it they are float32
inline constexpr const char* kScales =
    ".scales";  // behind the name of a matrix in eight bits: its scales

// How the metadata name a form that is not float32.
const char* name_of(WeightForm form);

// The form of a model's file. Throws Error if this program does not know it.
WeightForm stored_form(const TensorFile& file);
// Throws Error unless it is float32; `why` ends the sentence that begins with "has packed weights".
void require_float32(const TensorFile& file, const std::string& why);

// The tensors of a file in that form, without data, in the order of declaration.
std::vector<NamedTensor> stored_tensors(const Params& params, WeightForm form);

// Gives rows [first, first + n) of parameter `index`, a vector being one row, in float32.
using ReadRows = std::function<void(int index, std::int64_t first, std::int64_t n, float* to)>;
// Writes a model whose matrices have that form. Its parameters are read as they are written, twice,
// and no more than a matrix at a time: a large model is never in memory as a whole. Throws Error as
// save_tensors() and `read` do, and if a matrix is too large for eight bits.
void save_model(const std::string& path, const Params& params, WeightForm form,
                std::span<const NamedTensor> subwords, Metadata metadata, const ReadRows& read);

// Freezes parameters that have no values yet, leaves them in the file where the backend has the
// host's memory, and copies them elsewhere. `form` is what they shall have, float32 or int8; a file
// in eight bits keeps its own. Throws Error as check_tensors() does.
void load_frozen(Params& params, const TensorFile& file, const Backend& backend, WeightForm form);

}  // namespace tt
