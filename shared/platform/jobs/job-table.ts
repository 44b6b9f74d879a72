/*
 * Names in pg-boss's own tables, for queries that its public API does not have. Only this folder and
 * shared/mail/queue-mail.ts, whose jobs have secrets, read these tables.
 * test/shared/platform/jobs/pg-boss-contracts.test.ts checks each column.
 */

export const JOB_TABLE = 'pgboss.job'

/** SQL: the present time that pg-boss compares with a job's due time. */
export const QUEUE_NOW = 'pgboss.job_now()'
