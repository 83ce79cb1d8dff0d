#include "plot/tensorboard.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "base/log_format.h"
#include "base/output.h"

namespace tt::plot {
namespace {

template <class T>
std::string little_endian(T number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

std::uint32_t masked_crc(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
  }
  return std::rotr(~crc, 15) + 0xa282ead8u;
}

std::string record(const std::string& data) {
  const std::string length = little_endian(static_cast<std::uint64_t>(data.size()));
  return length + little_endian(masked_crc(length)) + data + little_endian(masked_crc(data));
}

// Fields of protocol buffers.
std::string varint(std::uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  return bytes + static_cast<char>(number);
}
std::string field(int number, std::uint64_t value) {
  return varint(number << 3 | 0) + varint(value);
}
std::string field(int number, double value) {
  return varint(number << 3 | 1) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string field(int number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string field(int number, float value) {
  return varint(number << 3 | 5) + little_endian(std::bit_cast<std::uint32_t>(value));
}

// The time of an update; that of the last training record before it, where it has none.
double time_of(const TrainingLog& log, std::int64_t update, const LogRecord& numbers) {
  const auto wall = [](const LogRecord& of) {
    const auto found = of.find(log_format::kWall);
    return found == of.end() || std::isnan(found->second) ? 0 : found->second;
  };
  const auto after = log.train.upper_bound(update);
  return std::max(wall(numbers), after == log.train.begin() ? 0 : wall(std::prev(after)->second));
}

void add(const TrainingLog& log, const std::map<std::int64_t, LogRecord>& records,
         const std::string& group, std::string& bytes) {
  for (const auto& [update, numbers] : records) {
    std::string summary;
    for (const auto& [name, value] : numbers)
      if (name != log_format::kUpdate)
        summary += field(1, field(1, group + "/" + name) + field(2, static_cast<float>(value)));
    bytes += record(field(1, time_of(log, update, numbers)) +
                    field(2, static_cast<std::uint64_t>(update)) + field(5, summary));
  }
}

// All numbers of a log, as "train/loss" and "valid/bleu", by update.
std::string tensorboard_events(const TrainingLog& log) {
  std::string bytes = record(field(1, 0.0) + field(3, std::string("brain.Event:2")));
  add(log, log.train, "train", bytes);
  add(log, log.valid, "valid", bytes);
  return bytes;
}

}  // namespace

void write_tensorboard(const std::string& folder, const std::vector<TrainingLog>& logs) {
  for (const TrainingLog& log : logs)
    for (const auto& part : std::filesystem::path(log.name))
      if (part == "/" || part == "." || part == ".." || part.empty())
        throw Error("run ", in_quotes(log.name), " is no name of a folder; give NAME=LOG");
  for (const TrainingLog& log : logs) {
    AtomicFolder run(folder + "/" + log.name);
    run.add("events.out.tfevents.0.tt", tensorboard_events(log));
    run.commit();
  }
}

}  // namespace tt::plot
