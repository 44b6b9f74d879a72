import * as accountsStorefront from './accounts/storefront.ts'
import * as catalogAdmin from './catalog/admin.ts'
import * as catalogImport from './catalog/import.ts'
import * as catalogStorefront from './catalog/storefront.ts'
import * as eventsAdmin from './events/admin.ts'
import type { Operation } from './platform/endpoint.ts'
import * as storesStorefront from './stores/storefront.ts'
import * as webhooksAdmin from './webhooks/admin.ts'
import * as webhooksDeliveries from './webhooks/deliveries.ts'

/** Every operation of the service: what is not listed here is neither served, described nor tested. */
export const endpoints: readonly Operation[] = [
  accountsStorefront,
  catalogAdmin,
  catalogImport,
  catalogStorefront,
  storesStorefront,
  eventsAdmin,
  webhooksAdmin,
  webhooksDeliveries,
].flatMap((area) => Object.values(area))
