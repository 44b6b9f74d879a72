import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { Links } from '#shared/stores/settings/links.ts'
import { OrderMails } from '#shared/stores/settings/order-mails.ts'
import { SubscriptionMails } from '#shared/stores/settings/subscription-mails.ts'
import { STORE_STATUSES } from './states.ts'
import { CROSS_BORDER_PRICES, type Store, type WholeStore } from './store.ts'

const Hints = Type.Record(Type.String(), Type.Unknown())
const Status = Type.Enum([...STORE_STATUSES])

const profileProperties = {
  name: Type.String(),
  slug: Type.String(),
  email: Type.String(),
  currency: CurrencyCode,
  languages: Type.Array(Type.String()),
  default_language: Type.String({ description: 'BCP 47' }),
  country: Type.String({
    description: 'ISO 3166-1 alpha-2: the destination of carts without an address. Empty: they are not taxed',
  }),
  time_zone: Type.String({ description: 'IANA name' }),
}

const viewProfile = (store: Store) => ({
  name: store.name,
  slug: store.slug,
  email: store.email,
  currency: store.currency,
  languages: store.languages,
  default_language: store.defaultLanguage,
  country: toText(store.country),
  time_zone: store.timeZone,
})

export const MinOrderTotal = {
  ...Money,
  description:
    'The smallest total of the goods of an order, after its coupon and before shipping and added tax. Gift vouchers ' +
    'do not count, and an order of vouchers alone has no minimum',
}

const infoProperties = {
  ...profileProperties,
  prices_include_tax: Type.Boolean({ description: 'Prices include the tax of `country`' }),
  cross_border_prices: {
    ...Type.Enum([...CROSS_BORDER_PRICES]),
    description:
      'How prices that include tax change where other rates apply than in `country`. `keep_gross`: the buyer pays ' +
      'the same gross price. `keep_net`: the store gets the same net price',
  },
  guest_checkout_enabled: Type.Boolean(),
  min_order_total: MinOrderTotal,
  catalog: Hints,
  seo: Hints,
}

export const StoreInfoView = Shape(infoProperties)

/** Returns a store as its storefronts see it. */
export const viewStoreInfo = (store: WholeStore): Static<typeof StoreInfoView> => ({
  ...viewProfile(store),
  prices_include_tax: store.pricesIncludeTax,
  cross_border_prices: store.crossBorderPrices,
  guest_checkout_enabled: store.guestCheckoutEnabled,
  min_order_total: toMajor(store.minOrderTotalMinor, store.currency),
  catalog: store.catalog,
  seo: store.seo,
})

const settingsProperties = {
  ...infoProperties,
  stock_hold_seconds: Type.Integer(),
  bank_transfer_hold_seconds: Type.Integer(),
  unpaid_order_seconds: Type.Integer(),
  links: Links,
  branding: Shape({ logo_url: Type.String(), color: Type.String() }),
  order_mails: OrderMails,
  subscription_mails: SubscriptionMails,
}

export const StoreSettingsView = Shape(settingsProperties)

/** Returns the settings of a store as its staff see them. */
export const viewSettings = (store: WholeStore): Static<typeof StoreSettingsView> => ({
  ...viewStoreInfo(store),
  stock_hold_seconds: store.stockHoldSeconds,
  bank_transfer_hold_seconds: store.bankTransferHoldSeconds,
  unpaid_order_seconds: store.unpaidOrderSeconds,
  links: store.links,
  branding: { logo_url: toText(store.branding.logo_url), color: toText(store.branding.color) },
  order_mails: store.orderMails,
  subscription_mails: store.subscriptionMails,
})

export const StoreView = Shape({ id: Uuid, status: Status, ...settingsProperties, updated_at: Timestamp })

/** Returns a store with its settings as its staff see it. */
export const viewStore = (store: WholeStore): Static<typeof StoreView> => ({
  id: store.id,
  status: store.status,
  ...viewSettings(store),
  updated_at: toTimestamp(store.updatedAt),
})

export const storeRecordProperties = {
  id: Uuid,
  status: Status,
  ...profileProperties,
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  purge_requested_at: Nullable(Timestamp),
  purge_started_at: {
    ...Nullable(Timestamp),
    description: 'A purge starts upon a request, or 30 days after the deletion',
  },
}

export const StoreRecordView = Shape(storeRecordProperties)

/** Returns a store as super-admins see it. */
export const viewStoreRecord = (store: Store): Static<typeof StoreRecordView> => ({
  id: store.id,
  status: store.status,
  ...viewProfile(store),
  created_at: toTimestamp(store.createdAt),
  updated_at: toTimestamp(store.updatedAt),
  deleted_at: toTimestampOrNull(store.deletedAt),
  purge_requested_at: toTimestampOrNull(store.purgeRequestedAt),
  purge_started_at: toTimestampOrNull(store.purgeStartedAt),
})
