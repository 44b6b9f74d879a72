import '#shared/all-principals.ts'
import { forwardStaffReset as job, sendPasswordReset } from '#shared/identity/jobs.ts'
import { findCredentials } from '#shared/identity/sign-in/find-credentials.ts'
import { enqueueWithoutTransaction } from '#shared/platform/jobs/enqueue.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Enqueues the reset of a staff member's password in their store, so that a flood for one store delays no other. A
 * repeated job enqueues the same link again, which is mailed once.
 */
export const forwardStaffReset = handle(job, async ({ email, linkId }) => {
  const found = await findCredentials('staff', null, email)
  if (found)
    await enqueueWithoutTransaction(sendPasswordReset, found.storeId, { account: 'staff', email, linkId })
})
