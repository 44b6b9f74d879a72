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
import { inBatches } from './in-batches.ts'

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
  const search: Search = { stores, runForStore, flags: new Map() }
  const payments = await flagUnequal(search, gateway.listPayments(window), {
    paymentOf: ({ reference }) => reference,
    storeOf: ({ storeId }) => (storeId && isUuid(storeId) ? storeId : null),
    find: findUnequalPayments,
  })
  const refunds = await flagUnequal(search, gateway.listRefundsSince(window.from), {
    paymentOf: paymentReferenceOf,
    find: findUnequalRefunds,
  })
  await flagUnequal(search, gateway.listDisputesSince(window.from), {
    paymentOf: paymentReferenceOf,
    find: findUnequalDisputes,
  })
  for (const storeId of stores)
    await runForStore(storeId, async () => {
      const unlisted = await inStore(storeId, (tx) => findUnlisted(tx, window, { payments, refunds }))
      flag(search.flags, storeId, unlisted)
    })
  return search.flags
}

const paymentReferenceOf = ({ paymentReference }: { paymentReference: string }) => paymentReference

interface Search {
  stores: ReadonlySet<string>
  runForStore: RunForStore
  flags: Flags
}

interface Comparison<T> {
  /** The gateway's reference of an item's payment. */
  paymentOf: (item: T) => string
  /** The store that an item names itself. It is used if the payment is unknown here. */
  storeOf?: (item: T) => string | null
  /** Returns the references of the payments that differ in a store. */
  find: (tx: StoreTx, items: readonly T[]) => Promise<string[]>
}

/**
 * Flags the payments whose items in a list of the gateway differ from the books. Returns the references of all items.
 */
async function flagUnequal<T extends { reference: string }>(
  { stores, runForStore, flags }: Search,
  list: AsyncIterable<T>,
  { paymentOf, storeOf = () => null, find }: Comparison<T>,
): Promise<Set<string>> {
  const listed = new Set<string>()
  for await (const items of inBatches(list)) {
    for (const { reference } of items) listed.add(reference)
    const located = await locateStores(CARD_PROVIDER, items.map(paymentOf))
    const byStore = Map.groupBy(items, (item) => located.get(paymentOf(item)) ?? storeOf(item))
    for (const [storeId, ofStore] of byStore) {
      if (!storeId || !stores.has(storeId)) continue
      const references = await runForStore(storeId, () => inStore(storeId, (tx) => find(tx, ofStore)))
      flag(flags, storeId, references ?? [])
    }
  }
  return listed
}

function flag(flags: Flags, storeId: string, references: readonly string[]): void {
  const flagged = flags.get(storeId) ?? new Set()
  for (const reference of references) flagged.add(reference)
  if (flagged.size) flags.set(storeId, flagged)
}
