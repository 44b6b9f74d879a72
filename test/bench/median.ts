/** The middle one of an odd number of figures, the upper of the middle two of an even one; 0 of none. */
export const median = (figures: number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
