import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import '#test/support/database.ts'
import { Affiliate } from '#shared/affiliates/affiliate.ts'
import { verifyAuditLogs as verifyAuditLogsJob } from '#shared/audit/jobs.ts'
import { Dispute } from '#shared/disputes/dispute.ts'
import { closeSessionsOfDeletedStore } from '#shared/identity/sessions/close-sessions.ts'
import { removeImageFiles } from '#shared/images/jobs.ts'
import { findOrder, Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { reconcileStore as reconcileStoreJob } from '#shared/reconciliation/jobs.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { purgeDeletedStores, purgeStore } from '#shared/stores/jobs.ts'
import { deleteStore } from '#shared/stores/lifecycle/delete-store.ts'
import { purgeStore as purgeRows } from '#shared/stores/lifecycle/purge-store.ts'
import { listTablesInDeletionOrder, sortByReferences } from '#shared/stores/lifecycle/store-tables.ts'
import { transitionStore } from '#shared/stores/lifecycle/transition-store.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildAffiliate } from '#test/support/builders/affiliates.ts'
import { buildEntries } from '#test/support/builders/audit.ts'
import { buildCapturedOrder, type CapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildCategory, buildManufacturer } from '#test/support/builders/catalog.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'
import { verifyAuditLogs } from '#workers/audit/verify-audit-logs.ts'
import { sendPlatformMail } from '#workers/mail/send-mail.ts'
import { reconcileStore } from '#workers/reconciliation/reconcile-store.ts'
import { purgeStore as purge, purgeDeletedStores as purgeDeleted } from '#workers/stores/purge-store.ts'

interface Named {
  name: string
}

/** Everything, past row-level security: how many rows of the store each table holds. */
async function rowsOf(store: BuiltStore): Promise<Record<string, number>> {
  const { rows: tables } = await superuser.query<Named>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'store_id' and table_name not like 'platform%' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await superuser.query(`select count(*)::int from ${name} where store_id = $1`, [
      store.id,
    ])
    counts[name] = rows[0].count
  }
  const { rows } = await superuser.query('select count(*)::int from stores where id = $1', [store.id])
  return { ...counts, stores: rows[0].count }
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, n) => sum + n, 0)

async function furnishedStore(): Promise<BuiltStore> {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  await buildCustomer(store)
  await buildEntries(store, 3)
  await buildShippedOrder(store)
  await buildCategory(store)
  await buildManufacturer(store)
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] }
  await request('POST /admin/webhooks', { token, body: hook })
  return store
}

const NOTHING_OPEN = {
  hasUnsettledMoney: async () => false,
  countOpenBusiness: async () => ({ orders: 0, disputes: 0, returns: 0, vouchers: 0, affiliates: 0 }),
}

/** A signal that aborts after this many checks. */
function abortAfter(checks: number): AbortSignal {
  const controller = new AbortController()
  const { signal } = controller
  let count = 0
  return Object.assign(signal, {
    throwIfAborted() {
      if (++count > checks) throw new Error('stopped')
    },
  })
}

/** Deletes a store and purges it until this number of batches. */
async function stopPurge(store: BuiltStore, batches: number): Promise<void> {
  await remove(store)
  await db()('stores').where('id', store.id).update({ purge_requested_at: now() })
  const steps = { removeImages: async () => {}, detachCards: async () => {} }
  const purging = purgeRows(store.id, { signal: abortAfter(batches), checks: NOTHING_OPEN, ...steps })
  await assert.rejects(purging, /stopped/)
}

/** Verifies the audit logs as the nightly job does. */
async function verifyNightly(): Promise<void> {
  await discardJobs()
  await (await queues()).send(verifyAuditLogsJob.queue, {})
  await drainJobs([verifyAuditLogs, sendPlatformMail])
}

const remove = (store: BuiltStore) => inStore(store.id, (tx) => deleteStore(tx, closeSessionsOfDeletedStore))

test('after 30 days the purge deletes every row of a deleted store and none of another', async () => {
  const [gone, stays] = [await furnishedStore(), await furnishedStore()]
  await drainJobs()
  await remove(gone)
  const before = await rowsOf(stays)
  assert.ok(total(await rowsOf(gone)) > 20)

  await db()('stores')
    .where('id', gone.id)
    .update({ deleted_at: inMs(-30 * DAY_MS) })
  await (await queues()).send(purgeDeletedStores.queue, {})
  // Only these: on a busy machine, a delivery of the other store is due again by now.
  await drainJobs([purgeDeleted, purge])

  assert.equal(total(await rowsOf(gone)), 0)
  assert.deepEqual(await rowsOf(stays), before)
})

