import { AuthErrors } from '../accounts/errors.ts'
import { letIn } from '../accounts/let-in.ts'
import type { TokenPair } from '../accounts/open-session.ts'
import type { Device } from '../accounts/session.ts'
import type { SecondFactor } from '../accounts/two-factor/second-factor.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Customer } from './customer.ts'
import type { CustomerCredentials } from './find-credentials.ts'

// Locked, so that a change of password which closes all sessions comes either before this one or sees it.
const LOCK = {
  name: 'lock_customer',
  text: `
    select id, email, email_normalized, password_hash, firstname, lastname, telephone, accepts_marketing, language,
      verified_at, is_active, created_at, updated_at
    from customers
    where store_id = current_setting('app.store_id')::uuid and id = $1
      and password_hash is not distinct from $2 and is_active
    for share`,
}

/**
 * Signs in a customer whose password was right a moment ago. Throws `auth.invalid_credentials` if that has changed,
 * `auth.totp_required` and `auth.totp_invalid` where two-factor sign-in is on.
 */
export async function signInCustomer(
  tx: StoreTx,
  { id, passwordHash }: CustomerCredentials,
  device: Device,
  secondFactor: SecondFactor = {},
): Promise<{ customer: Customer; tokens: TokenPair }> {
  const [row] = await tx.prepared<object>(LOCK, [id, passwordHash])
  if (!row) throw AuthErrors.invalidCredentials()
  const customer = Customer.fromDatabaseJson(row)
  const account = { type: 'customer', id } as const
  return { customer, tokens: await letIn(tx, account, customer, device, secondFactor) }
}
