import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { streamBytes } from '#api/platform/input/body.ts'
import { RequestErrors } from '#api/platform/output/errors.ts'
import { pageMeta, Reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { findCatalogJob } from '#shared/catalog/import/catalog-job.ts'
import { ImportErrors } from '#shared/catalog/import/errors.ts'
import { queueImport, receiveUpload } from '#shared/catalog/import/receive-upload.ts'
import { CatalogJobReport, CatalogJobView, viewCatalogJob, viewReport } from '#shared/catalog/import/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'

const IMPORT_LIMIT = 50 * 1024 * 1024

const exampleJob = {
  id: '01980d5e-6c1a-7a30-9c3e-5a2f3f0c1b77',
  kind: 'import',
  dry_run: false,
  bytes_total: 184_320,
  created_at: '2026-11-20T09:15:00.000Z',
  failure: '',
}

export const importProducts = endpoint({
  method: 'post',
  path: '/admin/products/import',
  access: staff('catalog:write'),
  audit: { action: 'postAdminProductsImport', resource: 'products/import' },
  summary: 'Import products from a CSV file',
  description: `The body is the file: CSV in UTF-8, at most 50 MB, with the columns of Shopify's product export; other columns are ignored. A worker imports it. The job shows the progress and the errors.

One row is one variant. \`Handle\` finds the product by its slug, \`Variant SKU\` the variant; a row without a SKU is matched by its options, and a new variant gets a SKU derived from them. An import creates and updates, and deletes nothing; a blank cell keeps the existing value. \`Variant Compare At Price\` above \`Variant Price\` is a sale that starts at once. \`Variant Inventory Qty\` sets the stock on hand; orders that it leaves with too few units are in \`GET /admin/orders?short=true\`. Variants without an inventory tracker, or with the policy \`continue\`, can be sold beyond their stock. \`Type\` becomes a category, \`Vendor\` a manufacturer. \`Body (HTML)\` is saved unchanged: staff are trusted with HTML.

A row with an error is reported and skipped; the others are imported. A repeated import of a file changes nothing. Each new or changed product emits one event, \`product.created\` or \`product.updated\`.`,
  accepts: 'text/csv',
  bodyLimit: IMPORT_LIMIT,
  transaction: 'manual',
  // The key's fingerprint would need the whole file. A repeated import changes nothing, so no key is needed.
  idempotency: 'none',
  query: Shape({
    dry_run: Type.Boolean({ default: false, description: 'Check the file without importing it' }),
  }),
  returns: [202, CatalogJobView],
  errors: [
    RequestErrors.tooLarge,
    RequestErrors.unsupportedMediaType,
    RequestErrors.malformed,
    ImportErrors.empty,
    ImportErrors.notUtf8,
  ],
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
    const upload = { dryRun: query.dry_run, createdBy: staff.id }
    const received = await receiveUpload(store.id, upload, streamBytes(request.stream, IMPORT_LIMIT))
    return unitOfWork.inStore(store.id, async (tx) => viewCatalogJob(await queueImport(tx, received)))
  },
})

export const showCatalogJob = endpoint({
  method: 'get',
  path: '/admin/catalog-jobs/:id',
  access: staff('catalog:read'),
  summary: 'Read the progress and the errors of an import',
  description:
    'Progress and counts increase while it runs. `meta` is about `errors`, of which the first 10,000 are saved.',
  params: Shape({ id: Uuid }),
  query: Shape(PageQuery),
  returns: [200, CatalogJobReport],
  paginated: true,
  errors: [CommonErrors.notFound],
  example: {
    data: {
      ...exampleJob,
      status: 'succeeded',
      progress: 1,
      lines_done: 614,
      products_created: 198,
      products_updated: 2,
      variants_created: 609,
      variants_updated: 3,
      error_count: 1,
      started_at: '2026-11-20T09:15:00.120Z',
      finished_at: '2026-11-20T09:15:00.810Z',
      errors: [{ line: 17, field: 'Variant Price', message: 'A price is not below zero', value: '-5.00' }],
    },
  },
  async handle({ tx, params, query }) {
    const { job, errors, total } = await findCatalogJob(tx, params.id, query)
    return new Reply(viewReport(job, errors), { meta: pageMeta(total, query) })
  },
})
