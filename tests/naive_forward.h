// The forward pass of every kind of model once more: plain loops in double, no library, nothing
// shared with lib/ but the settings. What it makes has the names that traces have for it.
#pragma once

#include <cmath>
#include <map>
#include <string>

#include "model/config.h"

namespace tt {

struct NaiveForward {
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;
  using Text = std::string;

  Config c;
  std::map<Text, Rows> p, made = {};  // parameters; results, heads one under the other
  std::map<Text, Rows> factors = {};  // of the parameters of products, what is multiplied with them
  std::size_t D = static_cast<std::size_t>(c.d_model);

  static double logistic(double x) { return 1 / (1 + std::exp(-x)); }
  double act(double x) const {
    if (c.activation == Activation::relu) return x > 0 ? x : 0;
    if (c.activation == Activation::swish) return x * logistic(x);
    if (c.activation == Activation::gelu_logistic) return x * logistic(1.702 * x);
    if (c.activation == Activation::gelu_erf) return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    if (c.activation == Activation::tanh) return std::tanh(x);
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1)) * (x + 0.044715 * x * x * x)));
  }
  template <class Number>  // of i and j
  static Rows rows(std::size_t n, std::size_t columns, const Number& number) {
    Rows y(n, Row(columns));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < columns; ++j) y[i][j] = number(i, j);
    return y;
  }
  static Rows columns(const Rows& x, std::size_t begin, std::size_t n) {
    return rows(x.size(), n, [&](auto i, auto j) { return x[i][begin + j]; });
  }
  static Rows plus(const Rows& a, const Rows& b) {
    return rows(a.size(), a[0].size(),
                [&](auto i, auto j) { return a[i][j] + b[b.size() > 1 ? i : 0][j]; });
  }
  void vector(const Text& name) {  // which traces have beside what it is added to or multiplies
    if (p.count(name)) made[name] = p.at(name);
  }
  Rows times(const Rows& x, const Text& w, const Text& bias = "") {
    vector(bias), factors[w] = x;
    const Rows y = rows(x.size(), p.at(w)[0].size(), [&](auto i, auto j) {
      double sum = 0;
      for (std::size_t k = 0; k < x[i].size(); ++k) sum += x[i][k] * p.at(w)[k][j];
      return sum;
    });
    return p.count(bias) ? plus(y, p.at(bias)) : y;
  }
  const Rows& put(const Text& name, const Rows& x) {
    made[name].insert(made[name].end(), x.begin(), x.end());
    return x;
  }
  Rows norm(const Text& name, const Rows& x) {
    vector(name + ".gain"), vector(name + ".bias");
    return put(name, rows(x.size(), D, [&](auto i, auto j) {
                 double mean = 0, variance = 0;
                 if (c.norm_type == NormType::layer)
                   for (double v : x[i]) mean += v / c.d_model;
                 for (double v : x[i]) variance += (v - mean) * (v - mean) / c.d_model;
                 const double y = (x[i][j] - mean) / std::sqrt(variance + c.norm_epsilon);
                 const double shift = p.count(name + ".bias") ? p.at(name + ".bias")[0][j] : 0;
                 return y * p.at(name + ".gain")[0][j] + shift;
               }));
  }
  // Of T5, as section 2.1 of its paper describes them.
  std::size_t bucket(int distance, bool both) const {
    const int all = c.position_buckets / (both ? 2 : 1), exact = all / 2,
              n = both ? std::abs(distance) : std::max(-distance, 0);
    const double part = std::log(static_cast<double>(std::max(n, exact)) / exact) /
                        std::log(static_cast<double>(c.position_distance) / exact);
    const int later = std::min(all - 1, exact + static_cast<int>(part * (all - exact) + 1e-6));
    return static_cast<std::size_t>((both && distance > 0 ? all : 0) + (n < exact ? n : later));
  }
  // Query i sees keys i - before to i + behind.
  Rows attend(const Text& site, const Rows& q, const Rows& k, const Rows& v, double scale,
              const Text& additive, int before, int behind, const Text& distances = "") {
    const std::size_t heads = c.type == ModelType::lstm ? 1 : static_cast<std::size_t>(c.heads);
    vector(additive);
    const std::size_t dk = q[0].size() / heads, dv = v[0].size() / heads;
    Rows out(q.size());
    for (std::size_t h = 0; h < heads; ++h) {
      const Rows scores = put(site + ".scores", rows(q.size(), k.size(), [&](auto i, auto j) {
                                const int far = static_cast<int>(j) - static_cast<int>(i);
                                double sum = far < -before || far > behind ? -INFINITY : 0;
                                for (std::size_t d = h * dk; d < (h + 1) * dk; ++d)
                                  sum += p.count(additive)
                                             ? p.at(additive)[0][d] * std::tanh(q[i][d] + k[j][d])
                                             : scale * q[i][d] * k[j][d];
                                if (p.count(distances))
                                  sum += p.at(distances)[h][bucket(far, distances[0] == 'e')];
                                return sum;
                              }));
      const Rows weights = put(site + ".weights", rows(q.size(), k.size(), [&](auto i, auto j) {
                                 double sum = 0;
                                 for (double s : scores[i]) sum += std::exp(s - scores[i][j]);
                                 return scores[i][j] > -INFINITY ? 1 / sum : 0;
                               }));
      for (std::size_t i = 0; i < q.size(); ++i)
        for (std::size_t d = h * dv; d < (h + 1) * dv; ++d) {
          double sum = 0;
          for (std::size_t j = 0; j < k.size(); ++j) sum += weights[i][j] * v[j][d];
          out[i].push_back(sum);
        }
    }
    put(site + ".q", q), made[site + ".k"] = k, made[site + ".v"] = v;
    return put(site + ".seen", out);
  }
  Rows input(const Text& stack, const std::vector<int>& ids, bool zero = false) {
    const Rows& table = p.at(p.count("embeddings") ? "embeddings" : stack + ".embeddings");
    const double scale = c.scale_embeddings ? std::sqrt(c.d_model) : 1;
    const bool paper = c.position_layout == PositionLayout::interleaved;
    const bool other = c.position_layout == PositionLayout::tensor2tensor;
    const Rows e = rows(ids.size(), D, [&](auto r, auto j) {
      return zero && r == 0 ? 0 : scale * table[static_cast<std::size_t>(ids[r])][j];
    });
    const Rows places = rows(ids.size(), D, [&](auto r, auto j) {
      if (p.count(stack + ".positions")) return p.at(stack + ".positions")[r][j];
      const double half = (c.d_model + 1) / 2,
                   i = paper ? static_cast<double>(j / 2) : std::fmod(static_cast<double>(j), half);
      const double power = other ? i / std::max(half - 1, 1.0) : 2 * i / c.d_model;
      const double angle = (static_cast<double>(r) + c.first_position) / std::pow(10000, power);
      return (paper ? j % 2 == 0 : static_cast<double>(j) < half) ? std::sin(angle)
                                                                  : std::cos(angle);
    });
    if (c.type == ModelType::lstm || c.positions == PositionKind::none ||
        c.positions == PositionKind::relative)
      return put(stack + ".input", e);
    return put(stack + ".input",
               plus(put(stack + ".embeddings", e), put(stack + ".positions", places)));
  }

  // ---- The Transformer
  template <class Sublayer>
  Rows residual(const Text& site, const Rows& x, const Sublayer& sublayer) {
    const bool pre = c.norm == NormPlace::pre;
    const Rows sum = put(site + ".sum", plus(x, sublayer(site, pre ? norm(site + ".norm", x) : x)));
    return pre ? sum : norm(site + ".norm", sum);
  }
  Rows heads(const Text& site, const Rows& q, const Rows& k, const Rows& v, int before, int behind,
             const Text& distances = "") {
    const double scale = c.scores == Scores::scaled ? 1 / std::sqrt(c.key_size()) : 1;
    const Rows seen = attend(site, q, k, v, scale, site + ".score", before, behind, distances);
    return put(site + ".out", times(seen, site + ".out", site + ".out_bias"));
  }
  Rows self(const Text& site, const Rows& x, bool causal) {
    const auto hk = static_cast<std::size_t>(c.heads * c.key_size());
    const int window = c.window ? c.window : 1 << 20;
    const Rows all = times(x, site + ".qkv", site + ".qkv_bias");
    return heads(site, columns(all, 0, hk), columns(all, hk, hk),
                 columns(all, 2 * hk, all[0].size() - 2 * hk), window, causal ? 0 : window,
                 causal ? "decoder.distances" : "encoder.distances");
  }
  Rows units(const Text& site, const Rows& x) {
    Rows g = put(site + ".gates", times(x, site + ".gates", site + ".gates_bias")), cells;
    for (Row& row : g) {
      for (std::size_t j = D; j < 2 * D; ++j) row[j] = logistic(row[j]);
      cells.push_back(rows(1, D, [&](auto, auto j) {
        return (cells.empty() ? 0 : row[D + j] * cells.back()[j]) + (1 - row[D + j]) * row[j];
      })[0]);
    }
    put(site + ".units", g), put(site + ".cells", cells);
    return put(site + ".states",
               rows(g.size(), D, [&](auto i, auto j) { return std::max(cells[i][j], 0.0); }));
  }
  Rows ffn(const Text& site, Rows x) {
    for (int i = 1; i <= c.ffn_layers; ++i) {
      const Text name = site + (i == 1 ? ".in" : ".hidden" + std::to_string(i));
      const Rows in = x, product = put(name, times(x, name)),
                 sum = (vector(name + "_bias"), p.count(name + "_bias"))
                           ? plus(product, p.at(name + "_bias"))
                           : product;
      x = put(name + ".active",
              rows(sum.size(), sum[0].size(), [&](auto r, auto j) { return act(sum[r][j]); }));
      const Text gate = site + (i == 1 ? ".gate" : ".gate" + std::to_string(i));
      if (!p.count(gate)) continue;
      const Rows factors = put(gate, times(in, gate, gate + "_bias"));
      x = put(gate + ".times",
              rows(x.size(), x[0].size(), [&](auto r, auto j) { return x[r][j] * factors[r][j]; }));
    }
    return put(site + ".out", times(x, site + ".out", site + ".out_bias"));
  }
  Rows transformer(const std::vector<int>& source, const std::vector<int>& target) {
    const auto feed_forward = [&](const Text& site, const Rows& y) { return ffn(site, y); };
    Rows x = input("encoder", source);
    for (int i = 1; i <= c.encoder_layers; ++i) {
      const Text layer = "encoder." + std::to_string(i);
      x = residual(layer + ".self", x,
                   [&](const Text& site, const Rows& y) { return self(site, y, false); });
      x = residual(layer + ".ffn", x, feed_forward);
    }
    const Rows kv = times(c.has_final_norm() ? norm("encoder.norm", x) : x, "decoder.cross.kv",
                          "decoder.cross.kv_bias");
    const auto hk = static_cast<std::size_t>(c.heads * c.key_size()),
               hv = static_cast<std::size_t>(c.heads * c.value_size());
    x = input("decoder", target, c.start == StartSymbol::zero);
    for (int i = 1; i <= c.decoder_layers; ++i) {
      const Text layer = "decoder." + std::to_string(i);
      const std::size_t at = static_cast<std::size_t>(i - 1) * (hk + hv);
      x = residual(layer + ".self", x, [&](const Text& site, const Rows& y) {
        return c.decoder_self == DecoderSelf::ssru ? units(site, y) : self(site, y, true);
      });
      x = residual(layer + ".cross", x, [&](const Text& site, const Rows& y) {
        return heads(site, times(y, site + ".q", site + ".q_bias"), columns(kv, at, hk),
                     columns(kv, at + hk, hv), 1 << 20, 1 << 20);
      });
      x = residual(layer + ".ffn", x, feed_forward);
    }
    if (c.has_final_norm()) x = norm("decoder.norm", x);
    if (!c.scale_output) return x;
    const Text last = "decoder." + std::to_string(c.decoder_layers) + ".ffn",
               before = c.has_final_norm()          ? "decoder.norm"
                        : c.norm == NormPlace::post ? last + ".norm"
                                                    : last + ".sum";
    return put(before + ".scaled",
               rows(x.size(), D, [&](auto i, auto j) { return x[i][j] / std::sqrt(c.d_model); }));
  }
};

}  // namespace tt
