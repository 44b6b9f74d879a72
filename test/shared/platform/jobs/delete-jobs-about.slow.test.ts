import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Knex } from 'knex'
import { sendMail } from '#shared/mail/jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { DEAD_LETTERS } from '#shared/platform/jobs/define-job.ts'
import { deleteJobsAbout } from '#shared/platform/jobs/delete-jobs-about.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'

const MAILS = 300

interface Mails {
  storeId: string
  recordId: string
  queue?: string
  count?: number
}

/** Inserts mails that were sent or are dead letters, each with 6 KB of encrypted data. */
const insertMails = ({ storeId, recordId, queue = sendMail.queue, count = 1 }: Mails) =>
  superuser.query(
    `insert into pgboss.job (name, group_id, state, data)
     select $1, $2, 'completed',
       jsonb_build_object('storeId', $2::text, 'recordId', $3::text, 'sealed',
         (select string_agg(md5(n::text || part), '') from generate_series(1, 200) part))
     from generate_series(1, $4::int) n`,
    [queue, storeId, recordId, count],
  )

test('deleting the jobs about a person reads no mails of other stores', async () => {
  await queues()
  const [{ id: storeId }, { id: other }] = [await buildStore(), await buildStore()]
  const recordId = newId()
  for (const queue of [sendMail.queue, DEAD_LETTERS]) await insertMails({ storeId, recordId, queue })
  for (const queue of [sendMail.queue, DEAD_LETTERS])
    await insertMails({ storeId: other, recordId, queue, count: MAILS })
  const about = { queues: [sendMail.queue], recordIds: [recordId], email: 'grace@example.com' }

  const query = deleteJobsAbout(db(), storeId, about) as unknown as Knex.QueryBuilder
  const { sql, bindings } = query.toSQL().toNative()
  const { rows } = await superuser.query(`explain (analyze, buffers, format json) ${sql}`, [...bindings])
  const [{ Plan: plan }] = rows[0]['QUERY PLAN']

  const left = await superuser.query("select group_id from pgboss.job where data->>'recordId' = $1", [
    recordId,
  ])
  assert.deepEqual(new Set(left.rows.map(({ group_id }) => group_id)), new Set([other]))
  assert.equal(left.rowCount, 2 * MAILS)
  assert.ok(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] < MAILS / 2, JSON.stringify(plan))
})
