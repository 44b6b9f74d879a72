import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from 'prom-client'
import '#test/support/processes/gateway.ts'
import '#shared/reconciliation/gauges.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { findSuspectPayments as listsJob, reconcileStores as storesJob } from '#shared/reconciliation/jobs.ts'
import { createRefund } from '#test/sandbox/gateway/refunds.ts'
import { ignoreBooksOf } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { notify } from '#test/support/processes/notify.ts'
import { reconcile } from '#workers/commands/reconcile.ts'
import { sendMail } from '#workers/mail/send-mail.ts'
import { comparePayments } from '#workers/reconciliation/compare-payments.ts'
import { findSuspectPayments } from '#workers/reconciliation/find-suspect-payments.ts'
import { reconcileStore } from '#workers/reconciliation/reconcile-store.ts'
import { reconcileStores } from '#workers/reconciliation/reconcile-stores.ts'

const NIGHTLY = [reconcileStores, reconcileStore, findSuspectPayments, comparePayments, sendMail]

/** A shop with an owner, a voucher, and a paid card order of 25.00 of which 5.00 are refunded at the gateway. */
async function buildBusyShop() {
  const shop = await buildShop()
  const owner = await buildStaff(shop.store, { role: 'owner' })
  await buildVoucher(shop.store)
  const order = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(order.reference, 'pm_card_visa'))
  const refund = refundAtGateway(order.reference, 500)
  await notify('refund.created', refund)
  await drainJobs()
  return { ...shop, owner, order, refund }
}

const refundAtGateway = (payment_intent: string, amount: number) =>
  gateway.change((desk) => createRefund(desk, { payment_intent, amount: String(amount) }))

/** Runs the jobs of a night, with all retries. */
async function night(): Promise<void> {
  await discardJobs()
  for (const { queue } of [storesJob, listsJob]) await (await queues()).send(queue, {})
  for (let hour = 2; hour < 8; hour++) {
    moveClock(hour * HOUR_MS)
    await drainJobs(NIGHTLY)
  }
}

async function figureOf(book: string): Promise<string | undefined> {
  await superuser.query('delete from metric_figures')
  const text = await register.metrics()
  return new RegExp(`^reconciliation_discrepancies\\{book="${book}"\\} (\\d+)$`, 'm').exec(text)?.[1]
}

const deadLetters = async (storeId: string): Promise<number> => {
  const sql = `select count(*)::int as count from pgboss.job where name = 'dead-letters' and data->>'storeId' = $1`
  return (await superuser.query(sql, [storeId])).rows[0].count
}

/** Mends what a test has broken, so that the figures of the next one are its own. */
async function forget({ id }: { id: string }): Promise<void> {
  await superuser.query('update platform_reconciliations set discrepancies = 0 where store_id = $1', [id])
  await superuser.query('delete from notification_cursors')
}

test('books that agree raise no figure, dead letter or mail', async () => {
  const { store, owner } = await buildBusyShop()
  await night()

  assert.equal(await figureOf('store'), '0')
  assert.equal(await figureOf('gateway'), '0')
  assert.equal(await deadLetters(store.id), 0)
  assert.deepEqual(mailbox.mails(owner.email), [])
})

/** Each book with a change of it by one minor unit or one piece, and back. */
const BREAKS: Record<string, { invariant: string; sql: string; back: string }> = {
  payments: {
    invariant: 'order.captured',
    sql: 'update payments set captured_minor = captured_minor - 1 where store_id = $1 and captured_minor is not null',
    back: 'update payments set captured_minor = captured_minor + 1 where store_id = $1 and captured_minor is not null',
  },
  refunds: {
    invariant: 'order.refunded',
    sql: 'update refunds set amount_minor = amount_minor + 1 where store_id = $1',
    back: 'update refunds set amount_minor = amount_minor - 1 where store_id = $1',
  },
  vouchers: {
    invariant: 'voucher.ledger',
    sql: 'update vouchers set amount_minor = amount_minor + 1 where store_id = $1',
    back: 'update vouchers set amount_minor = amount_minor - 1 where store_id = $1',
  },
  stock: {
    invariant: 'stock.on_hand',
    sql: 'update product_variants set stock_on_hand = stock_on_hand + 1 where store_id = $1',
    back: 'update product_variants set stock_on_hand = stock_on_hand - 1 where store_id = $1',
  },
}

