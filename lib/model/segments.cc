#include "model/segments.h"

namespace tt {

Segments pair_up(Tape& tape, const Sequences& queries, const Sequences& keys, std::int64_t window) {
  const std::size_t n = queries.offsets.size() - 1;
  const auto segments = tape.host_array<Segment>(static_cast<std::int64_t>(n));
  for (std::size_t b = 0; b < n; ++b)
    segments[b] = {queries.offsets[b], queries.offsets[b + 1], keys.offsets[b],
                   keys.offsets[b + 1]};
  return upload_segments(tape, segments, window);
}

Segments see_sources(Tape& tape, std::span<const std::int32_t> sentences, const Sequences& source,
                     std::vector<Segment>& segments) {
  segments.clear();
  for (std::size_t r = 0; r < sentences.size(); ++r) {
    const auto row = static_cast<std::int32_t>(r), b = sentences[r];
    const auto& offsets = source.offsets;
    if (r > 0 && sentences[r - 1] == b) segments.back().query_end = row + 1;
    else
      segments.push_back({row, row + 1, offsets[static_cast<std::size_t>(b)],
                          offsets[static_cast<std::size_t>(b) + 1]});
  }
  return upload_segments(tape, segments);
}

}  // namespace tt
