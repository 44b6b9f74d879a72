/** The median; of an even number of figures the upper middle one, of none 0. */
export const median = (figures: number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
