import objection from 'objection'
import { newId } from '#shared/platform/db/id.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { customerActor } from './actor.ts'
import type { Order } from './order.ts'
import type { OrderItem } from './order-item.ts'

// An order is five rows or more: one statement writes them all, which is a good part of a checkout's speed. Rows come
// as JSON whose keys are the columns, every one of them.
const INSERT_ORDER: Statement = {
  name: 'insert_order',
  text: `
  with written as (
    insert into orders select * from jsonb_populate_record(null::orders, $1::jsonb)),
  lines as (
    insert into order_items select * from jsonb_populate_recordset(null::order_items, $2::jsonb)),
  step as (
    insert into order_history select * from jsonb_populate_record(null::order_history, $3::jsonb))
  insert into stock_reservations (store_id, order_id, variant_id, quantity, state)
  select store_id, order_id, variant_id, quantity, 'released'
  from jsonb_populate_recordset(null::order_items, $2::jsonb) where variant_id is not null`,
}

/** Writes a new order with its lines, the first step of its history, and what it wants of the stock. */
export async function insertOrder(tx: StoreTx, order: Order, items: OrderItem[]): Promise<void> {
  const step = {
    storeId: tx.storeId,
    id: newId(),
    orderId: order.id,
    toStatus: order.status,
    actor: customerActor(order.customerId),
    createdAt: order.createdAt,
  }
  await tx.prepared(INSERT_ORDER, [toRow(order), toRows(items), toRow(step)])
}

const mappers = objection.snakeCaseMappers()

/** JSON has neither bigint nor bytes: PostgreSQL reads both from text. */
const toText = (value: unknown) => {
  if (typeof value === 'bigint') return `${value}`
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

const toColumns = (row: object): object =>
  mappers.format(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toText(value)])))

const toRow = (row: object): string => JSON.stringify(toColumns(row))
const toRows = (rows: object[]): string => JSON.stringify(rows.map(toColumns))
