// Cutting a text that is too long to be translated at once: at the ends of sentences, or where
// there are none behind punctuation, between words, between characters.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace tt {

// Stretches of the text, in order, with nothing between them but white space, each of size at most
// `most`: as many sentences as fit; parts of a sentence where it alone does not. `size` tells that
// of a stretch; that of two that follow each other is at most the sum of theirs. It is asked for
// every sentence once, and for what is in one that does not fit. A character that does not fit
// alone is a stretch all the same. Requires valid UTF-8.
std::vector<std::string_view> split_text(std::string_view text, std::size_t most,
                                         const std::function<std::size_t(std::string_view)>& size);

}  // namespace tt
