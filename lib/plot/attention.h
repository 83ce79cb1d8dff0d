// Attention as tt-translate --attention writes it (text/attention_format.h), and its plots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "plot/figure.h"

namespace tt::plot {

// One head's weights, [rows, columns] row by row; NaN where the record has null.
struct HeadWeights {
  std::string kind;
  int layer = 0, head = 0;
  std::int64_t rows = 0, columns = 0;
  std::vector<float> weights;
};

struct AttentionRecord {
  std::string where;      // "file:line", for messages
  std::int64_t line = 0;  // of the sentence in the translated text
  std::vector<std::string> source, target;
  std::vector<HeadWeights> heads;

  // The pieces of the rows and of the columns of a kind of attention.
  std::vector<std::string> queries(const std::string& kind) const;
  std::vector<std::string> keys(const std::string& kind) const;
};

// Parses one line of such a file. Throws Error, beginning with `where`, if it is invalid.
AttentionRecord parse_attention(std::string_view text, const std::string& where);

// The record of sentence `line`, or for line 0 the first that has any attention. Throws Error if
// there is none, or if a line before it is damaged.
AttentionRecord read_attention(LineReader& in, std::int64_t line);

// The heads of one kind, of one layer (0: all) and one head (0: all), by layer and head; with
// `mean` their mean as a single head with the requested layer and head. Throws Error, listing what
// exists, if there are none.
std::vector<HeadWeights> choose_heads(const AttentionRecord& record, const std::string& kind,
                                      int layer, int head, bool mean);

// A panel per head, with the heads of a layer side by side. Requires at least one head, all of one
// kind.
Figure attention_figure(const AttentionRecord& record, const std::vector<HeadWeights>& heads);

// The weights as tab-separated lines with a header: layer, head, number and piece of the query,
// number and piece of the key, weight.
void write_attention_tsv(Output& out, const AttentionRecord& record,
                         const std::vector<HeadWeights>& heads);

}  // namespace tt::plot
