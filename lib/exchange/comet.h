// Checkpoints of COMET: a folder with hparams.yaml and checkpoints/model.ckpt, as unbabel-comet
// downloads it, and the tokenizer of its encoder (sentencepiece.bpe.model) there or elsewhere.
//
// Source: comet/models/__init__.py, regression_metric.py, referenceless.py, unified_metric.py and
// encoders of unbabel-comet 2.2.7; modeling_xlm_roberta.py and modeling_bert.py of transformers.
// The checkpoint is read as data (exchange/pickle.h), never run.
#pragma once

#include <string>
#include <vector>

#include "comet/settings.h"
#include "exchange/portable.h"

namespace tt {

// Its configuration is that of the encoder, and there is one subword model, `source`.
struct PortableComet : PortableModel {
  CometSettings comet;
};

// The settings that the encoders of all these models have: those of BERT.
Config comet_encoder();

// The factors of a mix of layers: `gamma` times softmax of the scores, or sparsemax (Martins and
// Astudillo 2016, algorithm 1).
std::vector<float> comet_mix(const std::vector<float>& scores, float gamma, bool sparse);

// Whether a path is such a folder, a checkpoint in one, or a model of Marian
// (exchange/marian_comet.h).
bool is_comet(const std::string& path);

// Reads the model. Throws Error, naming the file and what was expected, if it is of a kind that is
// not known, lacks a file, or has a setting that cannot be imported.
PortableComet read_comet(const ImportRequest& request);

// The model in a few words, on one line.
std::string summary(const PortableComet& model);

// Writes a model's file. `origin` is noted in its metadata. Throws Error as write_portable() does.
void write_comet(const PortableComet& model, const std::string& path, const std::string& origin);

}  // namespace tt
