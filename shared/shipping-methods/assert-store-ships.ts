import { queryJson, type ReadScope } from '#shared/platform/db/query-json.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { ShippingMethodErrors } from './errors.ts'

const HAS_SHIPPING_METHOD: Statement = {
  name: 'has_shipping_method',
  text: `select exists (
    select from shipping_methods where store_id = ${CURRENT_STORE} and is_active)::text as json`,
}

/**
 * Throws `checkout.shipping_unavailable` if the store has no active shipping method. The error tells staff what to do.
 */
export async function assertStoreShips(scope: ReadScope): Promise<void> {
  const [hasMethod] = await queryJson<boolean>(scope, HAS_SHIPPING_METHOD, [])
  if (!hasMethod) throw ShippingMethodErrors.unavailable({ storeHasNone: true })
}
