// Comparing two samples without assuming how they are spread.

/** The value below which this part of the sample lies. */
export function quantile(sample: number[], part: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Mann–Whitney: how many standard deviations the ranks of two samples lie apart. Beyond about 3 they are different. */
export function differ(one: number[], other: number[]): { z: number } {
  const all = [...one.map((value) => ({ value, mine: true })), ...other.map((value) => ({ value, mine: false }))];
  all.sort((a, b) => a.value - b.value);
  const ranks = all.reduce((sum, { mine }, index) => sum + (mine ? index + 1 : 0), 0);
  const [n, m] = [one.length, other.length];
  const u = ranks - (n * (n + 1)) / 2;
  return { z: (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12) };
}
