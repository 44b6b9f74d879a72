import { readBalance } from './balance.ts'
import { createCustomer, deleteCustomer, findCustomer, readCustomer, updateCustomer } from './customers.ts'
import { findDispute } from './disputes.ts'
import { missing, unknownUrl } from './errors.ts'
import type { Context } from './events.ts'
import { listPage } from './lists.ts'
import type { Params } from './params.ts'
import {
  cancelIntent,
  captureIntent,
  confirmIntent,
  createIntent,
  findIntent,
  updateIntent,
} from './payment-intents.ts'
import { attachMethod, detachMethod, presentMethod, updateMethod } from './payment-methods.ts'
import { createRefund, findRefund, updateRefund } from './refunds.ts'
import { cancelSetup, confirmSetup, createSetup, findSetup, updateSetup } from './setup-intents.ts'
import type { PaymentIntent, SetupIntent } from './types.ts'

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  takes: readonly string[]
  /** The intent whose client secret a browser sends with its publishable key. Without it: for servers only. */
  browser?(context: Context, id: string): PaymentIntent | SetupIntent
  answer(context: Context, params: Params, id: string): object
}

const PAGING = ['limit', 'starting_after', 'ending_before', 'created']
const INTENT_FIELDS = [
  ...['amount', 'currency', 'customer', 'description', 'metadata', 'payment_method'],
  ...[
    'allowed_payment_method_types',
    'receipt_email',
    'setup_future_usage',
    'statement_descriptor',
    'statement_descriptor_suffix',
    'shipping',
  ],
]
const CONFIRM_FIELDS = [
  ...['payment_method', 'off_session', 'return_url', 'receipt_email', 'setup_future_usage', 'use_stripe_sdk'],
  'mandate_data',
]
const CREATE_FIELDS = [
  ...[
    'automatic_payment_methods',
    'capture_method',
    'confirm',
    'confirmation_method',
    'payment_method_options',
  ],
  ...INTENT_FIELDS,
  ...CONFIRM_FIELDS,
]

const CUSTOMER_FIELDS = ['email', 'name', 'description', 'phone', 'metadata']
const SETUP_FIELDS = [
  ...['automatic_payment_methods', 'confirm', 'customer', 'description', 'mandate_data', 'metadata'],
  ...['payment_method', 'allowed_payment_method_types', 'return_url', 'usage', 'use_stripe_sdk'],
]

