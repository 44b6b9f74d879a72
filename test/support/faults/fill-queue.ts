import { superuser } from '#test/support/database.ts'

/** Adds jobs of a store to a queue that are never due. */
export const fillQueue = (queue: string, { id }: { id: string }, count: number) =>
  superuser.query(
    `insert into pgboss.job (name, data, group_id, start_after, keep_until, deletion_seconds)
     select $1, '{}', $2, now() + interval '99 years', now() + interval '99 years', 60
     from generate_series(1, $3)`,
    [queue, id, count],
  )

/** Deletes the jobs that `fillQueue` added. */
export const emptyQueue = (queue: string, { id }: { id: string }) =>
  superuser.query("delete from pgboss.job where name = $1 and group_id = $2 and data = '{}'", [queue, id])