test('a purge that was stopped publishes no more events; a super-admin still reads the store and repeats it', async () => {
  const store = await furnishedStore()
  const { token } = await buildSuperAdmin()
  const waiting = () =>
    db()('pgboss.job').where({ group_id: store.id, state: 'created', name: publishEvents.queue }).pluck('id')
  const jobsBefore = await waiting()
  await stopPurge(store, 200)

  const read = await request(`GET /super-admin/stores/${store.id}`, { token })
  const jobs = await waiting()
  const repeated = await request(`POST /super-admin/stores/${store.id}/purge`, {
    token,
    body: { force: store.slug, override: true },
  })

  assert.ok(jobsBefore.length > 0)
  assert.deepEqual(jobs, [])
  assert.equal((await rowsOf(store)).catalog_versions, 0)
  assert.deepEqual({ read: read.status, repeated: repeated.status }, { read: 200, repeated: 202 })
})

for (const batches of [20, 90])
  test(`a purge that stopped after ${batches} batches is reported neither as broken log nor as unequal books`, async () => {
    const store = await furnishedStore()
    const root = await buildSuperAdmin()
    await verifyNightly()
    await stopPurge(store, batches)
    const left = total(await rowsOf(store))

    await verifyNightly()
    await inStore(store.id, (tx) => enqueue(tx, reconcileStoreJob, {}))
    const compared = await drainJobs([reconcileStore])

    assert.ok(left > 0)
    assert.deepEqual(
      compared.map(({ error }) => error),
      [null],
    )
    assert.deepEqual(mailbox.mails(root.email), [])
    assert.deepEqual(await db()('platform_audit_checks').where('chain', store.id), [])
  })

test('a purge waits for a row that is being changed, and deletes it with the rows that it refers to', async () => {
  const store = await furnishedStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  await request('POST /admin/manufacturers', { token, body: { name_i18n: { en: 'Arc' } } })
  await drainJobs()
  await remove(store)
  await db()('stores').where('id', store.id).update({ purge_requested_at: now() })
  const steps = { removeImages: async () => {}, detachCards: async () => {} }
  assert.ok((await rowsOf(store)).webhook_deliveries)
  const attempt = await pending(
    (work) => inStore(store.id, work),
    ({ knex }) => knex('webhook_deliveries').update({ attempt_count: 1 }),
  )

  const { signal } = new AbortController()
  const purging = purgeRows(store.id, { signal, checks: NOTHING_OPEN, ...steps })
  await untilOneWaits()
  attempt.commit()
  await attempt.done
  await purging

  assert.equal(total(await rowsOf(store)), 0)
})

test('a store deleted for 29 days and a restored store are not purged', async () => {
  const [deleted, restored] = [await buildStore(), await buildStore()]
  for (const store of [deleted, restored]) await remove(store)

  moveClock(29 * DAY_MS)
  await (await queues()).send(purgeDeletedStores.queue, {})
  await drainJobs()
  assert.equal((await rowsOf(deleted)).stores, 1)

  await inStore(restored.id, (tx) => transitionStore(tx, 'active'))
  moveClock(31 * DAY_MS)
  await inStore(restored.id, (tx) => enqueue(tx, purgeStore, {}))
  await drainJobs()
  assert.equal((await rowsOf(restored)).stores, 1)
})

test("a super-admin purges immediately with the slug as force; the platform's audit log has entries", async () => {
  const store = await furnishedStore()
  const { token } = await buildSuperAdmin()
  const purge = (body: object) => request(`POST /super-admin/stores/${store.id}/purge`, { token, body })
  assert.equal((await purge({ force: store.slug })).error_code, 'store.not_purgeable')
  await request(`DELETE /super-admin/stores/${store.id}`, { token })

  assert.equal((await purge({})).error_code, 'store.not_purgeable')
  assert.equal((await purge({ force: 'another' })).error_code, 'store.not_purgeable')
  const accepted = await purge({ force: store.slug })
  assert.equal(accepted.status, 202)
  const restored = await request(`POST /super-admin/stores/${store.id}/restore`, { token })
  assert.equal(restored.error_code, 'store.under_purge')
  const suspended = await request(`POST /super-admin/stores/${store.id}/suspend`, { token })
  const deleted = await request(`DELETE /super-admin/stores/${store.id}`, { token })
  for (const refused of [suspended, deleted]) assert.equal(refused.error_code, 'store.invalid_transition')
  await drainJobs()

  assert.equal(total(await rowsOf(store)), 0)
  assert.equal((await request(`GET /super-admin/stores/${store.id}`, { token })).status, 404)
  const { data } = await request(`GET /super-admin/audit-log?store_id=${store.id}`, { token })
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['postSuperAdminStoresIdPurge', 'deleteSuperAdminStoresId'],
  )
})

