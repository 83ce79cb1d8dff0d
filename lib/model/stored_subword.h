// Subword models, wherever they stand: in a file of their own, or inside a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/checkpoint.h"
#include "text/subword.h"

namespace tt {

// The tensors that hold them, given their bytes, which must outlive the tensors: one where source
// and target share a model.
std::vector<NamedTensor> subword_tensors(std::string_view source, std::string_view target);

// The bytes of a subword model in a model's file. Throws Error if there are none.
std::string_view stored_subword_bytes(const TensorFile& file, SubwordSide side);

// The subword model of a model's file. Throws Error if there is none, or it is damaged.
Subword stored_subword(const TensorFile& file, SubwordSide side);

// The subword model of its own file, or of a model's. Throws Error as Subword::load() and
// TensorFile do.
Subword load_subword(const std::string& path, SubwordSide side);

// Throws Error, beginning with `path`, if a configuration has other numbers of pieces than the
// subword models.
void check_pieces(const std::string& path, const Architecture& config, const Subword& source,
                  const Subword& target);

// Whether a model's file has one subword model for both sides.
bool has_joint_subword(const TensorFile& file);

}  // namespace tt
