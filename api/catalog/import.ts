import { Type } from 'typebox'
import { FILE_ERRORS, FILE_UPLOAD, IMPORT_LIMIT } from '#api/imports/file-upload.ts'
import { staff } from '#api/platform/auth/access.ts'
import { streamBytes } from '#api/platform/input/body.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page, pageMeta, Reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { importProducts as worker } from '#shared/catalog/import/jobs.ts'
import { readHeader } from '#shared/catalog/import/read-header.ts'
import { CatalogJobReport, CatalogJobView, viewCatalogJob, viewReport } from '#shared/catalog/import/view.ts'
import { findImport, IMPORT_STATUSES, IMPORTS, listImports } from '#shared/imports/import-job.ts'
import { queueImport, receiveUpload } from '#shared/imports/receive-upload.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { ImportQuery, toImportOptions } from './import-query.ts'

const exampleJob = {
  id: '01980d5e-6c1a-7a30-9c3e-5a2f3f0c1b77',
  kind: 'products',
  dry_run: false,
  format: 'shopify',
  encoding: 'utf-8',
  delimiter: ',',
  ignored_columns: ['Gift Card'],
  rows_ignored: 0,
  bytes_total: 184_320,
  products_changed: 0,
  variants_changed: 0,
  warning_count: 0,
  created_at: '2026-11-20T09:15:00.000Z',
  failure: '',
}

const finishedJob = {
  ...exampleJob,
  status: 'succeeded',
  progress: 1,
  lines_done: 614,
  products_created: 198,
  products_updated: 2,
  products_changed: 1,
  variants_created: 609,
  variants_updated: 3,
  variants_changed: 2,
  error_count: 1,
  started_at: '2026-11-20T09:15:00.120Z',
  finished_at: '2026-11-20T09:15:00.810Z',
}

export const importProducts = endpoint({
  method: 'post',
  path: '/admin/products/import',
  access: staff('catalog:write'),
  audit: { action: 'postAdminProductsImport', resource: 'products/import' },
  summary: 'Import products from a CSV file',
  description: `The body is the file, at most 50 MB. A worker imports it. The job shows the progress, the errors and the warnings.

The header tells the format: the own one, as \`GET /admin/products/export\` writes it, Shopify's old or new product export, or WooCommerce's, whose attributes that tell variations apart become options. For any other file \`columns\` says which column is which. The separator is found (comma, semicolon, tab or bar, or a line \`sep=;\`), and so is the encoding: UTF-8, UTF-16 or Windows-1252.

One row is one variant. \`slug\` finds the product, \`sku\` the variant; a row without a SKU is matched by its options, and a new variant gets a SKU derived from them. An import creates and updates, and deletes nothing; a blank cell keeps the existing value. Shopify's compare-at price above the price is a sale that starts at once. The stock on hand is set; orders that it leaves with too few units are in \`GET /admin/orders?short=true\`. Variants without an inventory tracker, or with the policy \`continue\`, can be sold beyond their stock. \`categories\` are names between commas, below others after \`>\`. The description is saved unchanged: staff are trusted with HTML.

A row with an error is reported and skipped; the others are imported. A repeated import of a file changes nothing. Each new or changed product emits one event, \`product.created\` or \`product.updated\`.`,
  ...FILE_UPLOAD,
  query: ImportQuery,
  returns: [202, CatalogJobView],
  errors: FILE_ERRORS,
  example: {
    body: 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\noak-stool,Oak stool,Height,45 cm,OAK-45,89.00\noak-stool,,,65 cm,OAK-65,99.00\n',
    data: {
      ...exampleJob,
      status: 'queued',
      progress: 0,
      lines_done: 0,
      products_created: 0,
      products_updated: 0,
      variants_created: 0,
      variants_updated: 0,
      error_count: 0,
      started_at: null,
      finished_at: null,
    },
  },
  async handle({ store, staff, query, request, unitOfWork }) {
    const settings = toImportOptions(query)
    const upload = { kind: 'products', dryRun: query.dry_run, createdBy: staff.id, settings } as const
    const file = streamBytes(request.stream, IMPORT_LIMIT)
    const received = await receiveUpload(store.id, upload, file, (cells) =>
      readHeader(cells, settings.mapping),
    )
    return unitOfWork.inStore(store.id, async (tx) => viewCatalogJob(await queueImport(tx, received, worker)))
  },
})

export const listCatalogJobs = endpoint({
  method: 'get',
  path: '/admin/catalog-jobs',
  access: staff('catalog:read'),
  paginated: true,
  summary: 'List the imports of products, the latest first',
  query: listQuery(IMPORTS, { status: Type.Optional(Type.Enum([...IMPORT_STATUSES])) }),
  returns: [200, Type.Array(CatalogJobView)],
  example: { data: [finishedJob] },
  async handle({ tx, query }) {
    return page(await listImports(tx, 'products', query), query, viewCatalogJob)
  },
})

export const showCatalogJob = endpoint({
  method: 'get',
  path: '/admin/catalog-jobs/:id',
  access: staff('catalog:read'),
  summary: 'Read the progress, the errors and the warnings of an import',
  description:
    'Progress and counts increase while it runs. `meta` is about `errors`, of which the first 10,000 are saved, and as many ' +
    'warnings.',
  params: Shape({ id: Uuid }),
  query: Shape(PageQuery),
  returns: [200, CatalogJobReport],
  paginated: true,
  errors: [CommonErrors.notFound],
  example: {
    data: {
      ...finishedJob,
      errors: [
        {
          severity: 'error',
          line: 17,
          field: 'Variant Price',
          message: 'A price is not below zero',
          value: '-5.00',
        },
      ],
    },
  },
  async handle({ tx, params, query }) {
    const { job, notes, total } = await findImport(tx, params.id, 'products', query)
    return new Reply(viewReport(job, notes), { meta: pageMeta(total, query) })
  },
})
