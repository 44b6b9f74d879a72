import type { Visibility } from '#shared/customer-records/find-open-business.ts'
import { holds, type RightsHolder } from '#shared/staff/rights.ts'

/** What `customer.has_open_business` names, in the descriptions of the operations of staff. */
export const NAMES_BY_RIGHTS =
  'Without the right `sales:read`, the message gives only the number of orders, returns and subscriptions, and ' +
  'without `marketing:read` that of affiliates.'

/** Returns the open business of a customer that an error may name to staff. */
export const businessVisibleTo = (caller: RightsHolder): Visibility => ({
  sales: holds(caller, ['sales:read']) ? 'all' : 'none',
  affiliates: holds(caller, ['marketing:read']),
})
