import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAccessToken } from '#shared/identity/sessions/access-token.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { reportSupportChanges } from '#shared/super-admin/report-support-changes.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { ADDRESS, buildOrder } from '#test/support/builders/orders.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs, runScheduled } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits, untilSomeWait } from '#test/support/races/overlap.ts'
import { enqueueSupportReports } from '#workers/super-admin/enqueue-support-reports.ts'

/** A support session with the owner's consent. */
async function scene({ minutes = 10 } = {}) {
  const support = await buildSupport(minutes)
  const { store, owner, root, token } = support
  await support.allow({ minutes: 60 })
  const { sessionId } = verifyAccessToken(token)
  return {
    ...support,
    rename: (name = 'Harbor Goods') => request('PATCH /admin/settings', { token, body: { name } }),
    signOut: () => request('POST /super-admin/auth/logout', { body: { refresh_token: root.refreshToken } }),
    withdraw: () => request('DELETE /admin/support-access', { token: owner.token }),
    report: () => inStore(store.id, (tx) => reportSupportChanges(tx, sessionId)),
    sessionId,
    /** Runs the scheduled job, and returns the reports that have arrived. */
    reports: async () => {
      await runScheduled(enqueueSupportReports)
      await drainJobs()
      return mailbox.mails(owner.email).filter(({ subject }) => subject.startsWith('What support changed'))
    },
  }
}

test('when the super-admin signs out, the owner gets one mail of the changes', async () => {
  const { store, root, token, rename, signOut, reports } = await scene()
  const product = await buildProduct(store)
  await rename()
  await request(`PATCH /admin/products/${product.id}`, { token, body: { price: 1 } })
  assert.deepEqual(await reports(), [])

  await signOut()

  const [mail, ...others] = await reports()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'What support changed in Harbor Goods')
  assert.match(
    mail.text,
    new RegExp(`Who: ${root.email}\nReason: Ticket 4711\nFrom: .*\nTo: .*\nChanges: 2\n`),
  )
  assert.match(mail.text, /: patchAdminSettings: settings\n/)
  assert.match(mail.text, new RegExp(`: patchAdminProductsProductId: products ${product.id}\n`))
  assert.match(mail.text, new RegExp(`GET /admin/audit-log\\?actor_id=${root.id}&created_from=`))
  assert.equal((await reports()).length, 1)
})

test('the filter in the mail finds the changes', async () => {
  const { owner, rename, signOut, reports } = await scene()
  await rename()
  await signOut()
  const [mail] = await reports()

  const [line] = /GET \/admin\/audit-log\S+/.exec(mail?.text ?? '') ?? []
  const { data } = await request(line ?? '', { token: owner.token })

  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['postSuperAdminStoresIdSignIn', 'patchAdminSettings'],
  )
})

test('when a support session expires, the owner gets one mail of the changes', async () => {
  const { rename, reports } = await scene({ minutes: 10 })
  await rename()

  moveClock(10 * MINUTE_MS + SECOND_MS)

  assert.equal((await reports()).length, 1)
  assert.equal((await reports()).length, 1)
})

test('a support session that only read has no mail of changes', async () => {
  const { store, token, signOut, reports } = await scene()
  const order = await buildOrder(store)
  assert.equal((await request(`GET /admin/orders/${order.id}`, { token })).status, 200)

  await signOut()

  assert.deepEqual(await reports(), [])
})

test('a refused change has no mail', async () => {
  const { token, signOut, reports } = await scene()
  assert.equal((await request('PATCH /admin/settings', { token, body: { name: '' } })).status, 422)

  await signOut()

  assert.deepEqual(await reports(), [])
})

test('the mail lists no read, and no personal data of a changed order', async () => {
  const { store, token, signOut, reports } = await scene()
  const order = await buildOrder(store)
  await request(`GET /admin/orders/${order.id}`, { token })
  const shipping_address = { ...ADDRESS, city: 'Kingsport' }
  const changed = await request(`PATCH /admin/orders/${order.id}`, { token, body: { shipping_address } })
  assert.equal(changed.status, 200, changed.error ?? '')

  await signOut()

  const [mail] = await reports()
  assert.match(
    mail?.text ?? '',
    new RegExp(`Changes: 1\n\n.*: patchAdminOrdersOrderId: orders ${order.id}\n`),
  )
  assert.doesNotMatch(mail?.text ?? '', /Kingsport|getAdmin/)
})

test('the mail lists the first 50 changes, and the number of the others', async () => {
  const { rename, signOut, reports } = await scene()
  for (let at = 1; at <= 52; at++) assert.equal((await rename(`Harbor ${at}`)).status, 200)

  await signOut()

  const [mail] = await reports()
  assert.equal(mail?.text.match(/patchAdminSettings/g)?.length, 50)
  assert.match(mail.text, /\nChanges: 52\n/)
  assert.match(mail.text, /\nNot listed here: 2\n/)
})

test('when the owner withdraws the consent, the mail arrives and the session makes no more changes', async () => {
  const { token, allow, rename, withdraw, reports } = await scene()
  await rename()

  await withdraw()

  assert.equal((await reports()).length, 1)
  await allow()
  assert.equal((await rename()).error_code, 'auth.support_read_only')
  assert.equal((await request('GET /admin/settings', { token })).status, 200)
  moveClock(20 * MINUTE_MS)
  assert.equal((await reports()).length, 1)
})

test('two reports of one support session at the same time send one mail', async () => {
  const { store, rename, signOut, report, reports, sessionId } = await scene()
  await rename()
  await signOut()
  const first = await pending(
    (work) => inStore(store.id, work),
    (tx) => reportSupportChanges(tx, sessionId),
  )

  const second = report()
  await untilOneWaits()
  first.commit()
  await Promise.all([first.done, second])

  assert.equal((await reports()).length, 1)
})

test('a report waits for a change that is being made, and lists it', async () => {
  const { store, rename, report, reports } = await scene()
  await rename()
  const lock = await pending(
    (work) => inStore(store.id, work),
    ({ knex }) => knex('audit_heads').where('store_id', store.id).forUpdate().first(),
  )

  const change = rename('Harbor')
  await untilOneWaits()
  const reporting = report()
  await untilSomeWait(2)
  lock.commit()
  await Promise.all([lock.done, reporting])

  assert.equal((await change).status, 200)
  const [mail] = await reports()
  assert.match(mail?.text ?? '', /\nChanges: 2\n/)
})

test('a change that commits after the report is refused', async () => {
  const { store, rename, reports, sessionId } = await scene()
  await rename()
  const reporting = await pending(
    (work) => inStore(store.id, work),
    (tx) => reportSupportChanges(tx, sessionId),
  )

  const change = rename('Harbor')
  await untilOneWaits()
  reporting.commit()
  await reporting.done

  assert.partialDeepStrictEqual(await change, { status: 403, error_code: 'auth.support_read_only' })
  const [mail] = await reports()
  assert.match(mail?.text ?? '', /\nChanges: 1\n/)
})
