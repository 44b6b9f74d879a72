import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/read-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { changePaymentMethod as change } from '#shared/settings/change-payment-method.ts'
import { findPaymentMethod, listAllPaymentMethods } from '#shared/settings/find-payment-method.ts'
import { PaymentMethodSettingsView, viewPaymentSettings } from '#shared/settings/view.ts'
import { paymentMethodExample as example } from './method-examples.ts'
import { PaymentMethodChanges, PaymentMethodParams } from './method-schemas.ts'

const methods = new Resource({
  path: '/admin/payment-methods',
  audit: { resource: 'payment-methods', change: 'patchAdminPaymentMethodsCode' },
  params: PaymentMethodParams,
  reads: staff('system:read'),
  writes: staff('system:write'),
  returns: PaymentMethodSettingsView,
  view: viewPaymentSettings,
  tag: entityTag,
  example,
})

export const listPaymentMethods = endpoint({
  method: 'get',
  path: '/admin/payment-methods',
  access: staff('system:read'),
  summary: 'List the ways to pay, switched on or off',
  description: '`sandbox` pays at once, with nothing: for trying things out. In production there is none.',
  returns: [200, Type.Array(PaymentMethodSettingsView)],
  example: { data: [example] },
  async handle({ tx }) {
    return (await listAllPaymentMethods(tx)).map(viewPaymentSettings)
  },
})

export const readPaymentMethod = methods.read({
  summary: 'Read a way to pay',
  handle: ({ tx, params }) => findPaymentMethod(tx, params.code),
})

export const changePaymentMethod = methods.change({
  summary: 'Switch a way to pay on or off, or change what buyers are told about it',
  description: 'For checkouts from now on: orders are paid as they were placed.',
  body: PaymentMethodChanges,
  example: { body: { is_active: true } },
  handle: ({ tx, params, body, ifMatch }) => change(tx, params.code, toCamelCase(body), ifMatch),
})
