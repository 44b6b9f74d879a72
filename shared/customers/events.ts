import { defineEvent } from '#shared/platform/events/events.ts'
import { CustomerView } from './view.ts'

export const customerCreated = defineEvent('customer.created', 'Someone opened an account', CustomerView)

export const customerUpdated = defineEvent('customer.updated', "A customer's data changed", CustomerView)
