import type { StoreTx } from '../platform/store-scope.ts'
import { LIVE } from './find-links.ts'

/** What the store itself knows of items of the external catalog. */
export interface Annotations {
  /** The product of each item that is linked to one. */
  products: Record<string, string>
  /** The store's tax rates, in parts per million. */
  ratesPpm: number[]
}

const ANNOTATE = {
  name: 'annotate_remote_items',
  text: `
    select
      (select coalesce(json_object_agg(item_id, product_id), '{}') from remote_links
        where store_id = current_setting('app.store_id')::uuid and item_id = any ($1) and ${LIVE}) as products,
      (select coalesce(json_agg(distinct rate_ppm), '[]') from tax_rates
        where store_id = current_setting('app.store_id')::uuid) as "ratesPpm"`,
}

/** What the store knows of these items, in one query. */
export async function annotate(tx: StoreTx, itemIds: string[]): Promise<Annotations> {
  const [row] = await tx.prepared<Annotations>(ANNOTATE, [itemIds])
  return row ?? { products: {}, ratesPpm: [] }
}
