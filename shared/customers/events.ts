import { defineEvent } from '#shared/platform/events/events.ts'
import { CustomerEventView } from './customer.ts'

export const customerCreated = defineEvent('customer.created', 'Someone opened an account', CustomerEventView)

export const customerUpdated = defineEvent('customer.updated', "A customer's data changed", CustomerEventView)

export const customerDeleted = defineEvent(
  'customer.deleted',
  'An account was deactivated or anonymized',
  CustomerEventView,
)
