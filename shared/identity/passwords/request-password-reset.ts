import { lockHolder } from '#shared/identity/holder.ts'
import { sendPasswordReset } from '#shared/identity/jobs.ts'
import { consumeLinkQuota } from '#shared/identity/links/consume-link-quota.ts'
import { issueLink } from '#shared/identity/links/link.ts'
import { resetPasswordMail } from '#shared/identity/mails/reset-password.ts'
import type { AccountType, StoreAccount } from '#shared/identity/principal.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueWithoutTransaction } from '#shared/platform/jobs/enqueue.ts'

interface ResetRequest {
  account: AccountType
  storeId: string | null
  email: string
  /** The id of the link, if another job has requested it. Repeats with one id send one mail. */
  linkId?: string
}

/** Enqueues a job for any address, so that the response and its duration do not reveal whether an account has it. */
export const requestPasswordReset = (request: ResetRequest) =>
  enqueueWithoutTransaction(sendPasswordReset, request)

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
