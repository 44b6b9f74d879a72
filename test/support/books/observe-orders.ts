import { inStore } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'

/** The error code of a response; null on success. */
export async function errorCodeOf(call: PromiseLike<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    if (error instanceof CodedError) return error.code
    throw error
  }
}

/** The stock of a variant. */
export async function stockOf(
  store: { id: string },
  variantId: string,
): Promise<{ onHand: number; allocated: number; held: number }> {
  const row = await inStore(store.id, (tx) => tx.knex('product_variants').where('id', variantId).first())
  return { onHand: row.stock_on_hand, allocated: row.stock_allocated, held: row.stock_held }
}