/** Money of a deleted store's buyers that is not settled, and what settles it. */
const UNSETTLED: Record<string, { begin: UnsettledCase; settle: UnsettledCase }> = {
  'a surplus that the gateway refuses to return': {
    begin: (tx, { id: orderId, paymentId }) =>
      Surplus.in(tx).insert({
        orderId,
        paymentId,
        reason: 'paid_twice',
        status: 'owed',
        amountMinor: 2_500n,
        currency: 'EUR',
        failureReason: 'insufficient_funds',
        createdAt: now(),
        updatedAt: now(),
      }),
    settle: (tx) => Surplus.in(tx).patch({ status: 'returned', returnedMinor: 2_500n }),
  },
  'a refund in progress': {
    begin: (tx, { id: orderId, paymentId }) =>
      Refund.in(tx).insert({
        orderId,
        paymentId,
        origin: 'store',
        status: 'pending',
        requestedBy: 'system',
        currency: 'EUR',
        amountMinor: 100n,
        gatewayAmountMinor: 100n,
        createdAt: now(),
      }),
    settle: (tx) => Refund.in(tx).patch({ status: 'canceled', settledAt: now() }),
  },
  'a refund that a bank has returned': {
    begin: (tx, { id }) => Order.in(tx).findById(id).patch({ status: 'refunded', amountRefundedMinor: 0n }),
    settle: async (tx, { id }) => {
      const { amountCapturedMinor } = await findOrder(tx, id)
      await Order.in(tx).findById(id).patch({ amountRefundedMinor: amountCapturedMinor })
    },
  },
  'a payment that the gateway can still capture': {
    begin: (tx, { id: orderId }) =>
      Payment.in(tx).insert({
        orderId,
        provider: 'stripe',
        status: 'requires_action',
        gatewayReference: newId(),
        amountMinor: 2_500n,
        currency: 'EUR',
        createdAt: now(),
        updatedAt: now(),
      }),
    settle: (tx) =>
      Payment.in(tx).where('status', 'requires_action').patch({ status: 'canceled', closedAtGateway: now() }),
  },
  'a payment about which staff have to decide': {
    begin: (tx, { paymentId }) => Payment.in(tx).findById(paymentId).patch({ status: 'mismatched' }),
    settle: (tx) => Payment.in(tx).patch({ status: 'captured' }),
  },
}

type UnsettledCase = (tx: StoreTx, order: CapturedOrder) => PromiseLike<unknown>

for (const [name, { begin, settle }] of Object.entries(UNSETTLED))
  test(`a deleted store with ${name} is purged when that is settled, and not before`, async () => {
    const store = await buildStore()
    const order = await buildShippedOrder(store)
    await drainJobs()
    await inStore(store.id, (tx) => begin(tx, order))
    await remove(store)
    const { token } = await buildSuperAdmin()
    const force = () =>
      request(`POST /super-admin/stores/${store.id}/purge`, { token, body: { force: store.slug } })
    const purgeAfter30Days = async () => {
      await db()('stores')
        .where('id', store.id)
        .update({ deleted_at: inMs(-30 * DAY_MS) })
      await (await queues()).send(purgeDeletedStores.queue, {})
      await drainJobs()
    }

    const refused = await force()
    assert.equal(refused.error_code, 'store.not_purgeable')
    assert.match(refused.error ?? '', /^A payment or refund of this store is not settled/)
    await purgeAfter30Days()
    assert.partialDeepStrictEqual(await rowsOf(store), { stores: 1, orders: 1 })

    await inStore(store.id, (tx) => settle(tx, order))
    await purgeAfter30Days()
    assert.equal(total(await rowsOf(store)), 0)
  })

