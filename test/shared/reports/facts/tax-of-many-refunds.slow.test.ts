import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { packedFacts } from '#shared/reports/facts/fact.ts'
import { TAX_FACTS } from '#shared/reports/facts/tax-facts.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

const DAY = '2026-03-22'
const CLASSES = 20
const RATES = 10
const REFUNDS = 200

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

test('the tax of an order is calculated once a day, however many refunds the day has', async () => {
  const store = await buildStore()
  const order = await buildPaidOrder(store)

  await inStore(store.id, async (tx) => {
    await setTaxes(tx, order.id)
    await refundInParts(tx, order.id)

    const [refunded] = await tx.knex
      .raw(`with ${DAYS} select ${SUMS} from (${FACTS}) as facts`)
      .then(({ rows }) => rows)
    const { rows } = await tx.knex.raw(`explain (analyze, format json) with ${DAYS} ${FACTS}`)

    // Half of the order is refunded on the day, so half of each tax of 1.00.
    assert.deepEqual(refunded, { keys: BigInt(CLASSES * RATES), tax: BigInt(CLASSES * RATES * 50) })
    const most = maxRows(rows[0]['QUERY PLAN'][0].Plan)
    assert.ok(most < REFUNDS * CLASSES * RATES, `PostgreSQL handles ${most} rows at once`)
  })
})

const DAYS = `days as materialized (
  select date '${DAY}' as day, timestamptz '${DAY} 00:00Z' as starts, timestamptz '${DAY} 24:00Z' as ends)`
const FACTS = packedFacts(TAX_FACTS, 'days')
const SUMS = 'count(*) as keys, sum(sums[4])::bigint as tax'

/** Gives an order lines of 100.00 of many tax classes with many rates. It was paid before the day. */
async function setTaxes({ knex }: StoreTx, orderId: string): Promise<void> {
  await copyRows(knex, {
    table: 'order_items',
    of: { order_id: orderId },
    from: `generate_series(2, ${CLASSES}) n`,
    changes: `'position', n, 'unit_price_minor', 10000, 'line_total_minor', 10000, 'total_minor', 10000`,
  })
  await knex('order_items')
    .where('order_id', orderId)
    .update({
      unit_price_minor: 10_000,
      line_total_minor: 10_000,
      total_minor: 10_000,
      tax_class_id: knex.raw('gen_random_uuid()'),
    })
  await knex.raw(
    `update orders o set paid_at = timestamptz '${DAY} 00:00Z' - interval '3 days', shipping_method = null,
       amount_captured_minor = :total, subtotal_minor = :total, shipping_minor = 0, tax_minor = 0, total_minor = :total,
       taxes = (
         select jsonb_agg(jsonb_build_object('taxClassId', i.tax_class_id, 'name', 'Rate ' || n, 'ratePpm', 10000,
           'taxMinor', 100, 'netMinor', 9900))
         from order_items i, generate_series(1, ${RATES}) n where i.order_id = o.id)
     where id = :orderId`,
    { orderId, total: CLASSES * 10_000 },
  )
}

/** Refunds half of the order on the day, and an eighth on the days before and after. */
async function refundInParts(tx: StoreTx, orderId: string): Promise<void> {
  await tx.knex.raw(
    `insert into refunds (store_id, id, order_id, currency, status, origin, requested_by, restock, amount_minor,
       gateway_amount_minor, created_at, settled_at)
     select :storeId, gen_random_uuid(), :orderId, currency, 'succeeded', 'store', 'system', false,
       amount_captured_minor / parts / ${REFUNDS}, 0, at, at
     from orders, generate_series(1, ${REFUNDS}) n,
       (values (2, 0), (8, -1), (8, 1)) as days (parts, day),
       lateral (select timestamptz '${DAY} 10:00Z' + day * interval '1 day' + n * interval '1 second' as at) as times
     where id = :orderId`,
    { storeId: tx.storeId, orderId },
  )
}

/** Returns the most rows that a part of a plan yields. */
const maxRows = (plan: Plan): number =>
  Math.max(plan['Actual Rows'] * plan['Actual Loops'], ...(plan.Plans ?? []).map(maxRows))
