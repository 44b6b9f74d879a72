import assert from 'node:assert/strict'
import { Product } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { ImportJob } from '#shared/imports/import-job.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

interface Store {
  id: string
}

interface Asked {
  dryRun?: boolean
}

/** Uploads a product file over HTTP without importing it. Returns the whole response. */
export const uploadCsv = (token: string, text: string, { dryRun = false }: Asked = {}) =>
  request(`POST /admin/products/import?dry_run=${dryRun}`, {
    token,
    headers: { 'Content-Type': 'text/csv' },
    body: text,
  })

/** Uploads a customer file over HTTP without importing it. Returns the whole response. */
export const uploadCustomers = (token: string, text: string, query = '') =>
  request(`POST /admin/customers/import?${query}`, {
    token,
    headers: { 'Content-Type': 'text/csv' },
    body: text,
  })

/** The payload of the job that imports the next slice of an import. */
export async function nextSlice(storeId: string, jobId: string) {
  const job = await inStore(storeId, (tx) => ImportJob.in(tx).findById(jobId))
  return { storeId, jobId, slice: job?.slice ?? assert.fail('the import does not exist') }
}

/** Imports a customer file as the store's staff do, and returns the report with its first 100 errors. */
export async function importCustomerCsv(token: string, text: string, query?: string) {
  const { data } = await uploadCustomers(token, text, query)
  await drainJobs()
  return (await request(`GET /admin/customer-imports/${data.id}?page_size=100`, { token })).data
}

/** The report of a catalog job, with its first 100 errors. */
export const readJob = async (token: string, id: string) =>
  (await request(`GET /admin/catalog-jobs/${id}?page_size=100`, { token })).data

/**
 * Imports a product file as the store's staff do: uploads it with their token, runs the jobs, and returns the
 * report. Fails when the token belongs to another store, since the products would be missing.
 */
export async function importCsv(store: Store, token: string, text: string, asked?: Asked) {
  const { data } = await uploadCsv(token, text, asked)
  const owned = await inStore(store.id, (tx) => tx.knex('import_jobs').where({ id: data.id }).first('id'))
  if (!owned) throw new Error('The token is of another store')
  await drainJobs()
  return readJob(token, data.id)
}

/** A product file with the given columns, one line per row; cells are written as given. */
export const csv = (header: string, ...rows: string[]): string => `${[header, ...rows].join('\n')}\n`

export interface Stocked {
  product: Product
  variants: ProductVariant[]
}

/** A store's catalog by slug; variants in their order. */
export const catalogOf = ({ id }: Store): Promise<Map<string, Stocked>> =>
  inStore(id, async (tx) => {
    const products = await Product.in(tx).whereNull('deleted_at').orderBy('slug')
    const variants = await ProductVariant.in(tx).whereNull('deleted_at').orderBy('position')
    return new Map(
      products.map((product) => [
        product.slug,
        { product, variants: variants.filter(({ productId }) => productId === product.id) },
      ]),
    )
  })

/** How many rows of a table the store has. */
export const countRows = ({ id }: Store, table: string, where: object = {}): Promise<number> =>
  inStore(id, async (tx) => {
    const [row] = await tx
      .knex(table)
      .where({ store_id: id, ...where })
      .count<{ count: bigint }[]>()
    return Number(row?.count)
  })
