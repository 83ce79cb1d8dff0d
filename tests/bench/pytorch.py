#!/usr/bin/env python3
"""The peer of "bench --device cuda training.base": the same model and sentences in PyTorch, with torch.compile, products in
bfloat16 and the fused Adam. The last line of output is its rate in target tokens per second.

    tests/bench/pytorch.py [--device cuda] [--seconds 10] [--groups 0,1,4] [--eager] [--layers 6] [--d-model 512] [--ffn 2048]
                           [--heads 8] [--vocabulary 32000] LENGTHS

LENGTHS is of "bench --lengths": a line for each update, with the number of tokens of each of its sentences, on both sides.
With N groups the sentences of an update are sorted by length, cut into N groups and padded, attention is
scaled_dot_product_attention, and gradients add up over the groups. With 0 groups sentences are packed, and attention is
varlen_attn (PyTorch 2.10, CUDA). What cannot be compiled runs as it is. The rate is the best of those so far. Batches lie on the device before time is taken."""

import argparse
import inspect
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

DROPOUT, SMOOTHING = 0.1, 0.1


# sentences: of padded rows [S, n, D] which are tokens, [S, 1, 1, n]; of packed rows [N, D] where sentences begin and end, [S + 1].
def attend(q, k, v, heads, sentences, causal, longest):
    q, k, v = (y.unflatten(-1, (heads, -1)) for y in (q, k, v))
    if sentences.dtype == torch.bool:
        q, k, v = (y.transpose(1, 2) for y in (q, k, v))
        # Padding comes last, so no token looks at it in a causal attention.
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=None if causal else sentences, is_causal=causal)
        return y.transpose(1, 2).flatten(2)
    return varlen_attn(q, k, v, sentences, sentences, longest, longest, **(CAUSAL if causal else {})).flatten(1)


try:
    from torch.nn.attention.varlen import varlen_attn

    CAUSAL = {"is_causal": True} if "is_causal" in inspect.signature(varlen_attn).parameters else {"window_size": (-1, 0)}
except ImportError:
    varlen_attn = None


class Attention(nn.Module):  # section 3.2
    def __init__(self, a, of_self, causal):
        super().__init__()
        self.heads, self.longest, self.causal, d = a.heads, a.longest, causal, a.d_model
        if of_self:
            self.all = nn.Linear(d, 3 * d, bias=False)
        else:
            self.query, self.memory = nn.Linear(d, d, bias=False), nn.Linear(d, 2 * d, bias=False)
        self.out = nn.Linear(d, d, bias=False)

    def forward(self, x, sentences, memory=None):
        qkv = self.all(x).chunk(3, -1) if memory is None else (self.query(x), *self.memory(memory).chunk(2, -1))
        return self.out(attend(*qkv, self.heads, sentences, self.causal, self.longest))


class Layer(nn.Module):  # section 3.1: LayerNorm(x + Dropout(Sublayer(x)))
    def __init__(self, a, decoder):
        super().__init__()
        self.self_attention = Attention(a, True, decoder)
        self.cross_attention = Attention(a, False, False) if decoder else None
        self.inner, self.outer = nn.Linear(a.d_model, a.ffn), nn.Linear(a.ffn, a.d_model)
        self.norms = nn.ModuleList(nn.LayerNorm(a.d_model) for _ in range(3 if decoder else 2))

    def forward(self, x, sentences, memory=None):
        drop = lambda y: F.dropout(y, DROPOUT, self.training)
        x = self.norms[0](x + drop(self.self_attention(x, sentences)))
        if memory is not None:
            x = self.norms[1](x + drop(self.cross_attention(x, sentences, memory)))
        return self.norms[-1](x + drop(self.outer(F.relu(self.inner(x)))))