export const ROUTES: readonly Route[] = [
  post('/v1/payment_intents', CREATE_FIELDS, (context, params) => createIntent(context, params)),
  get('/v1/payment_intents', [...PAGING, 'customer'], (context, params) =>
    listPage(context, 'payment_intents', params, ['customer']),
  ),
  {
    ...get('/v1/payment_intents/:id', ['client_secret'], (context, _, id) => findIntent(context, id)),
    browser: findIntent,
  },
  post('/v1/payment_intents/:id', INTENT_FIELDS, (context, params, id) => updateIntent(context, id, params)),
  {
    ...post('/v1/payment_intents/:id/confirm', [...CONFIRM_FIELDS, 'client_secret'], (context, params, id) =>
      confirmIntent(context, id, params),
    ),
    browser: findIntent,
  },
  post('/v1/payment_intents/:id/capture', ['amount_to_capture'], (context, params, id) =>
    captureIntent(context, id, params),
  ),
  post('/v1/payment_intents/:id/cancel', ['cancellation_reason'], (context, params, id) =>
    cancelIntent(context, id, params),
  ),
  post('/v1/refunds', ['payment_intent', 'charge', 'amount', 'reason', 'metadata'], (context, params) =>
    createRefund(context, params),
  ),
  get('/v1/refunds', [...PAGING, 'payment_intent', 'charge'], (context, params) =>
    listPage(context, 'refunds', params, ['payment_intent', 'charge']),
  ),
  get('/v1/refunds/:id', [], (context, _, id) => findRefund(context, id)),
  post('/v1/refunds/:id', ['metadata'], (context, params, id) => updateRefund(context, id, params)),
  get('/v1/disputes', [...PAGING, 'payment_intent', 'charge'], (context, params) =>
    listPage(context, 'disputes', params, ['payment_intent', 'charge']),
  ),
  get('/v1/disputes/:id', [], (context, _, id) => findDispute(context, id)),
  get('/v1/charges', [...PAGING, 'payment_intent', 'customer'], (context, params) =>
    listPage(context, 'charges', params, ['payment_intent', 'customer']),
  ),
  get('/v1/charges/:id', [], ({ books }, _, id) => found(books.find('charges', id), 'charge', id)),
  post('/v1/customers', CUSTOMER_FIELDS, (context, params) => createCustomer(context, params)),
  get('/v1/customers', [...PAGING, 'email'], (context, params) =>
    listPage(context, 'customers', params, ['email']),
  ),
  get('/v1/customers/:id', [], (context, _, id) => readCustomer(context, id)),
  post('/v1/customers/:id', [...CUSTOMER_FIELDS, 'invoice_settings'], (context, params, id) =>
    updateCustomer(context, id, params),
  ),
  {
    ...get('/v1/customers/:id', [], (context, _, id) => deleteCustomer(context, id)),
    method: 'DELETE',
  },
  get('/v1/customers/:id/payment_methods', [...PAGING, 'type'], (context, params, id) =>
    listPage(context, 'payment_methods', { ...params, customer: findCustomer(context, id).id }, [
      ...['customer', 'type'],
    ]),
  ),
  get('/v1/payment_methods', [...PAGING, 'customer', 'type'], (context, params) =>
    listPage(context, 'payment_methods', params, ['customer', 'type']),
  ),
  get('/v1/payment_methods/:id', [], (context, _, id) => presentMethod(context, id, 404)),
  post('/v1/payment_methods/:id', ['metadata'], (context, params, id) => updateMethod(context, id, params)),
  post('/v1/payment_methods/:id/attach', ['customer'], (context, params, id) =>
    attachMethod(context, id, params),
  ),
  post('/v1/payment_methods/:id/detach', [], (context, _, id) => detachMethod(context, id)),
  post('/v1/setup_intents', SETUP_FIELDS, (context, params) => createSetup(context, params)),
  get('/v1/setup_intents', [...PAGING, 'customer', 'payment_method'], (context, params) =>
    listPage(context, 'setup_intents', params, ['customer', 'payment_method']),
  ),
  {
    ...get('/v1/setup_intents/:id', ['client_secret'], (context, _, id) => findSetup(context, id)),
    browser: findSetup,
  },
  post('/v1/setup_intents/:id', ['customer', 'description', 'metadata'], (context, params, id) =>
    updateSetup(context, id, params),
  ),
  {
    ...post(
      '/v1/setup_intents/:id/confirm',
      ['payment_method', 'return_url', 'use_stripe_sdk', 'mandate_data', 'client_secret'],
      (context, params, id) => confirmSetup(context, id, params),
    ),
    browser: findSetup,
  },
  post('/v1/setup_intents/:id/cancel', ['cancellation_reason'], (context, params, id) =>
    cancelSetup(context, id, params),
  ),
  get('/v1/balance', [], (context) => readBalance(context)),
  get('/v1/events', [...PAGING, 'type', 'types'], (context, params) =>
    listPage(context, 'events', params, ['type']),
  ),
  get('/v1/events/:id', [], ({ books }, _, id) => found(books.find('events', id), 'event', id)),
]

/** @throws 404 in Stripe's format when no route matches */
export function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of ROUTES) {
    const id = route.method === method ? matchPath(route.path, path) : undefined
    if (id !== undefined) return { route, id }
  }
  throw unknownUrl(method, path)
}

/** The value of `:id` in the path (empty when the route has none), or undefined when the path does not match. */
export function matchPath(pattern: string, path: string): string | undefined {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  if (parts.length !== wanted.length) return undefined
  const fits = wanted.every((part, index) => part === parts[index] || part === '*' || part.startsWith(':'))
  return fits ? (parts[wanted.findIndex((part) => part.startsWith(':'))] ?? '') : undefined
}

function get(path: string, takes: readonly string[], answer: Route['answer']): Route {
  return { method: 'GET', path, takes, answer }
}

function post(path: string, takes: readonly string[], answer: Route['answer']): Route {
  return { method: 'POST', path, takes, answer }
}

function found<Row>(row: Row | undefined, kind: string, id: string): Row {
  if (!row) throw missing(kind, id, 'id')
  return row
}
