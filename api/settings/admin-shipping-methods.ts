import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery } from '#shared/platform/schema.ts'
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
import type { Store } from '#shared/stores/store.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { shippingMethodExample as example } from './method-examples.ts'
import { NewShippingMethod, ShippingMethodParams, ShippingMethodPatch } from './method-schemas.ts'
import { toShippingChanges, toShippingDraft } from './read-request.ts'

const tagged = (status: number, whole: WholeMethod, { currency }: Store) =>
  reply(status, viewShippingSettings(whole, currency), { ETag: entityTag(whole.method) })

const { code, name_i18n, price, geo_zone_ids } = example

export const listShippingMethods = endpoint({
  method: 'get',
  path: '/admin/shipping-methods',
  access: staff('system:read'),
  summary: 'List the ways to ship, in their order',
  query: PlainPageQuery,
  returns: [200, Type.Array(ShippingMethodSettingsView)],
  paginated: true,
  example: { data: [example] },
  async handle({ tx, store, query }) {
    const { methods, total } = await list(tx, query)
    return page(
      methods.map((method) => viewShippingSettings(method, store.currency)),
      total,
      query,
    )
  },
})

export const createShippingMethod = endpoint({
  method: 'post',
  path: '/admin/shipping-methods',
  access: staff('system:write'),
  summary: 'Make a way to ship',
  description: 'It goes to its geo zones; without any, to every country that the store sells to.',
  body: NewShippingMethod,
  returns: [201, ShippingMethodSettingsView],
  errors: [ShippingMethodErrors.codeTaken],
  example: { body: { code, name_i18n, price, geo_zone_ids }, data: example },
  async handle({ tx, store, body }) {
    return tagged(201, await create(tx, toShippingDraft(body, store.currency)), store)
  },
})

export const readShippingMethod = endpoint({
  method: 'get',
  path: '/admin/shipping-methods/:id',
  access: staff('system:read'),
  summary: 'Read a way to ship',
  params: ShippingMethodParams,
  returns: [200, ShippingMethodSettingsView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, store, params }) {
    return tagged(200, await findShippingMethod(tx, params.id), store)
  },
})

export const changeShippingMethod = endpoint({
  method: 'patch',
  path: '/admin/shipping-methods/:id',
  access: staff('system:write'),
  summary: 'Change a way to ship, for checkouts from now on',
  params: ShippingMethodParams,
  body: ShippingMethodPatch,
  returns: [200, ShippingMethodSettingsView],
  errors: [CommonErrors.notFound, CommonErrors.changed, ShippingMethodErrors.codeTaken],
  example: { body: { price }, data: example },
  async handle({ tx, store, params, body, request }) {
    const changes = toShippingChanges(body, store.currency)
    return tagged(200, await change(tx, params.id, changes, request.headers['if-match']), store)
  },
})

export const deleteShippingMethod = endpoint({
  method: 'delete',
  path: '/admin/shipping-methods/:id',
  access: staff('system:write'),
  summary: 'Delete a way to ship; orders keep what theirs was',
  params: ShippingMethodParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, params }) {
    await remove(tx, params.id)
    return null
  },
})
