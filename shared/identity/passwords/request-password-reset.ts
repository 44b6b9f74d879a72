import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueForPlatform } from '#shared/platform/jobs/enqueue.ts'
import { lockHolder } from '../holder.ts'
import { sendPasswordReset } from '../jobs.ts'
import { issueLink } from '../links/link.ts'
import { resetPasswordMail } from '../mails/reset-password.ts'
import type { AccountType, StoreAccount } from '../principal.ts'

interface ResetRequest {
  account: AccountType
  storeId: string | null
  email: string
}

/** Enqueues a job for any address: the response and its time do not reveal whether an account has it. */
export const requestPasswordReset = (request: ResetRequest) => enqueueForPlatform(sendPasswordReset, request)

/** Mails a link to reset the password. A repeat with the same `linkId` sends no second mail. */
export async function sendResetLink(tx: StoreTx, account: StoreAccount, linkId: string): Promise<void> {
  // Locked: else a change of address that does not see this link yet would leave it valid in the old mailbox.
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) return
  const link = await issueLink(tx, account, 'reset_password', { id: linkId })
  if (!link) return
  const data = { account: account.type, token: link.token }
  await queueMail(tx, resetPasswordMail, holder, data, { expiresAt: link.expiresAt })
}
