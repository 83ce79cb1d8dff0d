# For tests of programs that read training logs: a run's log, made by a formula.

# run FROM TO: records of the updates FROM to TO by hundreds, a validation at every thousand.
run() {
  awk -v from="$1" -v to="$2" 'BEGIN {
    for (u = from; u <= to; u += 100) {
      loss = 2 + 6 * exp(-u / 1500)
      printf "{\"event\":\"train\",\"update\":%d,\"epoch\":%.2f,\"loss\":%.4f,\"rate\":%.3g,\"tokens\":%d,\"tokens_per_second\":%d,\"wall\":%d}\n",
        u, u / 1000, loss, (u < 1000 ? u * 7e-7 : 7e-4 / sqrt(u / 1000)), u * 2500, 3000 + u % 700, u / 2
      if (u % 1000 == 0) printf "{\"event\":\"valid\",\"update\":%d,\"loss\":%.4f,\"bleu\":%.2f,\"best\":true}\n", u, loss + 0.3, 35 - 35 * exp(-u / 2000)
    }
  }'
}
