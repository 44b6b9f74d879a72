import { findSellable, type Sellable } from '../catalog/find-sellable.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { lineTotal } from './totals.ts'

/** So many units of a variant, in a cart. */
export interface CartUnits {
  id: string
  variantId: string
  quantity: number
}

/** A line of a cart with what its variant is and costs now. */
export interface CartLine extends CartUnits {
  sellable: Sellable
  /** Whether this quantity can be bought now. */
  isAvailable: boolean
  /** 0 for what is not sold any more: it counts for nothing. */
  unitPriceMinor: bigint
  lineTotalMinor: bigint
}

/** Prices a line by what its variant is now. */
export function priceLine({ id, variantId, quantity }: CartUnits, sellable: Sellable): CartLine {
  const { isSellable, backorder, stockAvailable } = sellable
  const unitPriceMinor = isSellable ? sellable.unitPriceMinor : 0n
  return {
    id,
    variantId,
    quantity,
    sellable,
    isAvailable: isSellable && (backorder || stockAvailable >= quantity),
    unitPriceMinor,
    lineTotalMinor: lineTotal({ unitPriceMinor, quantity }),
  }
}

/** Prices lines as they are now, in one query. */
export async function priceLines(tx: StoreTx, lines: CartUnits[]): Promise<CartLine[]> {
  const sellables = await findSellable(
    tx,
    lines.map((line) => line.variantId),
  )
  return lines.flatMap((line) => {
    const sellable = sellables.get(line.variantId)
    return sellable ? [priceLine(line, sellable)] : []
  })
}
