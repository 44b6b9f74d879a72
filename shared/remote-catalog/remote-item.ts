import { parsePercent } from '#shared/tax/percent.ts'

/** An item of the external catalog. Missing texts are empty. */
export interface RemoteItem {
  id: string
  name: string
  type: string
  is_active: boolean
  code: string
  sku: string
  barcode: string
  unit: string
  /** The price as the external system writes it, not in minor units. */
  price: string
  vat_percent: string
  category_id: string
  category_name: string
  image_url: string
  /** ISO 8601, UTC; null when unknown. */
  update_date: string | null
}

/** A page of items and the total number of items. */
export interface RemotePage {
  items: RemoteItem[]
  total: number
}

/** The response to a request: the data or the reason of the failure. */
export type RemoteResponse =
  | { page: RemotePage }
  | { item: RemoteItem | null }
  | { fault: 'rate_limited'; retryAfter: number }
  | { fault: 'unavailable'; why: string }

const HUNDRED_PERCENT_PPM = 1_000_000

/** Parses a VAT percentage into parts per million ("19", "19.00 %" → 190,000). Null if it is not from 0 to 100. */
export function parseVat(text: string): number | null {
  // Do not use `\s*%$`: it takes quadratic time for a long row of blanks.
  const ppm = parsePercent(text.trim().replace(/%$/, '').trimEnd())
  return ppm !== null && ppm <= HUNDRED_PERCENT_PPM ? ppm : null
}
