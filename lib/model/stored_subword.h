// Subword models, wherever they stand: in a file of their own, or inside a model.
#pragma once

#include <string>

#include "model/checkpoint.h"
#include "text/subword.h"

namespace tt {

// Which of two a model may have.
enum class SubwordSide { source, target };

// That of a model's file. Throws Error if there is none, or it is damaged.
Subword stored_subword(const TensorFile& file, SubwordSide side);

// That of a SentencePiece model, or of a model's file. Throws Error as Subword::load() and TensorFile do.
Subword load_subword(const std::string& path, SubwordSide side);

// Whether a model's file has one subword model for both sides.
bool has_joint_subword(const TensorFile& file);

}  // namespace tt
