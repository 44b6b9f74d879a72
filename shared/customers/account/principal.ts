import { definePrincipal } from '#shared/identity/principal.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { isCustomerEmail, setCustomerEmail } from './set-customer-email.ts'
import { markVerified } from './verify-email.ts'

export const customerPrincipal = definePrincipal({
  type: 'customer',
  table: 'customers',
  audience: 'commerce',
  accessTokenSeconds: 30 * 60,
  idleMs: 30 * DAY_MS,
  closesReusedSession: false,
  emailScope: 'store',
  credentials: {
    account: `
      select store_id, id, password_hash from customers
      where store_id = ${CURRENT_STORE} and email_normalized = $1`,
  },
  sessionCheck: {
    joins: 'join customers c on c.store_id = s.store_id and c.id = s.account_id',
    isActive: 'c.is_active',
    columns: 'null',
  },
  setEmail: setCustomerEmail,
  isEmailTaken: isCustomerEmail,
  markEmailVerified: markVerified,
})
