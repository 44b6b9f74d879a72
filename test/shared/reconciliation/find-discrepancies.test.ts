import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findDiscrepancies, INVARIANTS } from '#shared/reconciliation/find-discrepancies.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'
import { buildBooks } from '#test/support/builders/books.ts'
import { buildStore } from '#test/support/builders/store.ts'

const store = await buildBooks()

/** What is found after a change in SQL, which is rolled back. */
async function discrepanciesAfter(sql: string): Promise<Discrepancy[]> {
  const found: Discrepancy[] = []
  const rollback = new Error('rolled back')
  const changing = inStore(store.id, async (tx) => {
    const { rowCount } = await tx.knex.raw(sql)
    assert.ok(rowCount > 0, 'the change finds a row')
    found.push(...(await findDiscrepancies(tx)))
    throw rollback
  })
  await assert.rejects(changing, rollback)
  return found
}

/** For each invariant a change that breaks it. */
const BREAKS: Record<string, string> = {
  'order.captured': `update orders set amount_captured_minor = amount_captured_minor + 1 where amount_captured_minor > 0`,
  'order.refunded': `update orders set amount_refunded_minor = amount_refunded_minor - 1 where amount_refunded_minor > 0`,
  'order.refunded_units': `update order_items set refunded_quantity = 0 where refunded_quantity > 0`,
  'order.unpaid': `update orders set status = 'canceled' where amount_captured_minor > amount_refunded_minor`,
  'order.paid_in_full': `update orders set total_minor = total_minor + 1, shipping_minor = shipping_minor + 1`,
  'order.paid_at': `update orders set paid_at = null where amount_captured_minor > 0`,
  'order.open_payments': `
    insert into payments (store_id, id, order_id, provider, status, amount_minor, currency, created_at, updated_at)
    select store_id, gen_random_uuid(), id, 'stripe', 'requires_action', 1, currency, now(), now()
    from orders where amount_captured_minor > 0`,
  'refund.excess': `update refunds set excess_minor = 1 where status = 'succeeded' and surplus_id is null`,
  'payment.refunded': `update payments set captured_minor = 1 where status = 'captured'`,
  'refund.currency': `update refunds set currency = 'USD' where payment_id is not null`,
  'surplus.within_payment': `update surpluses set currency = 'USD'`,
  'surplus.returned': `update surpluses set returned_minor = 0, status = 'owed', next_attempt_at = now()`,
  'surplus.next_attempt': `update surpluses set returned_minor = 0, status = 'owed', next_attempt_at = null`,
  'dispute.booked': `update disputes set status = 'won' where status = 'lost'`,
  'voucher.ledger': `update vouchers set amount_minor = amount_minor + 1`,
  'voucher.entry_numbers': `update voucher_entries set number = number + 10 where number = 1`,
  'voucher.balance': `update voucher_entries set balance_minor = balance_minor + 1 where number = 1`,
  'voucher.redeemed': `update voucher_redemptions set amount_minor = amount_minor + 1`,
  'voucher.redemption_amount': `update voucher_redemptions set amount_minor = amount_minor + 1`,
  'voucher.redemption_status': `
    update voucher_redemptions set status = 'reserved', refunded_minor = 0 where status = 'captured'`,
  'voucher.bought': `
    update vouchers set awaits_payment = true, is_active = false where order_item_id is not null`,
  'voucher.refunded': `update voucher_redemptions set refunded_minor = refunded_minor - 1 where refunded_minor > 0`,
  'voucher.credited': `update refunds set credit_minor = 0 where credit_minor > 0`,
  'voucher.withdrawn': `update voucher_withdrawals set is_undone = true`,
  'voucher.price_refunded': `delete from voucher_withdrawals`,
  'stock.reserved': `update product_variants set stock_held = stock_held + 1`,
  'stock.on_hand': `update product_variants set stock_on_hand = stock_on_hand + 1`,
  'stock.reservation_status': `update orders set status = 'canceled' where status = 'processing'`,
  'stock.shipped': `update stock_reservations set status = 'shipped' where status = 'allocated'`,
  'customer.figures': `update customers set orders_count = orders_count + 1`,
  'customer.counts': `update customer_counts set customers = customers + 1`,
  'subscription.open_charge': `
    update subscriptions set status = 'completed', ended_at = now(), due_at = null where status = 'pending'`,
  'subscription.charge_numbers': `update subscriptions set charge_no = charge_no + 1 where status = 'active'`,
  'subscription.order_of_charge': `update orders set charge_no = 7 where charge_no is not null`,
  'subscription.charge_of_order': `update subscription_charges set order_id = null where settled_at is not null`,
  'subscription.awaited_payment': `
    update subscription_charges c set payment_id = p.id
    from payments p where p.order_id <> c.order_id and c.settled_at is null`,
  'subscription.due': `update subscriptions set due_at = null where status = 'active'`,
  'subscription.completed': `update subscriptions set charges_left = 0 where status = 'active'`,
  'affiliate.ledger': `update affiliates set balance_minor = balance_minor + 1`,
  'affiliate.entry_numbers': `update commission_entries set number = number + 10 where number = 1`,
  'affiliate.balance': `update commission_entries set balance_minor = balance_minor + 1 where number = 2`,
  'commission.booked': `update commission_entries set order_id = null where kind = 'reversed'`,
  'commission.amount': `update commissions set percent = percent + 100`,
  'commission.reversed': `update commissions set reversed_minor = reversed_minor - 1 where reversed_minor > 0`,
  'commission.refunded': `
    with aged as (update orders set updated_at = now() - interval '1 hour' where status = 'refunded')
    update commissions set goods_refunded_minor = goods_refunded_minor - 1 where goods_refunded_minor > 0`,
  'commission.order': `update orders set affiliate_id = null where affiliate_id is not null`,
  'commission.missing': `
    with aged as (
      update orders set affiliate_id = (select id from affiliates limit 1), status = 'complete',
        updated_at = now() - interval '1 hour'
      where affiliate_id is null)
    update commissions set percent = percent`,
  'coupon.uses_count': `update coupons set uses_count = uses_count + 1`,
  'coupon.use_state': `
    update coupon_uses u set released_at = now() from orders o where o.id = u.order_id and o.status = 'processing'`,
  'report.sales': `update report_facts set sums[8] = sums[8] + 1 where fact = 'sales' and span = 'day'`,
}