/** A deleted store with open business of each kind: two unshipped orders, and one of each other kind. */
async function storeWithOpenBusiness() {
  const store = await buildStore()
  await buildCapturedOrder(store)
  const { id: orderId, paymentId } = await buildCapturedOrder(store)
  await buildReturn(store, await buildShippedOrder(store))
  await buildVoucher(store)
  // A voucher that nobody has paid for is no business.
  const unpaid = await buildVoucher(store)
  await inStore(store.id, (tx) =>
    Voucher.in(tx).findById(unpaid.id).patch({ isActive: false, awaitsPayment: true }),
  )
  const affiliate = await buildAffiliate(store)
  await inStore(store.id, async (tx) => {
    await Affiliate.in(tx).findById(affiliate.id).patch({ balanceMinor: 500n })
    await Dispute.in(tx).insert({
      orderId,
      paymentId,
      status: 'needs_response',
      reason: 'fraudulent',
      amountMinor: 2_500n,
      currency: 'EUR',
      gatewayReference: newId(),
      openedAt: now(),
      createdAt: now(),
      updatedAt: now(),
    })
  })
  await drainJobs()
  await remove(store)
  return store
}

test('the purge of a store with open business is refused with its numbers, until `override` says it is settled', async () => {
  const [store, { token }] = [await storeWithOpenBusiness(), await buildSuperAdmin()]
  const purge = (more: object) =>
    request(`POST /super-admin/stores/${store.id}/purge`, { token, body: { force: store.slug, ...more } })

  const refused = await purge({})
  const accepted = await purge({ override: true })
  await drainJobs()

  assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'store.has_open_business' })
  assert.match(
    refused.error ?? '',
    /paid orders to ship: 2, open disputes: 1, open returns: 1, gift vouchers with a balance: 1, affiliates to pay: 1\./,
  )
  assert.equal(accepted.status, 202)
  assert.equal(total(await rowsOf(store)), 0)
})

test('a deleted store with open business is purged on request only', async () => {
  const store = await storeWithOpenBusiness()
  await db()('stores')
    .where('id', store.id)
    .update({ deleted_at: inMs(-30 * DAY_MS) })

  await (await queues()).send(purgeDeletedStores.queue, {})
  await drainJobs()

  assert.partialDeepStrictEqual(await rowsOf(store), { stores: 1, orders: 3 })
})

test('a bank that returns a refund between the request and the start of a purge cancels the request', async () => {
  const store = await buildStore()
  const order = await buildShippedOrder(store)
  await drainJobs()
  await remove(store)
  const { token } = await buildSuperAdmin()
  const path = `/super-admin/stores/${store.id}`
  const requested = await request(`POST ${path}/purge`, { token, body: { force: store.slug } })
  await inStore(store.id, (tx) =>
    Order.in(tx).findById(order.id).patch({ status: 'refunded', amountRefundedMinor: 0n }),
  )

  await drainJobs()

  assert.equal(requested.status, 202)
  assert.partialDeepStrictEqual(await rowsOf(store), { stores: 1, orders: 1 })
  const { data } = await request(`GET ${path}`, { token })
  assert.equal(data.purge_requested_at, null)
  assert.notEqual(data.updated_at, requested.data.updated_at)
  assert.equal((await request(`POST ${path}/restore`, { token })).status, 200)
})

test('a requested purge changes the ETag of the store', async () => {
  const [store, { token }] = [await buildStore(), await buildSuperAdmin()]
  await remove(store)
  const path = `/super-admin/stores/${store.id}`

  const before = await request(`GET ${path}`, { token })
  await request(`POST ${path}/purge`, { token, body: { force: store.slug } })
  const after = await request(`GET ${path}`, { token })

  assert.equal(before.data.purge_requested_at, null)
  assert.ok(after.data.purge_requested_at)
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
})

test('a purge that starts after 30 days shows its start and no request, and the store cannot be restored', async () => {
  const [store, { token }] = [await buildStore(), await buildSuperAdmin()]
  await remove(store)
  const path = `/super-admin/stores/${store.id}`
  await db()('stores')
    .where('id', store.id)
    .update({ deleted_at: inMs(-30 * DAY_MS) })

  await purgeRows(store.id, {
    signal: new AbortController().signal,
    checks: NOTHING_OPEN,
    detachCards: async () => {},
    removeImages: async () => {
      const { data } = await request(`GET ${path}`, { token })
      const restored = await request(`POST ${path}/restore`, { token })
      assert.equal(data.purge_requested_at, null)
      assert.ok(data.purge_started_at)
      assert.equal(restored.error_code, 'store.under_purge')
    },
  })

  assert.equal(total(await rowsOf(store)), 0)
})

