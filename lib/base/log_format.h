// The names in a training log, one JSON object per line, which tt-train writes and tt-log-plot
// reads.
//
//   {"event": "start", ...}
//   {"event": "train", "update": 100, "epoch": 0.4, "loss": 5.1, "rate": 0.0007, ...}
//   {"event": "valid", "update": 1000, "loss": 4.9, "bleu": 12.3, ...}
//   {"event": "rollback", "update": 1200, "to": 1000, ...}
//   {"event": "end", ...}
#pragma once

namespace tt::log_format {

inline constexpr const char *kEvent = "event", *kStart = "start", *kTrain = "train",
                            *kValid = "valid", *kRollback = "rollback",
                            *kEnd = "end";        // the event, and its values
inline constexpr const char* kUpdate = "update";  // a whole number, in train and valid
inline constexpr const char* kTo = "to";  // of a rollback: no record of a later update counts

// Numbers of train and valid, or null where they are none.
inline constexpr const char *kLoss = "loss", *kPerplexity = "perplexity", *kBleu = "bleu",
                            *kRate = "rate", *kGradientNorm = "gradient_norm",
                            *kSpeed = "tokens_per_second";
// The work done by then: passes over the corpus, target tokens, seconds, operations.
inline constexpr const char *kEpoch = "epoch", *kTokens = "tokens", *kWall = "wall",
                            *kFlops = "flops";

}  // namespace tt::log_format
