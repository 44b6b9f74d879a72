import { lockHolder } from '#shared/identity/holder.ts'
import { forwardStaffReset, sendPasswordReset } from '#shared/identity/jobs.ts'
import { consumeLinkQuota } from '#shared/identity/links/consume-link-quota.ts'
import { issueLink } from '#shared/identity/links/link.ts'
import { resetPasswordMail } from '#shared/identity/mails/reset-password.ts'
import type { AccountType, StoreAccount } from '#shared/identity/principal.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueForPlatform, enqueueWithoutTransaction } from '#shared/platform/jobs/enqueue.ts'

/**
 * Enqueues a job for any address, so that neither the response nor its duration reveals whether an account has it.
 * Without `storeId`, it is the address of a staff member.
 */
export async function requestPasswordReset(
  account: AccountType,
  storeId: string | null,
  email: string,
): Promise<void> {
  const linkId = newId()
  if (storeId) await enqueueWithoutTransaction(sendPasswordReset, storeId, { account, email, linkId })
  else await enqueueForPlatform(forwardStaffReset, { email, linkId })
}

/** Mails a link to reset the password. A repeat with the same `linkId` sends no second mail. */
export async function sendResetLink(tx: StoreTx, account: StoreAccount, linkId: string): Promise<void> {
  // Lock the account: a concurrent change of its address would not see this link, and leave it valid in the old
  // mailbox.
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) return
  const link = await issueLink(tx, account, 'reset_password', { id: linkId })
  const { email } = holder
  if (!link || (await consumeLinkQuota(tx, 'reset_password', { type: account.type, email }))) return
  const data = { account: account.type, token: link.token }
  await queueMail(tx, resetPasswordMail, holder, data, { expiresAt: link.expiresAt })
}
