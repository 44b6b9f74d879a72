import { Type } from 'typebox'
import { Count, importViews, Updated } from '#shared/imports/view.ts'

/** The views of the imports of customers. */
export const CUSTOMER_IMPORT = importViews(
  'CustomerImport',
  {
    customers_created: Count,
    customers_updated: Updated,
    customers_changed: Type.Integer({
      minimum: 0,
      description: 'Of the updated ones, those that differ or get an address',
    }),
    customers_failed: Type.Integer({ minimum: 0, description: 'Rows with an error' }),
  },
  ({ counts, errorCount }) => ({
    customers_created: counts.customers_created ?? 0,
    customers_updated: counts.customers_updated ?? 0,
    customers_changed: counts.customers_changed ?? 0,
    // A row is reported with its first error only.
    customers_failed: errorCount,
  }),
)