for (const [book, { invariant, sql, back }] of Object.entries(BREAKS))
  test(`a difference of one in the book of ${book} is a figure, a dead letter and a mail to the owner`, async () => {
    const { store, owner } = await buildBusyShop()
    await superuser.query(sql, [store.id])
    await night()

    assert.ok(Number(await figureOf('store')) > 0)
    assert.ok((await deadLetters(store.id)) > 0)
    const [mail, ...others] = mailbox.mails(owner.email).filter(({ text }) => text.includes(invariant))
    assert.match(mail?.subject ?? '', /The books of .* differ/)
    assert.deepEqual(others, [])

    await superuser.query(back, [store.id])
    await night()
    assert.equal(await figureOf('store'), '0')
    await forget(store)
  })

type Busy = Awaited<ReturnType<typeof buildBusyShop>>

/** Each list of the gateway with a change that this service does not learn of. */
const AT_GATEWAY: Record<string, { invariant: string; change: (shop: Busy) => unknown }> = {
  'a captured amount': {
    invariant: 'gateway.captured',
    change: ({ order: { reference } }) =>
      gateway.change(({ books }) => {
        const intent = gateway.ledger().payment_intents.find(({ id }) => id === reference)
        if (intent) books.put('payment_intents', { ...intent, amount_received: intent.amount_received + 1 })
      }),
  },
  'a refund': {
    invariant: 'gateway.refunded',
    change: ({ order: { reference } }) => refundAtGateway(reference, 1),
  },
  'a refund that is only here': {
    invariant: 'gateway.refund',
    change: ({ store }) =>
      superuser.query(`update refunds set gateway_reference = 're_elsewhere' where store_id = $1`, [
        store.id,
      ]),
  },
  'a payment that is only here': {
    invariant: 'gateway.unknown_payment',
    change: ({ store }) =>
      superuser.query(`update payments set gateway_reference = 'pi_elsewhere' where store_id = $1`, [
        store.id,
      ]),
  },
  'a payment that is only there': {
    invariant: 'gateway.unknown_payment',
    change: async ({ store }) => {
      await superuser.query('delete from payment_references where store_id = $1', [store.id])
      await superuser.query('update payments set gateway_reference = null where store_id = $1', [store.id])
    },
  },
}

for (const [difference, { invariant, change }] of Object.entries(AT_GATEWAY))
  test(`${difference} that differs from the gateway's list is found`, async () => {
    const shop = await buildBusyShop()
    await change(shop)
    await night()

    assert.ok(Number(await figureOf('gateway')) > 0)
    assert.ok((await deadLetters(shop.store.id)) > 0)
    assert.ok(mailbox.mails(shop.owner.email).some(({ text }) => text.includes(invariant)))
    ignoreBooksOf(shop.store)
    await forget(shop.store)
    await superuser.query('delete from payment_references where store_id = $1', [shop.store.id])
    await inStore(shop.store.id, (tx) => tx.knex('payments').update({ gateway_reference: null }))
  })

test('the command prints the differences and exits with 1, and with 2 for an unknown store', async () => {
  const { store } = await buildBusyShop()
  moveClock(2 * HOUR_MS)
  const run = async (target: string) => {
    const lines: string[] = []
    const code = await reconcile(target, (line) => lines.push(line), 2)
    return { code, text: lines.join('\n') }
  }
  assert.deepEqual(await run(store.slug), { code: 0, text: `${store.slug}  the books agree` })
  assert.equal((await run('no-such-store')).code, 2)

  await superuser.query(BREAKS.vouchers?.sql ?? '', [store.id])
  const { code, text } = await run(store.slug)

  assert.equal(code, 1)
  assert.match(
    text,
    /DIFFERENCES\n {2}voucher.ledger {2}vouchers .*\n {4}expected 5000 \/ 0 \/ 0\n {4}found {4}5001 \/ 0 \/ 0/,
  )
  await superuser.query(BREAKS.vouchers?.back ?? '', [store.id])
})

test('the gateway is read without a transaction, page by page', async () => {
  const shop = await buildBusyShop()
  const open: number[] = []
  // Each request waits for its count, because the comparison would go on.
  gateway.faults.set({ on: '*', mode: 'hang_before' })
  const forgetRequests = gateway.on('received', async () => {
    const { rows } = await superuser.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
    open.push(rows[0].count)
    await gateway.release()
  })
  moveClock(2 * HOUR_MS)
  await reconcile(shop.store.slug, () => undefined, 2)
  forgetRequests()
  gateway.faults.clear()

  assert.ok(open.length > 0)
  assert.deepEqual(open.filter(Boolean), [])
})
