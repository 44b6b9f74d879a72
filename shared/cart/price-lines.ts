import { findSellable, type Sellable } from '../catalog/find-sellable.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { lineTotal } from './totals.ts'

/** A line of a cart with what its variant is and costs now. */
export interface CartLine {
  id: string
  variantId: string
  quantity: number
  sellable: Sellable
  /** Whether this quantity can be bought now. */
  isAvailable: boolean
  /** 0 for what is not sold any more: it counts for nothing. */
  unitPriceMinor: bigint
  lineTotalMinor: bigint
}

/** Prices lines of carts as they are now, in one query. */
export async function priceLines(
  tx: StoreTx,
  items: { id: string; variantId: string; quantity: number }[],
): Promise<CartLine[]> {
  const sellables = await findSellable(
    tx,
    items.map((item) => item.variantId),
  )
  return items.flatMap((item) => {
    const sellable = sellables.get(item.variantId)
    return sellable ? [priceLine(item, sellable)] : []
  })
}

function priceLine(
  { id, variantId, quantity }: { id: string; variantId: string; quantity: number },
  sellable: Sellable,
): CartLine {
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
