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
  /** As the external system writes it, not an amount in minor units. */
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
