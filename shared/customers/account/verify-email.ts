import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { customerUpdated } from '#shared/customers/events.ts'
import { consumeLinkQuota } from '#shared/identity/links/consume-link-quota.ts'
import { issueLink, type LinkToken, useLink } from '#shared/identity/links/link.ts'
import { verifyEmailMail } from '#shared/identity/mails/verify-email.ts'
import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Mails a link that verifies the address. Sends nothing if the address is verified, or if five links were sent within
 * the hour, for the account or to the mailbox. The customer is new or the caller has locked it, because concurrent
 * calls would exceed the limit.
 */
export async function sendVerification(tx: StoreTx, customer: Customer): Promise<void> {
  if (customer.verifiedAt) return
  const account = { type: 'customer', id: customer.id } as const
  if (await consumeLinkQuota(tx, 'verify_email', { type: account.type, email: customer.email })) return
  const link = await issueLink(tx, account, 'verify_email')
  if (link)
    await queueMail(
      tx,
      verifyEmailMail,
      toRecipient(customer),
      { token: link.token },
      { expiresAt: link.expiresAt },
    )
}

/**
 * Verifies an address by its mailed link, for the signed-in customer of the link. The link alone is not enough:
 * somebody may have registered with another person's address, and would see that person's guest orders once the link is
 * clicked. Throws `auth.link_invalid`.
 */
export async function verifyEmail(tx: StoreTx, token: LinkToken, customerId: string): Promise<void> {
  await useLink(tx, token, 'verify_email', { type: 'customer', id: customerId })
  await markVerified(tx, customerId)
}

/** Marks the customer's address as verified. Returns whether the account never had a verified address. */
export async function markVerified(tx: StoreTx, id: string): Promise<boolean> {
  const at = now()
  const isFirstProof = await recordFirstProof(tx, id, at)
  const [customer] = await Customer.in(tx)
    .where({ id })
    .whereNull('verified_at')
    .patch({ verifiedAt: at, updatedAt: at })
    .returning('*')
  if (customer) await emit(tx, customerUpdated, viewCustomerEvent(customer))
  return isFirstProof
}

/** Records the first proof of an address, once for each account. Returns whether this is the first. */
export async function recordFirstProof(tx: StoreTx, id: string, at: Date): Promise<boolean> {
  const proven = await Customer.in(tx)
    .where({ id })
    .whereNull('first_verified_at')
    .patch({ firstVerifiedAt: at })
  return proven > 0
}
