import { type Static, Type } from 'typebox'
import { Money, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { Links } from './links.ts'
import type { Store } from './store.ts'
import { HintsView, StoreCountry } from './view.ts'

const properties = {
  name: Type.String(),
  slug: Type.String(),
  email: Type.String(),
  currency: Type.String({ description: 'ISO 4217' }),
  languages: Type.Array(Type.String()),
  default_language: Type.String({ description: 'BCP 47' }),
  country: StoreCountry,
  time_zone: Type.String({ description: 'IANA name' }),
  guest_checkout_enabled: Type.Boolean(),
  min_order_total: Money,
  stock_hold_seconds: Type.Integer(),
  unpaid_order_seconds: Type.Integer(),
  catalog: HintsView,
  seo: HintsView,
  links: Links,
}

export const StoreSettingsView = Shape(properties)

export const StoreView = Shape({
  id: Uuid,
  status: Type.Enum(['active', 'suspended', 'deleted']),
  ...properties,
  updated_at: Timestamp,
})

/** What staff see and set of their store. */
export const viewSettings = (store: Store): Static<typeof StoreSettingsView> => ({
  name: store.name,
  slug: store.slug,
  email: store.email,
  currency: store.currency,
  languages: store.languages,
  default_language: store.defaultLanguage,
  country: store.country,
  time_zone: store.timeZone,
  guest_checkout_enabled: store.guestCheckoutEnabled,
  min_order_total: toMajor(store.minOrderTotalMinor, store.currency),
  stock_hold_seconds: store.stockHoldSeconds,
  unpaid_order_seconds: store.unpaidOrderSeconds,
  catalog: store.catalog,
  seo: store.seo,
  links: store.links,
})

/** The store as a resource: its settings, and whether it is open. */
export const viewStore = (store: Store): Static<typeof StoreView> => ({
  id: store.id,
  status: store.status,
  ...viewSettings(store),
  updated_at: toTimestamp(store.updatedAt),
})
