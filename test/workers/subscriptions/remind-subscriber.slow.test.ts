import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { MAIL_BACKLOG } from '#shared/mail/mail-backlog.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { remindSubscriber } from '#shared/subscription-mails/remind-subscriber.ts'
import { buildStaff, signInAgain } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { freezeClock } from '#test/support/clock.ts'
import { emptyMailQueue, fillMailQueue } from '#test/support/faults/mail-backlog.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs, runScheduled } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { enqueueDueCharges } from '#workers/subscriptions/enqueue-due-charges.ts'
import { enqueueDueReminders } from '#workers/subscriptions/enqueue-due-reminders.ts'

beforeEach(() => mailbox.clear())

type Plan = NonNullable<NonNullable<Parameters<typeof buildSubscription>[1]>['plan']>

const FREE_WEEK: Plan = { trial: { priceMinor: 0n, duration: 1, durationUnit: 'week', cycle: 2 } }
const YEARLY: Plan = { durationUnit: 'year' }

let shops = 0

/** A subscription that began on 31 January 2027, and the reminders of it that have arrived, oldest first. */
async function subscribed(plan: Plan, settings: object = {}) {
  freezeClock(new Date('2027-01-31T10:00:00.000Z'))
  const name = `Harbor (${++shops})`
  const store = await buildStore({ name, timeZone: 'UTC' })
  const { token } = await buildStaff(store, { role: 'owner' })
  if (Object.keys(settings).length) await request('PATCH /admin/settings', { token, body: settings })
  const built = await buildSubscription(store, {
    plan: { nameI18n: { en: 'Monthly', de: 'Monatlich' }, ...plan },
  })
  await drainJobs()
  mailbox.clear()
  const own = async (line: string, body?: object) =>
    request(line, {
      store,
      token: await signInAgain(store, built.customer),
      key: randomUUID(),
      ...(body ? { body } : {}),
    })
  return {
    ...built,
    store,
    own,
    path: `/subscriptions/${built.id}`,
    reminders: () =>
      mailbox
        .mails()
        .toReversed()
        .filter(({ subject }) => subject.includes(name) && /is charged on|free trial/.test(subject))
        .map((mail) => ({ ...mail, subject: mail.subject.replace(name, 'Harbor') })),
  }
}

/** Moves the clock to a time, and does what is due then. */
async function at(time: string): Promise<void> {
  freezeClock(new Date(time))
  await runScheduled(enqueueDueReminders)
  await runScheduled(enqueueDueCharges)
  await drainJobs()
}

test('a yearly charge is mailed 7 days before, once, with its amount and how to cancel', async () => {
  const { reminders } = await subscribed(YEARLY, { links: { subscription: 'https://shop.example/abo' } })

  await at('2028-01-24T09:59Z')
  assert.equal(reminders().length, 0)
  for (const time of ['2028-01-24T10:00Z', '2028-01-25T10:00Z', '2028-01-31T09:00Z']) await at(time)

  const [mail, ...others] = reminders()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'Your subscription “Monthly” at Harbor is charged on January 31, 2028')
  assert.match(mail?.text ?? '', /We charge your subscription on January 31, 2028: €13\.00\./)
  assert.match(mail?.text ?? '', /1 × .+: €8\.00\n\nShipping: €5\.00\nTotal: €13\.00/)
  assert.match(mail?.text ?? '', /cancel the subscription before January 31, 2028: by the link below/)
  assert.match(mail?.text ?? '', /https:\/\/shop\.example\/abo#subscription=/)
})

test('a reminder of a store with a backlog of mails is sent once the backlog is gone', async () => {
  const { reminders, store } = await subscribed(YEARLY)
  await fillMailQueue(store, MAIL_BACKLOG)

  await at('2028-01-24T10:00Z')
  const withBacklog = reminders().length
  await emptyMailQueue(store)
  await at('2028-01-24T10:10Z')

  assert.deepEqual({ withBacklog, afterwards: reminders().length }, { withBacklog: 0, afterwards: 1 })
})