test('the purge removes the files of a deleted image whose job has not run', async () => {
  const store = await buildStore()
  const name = 'a'.repeat(32)
  const folder = join(config().IMAGES_DIR, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '200.webp'), 'bytes')
  await inStore(store.id, (tx) => enqueue(tx, removeImageFiles, { name }))
  await remove(store)
  await db()('stores').where('id', store.id).update({ purge_requested_at: now() })

  await inStore(store.id, (tx) => enqueue(tx, purgeStore, {}))
  const failed = (await drainJobs([purge])).filter(({ error }) => error)

  assert.deepEqual(failed, [])
  assert.deepEqual(await readdir(folder).catch(() => []), [])
})

test('the first purge of a store with a return succeeds', async () => {
  const store = await buildStore()
  await buildReturn(store, await buildShippedOrder(store))
  await drainJobs()
  await remove(store)
  await db()('stores').where('id', store.id).update({ purge_requested_at: now() })

  // Each deleted item of the return writes to `report_changes`, which is empty by then.
  await purgeRows(store.id, {
    signal: new AbortController().signal,
    checks: NOTHING_OPEN,
    detachCards: async () => {},
    removeImages: async () => {},
  })

  assert.equal(total(await rowsOf(store)), 0)
})

/** Counts the rows of each statement that deletes from a table. */
async function watchDeletions(table: string) {
  await superuser.query(`
    create table deletions (count integer);
    create function count_deletion() returns trigger language plpgsql security definer as $$
    begin
      insert into deletions select count(*) from gone;
      return null;
    end $$;
    create trigger count_deletion after delete on ${table}
      referencing old table as gone for each statement execute function count_deletion();`)
  return async () => {
    const { rows } = await superuser.query<{ count: number }>('select count from deletions where count > 0')
    await superuser.query('drop function count_deletion cascade; drop table deletions')
    return rows.map(({ count }) => count)
  }
}

test('rows that refer to rows of their table are deleted in batches', async () => {
  const store = await buildStore()
  await superuser.query(
    `insert into categories (store_id, id, parent_id, slug, name_i18n, created_at, updated_at)
     select $1::uuid, md5($1::text || n::text)::uuid, case when n > 1 then md5($1::text || (n - 1)::text)::uuid end,
       'category-' || n, '{}', now(), now()
     from generate_series(1, 12000) n`,
    [store.id],
  )
  await remove(store)
  await db()('stores').where('id', store.id).update({ purge_requested_at: now() })
  const readDeletions = await watchDeletions('categories')

  await purgeRows(store.id, {
    signal: new AbortController().signal,
    checks: NOTHING_OPEN,
    detachCards: async () => {},
    removeImages: async () => {},
  })

  assert.deepEqual(await readDeletions(), [5_000, 5_000, 2_000])
  assert.equal(total(await rowsOf(store)), 0)
})

test('a repeated purge succeeds', async () => {
  const store = await buildStore()
  await remove(store)
  await db()('stores').where('id', store.id).update({ purge_requested_at: now() })

  for (let i = 0; i < 2; i++) await inStore(store.id, (tx) => enqueue(tx, purgeStore, {}))
  const failed = (await drainJobs()).filter(({ error }) => error)

  assert.deepEqual(failed, [])
})

test('the purge deletes from every table of stores, referring tables first', async () => {
  const order = (await listTablesInDeletionOrder()).map(({ name }) => name)
  const { stores: _, ...tables } = await rowsOf(await buildStore())
  const { rows } = await db().raw(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and conrelid <> confrelid`,
  )

  assert.deepEqual([...order].sort(), Object.keys(tables).sort())
  for (const { from, to } of rows)
    if (order.includes(from) && order.includes(to))
      assert.ok(order.indexOf(from) < order.indexOf(to), `${from} → ${to}`)
})

test('sortByReferences throws the names of tables in a circle', () => {
  const circle = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]

  assert.throws(() => sortByReferences(['a', 'b'], circle), /a, b/)
})
