import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { createShippingMethod as create } from '#shared/shipping-methods/create-shipping-method.ts'
import { deleteShippingMethod as remove } from '#shared/shipping-methods/delete-shipping-method.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import {
  listShippingMethods as list,
  SHIPPING_METHODS,
} from '#shared/shipping-methods/list-shipping-methods.ts'
import { findShippingMethod, type ShippingMethodWithZones } from '#shared/shipping-methods/shipping-method.ts'
import { updateShippingMethod as update } from '#shared/shipping-methods/update-shipping-method.ts'
import { ShippingMethodSettingsView, viewShippingSettings } from '#shared/shipping-methods/view.ts'
import { shippingMethodExample as example } from './examples.ts'
import { toShippingChanges, toShippingInput } from './read-request.ts'
import { CreateShippingMethodRequest, ShippingMethodParams, UpdateShippingMethodRequest } from './schemas.ts'

const methods = new Resource({
  path: '/admin/shipping-methods',
  audit: {
    resource: 'shipping-methods',
    create: 'postAdminShippingMethods',
    update: 'patchAdminShippingMethodsId',
    delete: 'deleteAdminShippingMethodsId',
  },
  params: ShippingMethodParams,
  reads: staff('system:read'),
  writes: staff('system:write'),
  returns: ShippingMethodSettingsView,
  view: (method: ShippingMethodWithZones, { currency }) => viewShippingSettings(method, currency),
  tag: ({ method }) => entityTag(method),
  example,
})

const { code, name_i18n, price, geo_zone_ids } = example

export const listShippingMethods = methods.list({
  summary: 'List the shipping methods in their order',
  query: listQuery(SHIPPING_METHODS),
  handle: ({ tx, query }) => list(tx, query),
})

export const createShippingMethod = methods.create({
  summary: 'Create a shipping method',
  description: 'It delivers to its geo zones; without any, to every country that the store sells to.',
  body: CreateShippingMethodRequest,
  errors: [ShippingMethodErrors.codeTaken, ShippingMethodErrors.limitReached],
  example: { body: { code, name_i18n, price, geo_zone_ids } },
  handle: ({ tx, store, body }) => create(tx, toShippingInput(body, store.currency)),
})

export const readShippingMethod = methods.read({
  summary: 'Read a shipping method',
  handle: ({ tx, params }) => findShippingMethod(tx, params.id),
})

export const updateShippingMethod = methods.update({
  summary: 'Change a shipping method for later checkouts',
  body: UpdateShippingMethodRequest,
  errors: [ShippingMethodErrors.codeTaken],
  example: { body: { price } },
  handle: ({ tx, store, params, body, ifMatch }) =>
    update(tx, params.id, toShippingChanges(body, store.currency), ifMatch),
})

export const deleteShippingMethod = methods.delete({
  summary: 'Delete a shipping method; orders keep a copy of theirs',
  handle: ({ tx, params }) => remove(tx, params.id),
})
