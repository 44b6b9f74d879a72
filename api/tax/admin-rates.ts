import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { findTaxRate, listTaxRates as list } from '#shared/tax/find-rate.ts'
import {
  changeTaxRate as change,
  createTaxRate as create,
  deleteTaxRate as remove,
} from '#shared/tax/keep-rate.ts'
import type { TaxRate } from '#shared/tax/tax-rate.ts'
import { TaxRateView, viewTaxRate } from '#shared/tax/view.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { taxRateExample as example } from './examples.ts'
import { NewTaxRate, TaxParams, TaxRateChanges, TaxRatesQuery } from './schemas.ts'

const tagged = (status: number, rate: TaxRate) => reply(status, viewTaxRate(rate), { ETag: entityTag(rate) })

const { name, percent, tax_class_id, geo_zone_id } = example

export const listTaxRates = endpoint({
  method: 'get',
  path: '/admin/tax/rates',
  access: staff('tax:read'),
  summary: 'List the tax rates, by priority and name',
  query: TaxRatesQuery,
  returns: [200, Type.Array(TaxRateView)],
  paginated: true,
  example: { data: [example] },
  async handle({ tx, query }) {
    const { results, total } = await list(tx, query)
    return page(results.map(viewTaxRate), total, query)
  },
})

export const createTaxRate = endpoint({
  method: 'post',
  path: '/admin/tax/rates',
  access: staff('tax:write'),
  summary: 'Make a tax rate: how much a class is taxed in a geo zone',
  description:
    'Prices are net: tax comes on top, on each line less its part of the discount and on shipping, rounded there, ' +
    'half away from zero. The shipping address says where.',
  body: NewTaxRate,
  returns: [201, TaxRateView],
  example: { body: { name, percent, tax_class_id, geo_zone_id }, data: example },
  async handle({ tx, body }) {
    return tagged(201, await create(tx, body))
  },
})

export const readTaxRate = endpoint({
  method: 'get',
  path: '/admin/tax/rates/:id',
  access: staff('tax:read'),
  summary: 'Read a tax rate',
  params: TaxParams,
  returns: [200, TaxRateView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return tagged(200, await findTaxRate(tx, params.id))
  },
})

export const changeTaxRate = endpoint({
  method: 'patch',
  path: '/admin/tax/rates/:id',
  access: staff('tax:write'),
  summary: 'Change a tax rate, for carts and checkouts from now on',
  params: TaxParams,
  body: TaxRateChanges,
  returns: [200, TaxRateView],
  errors: [CommonErrors.notFound, CommonErrors.changed],
  example: { body: { percent }, data: example },
  async handle({ tx, params, body, request }) {
    return tagged(200, await change(tx, params.id, body, request.headers['if-match']))
  },
})

export const deleteTaxRate = endpoint({
  method: 'delete',
  path: '/admin/tax/rates/:id',
  access: staff('tax:write'),
  summary: 'Delete a tax rate; orders keep what they were taxed',
  params: TaxParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, params }) {
    await remove(tx, params.id)
    return null
  },
})
