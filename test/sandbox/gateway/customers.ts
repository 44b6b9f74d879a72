import { newId, unixNow } from './books.ts'
import { missing } from './errors.ts'
import { announce, type Desk } from './events.ts'
import { mergeMetadata, type Params, text } from './params.ts'
import type { Customer } from './types.ts'

/** Customers with saved cards, for the later charges of renewals. */
export function createCustomer(desk: Desk, params: Params): Customer {
  const customer = desk.books.put('customers', {
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
  announce(desk, 'customer.created', customer)
  return customer
}

export function findCustomer({ books }: Desk, id: string): Customer {
  const customer = books.find('customers', id)
  if (!customer) throw missing('customer', id, 'customer')
  return customer
}
