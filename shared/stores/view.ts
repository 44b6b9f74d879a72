import { type Static, Type } from 'typebox'
import { Money, Nullable, Shape } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Store } from './store.ts'

/** What a store tells its storefronts, under names of its own choosing. */
export const HintsView = Type.Record(Type.String(), Type.Unknown())

/** Where a cart is taken to go while no address is known. */
export const StoreCountry = {
  ...Nullable(Type.String()),
  description:
    'ISO 3166-1 alpha-2; carts without an address are taxed as if they went there. Null: not at all',
}

export const StoreInfoView = Shape({
  name: Type.String(),
  slug: Type.String(),
  email: Type.String(),
  currency: Type.String({ description: 'ISO 4217' }),
  default_language: Type.String({ description: 'BCP 47' }),
  country: StoreCountry,
  languages: Type.Array(Type.String()),
  time_zone: Type.String({ description: 'IANA name' }),
  guest_checkout_enabled: Type.Boolean(),
  min_order_total: Money,
  catalog: HintsView,
  seo: HintsView,
})

/** What a storefront shows of its store. */
export const viewStoreInfo = (store: Store): Static<typeof StoreInfoView> => ({
  name: store.name,
  slug: store.slug,
  email: store.email,
  currency: store.currency,
  default_language: store.defaultLanguage,
  country: store.country,
  languages: store.languages,
  time_zone: store.timeZone,
  guest_checkout_enabled: store.guestCheckoutEnabled,
  min_order_total: toMajor(store.minOrderTotalMinor, store.currency),
  catalog: store.catalog,
  seo: store.seo,
})
