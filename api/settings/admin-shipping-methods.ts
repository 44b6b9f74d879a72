import { staff } from '#api/platform/auth/access.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { PlainPageQuery } from '#shared/platform/http/schema.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import {
  findShippingMethod,
  listShippingMethods as list,
  type WholeMethod,
} from '#shared/settings/find-shipping-method.ts'
import {
  changeShippingMethod as change,
  createShippingMethod as create,
  deleteShippingMethod as remove,
} from '#shared/settings/keep-shipping-method.ts'
import { ShippingMethodSettingsView, viewShippingSettings } from '#shared/settings/view.ts'
import { shippingMethodExample as example } from './method-examples.ts'
import { NewShippingMethod, ShippingMethodParams, ShippingMethodPatch } from './method-schemas.ts'
import { toShippingChanges, toShippingDraft } from './read-request.ts'

const methods = new Resource({
  path: '/admin/shipping-methods',
  audit: {
    resource: 'shipping-methods',
    create: 'postAdminShippingMethods',
    change: 'patchAdminShippingMethodsId',
    remove: 'deleteAdminShippingMethodsId',
  },
  params: ShippingMethodParams,
  reads: staff('system:read'),
  writes: staff('system:write'),
  returns: ShippingMethodSettingsView,
  view: (whole: WholeMethod, { currency }) => viewShippingSettings(whole, currency),
  tag: ({ method }) => entityTag(method),
  example,
})

const { code, name_i18n, price, geo_zone_ids } = example

export const listShippingMethods = methods.list({
  summary: 'List the ways to ship, in their order',
  query: PlainPageQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const createShippingMethod = methods.create({
  summary: 'Make a way to ship',
  description: 'It goes to its geo zones; without any, to every country that the store sells to.',
  body: NewShippingMethod,
  errors: [ShippingMethodErrors.codeTaken],
  example: { body: { code, name_i18n, price, geo_zone_ids } },
  handle: ({ tx, store, body }) => create(tx, toShippingDraft(body, store.currency)),
})

export const readShippingMethod = methods.read({
  summary: 'Read a way to ship',
  handle: ({ tx, params }) => findShippingMethod(tx, params.id),
})

export const changeShippingMethod = methods.change({
  summary: 'Change a way to ship, for checkouts from now on',
  body: ShippingMethodPatch,
  errors: [ShippingMethodErrors.codeTaken],
  example: { body: { price } },
  handle: ({ tx, store, params, body, ifMatch }) =>
    change(tx, params.id, toShippingChanges(body, store.currency), ifMatch),
})

export const deleteShippingMethod = methods.remove({
  summary: 'Delete a way to ship; orders keep what theirs was',
  handle: ({ tx, params }) => remove(tx, params.id),
})
