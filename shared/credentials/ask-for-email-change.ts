import { Customer } from '#shared/customers/customer.ts'
import type { AccountName } from '#shared/identity/account.ts'
import { holdersOf, normalizeEmail } from '#shared/identity/email.ts'
import { issueLink, MOST_AN_HOUR } from '#shared/identity/links/issue-link.ts'
import { voidLinks } from '#shared/identity/links/use-link.ts'
import { changeEmailMail } from '#shared/identity/mails/change-email.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { emailChangeAskedMail } from '#shared/identity/mails/email-change-asked.ts'
import { emailInUseMail } from '#shared/identity/mails/email-in-use.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { consumeQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, inMs, secondsUntil } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { isStaffEmail } from '#shared/staff/directory.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import type { Holder } from './holder.ts'

/**
 * Mails a link to the address that an account is to have, and a notice to the one it has; nothing else changes before
 * the link is used. A link that was asked for earlier is void. Where the new address is another account's, that mail
 * says so in the link's place: neither the answer nor its work tells whoever asks. 429 past five an hour of an account,
 * or to a mailbox.
 */
export async function askForEmailChange(
  tx: StoreTx,
  confirmed: Confirmed,
  { email, device }: { email: string; device: Device },
): Promise<void> {
  const holder = await lockConfirmed(tx, confirmed)
  if (email === holder.email) throw invalid(['email'], 'The account has this address already', email)
  await voidLinks(tx, holder.account, 'change_email')
  const link = await issueLink(tx, holder.account, 'change_email', { email })
  if (!link) throw tooMany(inMs(HOUR_MS))
  await countMail(tx, holder.account, email)
  const recipient = { email, language: holder.language }
  if (await isTaken(tx, holder, email)) await queueMail(tx, emailInUseMail, recipient, {})
  else {
    const data = { account: holder.account.type, token: link.token }
    await queueMail(tx, changeEmailMail, recipient, data, { goodUntil: link.expiresAt })
  }
  await queueMail(tx, emailChangeAskedMail, holder, { email, ...deviceFacts(device) })
}

/** Counts a mail to an address that may be a stranger's: many accounts could fill one mailbox together. */
async function countMail(tx: StoreTx, { type }: AccountName, email: string): Promise<void> {
  const subject = `changes of address to ${holdersOf(tx.storeId, type)} ${normalizeEmail(email)}`
  const usedUpUntil = await consumeQuotaIn(tx, subject, MOST_AN_HOUR, HOUR_MS)
  if (usedUpUntil) throw tooMany(usedUpUntil)
}

const tooMany = (until: Date): CodedError => CommonErrors.rateLimited({ retryAfter: secondsUntil(until) })

/** Whether the address is somebody else's now. The link, when it is used, is held to that moment. */
async function isTaken(tx: StoreTx, { account, email: present }: Holder, email: string): Promise<boolean> {
  const wanted = normalizeEmail(email)
  if (wanted === normalizeEmail(present)) return false
  if (account.type === 'staff') return isStaffEmail(tx, wanted)
  return (await Customer.in(tx).findOne('email_normalized', wanted)) !== undefined
}
