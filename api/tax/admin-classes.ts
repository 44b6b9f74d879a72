import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery } from '#shared/platform/schema.ts'
import { TaxErrors } from '#shared/tax/errors.ts'
import { findTaxClass, listTaxClasses as list } from '#shared/tax/find-class.ts'
import {
  changeTaxClass as change,
  createTaxClass as create,
  deleteTaxClass as remove,
} from '#shared/tax/keep-class.ts'
import type { TaxClass } from '#shared/tax/tax-class.ts'
import { TaxClassView, viewTaxClass } from '#shared/tax/view.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { taxClassExample as example } from './examples.ts'
import { NewTaxClass, TaxClassChanges, TaxParams } from './schemas.ts'

const tagged = (status: number, taxClass: TaxClass) =>
  reply(status, viewTaxClass(taxClass), { ETag: entityTag(taxClass) })

export const listTaxClasses = endpoint({
  method: 'get',
  path: '/admin/tax/classes',
  access: staff('tax:read'),
  summary: 'List the tax classes, by name',
  query: PlainPageQuery,
  returns: [200, Type.Array(TaxClassView)],
  paginated: true,
  example: { data: [example] },
  async handle({ tx, query }) {
    const { results, total } = await list(tx, query)
    return page(results.map(viewTaxClass), total, query)
  },
})

export const createTaxClass = endpoint({
  method: 'post',
  path: '/admin/tax/classes',
  access: staff('tax:write'),
  summary: 'Make a tax class: what products and shipping methods are taxed as',
  description:
    'Its rates say how much, and where. What has no class of its own belongs to the default one; while there is none, ' +
    'it is not taxed.',
  body: NewTaxClass,
  returns: [201, TaxClassView],
  example: { body: { name: example.name, is_default: true }, data: example },
  async handle({ tx, body }) {
    return tagged(201, await create(tx, body))
  },
})

export const readTaxClass = endpoint({
  method: 'get',
  path: '/admin/tax/classes/:id',
  access: staff('tax:read'),
  summary: 'Read a tax class',
  params: TaxParams,
  returns: [200, TaxClassView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return tagged(200, await findTaxClass(tx, params.id))
  },
})

export const changeTaxClass = endpoint({
  method: 'patch',
  path: '/admin/tax/classes/:id',
  access: staff('tax:write'),
  summary: 'Change a tax class',
  params: TaxParams,
  body: TaxClassChanges,
  returns: [200, TaxClassView],
  errors: [CommonErrors.notFound, CommonErrors.changed],
  example: { body: { is_default: true }, data: example },
  async handle({ tx, params, body, request }) {
    return tagged(200, await change(tx, params.id, body, request.headers['if-match']))
  },
})

export const deleteTaxClass = endpoint({
  method: 'delete',
  path: '/admin/tax/classes/:id',
  access: staff('tax:write'),
  summary: 'Delete a tax class that nothing has',
  params: TaxParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, TaxErrors.classInUse],
  example: { data: null },
  async handle({ tx, params }) {
    await remove(tx, params.id)
    return null
  },
})
