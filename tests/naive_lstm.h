// The LSTM encoder-decoder once more, as tests/naive_forward.h has the Transformer.
#pragma once

#include "tests/naive_forward.h"

namespace tt {

struct NaiveLstm : NaiveForward {
  struct Cell {
    Row h, c;
  };
  static Row joined(Row a, const Row& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  // One cell over the rows of x; `now` is its state before and behind. `fed`: what is added to the
  // first layer's sums with input feeding; none in the first step.
  Rows run(const Text& name, const Rows& x, Cell& now, const Row* fed = nullptr) {
    Rows states, sums = put(name + ".x", times(x, name + ".x", name + ".bias"));
    if (fed)
      sums = put(name + ".sum", plus(sums, put("decoder.feed", times({*fed}, "decoder.feed"))));
    const std::size_t units = sums[0].size() / 4;
    for (Row& a : sums) {
      if (!now.h.empty()) a = plus({a}, put(name + ".h", times({now.h}, name + ".h")))[0];
      if (now.c.empty()) now.c.resize(units);
      now.h.resize(units);
      for (std::size_t j = 0; j < 4 * units; ++j)
        a[j] = j / units == 2 ? std::tanh(a[j]) : logistic(a[j]);
      for (std::size_t j = 0; j < units; ++j) {
        now.c[j] = a[units + j] * now.c[j] + a[j] * a[2 * units + j];
        now.h[j] = a[3 * units + j] * std::tanh(now.c[j]);
      }
      put(name + ".gates", {a}), put(name + ".cells", {now.c}), put(name + ".states", {now.h});
      states.push_back(now.h);
    }
    return states;
  }
  Rows attend_to(const Rows& h, const Rows& keys, const Rows& values) {
    const Rows q = c.attention == AttentionKind::general  ? times(h, "attention.w")
                   : c.attention == AttentionKind::concat ? times(h, "attention.query")
                                                          : h;
    Rows x = attend("attention", q, keys, values, 1, "attention.score", 1 << 20, 1 << 20);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = joined(x[i], h[i]);
    vector("attention.out_bias");
    const Rows sum =
        plus(put("attention.out", times(x, "attention.out")), p.at("attention.out_bias"));
    return put("attention.out.active",
               rows(sum.size(), D, [&](auto i, auto j) { return std::tanh(sum[i][j]); }));
  }
  Rows lstm(const std::vector<int>& source, const std::vector<int>& target) {
    std::vector<Cell> ends, now;
    Rows x = input("encoder", source);
    for (int i = 1; i <= c.encoder_layers; ++i) {
      const Text layer = "encoder." + std::to_string(i);
      Cell forward, backward;
      const Rows reversed(x.rbegin(), x.rend());
      x = run(layer + ".forward", x, forward);
      if (c.bidirectional) {
        const Rows back = run(layer + ".backward", reversed, backward);
        for (std::size_t t = 0; t < x.size(); ++t) x[t] = joined(x[t], back[x.size() - 1 - t]);
      }
      ends.push_back({joined(forward.h, backward.h), joined(forward.c, backward.c)});
    }
    for (int i = 0; i < c.decoder_layers; ++i)  // matched from the top
      now.push_back(
          ends[static_cast<std::size_t>(std::max(0, c.encoder_layers - c.decoder_layers + i))]);
    const bool attentive = c.attention != AttentionKind::none;
    const Rows keys = c.attention == AttentionKind::concat ? times(x, "attention.key") : x;
    const auto layers = [&](Rows y, const Row* fed) {
      for (int i = 0; i < c.decoder_layers; ++i)
        y = run("decoder." + std::to_string(i + 1), y, now[static_cast<std::size_t>(i)],
                i == 0 ? fed : nullptr);
      return attentive ? attend_to(y, keys, x) : y;
    };
    if (!c.input_feeding) return layers(input("decoder", target), nullptr);
    Rows all;
    for (const int piece : target)
      all.push_back(layers(input("decoder", {piece}), all.empty() ? nullptr : &all.back())[0]);
    return all;
  }
};

}  // namespace tt
