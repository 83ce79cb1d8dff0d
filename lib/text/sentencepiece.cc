#include "text/sentencepiece.h"

#ifdef ABSL_STATUS_STATUS_H_  // included by SentencePiece since 0.2.2
#include <absl/log/globals.h>
#include <absl/log/initialize.h>
#include <absl/log/log_sink.h>
#include <absl/log/log_sink_registry.h>

#include <mutex>
#else
#include <iostream>
#include <streambuf>
#endif

namespace tt {

#ifdef ABSL_STATUS_STATUS_H_

struct SentencePieceLog::Tap : absl::LogSink {
  explicit Tap(std::function<void(const std::string&)> read) : read_(std::move(read)) {
    static const bool begun =
        (absl::InitializeLog(),
         true);  // until then, everything goes to stderr regardless of thresholds
    (void)begun;
    absl::AddLogSink(this);
  }
  ~Tap() override { absl::RemoveLogSink(this); }

  void Send(const absl::LogEntry& entry) override {
    std::string line(entry.text_message());
    if (entry.log_severity() == absl::LogSeverity::kFatal)
      line = std::string(entry.source_basename()) + "(" + std::to_string(entry.source_line()) +
             ") [" + line + "]";
    const std::lock_guard lock(mutex_);
    read_(line);
  }

 private:
  std::function<void(const std::string&)> read_;
  std::mutex mutex_;
  absl::ScopedStderrThreshold quiet_{absl::LogSeverityAtLeast::kInfinity};
};

#else

// It logs to std::cerr.
struct SentencePieceLog::Tap : std::streambuf {
  explicit Tap(std::function<void(const std::string&)> read)
      : read_(std::move(read)), before_(std::cerr.rdbuf(this)) {}
  ~Tap() override { std::cerr.rdbuf(before_); }

 private:
  int overflow(int c) override {
    if (c != '\n') line_ += static_cast<char>(c);
    else read_(std::exchange(line_, {}));
    return c;
  }

  std::function<void(const std::string&)> read_;
  std::streambuf* before_;
  std::string line_;
};

#endif

SentencePieceLog::SentencePieceLog(std::function<void(const std::string&)> read)
    : tap_(std::make_unique<Tap>(std::move(read))) {}
SentencePieceLog::~SentencePieceLog() = default;

}  // namespace tt
