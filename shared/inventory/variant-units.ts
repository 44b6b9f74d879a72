/** Units of a variant. */
export interface VariantUnits {
  variantId: string
  quantity: number
}

/** The two arrays that SQL joins again with `unnest(uuid[], int[])`. */
export const toArrays = (units: readonly VariantUnits[]): [string[], number[]] => [
  units.map(({ variantId }) => variantId),
  units.map(({ quantity }) => quantity),
]
