import { AuthErrors } from '#shared/identity/errors.ts'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { letIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import { letInAtOnce, opensAtOnce } from '#shared/identity/sign-in/let-in-at-once.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Customer } from './customer.ts'
import type { CustomerCredentials } from './find-credentials.ts'

// Locked, so that a change of password which closes all sessions comes either before this one or sees it.
const lock = (id: string, passwordHash: string) => `
  select id, email, email_normalized, password_hash, firstname, lastname, telephone, accepts_marketing, language,
    verified_at, is_active, created_at, updated_at
  from customers
  where store_id = ${CURRENT_STORE} and id = ${id}
    and password_hash is not distinct from ${passwordHash} and is_active
  for share`

const LOCK = { name: 'lock_customer', text: lock('$1', '$2') }
const AT_ONCE = opensAtOnce('sign_in_customer_at_once', lock)

interface SignedIn {
  customer: Customer
  tokens: TokenPair
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
): Promise<SignedIn> {
  const [row] = await tx.prepared<object>(LOCK, [id, passwordHash])
  if (!row) throw AuthErrors.invalidCredentials()
  const customer = Customer.fromDatabaseJson(row)
  const account = { type: 'customer', id } as const
  return { customer, tokens: await letIn(tx, account, customer, device, secondFactor) }
}

/** The same in one statement, for a customer of whom nothing more is to be asked; null for the rest. */
export async function signInCustomerAtOnce(
  storeId: string,
  { id, passwordHash }: CustomerCredentials,
  device: Device,
): Promise<SignedIn | null> {
  const account = { type: 'customer', id } as const
  const opened = await letInAtOnce(AT_ONCE, { storeId, account, passwordHash }, device)
  return opened && { customer: Customer.ofJson(opened.row), tokens: opened.tokens }
}