class Transformer(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.embedding = nn.Embedding(a.vocabulary, a.d_model)  # of both sides, and of the logits
        nn.init.normal_(self.embedding.weight, std=a.d_model**-0.5)
        self.encoder = nn.ModuleList(Layer(a, False) for _ in range(a.layers))
        self.decoder = nn.ModuleList(Layer(a, True) for _ in range(a.layers))
        angle = torch.arange(a.longest)[:, None] * torch.exp(torch.arange(0, a.d_model, 2) * (-math.log(10000.0) / a.d_model))
        self.register_buffer("positions", torch.stack((angle.sin(), angle.cos()), -1).flatten(1))

    def embed(self, tokens, where):
        return F.dropout(self.embedding(tokens) * math.sqrt(self.positions.shape[1]) + self.positions[where], DROPOUT, self.training)

    # rows: those of the flat target that are tokens, or None: all. The sum of their losses.
    def forward(self, source, target_in, where, sentences, target_out, rows):
        x = self.embed(source, where)
        for layer in self.encoder:
            x = layer(x, sentences)
        y = self.embed(target_in, where)
        for layer in self.decoder:
            y = layer(y, sentences, x)
        y = y if rows is None else y.view(-1, y.shape[-1]).index_select(0, rows)
        logits = F.linear(y, self.embedding.weight)
        return F.cross_entropy(logits.float(), target_out, label_smoothing=SMOOTHING, reduction="sum")


# The arguments of forward() for each group of an update.
def batches_of(lengths, groups, a):
    lengths = torch.tensor(sorted(lengths)) if groups else torch.tensor(lengths)
    for part in lengths.split(-(-len(lengths) // max(groups, 1))):
        real = torch.arange(int(part.max())) < part[:, None]
        tokens, rows = torch.randint(3, a.vocabulary, (2, *real.shape)), real.flatten().nonzero()[:, 0]
        source, target_in, target_out, where = tokens[0], tokens[1].roll(1, 1), tokens[1][real], torch.arange(real.shape[1])
        sentences = real[:, None, None, :]
        if not groups:
            source, target_in, where, rows = source[real], target_in[real], where.expand_as(real)[real], None
            sentences = F.pad(part.cumsum(0), (1, 0)).int()
        yield [None if t is None else t.to(a.device) for t in (source, target_in, where, sentences, target_out, rows)]


def rate(updates, groups, a):
    torch.manual_seed(1)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    batches = [list(batches_of(lengths, groups, a)) for lengths in updates]
    model = Transformer(a).to(a.device).train()
    step = model if a.eager else torch.compile(model, dynamic=True)
    adam = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)

    def update(parts):
        tokens = sum(len(part[-2]) for part in parts)
        for part in parts:
            with torch.autocast(a.device, torch.bfloat16):
                loss = step(*part)
            (loss / tokens).backward()
        adam.step()
        adam.zero_grad(set_to_none=True)
        return tokens

    wait = torch.cuda.synchronize if a.device == "cuda" else lambda: None
    for parts in batches:  # compiled, and memory is taken
        update(parts)
    wait()
    done, count, began = 0, 0, time.perf_counter()
    while count < len(batches) or time.perf_counter() - began < a.seconds:
        done, count = done + update(batches[count % len(batches)]), count + 1
        if count % 8 == 0:
            wait()
    wait()
    return done / (time.perf_counter() - began)


def main():
    parser = argparse.ArgumentParser()
    for name, value in ("seconds", 10.0), ("layers", 6), ("d-model", 512), ("ffn", 2048), ("heads", 8), ("vocabulary", 32000):
        parser.add_argument("--" + name, type=type(value), default=value)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--groups", type=lambda text: [int(n) for n in text.split(",")], default=[0, 1, 4])
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("lengths")
    a = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    limits = torch._dynamo.config  # the name changed in PyTorch 2.7
    setattr(limits, "recompile_limit" if hasattr(limits, "recompile_limit") else "cache_size_limit", 64)
    torch.backends.cuda.enable_cudnn_sdp(False)  # plans each new shape anew
    with open(a.lengths) as file:
        updates = [[int(n) for n in line.split()] for line in file]
    a.longest, best, only_eager = max(map(max, updates)), 0, a.eager
    for groups in a.groups:
        name = f"PyTorch {torch.__version__}, {f'{groups} groups' if groups else 'packed'}"
        if a.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        for eager in [False, True][only_eager:]:  # to compile needs a compiler of C
            a.eager, found = eager, 0
            try:
                found = rate(updates, groups, a)
                break
            except Exception as error:  # the others may work
                print(f"{name}{', eager' if eager else ''}: {type(error).__name__}: {str(error)[:2000]}", flush=True)
        if not found:
            continue
        best = max(best, found)
        graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        memory = f", {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB" if a.device == "cuda" else ""
        print(f"{name}: {found:.0f} target tokens/s, {'eager' if a.eager else f'{graphs} compilations'}{memory}\n{best:.0f}", flush=True)
    if not best:
        raise SystemExit(1)
    print(f"{best:.0f}")


if __name__ == "__main__":
    main()
