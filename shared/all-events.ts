/** Loads every domain's kinds of events, so that each process knows all of them. A test keeps the list whole. */
import './catalog/events.ts'
import './customers/events.ts'
import './orders/events.ts'
import './questions/events.ts'
import './refunds/events.ts'
import './vouchers/events.ts'
import './returns/events.ts'
import './webhooks/events.ts'
