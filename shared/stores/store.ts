import type { Links } from './links.ts'

/** A store as every request and job sees it. Money in minor units, spans in seconds. */
export interface Store {
  id: string
  slug: string
  name: string
  email: string
  status: 'active' | 'suspended' | 'deleted'
  currency: string
  defaultLanguage: string
  languages: string[]
  /** ISO 3166-1 alpha-2. Where a cart is taken to go while no address is known; null: nowhere, so it is not taxed. */
  country: string | null
  timeZone: string
  guestCheckoutEnabled: boolean
  minOrderTotalMinor: bigint
  stockHoldSeconds: number
  unpaidOrderSeconds: number
  catalog: Record<string, unknown>
  seo: Record<string, unknown>
  /** Where mails lead to. */
  links: Links
  /** Of its settings. */
  updatedAt: Date
}

/** The columns of `stores`, aliased `s`, as the JSON that `readStore` takes. bigint travels as text. */
export const STORE_JSON = `json_build_object(
  'id', s.id, 'slug', s.slug, 'name', s.name, 'email', s.email, 'status', s.status, 'currency', s.currency,
  'defaultLanguage', s.default_language, 'languages', s.languages, 'country', s.country,
  'timeZone', s.time_zone,
  'guestCheckoutEnabled', s.guest_checkout_enabled, 'minOrderTotalMinor', s.min_order_total_minor::text,
  'stockHoldSeconds', s.stock_hold_seconds, 'unpaidOrderSeconds', s.unpaid_order_seconds,
  'catalog', s.catalog, 'seo', s.seo, 'links', s.links, 'updatedAt', s.updated_at)`

/** Makes a store of `STORE_JSON`. */
export function readStore(json: string): Store {
  const raw = JSON.parse(json)
  return {
    ...raw,
    minOrderTotalMinor: BigInt(raw.minOrderTotalMinor),
    updatedAt: new Date(raw.updatedAt),
  }
}
