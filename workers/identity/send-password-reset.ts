import '#shared/all-principals.ts'
import { sendPasswordReset as job } from '#shared/identity/jobs.ts'
import { sendResetLink } from '#shared/identity/passwords/request-password-reset.ts'
import { findCredentials } from '#shared/identity/sign-in/find-credentials.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Mails a link to the account with the address, if there is one. A repeated job mails no second link. */
export const sendPasswordReset = handle(job, async ({ account, storeId, email, linkId }) => {
  const found = await findCredentials(account, storeId, email)
  if (found) await inStore(storeId, (tx) => sendResetLink(tx, found.account, linkId))
})
