import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import {
  changePaymentMethod as change,
  findPaymentMethod,
  listAllPaymentMethods,
} from '#shared/settings/keep-payment-method.ts'
import type { PaymentMethod } from '#shared/settings/payment-method.ts'
import { PaymentMethodSettingsView, viewPaymentSettings } from '#shared/settings/view.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { reply } from '../platform/reply.ts'
import { paymentMethodExample as example } from './method-examples.ts'
import { PaymentMethodChanges, PaymentMethodParams } from './method-schemas.ts'

const tagged = (method: PaymentMethod) => reply(200, viewPaymentSettings(method), { ETag: entityTag(method) })

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

export const readPaymentMethod = endpoint({
  method: 'get',
  path: '/admin/payment-methods/:code',
  access: staff('system:read'),
  summary: 'Read a way to pay',
  params: PaymentMethodParams,
  returns: [200, PaymentMethodSettingsView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return tagged(await findPaymentMethod(tx, params.code))
  },
})

export const changePaymentMethod = endpoint({
  method: 'patch',
  path: '/admin/payment-methods/:code',
  access: staff('system:write'),
  summary: 'Switch a way to pay on or off, or change what buyers are told about it',
  description: 'For checkouts from now on: orders are paid as they were placed.',
  params: PaymentMethodParams,
  body: PaymentMethodChanges,
  returns: [200, PaymentMethodSettingsView],
  errors: [CommonErrors.notFound, CommonErrors.changed],
  example: { body: { is_active: true }, data: example },
  async handle({ tx, params, body, request }) {
    return tagged(await change(tx, params.code, body, request.headers['if-match']))
  },
})
