import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'

/** Erases the reasons of the refunds of orders. */
export const anonymizeRefunds = (tx: StoreTx, orderIds: readonly string[]): PromiseLike<number> =>
  Refund.in(tx)
    .whereRaw('order_id = any(?)', [[...orderIds]])
    .patch({ reason: null })
