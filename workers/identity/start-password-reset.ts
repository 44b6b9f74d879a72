import { findAccount } from '#shared/credentials/find-account.ts'
import { startPasswordReset as job } from '#shared/credentials/jobs.ts'
import { sendResetLink } from '#shared/credentials/reset-password.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Looks up whose the address is, and mails them a link, once a job: it is named after it. */
export const startPasswordReset = handle(job, async ({ account, storeId, email }, { jobId }) => {
  const found = await findAccount(account, storeId, email)
  if (found) await inStore(found.storeId, (tx) => sendResetLink(tx, found.account, jobId))
})
