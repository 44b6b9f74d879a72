import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OrderNote } from './order-note.ts'

/** Erases the texts of the notes on orders. */
export const eraseOrderNotes = (tx: StoreTx, orderIds: readonly string[]): PromiseLike<number> =>
  OrderNote.in(tx)
    .whereRaw('order_id = any(?)', [[...orderIds]])
    .patch({ body: '' })
