import { newId, unixNow } from './books.ts'
import { missing } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { mergeMetadata, type Params, text } from './params.ts'
import type { Customer } from './types.ts'

/** Customers with saved cards, for the later charges of renewals. */
export function createCustomer(context: Context, params: Params): Customer {
  const customer = context.books.put('customers', {
    id: newId('cus'),
    object: 'customer',
    created: unixNow(),
    description: text(params, 'description'),
    email: text(params, 'email'),
    livemode: false,
    metadata: mergeMetadata(params),
    name: text(params, 'name'),
    phone: text(params, 'phone'),
  })
  recordEvent(context, 'customer.created', customer)
  return customer
}

export function findCustomer({ books }: Context, id: string): Customer {
  const customer = books.find('customers', id)
  if (!customer) throw missing('customer', id, 'customer')
  return customer
}
