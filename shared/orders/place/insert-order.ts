import { customerActor } from '#shared/orders/actor.ts'
import type { Order } from '#shared/orders/order.ts'
import type { OrderItem } from '#shared/orders/order-item.ts'
import { wordsOfOrder } from '#shared/orders/order-words.ts'
import { newId } from '#shared/platform/db/id.ts'
import { toColumnNames } from '#shared/platform/db/model.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// One statement inserts all rows of an order, to keep checkouts fast. The rows are JSON objects with a key for every
// column of the table.
const INSERT_ORDER: Statement = {
  name: 'insert_order',
  text: `
  with written as (
    insert into orders select * from jsonb_populate_record(null::orders, $1::jsonb)),
  lines as (
    insert into order_items select * from jsonb_populate_recordset(null::order_items, $2::jsonb)),
  words as (
    insert into order_words select * from jsonb_populate_recordset(null::order_words, $3::jsonb))
  insert into order_steps select * from jsonb_populate_record(null::order_steps, $4::jsonb)`,
}

/** Inserts a new order with its lines, its words and the first step of its history. */
export async function insertOrder(tx: StoreTx, order: Order, items: OrderItem[]): Promise<void> {
  const step = {
    storeId: tx.storeId,
    id: newId(),
    orderId: order.id,
    toStatus: order.status,
    actor: customerActor(order.customerId),
    createdAt: order.createdAt,
  }
  const words = wordsOfOrder(order).map((word) => ({ storeId: tx.storeId, word, orderId: order.id }))
  await tx.prepared(INSERT_ORDER, [toRow(order), toRows(items), toRows(words), toRow(step)])
}

/** JSON has neither bigint nor bytes. PostgreSQL reads both from text. */
const toJsonValue = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return value.map(toJsonValue)
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

const toJsonColumns = (row: object): object =>
  toColumnNames(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toJsonValue(value)])))

const toRow = (row: object): string => JSON.stringify(toJsonColumns(row))
const toRows = (rows: object[]): string => JSON.stringify(rows.map(toJsonColumns))
