// The settings of a COMET model (Rei et al. 2020 and 2022), and where they stand in its file.
//
// Such a model scores a translation: the encoder of a Transformer reads texts, its layers are mixed
// and pooled to an embedding, and a feed-forward network makes a number of embeddings. Definitions
// follow unbabel-comet 2.2.7.
#pragma once

#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "model/config.h"

namespace tt {

inline constexpr const char* kCometKind = "comet";  // metadata "kind" of such models

// The embeddings that are read by the feed-forward network.
enum class CometInput {
  reference,  // of source s, translation t and reference r: [t, r, t r, |t - r|, t s, |t - s|]
  source,     // of source and translation: [t, s, t s, |t - s|]
  joint       // one of the texts that the encoder reads together, the translation first
};
enum class CometPooling { average, cls };  // the mean of all rows, or the first row
enum class CometActivation { none, tanh, sigmoid, clamp };  // clamp: at most 1
// How text becomes tokens: by the tokenizers of transformers, which read "</s>" in a text as that
// token, and cut texts that are read together as a whole; or by Marian, which knows no names, and
// keeps </s> at the end of a text that it cuts.
enum class CometReading { transformers, marian };

struct CometSettings {
  Config encoder;    // of which the settings of a decoder are not read
  std::string name;  // of the model, for signatures: "wmt22-comet-da"
  std::string licence;
  CometInput input = CometInput::reference;
  bool joins_source = true, joins_reference = true;  // of CometInput::joint
  CometPooling pooling = CometPooling::average;
  // Each layer, of each text, is first normalised over all of its numbers.
  bool layer_norm = false;
  std::vector<int> hidden;  // sizes of hidden layers, which end in tanh
  CometActivation final_activation = CometActivation::none;
  CometReading reading = CometReading::transformers;
  int longest_text = 510;  // tokens of one text, with <s> and </s>, to which it is cut
  int longest = 512;       // of texts that are read together
};

// The settings as metadata of a file, and those of a file. Throws Error if they are missing or
// wrong.
Metadata comet_metadata(const CometSettings& settings);
CometSettings stored_comet_settings(const TensorFile& file);

}  // namespace tt
