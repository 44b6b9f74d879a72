import { newId, unixNow } from './books.ts'
import { invalidParameter, missing } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { group, mergeMetadata, type Params, text } from './params.ts'
import { detachMethod } from './payment-methods.ts'
import type { Customer, DeletedCustomer } from './types.ts'

/** Customers with saved cards, for the later charges of renewals. */
export function createCustomer(context: Context, params: Params): Customer {
  const customer = context.books.put('customers', {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: unixNow(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: text(params, 'description'),
    email: text(params, 'email'),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata(params),
    name: text(params, 'name'),
    phone: text(params, 'phone'),
    shipping: null,
  }) as Customer
  recordEvent(context, 'customer.created', customer)
  return customer
}

/** Changes the fields that are given; an empty one is set to null. */
export function updateCustomer(context: Context, id: string, params: Params): Customer {
  const customer = findCustomer(context, id)
  const given = (name: 'description' | 'email' | 'name' | 'phone') =>
    params[name] === undefined ? customer[name] : text(params, name)
  const updated: Customer = {
    ...customer,
    description: given('description'),
    email: given('email'),
    invoice_settings: { ...customer.invoice_settings, ...newDefault(context, id, params) },
    metadata: mergeMetadata(params, customer.metadata),
    name: given('name'),
    phone: given('phone'),
  }
  context.books.put('customers', updated)
  recordEvent(context, 'customer.updated', updated)
  return updated
}

/** Deletes a customer for good: their payment methods are detached. */
export function deleteCustomer(context: Context, id: string): DeletedCustomer {
  const customer = findCustomer(context, id)
  for (const method of context.books.all('payment_methods'))
    if (method.customer === id) detachMethod(context, method.id)
  const deleted = { id, object: 'customer', deleted: true } as const
  context.books.put('customers', deleted)
  recordEvent(context, 'customer.deleted', customer)
  return deleted
}

export function findCustomer(context: Context, id: string, status = 404): Customer {
  const customer = readCustomer(context, id, status)
  if ('deleted' in customer) throw missing('customer', id, 'customer', status)
  return customer
}

/** A customer, or what Stripe shows of a deleted one. */
export function readCustomer({ books }: Context, id: string, status = 404): Customer | DeletedCustomer {
  const customer = books.find('customers', id)
  if (!customer) throw missing('customer', id, status === 404 ? 'id' : 'customer', status)
  return customer
}

function newDefault({ books }: Context, customer: string, params: Params) {
  const settings = group(params, 'invoice_settings')
  if (settings.default_payment_method === undefined) return {}
  const id = text(settings, 'default_payment_method')
  if (id !== null && books.find('payment_methods', id)?.customer !== customer)
    throw invalidParameter(
      'invoice_settings[default_payment_method]',
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      'resource_missing',
    )
  return { default_payment_method: id }
}
