import { AuthErrors } from '#shared/identity/errors.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

const HOLD_CUSTOMER: Statement = {
  name: 'hold_active_customer',
  text: `select is_active from customers where store_id = ${CURRENT_STORE} and id = $1::uuid for key share`,
}

/**
 * Keeps a customer active until the transaction ends: an erasure or a deactivation waits for it. Throws
 * `auth.session_revoked` if the customer is not active. Call it first in the transaction of a customer's change. A
 * change that began before an erasure would otherwise write personal data after it.
 */
export async function holdActiveCustomer(tx: StoreTx, customerId: string): Promise<void> {
  const [customer] = await tx.prepared<{ is_active: boolean }>(HOLD_CUSTOMER, [customerId])
  if (!customer?.is_active) throw AuthErrors.sessionRevoked()
}
