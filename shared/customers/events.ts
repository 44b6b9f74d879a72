import { defineEvent } from '#shared/platform/events/events.ts'
import { CustomerEventView } from './customer.ts'

export const customerCreated = defineEvent(
  'customer.created',
  'customers',
  'A customer account was created',
  CustomerEventView,
)

export const customerUpdated = defineEvent(
  'customer.updated',
  'customers',
  "A customer's data changed",
  CustomerEventView,
)

export const customerDeleted = defineEvent(
  'customer.deleted',
  'customers',
  'An account was deactivated or anonymized',
  CustomerEventView,
)
