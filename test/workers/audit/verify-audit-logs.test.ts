import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { register } from 'prom-client'
import '#shared/audit/gauges.ts'
import { verifyAuditLogs as job } from '#shared/audit/jobs.ts'
import { config } from '#shared/platform/config/config.ts'
import { newId } from '#shared/platform/db/id.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { log } from '#shared/platform/log.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { asSuperuser, buildEntries, rehash, verify } from '#test/support/builders/audit.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { whileBroken } from '#test/support/faults/break-store.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { verifyAuditLogs } from '#workers/audit/verify-audit-logs.ts'
import { sendPlatformMail } from '#workers/mail/send-mail.ts'

/** Verifies all logs as the nightly job does. */
async function night(): Promise<void> {
  await discardJobs()
  await (await queues()).send(job.queue, {})
  const drained = await drainJobs([verifyAuditLogs, sendPlatformMail])
  assert.deepEqual(
    drained.flatMap(({ error }) => error ?? []),
    [],
  )
}

async function figureOf(name: string): Promise<number> {
  await superuser.query('delete from metric_figures')
  const text = await register.metrics()
  return Number(new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(text)?.[1])
}

/** Removes the log of a store and its anchors, as if there had been none. */
async function forget({ id }: BuiltStore): Promise<void> {
  await cutLog(id)
  await rm(config().AUDIT_ANCHORS, { force: true })
}

async function cutLog(storeId: string): Promise<void> {
  for (const table of ['audit_entries', 'audit_heads'])
    await asSuperuser(`delete from ${table} where store_id = $1`, [storeId])
}

const anchorsOf = async ({ id }: BuiltStore): Promise<{ sequence: string }[]> =>
  (await readFile(config().AUDIT_ANCHORS, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ chain }) => chain === id)

test('intact logs raise no figure and no mail, and their ends are anchored once', async (t) => {
  const store = await buildStore()
  const root = await buildSuperAdmin()
  t.after(() => forget(store))
  await buildEntries(store, 2)

  await night()
  await night()
  await buildEntries(store, 1)
  await night()

  assert.equal(await figureOf('audit_broken_logs'), 0)
  assert.ok((await figureOf('audit_oldest_check_seconds')) < 3_600)
  assert.deepEqual(mailbox.mails(root.email), [])
  assert.deepEqual(
    (await anchorsOf(store)).map(({ sequence }) => sequence),
    ['2', '3'],
  )
})

test('a changed entry is a figure, a line in the log and a mail to every super-admin', async (t) => {
  const store = await buildStore()
  const [first, second] = [await buildSuperAdmin(), await buildSuperAdmin()]
  t.after(() => forget(store))
  const errors = t.mock.method(log, 'error')
  await buildEntries(store, 3)
  await rehash(store, 2)

  await night()

  assert.equal(await figureOf('audit_broken_logs'), 1)
  const broken = { name: store.slug, sequence: 2, fault: 'changed' }
  assert.ok(
    errors.mock.calls.some(({ arguments: [line] }) => JSON.stringify(line) === JSON.stringify(broken)),
  )
  for (const { email } of [first, second]) {
    const [mail] = mailbox.mails(email)
    assert.ok(mail?.text.includes(store.slug), mail?.text)
    assert.match(mail?.text ?? '', /at entry 2: changed/)
  }
})

test('a log that an attacker with the keys has rewritten no longer contains its anchor', async (t) => {
  const store = await buildStore()
  t.after(() => forget(store))
  await buildEntries(store, 3)
  await night()
  await cutLog(store.id)
  await buildEntries(store, 5)

  assert.equal((await verify(store)).broken, null, 'without the anchor it is intact')
  await night()

  assert.equal(await figureOf('audit_broken_logs'), 1)
  assert.equal((await anchorsOf(store)).length, 1)
})

test('a log whose last entries an attacker with the keys has deleted is shorter than its anchor', async (t) => {
  const store = await buildStore()
  t.after(() => forget(store))
  await buildEntries(store, 3)
  await night()
  await cutLog(store.id)

  assert.equal((await verify(store)).broken, null, 'without the anchor it is intact')
  await night()

  assert.equal(await figureOf('audit_broken_logs'), 1)
})

