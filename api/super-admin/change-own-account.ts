import type { Knex } from 'knex'
import { inPlatform } from '#shared/platform/store-scope.ts'
import type { Recorder } from '../platform/audit.ts'

/**
 * Changes a super-admin's own account. The platform's audit log says that it was done, in the same transaction, and
 * nothing of the answer: there are secrets in it.
 */
export const changeOwnAccount = <T>(
  audited: Recorder,
  work: (knex: Knex.Transaction) => Promise<T>,
): Promise<T> =>
  inPlatform(async (knex) => {
    const outcome = await work(knex)
    await audited(knex, null)
    return outcome
  })
