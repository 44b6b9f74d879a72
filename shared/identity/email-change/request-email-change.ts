import type { Device } from '#shared/identity/device.ts'
import { assertPlainEmail, normalizeEmail } from '#shared/identity/email.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import { consumeLinkQuota } from '#shared/identity/links/consume-link-quota.ts'
import { issueLink, voidLinks } from '#shared/identity/links/link.ts'
import { changeEmailMail } from '#shared/identity/mails/change-email.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { emailChangeAskedMail } from '#shared/identity/mails/email-change-asked.ts'
import { emailInUseMail } from '#shared/identity/mails/email-in-use.ts'
import { principalOf, type StoreAccount } from '#shared/identity/principal.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { HOUR_MS, inMs, secondsUntil } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'

/**
 * Mails a link to the new address of an account, and a notice to the present one. The address changes when the link is
 * used. An earlier link is void. If another account has the address, the mail says so and has no link; the response and
 * its duration do not reveal this. The caller has locked the account by `reauthenticate`. Throws 429 after five mails
 * an hour for an account or mailbox.
 */
export async function requestEmailChange(
  tx: StoreTx,
  holder: AccountHolder<StoreAccount>,
  { email, device }: { email: string; device: Device },
): Promise<void> {
  const { account, language } = holder
  if (email === holder.email)
    throw invalid(['email'], 'The account has this address already. Choose another one', email)
  assertPlainEmail(email)
  await voidLinks(tx, account, 'change_email')
  const link = await issueLink(tx, account, 'change_email', { email })
  if (!link) throw tooMany(inMs(HOUR_MS))
  const usedUpUntil = await consumeLinkQuota(tx, 'change_email', { type: account.type, email })
  if (usedUpUntil) throw tooMany(usedUpUntil)
  const recipient = { recordId: account.id, email, language }
  if (await isTaken(tx, holder, email)) await queueMail(tx, emailInUseMail, recipient, {})
  else {
    const data = { account: account.type, token: link.token }
    await queueMail(tx, changeEmailMail, recipient, data, { expiresAt: link.expiresAt })
  }
  await queueMail(tx, emailChangeAskedMail, holder, { email, ...deviceFacts(device) })
}

const tooMany = (until: Date): CodedError =>
  CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(until) })

/** Whether another account has the address at present. The use of the link checks again. */
async function isTaken(
  tx: StoreTx,
  { account, email: present }: AccountHolder<StoreAccount>,
  email: string,
): Promise<boolean> {
  const wanted = normalizeEmail(email)
  if (wanted === normalizeEmail(present)) return false
  return (await principalOf(account.type).isEmailTaken?.(tx, wanted)) ?? false
}
