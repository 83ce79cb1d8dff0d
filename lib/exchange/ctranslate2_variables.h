// The variables of a model of CTranslate2: which parts of a model are where, and the numbers that
// describe it.
//
// Source: python/ctranslate2/specs/transformer_spec.py and attention_spec.py of that project.
#pragma once

#include <string>

#include "exchange/ctranslate2_file.h"
#include "exchange/foreign.h"
#include "exchange/foreign_setting.h"
#include "exchange/portable.h"

namespace tt {

std::string side_of(bool decoder);
// A number by its name; of files that are older, by one that both sides have together. Throws Error
// if it is not one number.
double scalar(ForeignTensors& tensors, std::string name, double otherwise);
// The numbers that the rows of a table name, each of both sides where its name says none, of a
// model of that width. They are taken.
ForeignValues values_of(CTranslate2File& file, const ForeignTable& table, int d_model);
// The variable of a part of a layer. Queries, keys and values are rows of one matrix.
ForeignPlace ctranslate2_place(const ParameterPart& part);

// The width of heads, what scores and the output are multiplied by, and biases of distances.
// Throws Error if layers do not agree in them.
void read_attention(Architecture& config, ForeignTensors& tensors);
void write_attention(const Architecture& config, bool decoder, CTranslate2Writer& file);

}  // namespace tt
