import { staff } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { TaxErrors } from '#shared/tax/errors.ts'
import { toPpm } from '#shared/tax/percent.ts'
import { createTaxRate as create } from '#shared/tax/rates/create-tax-rate.ts'
import { deleteTaxRate as remove } from '#shared/tax/rates/delete-tax-rate.ts'
import { listTaxRates as list } from '#shared/tax/rates/list-tax-rates.ts'
import { updateTaxRate as update } from '#shared/tax/rates/update-tax-rate.ts'
import { findTaxRate } from '#shared/tax/tax-rate.ts'
import { TaxRateView, viewTaxRate } from '#shared/tax/view.ts'
import { taxRateExample as example } from './examples.ts'
import { CreateTaxRateRequest, TaxParams, TaxRatesQuery, UpdateTaxRateRequest } from './schemas.ts'

const rates = new Resource({
  path: '/admin/tax/rates',
  audit: {
    resource: 'tax/rates',
    create: 'postAdminTaxRates',
    update: 'patchAdminTaxRatesId',
    delete: 'deleteAdminTaxRatesId',
  },
  params: TaxParams,
  reads: staff('tax:read'),
  writes: staff('tax:write'),
  returns: TaxRateView,
  view: viewTaxRate,
  tag: entityTag,
  example,
})

const { name, percent, tax_class_id, geo_zone_id } = example

export const listTaxRates = rates.list({
  summary: 'List the tax rates, sorted by priority and name',
  query: TaxRatesQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const createTaxRate = rates.create({
  summary: 'Create a tax rate for a tax class in a geo zone',
  description:
    'Tax is added to shipping and to each line after its share of the discount, each rounded half away from zero; ' +
    'where the prices of the store include it, it is taken out of them. The place is the shipping address.',
  body: CreateTaxRateRequest,
  errors: [TaxErrors.taxRateLimitReached],
  example: { body: { name, percent, tax_class_id, geo_zone_id } },
  handle: ({ tx, body: { percent, ...fields } }) =>
    create(tx, { ...toCamelCase(fields), ratePpm: toPpm(percent) }),
})

export const readTaxRate = rates.read({
  summary: 'Read a tax rate',
  handle: ({ tx, params }) => findTaxRate(tx, params.id),
})

export const updateTaxRate = rates.update({
  summary: 'Change a tax rate for later carts and checkouts',
  body: UpdateTaxRateRequest,
  example: { body: { percent } },
  handle: ({ tx, params, body: { percent, ...fields }, ifMatch }) => {
    const rate = percent === undefined ? {} : { ratePpm: toPpm(percent) }
    return update(tx, params.id, { ...toCamelCase(fields), ...rate }, ifMatch)
  },
})

export const deleteTaxRate = rates.delete({
  summary: 'Delete a tax rate; orders keep their taxes',
  handle: ({ tx, params }) => remove(tx, params.id),
})
