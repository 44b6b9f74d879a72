import { locateStores } from '#shared/payments/payment-references.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  findUnequalDisputes,
  findUnequalPayments,
  findUnequalRefunds,
  findUnlisted,
} from '#shared/reconciliation/find-unequal.ts'
import type { Window } from '#shared/reconciliation/gateway-books.ts'
import { walkStoreIds } from '#shared/stores/list-stores.ts'
import type { PaymentGateway } from '#workers/gateways/payments.ts'

const PROVIDER = 'stripe'
const BATCH = 500

/** The payments of each store that may differ from the gateway, by its references. */
export type Flags = Map<string, Set<string>>

/**
 * Reads the gateway's lists of a window and compares them with the books: a page at a time, and no transaction is open
 * while the gateway is read.
 */
export async function flagPayments(gateway: PaymentGateway, window: Window): Promise<Flags> {
  const stores = new Set(await Array.fromAsync(walkStoreIds()))
  const flags: Flags = new Map()
  const flag = (storeId: string, references: readonly string[]) => {
    const flagged = flags.get(storeId) ?? new Set()
    for (const reference of references) flagged.add(reference)
    if (flagged.size) flags.set(storeId, flagged)
  }
  /** Reads a list; `paymentOf` is the payment of an item, and `find` returns the payments that differ in a store. */
  async function compareList<T>(
    list: AsyncIterable<T>,
    paymentOf: (item: T) => string,
    find: (tx: StoreTx, items: readonly T[]) => Promise<string[]>,
    claimed: (item: T) => string | null = () => null,
  ) {
    for await (const items of inBatches(list)) {
      const located = await locateStores(PROVIDER, items.map(paymentOf))
      const byStore = Map.groupBy(items, (item) => located.get(paymentOf(item)) ?? claimed(item))
      for (const [storeId, ofStore] of byStore)
        if (storeId && stores.has(storeId)) flag(storeId, await inStore(storeId, (tx) => find(tx, ofStore)))
    }
  }

  const listed = { payments: new Set<string>(), refunds: new Set<string>() }
  const payments = noting(gateway.listPayments(window), ({ reference }) => listed.payments.add(reference))
  await compareList(
    payments,
    ({ reference }) => reference,
    findUnequalPayments,
    ({ storeId }) => (storeId && isUuid(storeId) ? storeId : null),
  )
  const refunds = noting(gateway.listRefundsSince(window.from), ({ reference }) =>
    listed.refunds.add(reference ?? ''),
  )
  await compareList(refunds, ({ paymentReference }) => paymentReference, findUnequalRefunds)
  const disputes = gateway.listDisputesSince(window.from)
  await compareList(disputes, ({ paymentReference }) => paymentReference, findUnequalDisputes)
  for (const storeId of stores)
    flag(storeId, await inStore(storeId, (tx) => findUnlisted(tx, window, listed)))
  return flags
}

async function* noting<T>(items: AsyncIterable<T>, note: (item: T) => unknown): AsyncGenerator<T> {
  for await (const item of items) {
    note(item)
    yield item
  }
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length) yield batch
}
