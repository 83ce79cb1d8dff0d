# The translation whose words stand in the most different order from the source's: of every two links (i-j, "tt-translate --alignment hard")
# whose words differ on both sides, the part that cross.
#
# In:  a translation, TAB, its links. Out: the line with the largest part, of those with 6 links at least and words 5 to 16 of the source, that
#      part, and that of all lines; - for the line, if in none of them any cross.
BEGIN { FS = OFS = "\t" }
{
  n = split($2, links, " ")
  crossed = all = last = 0
  for (i = 1; i <= n; ++i) {
    split(links[i], end, "-")
    from[i] = end[1]; to[i] = end[2]
    if (end[1] + 1 > last) last = end[1] + 1
    for (j = 1; j < i; ++j)
      if (from[i] != from[j] && to[i] != to[j]) { ++all; crossed += (from[i] < from[j]) != (to[i] < to[j]) }
  }
  every += all; every_crossed += crossed
  if (all && n >= 6 && last >= 5 && last <= 16 && crossed / all > best) { best = crossed / all; line = NR }
}
END { print (line ? line : "-"), best + 0, (every ? every_crossed / every : 0) }