test('a charge every 52 weeks is mailed as a yearly one', async () => {
  const { reminders } = await subscribed({ duration: 52, durationUnit: 'week' })

  await at('2028-01-23T10:00Z')

  assert.equal(reminders().length, 1)
  assert.match(reminders()[0]?.subject ?? '', /January 30, 2028/)
})

test('the yearly charge after it is mailed again', async () => {
  const { reminders } = await subscribed(YEARLY)

  for (const time of ['2028-01-28T10:00Z', '2028-01-31T10:00Z', '2029-01-28T10:00Z']) await at(time)

  assert.equal(reminders().length, 2)
  assert.match(reminders()[1]?.subject ?? '', /January 31, 2029/)
})

test('the end of a free trial is mailed 3 days before, once', async () => {
  const { reminders } = await subscribed(FREE_WEEK)

  for (const time of ['2027-02-04T10:00Z', '2027-02-07T10:00Z', '2027-02-11T09:59Z']) await at(time)
  assert.equal(reminders().length, 0)
  for (const time of ['2027-02-11T10:00Z', '2027-02-12T10:00Z', '2027-02-14T10:00Z', '2027-03-12T10:00Z'])
    await at(time)

  const [mail, ...others] = reminders()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'The free trial of “Monthly” at Harbor ends on February 14, 2027')
  assert.match(mail?.text ?? '', /Total: €13\.00/)
})

for (const [title, plan] of [
  ['a monthly charge', {}],
  ['the end of a paid trial', { trial: { priceMinor: 100n, duration: 1, durationUnit: 'month', cycle: 1 } }],
] as [string, Plan][])
  test(`${title} is not mailed`, async () => {
    const { reminders } = await subscribed(plan)

    for (const time of ['2027-02-21T10:00Z', '2027-02-27T10:00Z', '2027-02-28T10:00Z']) await at(time)

    assert.equal(reminders().length, 0)
  })

test('no reminder of a subscription that is paused, ends with its period, or has reminders off', async () => {
  const paused = await subscribed(YEARLY)
  await paused.own(`POST ${paused.path}/pause`)
  const canceled = await subscribed(YEARLY)
  await canceled.own(`POST ${canceled.path}/cancel?at=period_end`)
  const off = await subscribed(YEARLY, { subscription_mails: { reminder: false } })

  await at('2028-01-28T10:00Z')

  for (const { reminders } of [paused, canceled, off]) assert.equal(reminders().length, 0)
})

test('a skipped year and a resumed one are mailed for the date that is charged', async () => {
  const { reminders, own, path } = await subscribed(YEARLY)
  await at('2028-01-28T10:00Z')

  await own(`POST ${path}/pause`)
  await own(`POST ${path}/resume`)
  await at('2028-01-29T10:00Z')
  assert.equal(reminders().length, 1)
  await own(`POST ${path}/skip`)
  await at('2028-01-30T10:00Z')
  assert.equal(reminders().length, 1)
  await at('2029-01-28T10:00Z')

  assert.match(reminders()[1]?.subject ?? '', /January 31, 2029/)
})

test('two workers remind of a charge once, and the version of the subscription stays', async () => {
  const { reminders, own, path, store, id } = await subscribed(YEARLY)
  const before = await own(`GET ${path}`)
  freezeClock(new Date('2028-01-28T10:00Z'))

  await Promise.all(Array.from({ length: 5 }, () => inStore(store.id, (tx) => remindSubscriber(tx, id))))
  await drainJobs()

  assert.equal(reminders().length, 1)
  assert.equal((await own(`GET ${path}`)).data.updated_at, before.data.updated_at)
})

test('a worker that was down until the charge does not remind of it', async () => {
  const { reminders } = await subscribed(YEARLY)

  await at('2028-02-01T10:00Z')

  assert.equal(reminders().length, 0)
})
