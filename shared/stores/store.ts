import type { Knex } from 'knex'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Branding } from '#shared/stores/settings/branding.ts'
import type { Links } from '#shared/stores/settings/links.ts'
import type { OrderMails } from '#shared/stores/settings/order-mails.ts'
import type { SubscriptionMails } from '#shared/stores/settings/subscription-mails.ts'
import type { StoreStatus } from './states.ts'

/**
 * How prices that include tax change in places with other rates than the store's country. `keep_gross`: the buyer pays
 * the same price. `keep_net`: the store gets the same net price.
 */
export const CROSS_BORDER_PRICES = ['keep_gross', 'keep_net'] as const
export type CrossBorderPrices = (typeof CROSS_BORDER_PRICES)[number]

/** A store with its settings. Amounts are in minor units of its currency, durations in seconds. */
export interface Store {
  id: string
  slug: string
  name: string
  email: string
  status: StoreStatus
  /** ISO 4217. */
  currency: string
  /** BCP 47. */
  defaultLanguage: string
  languages: string[]
  /** ISO 3166-1 alpha-2. The destination of carts without an address; null if these carts are not taxed. */
  country: string | null
  /** Whether the store enters prices with the tax of its country. */
  pricesIncludeTax: boolean
  crossBorderPrices: CrossBorderPrices
  /** IANA name. */
  timeZone: string
  guestCheckoutEnabled: boolean
  minOrderTotalMinor: bigint
  stockHoldSeconds: number
  /** An order by bank transfer keeps its stock, coupon and voucher balance for this time. */
  bankTransferHoldSeconds: number
  unpaidOrderSeconds: number
  /** The pages that mails link to. */
  links: Links
  branding: Branding
  orderMails: OrderMails
  subscriptionMails: SubscriptionMails
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  /** The time of the last restoration after a suspension or deletion. */
  reopenedAt: Date | null
  /** Once a purge is requested, the store can no longer be restored. */
  purgeRequestedAt: Date | null
  /** Once a purge has started, rows are missing. It starts upon a request or after the retention. */
  purgeStartedAt: Date | null
}

/** A store with the hints to its storefronts, which may be long. */
export interface WholeStore extends Store {
  catalog: Record<string, unknown>
  seo: Record<string, unknown>
}

export const STORE_COLUMNS = {
  id: 'id',
  slug: 'slug',
  name: 'name',
  email: 'email',
  status: 'status',
  currency: 'currency',
  defaultLanguage: 'default_language',
  languages: 'languages',
  country: 'country',
  pricesIncludeTax: 'prices_include_tax',
  crossBorderPrices: 'cross_border_prices',
  timeZone: 'time_zone',
  guestCheckoutEnabled: 'guest_checkout_enabled',
  minOrderTotalMinor: 'min_order_total_minor',
  stockHoldSeconds: 'stock_hold_seconds',
  bankTransferHoldSeconds: 'bank_transfer_hold_seconds',
  unpaidOrderSeconds: 'unpaid_order_seconds',
  links: 'links',
  branding: 'branding',
  orderMails: 'order_mails',
  subscriptionMails: 'subscription_mails',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  deletedAt: 'deleted_at',
  reopenedAt: 'reopened_at',
  purgeRequestedAt: 'purge_requested_at',
  purgeStartedAt: 'purge_started_at',
} as const satisfies Record<keyof Store, string>

export const WHOLE_STORE_COLUMNS = {
  ...STORE_COLUMNS,
  catalog: 'catalog',
  seo: 'seo',
} as const satisfies Record<keyof WholeStore, string>

/**
 * SQL: a row of `stores`, aliased `s`, as the JSON that `parseStore` reads. It omits the hints, which can take a
 * megabyte: every request reads its store, and one statement reads the stores of several requests.
 */
export const STORE_JSON = `json_build_object(${Object.entries(STORE_COLUMNS)
  .map(([field, column]) => `'${field}', s.${column}`)
  .join(', ')})`

/** Reads a store from `STORE_JSON`. */
export function parseStore(json: string): Store {
  const raw = JSON.parse(json)
  return {
    ...raw,
    minOrderTotalMinor: BigInt(raw.minOrderTotalMinor),
    createdAt: new Date(raw.createdAt),
    updatedAt: new Date(raw.updatedAt),
    deletedAt: raw.deletedAt && new Date(raw.deletedAt),
    reopenedAt: raw.reopenedAt && new Date(raw.reopenedAt),
    purgeRequestedAt: raw.purgeRequestedAt && new Date(raw.purgeRequestedAt),
    purgeStartedAt: raw.purgeStartedAt && new Date(raw.purgeStartedAt),
  }
}

/** Selects the transaction's row of `stores`. Policies let the transaction read all stores, and change this one. */
export const ownStore = ({ knex, storeId }: StoreTx) => knex('stores').where('id', storeId)

/** Reads the transaction's store. */
export const readStore = (tx: StoreTx): Promise<Store> => ownStore(tx).first(STORE_COLUMNS)

/** Reads the transaction's store with its hints. */
export const readWholeStore = (tx: StoreTx): Promise<WholeStore> => ownStore(tx).first(WHOLE_STORE_COLUMNS)

/** Whether the transaction's store is open. Nobody is charged by a store that is suspended or deleted. */
export const isStoreActive = async (tx: StoreTx): Promise<boolean> =>
  (await readStore(tx)).status === 'active'

/** Locks the store against other changes and reads it. New rows, e.g. sessions, may still refer to it. */
export const lockStore = (tx: StoreTx): Promise<WholeStore> =>
  ownStore(tx).forNoKeyUpdate().first(WHOLE_STORE_COLUMNS)

/**
 * Locks the store against changes and new rows that refer to it, and reads it. Use it for closed stores only: in an
 * open one, new rows can keep the lock waiting for ever.
 */
export const lockStoreExclusively = (tx: StoreTx): Promise<Store> =>
  ownStore(tx).forUpdate().first(STORE_COLUMNS)

/**
 * Whether any store, not only the transaction's, is suspended or deleted. Locks a closed store, so that it is not
 * restored before the transaction ends. Waits for a restoration or purge that has begun.
 */
export async function lockIfClosed(knex: Knex, id: string): Promise<boolean> {
  const closed = knex('stores').where({ id }).whereNot('status', 'active')
  return (await closed.forKeyShare().first('id')) !== undefined
}

/**
 * Whether a purge is deleting the store's rows, or has deleted the store. If not, no purge starts before the end of the
 * transaction.
 */
export const isPurging = async (tx: StoreTx): Promise<boolean> =>
  (await ownStore(tx).whereNull('purge_started_at').forKeyShare().first('id')) === undefined

/** SQL: a value of the transaction's store, from an expression over its row. */
export const storeValueSql = (expression: string): string =>
  `(select ${expression} from stores where id = ${CURRENT_STORE})`

/** SQL: the currency of the transaction's store. */
export const CURRENCY_OF_STORE = storeValueSql('currency')

/** SQL: whether the transaction's store is deleted. */
export const IS_STORE_DELETED = storeValueSql("status = 'deleted'")
