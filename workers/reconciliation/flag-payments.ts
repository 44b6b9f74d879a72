import { locateStores } from '#shared/payments/payment-references.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import {
  findUnequalDisputes,
  findUnequalPayments,
  findUnequalRefunds,
  findUnlisted,
} from '#shared/reconciliation/find-unequal.ts'
import type { Window } from '#shared/reconciliation/read-gateway-books.ts'
import type { RunForStore } from '#shared/stores/isolate-store-failures.ts'
import { walkStoreIds } from '#shared/stores/walk-store-ids.ts'
import type { PaymentGateway } from '#workers/gateways/payments.ts'
import { inBatches, tap } from './gateway-list.ts'

/** The gateway's references of payments that may differ, by store. */
export type Flags = Map<string, Set<string>>

/**
 * Reads the gateway's lists of a window and compares them with the books of each store in `runForStore`, page by page.
 * No transaction is open while it reads the gateway.
 */
export async function flagPayments(
  gateway: PaymentGateway,
  window: Window,
  runForStore: RunForStore,
): Promise<Flags> {
  const stores = new Set(await Array.fromAsync(walkStoreIds()))
  const listed = { payments: new Set<string>(), refunds: new Set<string>() }
  const payments = tap(gateway.listPayments(window), ({ reference }) => listed.payments.add(reference))
  const refunds = tap(gateway.listRefundsSince(window.from), ({ reference }) =>
    listed.refunds.add(reference ?? ''),
  )
  const disputes = gateway.listDisputesSince(window.from)
  const flags: Flags = new Map()
  for (const unequal of [
    findUnequal(payments, {
      stores,
      runForStore,
      paymentOf: ({ reference }) => reference,
      find: findUnequalPayments,
      storeOf: ({ storeId }) => (storeId && isUuid(storeId) ? storeId : null),
    }),
    findUnequal(refunds, { stores, runForStore, paymentOf: paymentReferenceOf, find: findUnequalRefunds }),
    findUnequal(disputes, { stores, runForStore, paymentOf: paymentReferenceOf, find: findUnequalDisputes }),
  ])
    for await (const { storeId, references } of unequal) flag(flags, storeId, references)
  for (const storeId of stores)
    await runForStore(storeId, async () =>
      flag(flags, storeId, await inStore(storeId, (tx) => findUnlisted(tx, window, listed))),
    )
  return flags
}

const paymentReferenceOf = ({ paymentReference }: { paymentReference: string }) => paymentReference

interface Comparison<T> {
  stores: ReadonlySet<string>
  runForStore: RunForStore
  /** The gateway's reference of an item's payment. */
  paymentOf: (item: T) => string
  /** Returns the references of the payments that differ in a store. */
  find: (tx: StoreTx, items: readonly T[]) => Promise<string[]>
  /** The store that an item names itself. It is used if the payment is unknown here. */
  storeOf?: (item: T) => string | null
}

/** Compares a list of the gateway with the books, and returns the references of payments that differ, by store. */
async function* findUnequal<T>(
  list: AsyncIterable<T>,
  { stores, runForStore, paymentOf, find, storeOf = () => null }: Comparison<T>,
): AsyncGenerator<{ storeId: string; references: string[] }> {
  for await (const items of inBatches(list)) {
    const located = await locateStores(CARD_PROVIDER, items.map(paymentOf))
    const byStore = Map.groupBy(items, (item) => located.get(paymentOf(item)) ?? storeOf(item))
    for (const [storeId, ofStore] of byStore)
      if (storeId && stores.has(storeId)) {
        const references = await runForStore(storeId, () => inStore(storeId, (tx) => find(tx, ofStore)))
        if (references) yield { storeId, references }
      }
  }
}

function flag(flags: Flags, storeId: string, references: readonly string[]): void {
  const flagged = flags.get(storeId) ?? new Set()
  for (const reference of references) flagged.add(reference)
  if (flagged.size) flags.set(storeId, flagged)
}
