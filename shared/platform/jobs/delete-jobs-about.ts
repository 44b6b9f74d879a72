import type { Knex } from 'knex'
import { DEAD_LETTERS } from './define-job.ts'
import { JOB_TABLE } from './job-table.ts'

interface JobsAbout {
  /** The queues with such jobs. Without it the statement would read the jobs of all queues and stores. */
  queues: readonly string[]
  recordIds: readonly string[]
  email: string
}

/**
 * Deletes a store's jobs of these queues in any state, and their dead letters: mails about these records, and password
 * resets of the customer with this e-mail address. Of other stores' jobs it reads only the group, because to decompress
 * the data of 100,000 mails takes two seconds.
 */
export const deleteJobsAbout = (
  knex: Knex,
  storeId: string,
  { queues, recordIds, email }: JobsAbout,
): Promise<number> =>
  knex(JOB_TABLE)
    .whereIn('name', [...queues, DEAD_LETTERS])
    .where('group_id', storeId)
    .where((job) =>
      job
        .whereRaw("data->>'recordId' = any(?)", [[...recordIds]])
        .orWhereRaw("data->>'account' = 'customer' and lower(data->>'email') = lower(?)", [email]),
    )
    .delete()
