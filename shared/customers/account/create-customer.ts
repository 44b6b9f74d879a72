import { assertLanguage } from '#shared/customers/assert-language.ts'
import type { Customer } from '#shared/customers/customer.ts'
import { customerInvitationMail } from '#shared/customers/mails/invitation.ts'
import { assertPlainEmail } from '#shared/identity/email.ts'
import { issueLink } from '#shared/identity/links/link.ts'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { insertCustomer, type NewCustomer } from './insert-customer.ts'

const LIFETIME_MS = 7 * DAY_MS

/**
 * Creates a customer on behalf of staff, without a password. With `sendInvitation`, a link to choose one is mailed.
 * Otherwise the customer sets one by a password reset. Throws `auth.email_taken` and 422.
 */
export async function createCustomer(
  tx: StoreTx,
  store: Store,
  given: Omit<NewCustomer, 'passwordHash' | 'verifiedAt'>,
  { sendInvitation }: { sendInvitation: boolean },
): Promise<Customer> {
  assertLanguage(store, given.language)
  const customer = await insertCustomer(tx, { ...given, passwordHash: null })
  // Check after the insert, so that a taken address throws `auth.email_taken`.
  assertPlainEmail(given.email)
  if (sendInvitation && customer.isActive) await inviteCustomer(tx, customer)
  return customer
}

/** Mails a new customer a link to choose a password. */
export async function inviteCustomer(tx: StoreTx, customer: Customer): Promise<void> {
  const account = { type: 'customer', id: customer.id } as const
  const link = await issueLink(tx, account, 'reset_password', { lifetimeMs: LIFETIME_MS })
  if (!link) throw new Error('A new customer was given links before')
  const { token, expiresAt } = link
  await queueMailByStaff(tx, customerInvitationMail, toRecipient(customer), { token }, { expiresAt })
}