test('every invariant holds in a store with entries in every book', async () => {
  assert.deepEqual(await inStore(store.id, findDiscrepancies), [])
})

test('every invariant has a control', () => {
  assert.deepEqual(Object.keys(BREAKS).sort(), INVARIANTS.map(({ name }) => name).sort())
})

for (const { name, sentence } of INVARIANTS)
  test(`a change against ${name} is found: ${sentence}`, async () => {
    const found = await discrepanciesAfter(BREAKS[name] ?? '')

    const [own] = found.filter(({ invariant }) => invariant === name)
    assert.ok(own, `found only ${JSON.stringify(found)}`)
    assert.notEqual(own.expected, own.found)
    assert.match(own.subject, /^\w+ [0-9a-f-]{36}/)
  })

test("a store does not see another store's books", async () => {
  const other = await buildStore()

  const seen = await inStore(store.id, async (tx) => {
    await tx.knex.raw('update vouchers set amount_minor = amount_minor + 1')
    await tx.knex.raw(`select set_config('app.store_id', ?, true)`, [other.id])
    const found = await findDiscrepancies(tx)
    await tx.knex.raw(`select set_config('app.store_id', ?, true)`, [store.id])
    await tx.knex.raw('update vouchers set amount_minor = amount_minor - 1')
    return found
  })

  assert.deepEqual(seen, [])
})
