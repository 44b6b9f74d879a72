import { Type } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { memberIdOf } from '#api/platform/auth/callers.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { findPaymentMethod, listAllPaymentMethods } from '#shared/payment-methods/payment-method.ts'
import { updatePaymentMethod as update } from '#shared/payment-methods/update-payment-method.ts'
import { PaymentMethodSettingsView, viewPaymentSettings } from '#shared/payment-methods/view.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { mailInstructionsChange } from '#shared/staff/ownership/mail-instructions-change.ts'
import { paymentMethodExample as example } from './examples.ts'
import { PaymentMethodParams, UpdatePaymentMethodRequest } from './schemas.ts'

const methods = new Resource({
  path: '/admin/payment-methods',
  audit: { resource: 'payment-methods', update: 'patchAdminPaymentMethodsCode' },
  params: PaymentMethodParams,
  reads: staff('system:read'),
  writes: staffNotSupport('system:write'),
  returns: PaymentMethodSettingsView,
  view: viewPaymentSettings,
  tag: entityTag,
  example,
})

export const listPaymentMethods = endpoint({
  method: 'get',
  path: '/admin/payment-methods',
  access: staff('system:read'),
  summary: 'List the payment methods, active or not',
  description: '`sandbox` succeeds immediately and moves no money. Production does not have it.',
  returns: [200, Type.Array(PaymentMethodSettingsView)],
  example: { data: [example] },
  async handle({ tx }) {
    return (await listAllPaymentMethods(tx)).map(viewPaymentSettings)
  },
})

export const readPaymentMethod = methods.read({
  summary: 'Read a payment method',
  handle: ({ tx, params }) => findPaymentMethod(tx, params.code),
})

export const updatePaymentMethod = methods.update({
  recentSignIn: true,
  summary: 'Switch a payment method on or off, or change its texts',
  description:
    'It applies to later checkouts. Existing orders keep their payment method. Another name or other ' +
    'instructions are mailed to the owner.',
  body: UpdatePaymentMethodRequest,
  example: { body: { is_active: true } },
  handle: ({ tx, staff, params, body, ifMatch }) =>
    update(tx, params.code, toCamelCase(body), {
      ifMatch,
      report: mailInstructionsChange({ type: staff.type, memberId: memberIdOf(staff) }),
    }),
})
