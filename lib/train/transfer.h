// Parameters that a new run takes over from a trained model, and those that stay as they are.
#pragma once

#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "model/model.h"
#include "text/subword.h"

namespace tt {

// Settings of training for a model that is trained already: fewer and smaller updates than a preset
// has, at a rate for its width.
void set_fine_tuning(Config& config);

// Sets the parameters, which have values, to those of the model in the file that have the same name
// and shape. Of embeddings, of which there is a row for each piece, the rows of pieces that both
// vocabularies have are taken; where the model shares its embeddings between source, target and
// output, and the new one does not, each begins with these. Says which tensors were taken, in
// parts, or not. Throws Error if none was, or if one has a value that is not finite.
void take_parameters(Model& model, const SubwordPair& subwords, const TensorFile& from);

// The numbers of the parameters that belong to `parts`, a list with commas: "encoder", "decoder",
// "embeddings" (with the matrix and the bias of the output), or what the names of tensors begin
// with. Throws Error if one of them is none.
std::vector<int> parameters_of(const Model& model, const std::string& parts);

}  // namespace tt
