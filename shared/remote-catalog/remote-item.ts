/** An item of the external catalog, as it was read. What that leaves empty is ''. */
export interface RemoteItem {
  id: string
  name: string
  type: string
  is_active: boolean
  code: string
  sku: string
  barcode: string
  unit: string
  /** As the external system writes it: no amount of ours. */
  price: string
  vat_percent: string
  category_id: string
  category_name: string
  image_url: string
  /** ISO 8601, UTC; the beginning of 1970 where it is not known. */
  update_date: string
}

/** One page of them, and how many there are in all. */
export interface RemotePage {
  items: RemoteItem[]
  total: number
}

/** What came of a question: what was asked for, or why not. */
export type RemoteAnswer =
  | { page: RemotePage }
  | { item: RemoteItem | null }
  | { fault: 'rate_limited'; retryAfter: number }
  | { fault: 'unavailable'; why: string }
