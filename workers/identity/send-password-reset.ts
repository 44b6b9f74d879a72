import '#shared/all-principals.ts'
import { sendPasswordReset as job } from '#shared/identity/jobs.ts'
import { requestPasswordReset, sendResetLink } from '#shared/identity/passwords/request-password-reset.ts'
import { findCredentials } from '#shared/identity/sign-in/find-credentials.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Mails a link to the account with the address, if there is one. A repeated job mails the same link once. */
export const sendPasswordReset = handle(job, async ({ account, storeId, email, linkId }, { jobId }) => {
  const found = await findCredentials(account, storeId, email)
  if (!found) return
  // Only jobs of a store take turns with those of other stores. This one has looked the store up.
  if (storeId === null) await requestPasswordReset({ account, storeId: found.storeId, email, linkId: jobId })
  else await inStore(found.storeId, (tx) => sendResetLink(tx, found.account, linkId ?? jobId))
})