test('a change before the anchor is found when the whole log is verified, within about a month', async (t) => {
  const store = await buildStore()
  t.after(() => forget(store))
  await buildEntries(store, 3)
  await night()
  await buildEntries(store, 1)
  await asSuperuser(`update audit_entries set ip = '' where store_id = $1 and sequence = 2`, [store.id])

  moveClock(DAY_MS)
  await night()
  assert.equal(await figureOf('audit_broken_logs'), 0)
  assert.deepEqual((await verify(store)).broken, { sequence: 2n, fault: 'changed' }, 'control: by hand')
  assert.ok((await figureOf('audit_oldest_whole_check_seconds')) >= DAY_MS / 1_000)

  for (const days of [30, 31]) {
    moveClock(days * DAY_MS)
    await night()
    assert.equal(await figureOf('audit_broken_logs'), 1, `day ${days}`)
  }
})

test('an intact log is verified wholly once in 30 days', async (t) => {
  const store = await buildStore()
  t.after(() => forget(store))
  await buildEntries(store, 1)

  for (const days of [0, 1, 29, 30, 31, 59, 60]) {
    moveClock(days * DAY_MS)
    await night()
  }

  assert.equal((await anchorsOf(store)).length, 3)
})

test('a mended log is no figure after the next night', async () => {
  const store = await buildStore()
  await buildEntries(store, 2)
  await asSuperuser(`update audit_entries set ip = '' where store_id = $1`, [store.id])
  await night()
  assert.equal(await figureOf('audit_broken_logs'), 1)

  await forget(store)
  await night()

  assert.equal(await figureOf('audit_broken_logs'), 0)
})

test('a log that cannot be read fails the job after the other logs are verified', async (t) => {
  const [before, broken, after] = [
    await buildStore({ slug: 'a-store' }),
    await buildStore({ slug: 'b-store' }),
    await buildStore({ slug: 'c-store' }),
  ]
  for (const store of [before, broken, after]) {
    t.after(() => forget(store))
    await buildEntries(store, 1)
  }

  await whileBroken(broken, { tables: ['audit_entries'] }, () =>
    assert.rejects(night(), new RegExp(`${broken.id}: .*a corrupt row`)),
  )

  for (const store of [before, after]) assert.equal((await anchorsOf(store)).length, 1)
})

test('while a log cannot be read, a retry mails nothing again and purged stores lose their outcomes', async (t) => {
  const [changed, unreadable] = [await buildStore(), await buildStore()]
  const root = await buildSuperAdmin()
  for (const store of [changed, unreadable]) {
    t.after(() => forget(store))
    await buildEntries(store, 2)
  }
  await night()
  await rehash(changed, 2)
  const purgedId = newId()
  await asSuperuser('insert into platform_audit_checks (chain, entries, checked_at) values ($1, 1, now())', [
    purgedId,
  ])

  await whileBroken(unreadable, { tables: ['audit_entries'] }, async () => {
    for (let attempt = 0; attempt < 2; attempt++) await assert.rejects(night(), /a corrupt row/)
  })

  const mails = () => mailbox.mails(root.email).length
  assert.equal(mails(), 1)
  const checked = (await asSuperuser('select chain from platform_audit_checks', [])) as { chain: string }[]
  const chains = checked.map(({ chain }) => chain)
  assert.ok(chains.includes(unreadable.id), 'its last outcome is kept')
  assert.ok(!chains.includes(purgedId))

  moveClock(DAY_MS)
  await night()
  assert.equal(mails(), 2, 'the next night mails again')
})

test('an unreadable file of anchors fails the job', async (t) => {
  t.after(() => rm(config().AUDIT_ANCHORS, { force: true }))
  await writeFile(config().AUDIT_ANCHORS, '{"chain":"platform"}\n')

  await assert.rejects(night(), /no anchor/)
})
