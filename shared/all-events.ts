/** Loads every domain's kinds of events, so that each process knows all of them. A test keeps the list whole. */
import '#shared/catalog/events.ts'
import '#shared/customers/events.ts'
import '#shared/orders/events.ts'
import '#shared/questions/events.ts'
import '#shared/refunds/events.ts'
import '#shared/vouchers/events.ts'
import '#shared/returns/events.ts'
import '#shared/webhooks/events.ts'
