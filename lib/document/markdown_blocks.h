// The blocks of Markdown, as md4c finds them, with the place of each mark.
#pragma once

#include <md4c.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tt::document {

// A text, a break or a mark among a block's contents, which are in their order.
struct Event {
  enum class Type { text, entity, nul, soft_break, hard_break, html, enter, leave };
  Type type;
  std::size_t begin = 0, end = 0;  // of a text; of the others once they are placed
  MD_SPANTYPE span = MD_SPAN_EM;

  bool has_place() const {
    return type == Type::text || type == Type::entity || type == Type::html;
  }
  bool is(Type wanted, MD_SPANTYPE of) const { return type == wanted && span == of; }
};
struct Block {
  MD_BLOCKTYPE type = MD_BLOCK_P;
  std::vector<Event> events = {};
  std::size_t quotes = 0;  // around it
  char fence = 0;          // of code
  bool placed = true;      // false: its events could not be found
};

// Blocks that have contents, but for what only CommonMark's extensions know.
std::vector<Block> parse_markdown(const std::string& text);

}  // namespace tt::document
