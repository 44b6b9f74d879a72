import type { Statement } from '../platform/statement.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { ShippingMethod } from './shipping-method.ts'

const FIND_METHODS: Statement = {
  name: 'find_methods',
  text: `
    select to_jsonb(s) as shipping,
      exists (select from payment_methods
        where store_id = current_setting('app.store_id')::uuid and code = $2 and is_active) as "takesPayment"
    from (select) asked
    left join shipping_methods s on s.store_id = current_setting('app.store_id')::uuid and s.id = $1::uuid`,
}

interface FoundRow {
  shipping: { price_minor: number } | null
  takesPayment: boolean
}

/** A way to ship by its id (undefined when unknown) and whether a way to pay is switched on, in one query. */
export async function findMethods(
  tx: StoreTx,
  shippingMethodId: string,
  paymentMethod: string,
): Promise<{ shipping: ShippingMethod | undefined; takesPayment: boolean }> {
  const [row] = await tx.prepared<FoundRow>(FIND_METHODS, [shippingMethodId, paymentMethod])
  return {
    shipping: row?.shipping ? toMethod(row.shipping) : undefined,
    takesPayment: row?.takesPayment ?? false,
  }
}

// JSON has no bigint: the price arrives as a number, which is exact (see `Money`).
function toMethod(json: { price_minor: number }): ShippingMethod {
  const method = ShippingMethod.fromDatabaseJson(json)
  method.priceMinor = BigInt(json.price_minor)
  return method
}
