// A backend that wraps another and keeps the matrices of each kernel call, named after the part of
// the model that asked for it.
//
// The model does not know of it. A product has the name of the parameter that it multiplies with;
// any other kernel is part of what made the matrix that it reads. Of attention the recorder also
// asks for the weights, and computes the scores, which no kernel stores, from its queries and keys.
// Names, where P is a parameter's ("encoder.1.self.norm.gain") without its last part:
//   STACK.embeddings, .positions, .input   the scaled embeddings, what is added, and the sum
//   P.q, .k, .v, .scores, .weights, .seen  attention, P being of the queries; "attention" where no
//                                          product made them
//   P.out, .in, .hidden2, ...              products, without the bias where an activation adds it
//   P.out.units, P.out.factors             of each number of a product its largest terms, as blocks
//   P.out.active                           the activation of a product
//   P.gate.times, P.norm.scaled            a product times what is activated, a norm times a number
//   P.sum, P.norm                          x + sublayer(x), and what normalisation makes of it
//   P.gates, .cells, .states               of recurrent cells, and of SSRUs
// Results of several steps, as of a decoder with input feeding, are one matrix.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nn/params.h"
#include "tensor/device_array.h"
#include "tensor/wrapper.h"
#include "trace/trace.h"

namespace tt {

// Of one sentence, in inference; it belongs to one thread.
class Recorder : public BackendWrapper {
 public:
  // Both must outlive it. `summaries`: matrices without their values, nor any scores.
  Recorder(const Backend& inner, const Params& params, bool summaries);

  // In the order in which they were computed.
  std::vector<TraceMatrix> matrices() const;
  // Of each row of the output.
  const std::vector<std::vector<float>>& logits() const { return logits_; }

  TT_KERNELS(TT_OVERRIDE)

 private:
  struct Record {
    TraceMatrix matrix;
    const void* at = nullptr;  // where it was last computed
    bool parted = false;       // attention has the parts of it
  };
  // Memory, and the record of what was last computed there.
  struct Region {
    const char* begin;
    std::size_t bytes, record;
    bool product;  // with a parameter
  };

  template <class Arguments>
  void note(const Arguments&) const {}  // of what no model computes in inference, or nobody needs
  void note(const RowProduct& a) const { note_product(a.x, a.w, a.y); }
  void note(const Int8Product& a) const { note_product(a.x, a.w, a.y); }
  void note(const AddBias& a) const;
  void note(const Embed& a) const;
  void note(const Activate& a) const;
  void note(const Multiply& a) const;
  void note(const AddNorm& a) const;
  void note(const AddDropout& a) const;
  void note(const Lstm& a) const;
  void note(const Ssru& a) const;
  void note(const Gather& a) const;
  void note(const BestOf& a) const;
  void note_product(const ConstMatrix& x, const ConstMatrix& w, const ConstMatrix& y) const;
  void note_attention(const Attention& a, const float* additive) const;
  DeviceArray<float> weights_of(const Attention& a) const;
  template <class Kernel>
  void pass(const Attention& a, const Kernel& kernel) const;
  template <class Kernel>
  void pass(const AdditiveAttention& a, const Kernel& kernel) const;
  template <class Arguments, class Kernel>
  void pass(const Arguments& a, const Kernel& kernel) const;

  std::vector<float> values(const ConstMatrix& of) const;
  const Region* region(const void* at) const;  // null: nothing that was recorded is there
  std::string part(const void* at) const;      // the name of what is there, without its last part
  Record* find(const std::string& name) const;
  void place(const ConstMatrix& matrix, std::size_t record, bool product) const;
  void keep(const std::string& name, const ConstMatrix& matrix, bool product = false) const;
  void keep(const std::string& name, std::int64_t blocks, std::int64_t rows,
            std::vector<float> values, const void* at) const;
  void keep_vector(const float* parameter) const;  // once, by its own name
  void keep_terms(const std::string& name, int parameter, const ConstMatrix& x) const;

  const Params& params_;
  const bool summaries_;
  struct Name {
    std::string name;
    bool table;
    int index;
  };
  std::map<const void*, Name> names_;  // of parameters, by where products read them
  // The records that const kernels make.
  mutable std::vector<Record> records_;
  mutable std::vector<Region> regions_;
  mutable std::vector<std::vector<float>> logits_;
  mutable std::size_t terms_ = 0;  // numbers of them
  mutable int embedded_ = 0;
};

}  // namespace tt
