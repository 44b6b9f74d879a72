import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { TAX_RATES_PPM } from '#shared/tax/tax-rate.ts'
import { HAS_LIVE_PRODUCT } from './remote-link.ts'

/** The store's own data about items of the external catalog. */
export interface Annotations {
  /** The product id of each linked item. */
  products: Record<string, string>
  /** The store's tax rates, in parts per million. */
  ratesPpm: number[]
}

const ANNOTATE = {
  name: 'annotate_remote_items',
  text: `
    select json_build_object(
      'products', (select coalesce(json_object_agg(item_id, product_id), '{}') from remote_links
        where store_id = ${CURRENT_STORE}
          and item_id in (select json_array_elements_text($1::json)) and ${HAS_LIVE_PRODUCT}),
      'ratesPpm', ${TAX_RATES_PPM})`,
}

/** Reads the store's data about these items in one round trip. */
export async function annotate(storeId: string, itemIds: string[]): Promise<Annotations> {
  const [row] = await readInStore(storeId, ANNOTATE, [JSON.stringify(itemIds)])
  return JSON.parse(row?.[0] ?? '{"products":{},"ratesPpm":[]}')
}
