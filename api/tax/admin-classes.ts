import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { createTaxClass as create } from '#shared/tax/classes/create-tax-class.ts'
import { deleteTaxClass as remove } from '#shared/tax/classes/delete-tax-class.ts'
import { listTaxClasses as list, TAX_CLASSES } from '#shared/tax/classes/list-tax-classes.ts'
import { updateTaxClass as update } from '#shared/tax/classes/update-tax-class.ts'
import { TaxErrors } from '#shared/tax/errors.ts'
import { findTaxClass } from '#shared/tax/tax-class.ts'
import { TaxClassView, viewTaxClass } from '#shared/tax/view.ts'
import { taxClassExample as example } from './examples.ts'
import { CreateTaxClassRequest, TaxParams, UpdateTaxClassRequest } from './schemas.ts'

const classes = new Resource({
  path: '/admin/tax/classes',
  audit: {
    resource: 'tax/classes',
    create: 'postAdminTaxClasses',
    update: 'patchAdminTaxClassesId',
    delete: 'deleteAdminTaxClassesId',
  },
  params: TaxParams,
  reads: staff('tax:read'),
  writes: staff('tax:write'),
  returns: TaxClassView,
  view: viewTaxClass,
  tag: entityTag,
  example,
})

export const listTaxClasses = classes.list({
  summary: 'List the tax classes, sorted by name',
  query: listQuery(TAX_CLASSES),
  handle: ({ tx, query }) => list(tx, query),
})

export const createTaxClass = classes.create({
  summary: 'Create a tax class of products and shipping methods',
  description:
    'Its rates say how much tax applies and where. Products and shipping methods without a class have the default ' +
    'class; without a default, they are not taxed.',
  body: CreateTaxClassRequest,
  errors: [TaxErrors.classLimitReached],
  example: { body: { name: example.name, is_default: true } },
  handle: ({ tx, body }) => create(tx, toCamelCase(body)),
})

export const readTaxClass = classes.read({
  summary: 'Read a tax class',
  handle: ({ tx, params }) => findTaxClass(tx, params.id),
})

export const updateTaxClass = classes.update({
  summary: 'Change a tax class',
  body: UpdateTaxClassRequest,
  example: { body: { is_default: true } },
  handle: ({ tx, params, body, ifMatch }) => update(tx, params.id, toCamelCase(body), ifMatch),
})

export const deleteTaxClass = classes.delete({
  summary: 'Delete an unused tax class',
  errors: [TaxErrors.classInUse],
  handle: ({ tx, params }) => remove(tx, params.id),
})
