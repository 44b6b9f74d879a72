import { superuser } from './database.ts'

/** Queues mails of a store that are never due. */
export const fillMailQueue = ({ id }: { id: string }, count: number) =>
  superuser.query(
    `insert into pgboss.job (name, data, group_id, start_after, keep_until, deletion_seconds)
     select 'send-mail', '{}', $1, now() + interval '99 years', now() + interval '99 years', 60
     from generate_series(1, $2)`,
    [id, count],
  )

/** Deletes the mails that `fillMailQueue` queued. */
export const emptyMailQueue = ({ id }: { id: string }) =>
  superuser.query("delete from pgboss.job where name = 'send-mail' and group_id = $1 and data = '{}'", [id])
