import { defineEvent } from '#shared/platform/events/events.ts'
import { CustomerView } from './customer.ts'

export const customerCreated = defineEvent('customer.created', 'Someone opened an account', CustomerView)

export const customerUpdated = defineEvent('customer.updated', "A customer's data changed", CustomerView)

export const customerDeleted = defineEvent(
  'customer.deleted',
  'An account was deactivated or anonymized',
  CustomerView,
)
