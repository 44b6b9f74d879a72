import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { peakOf } from './footprint.ts'
import { productFile } from './import-file.ts'
import { copyRows } from './import-floor.ts'
import { median } from './median.ts'

const VARIANTS_PER_PRODUCT = 3

interface Subject {
  serviceUrl: string
  rounds: number
  products: number
  web: ChildProcess
  worker: ChildProcess
}

/**
 * Imports new products and exports them again: rows of the table. The floor inserts the same rows, without reading a
 * file.
 */
export async function measureImports({
  serviceUrl,
  rounds,
  products,
  web,
  worker,
}: Subject): Promise<string[][]> {
  const variants = products * VARIANTS_PER_PRODUCT
  const imports: { floor: number; ours: number }[] = []
  const exports: number[] = []
  let peaks = { web: 0, worker: 0 }
  for (let round = 0; round <= rounds; round++) {
    const store = await buildStore()
    const { token } = await buildStaff(store, { role: 'owner' })
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${serviceUrl}/api/v1/admin${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
      })
    const peakOfWorker = peakOf(worker)
    const seconds = await importFile(call, productFile(products))
    peaks = { ...peaks, worker: Math.max(peaks.worker, peakOfWorker()) }
    const floor = await inStore(store.id, (tx) => copyRows(tx, products))
    const peakOfWeb = peakOf(web)
    exports.push(await exportFile(call, variants))
    peaks = { ...peaks, web: Math.max(peaks.web, peakOfWeb()) }
    imports.push({ floor: variants / floor, ours: variants / seconds })
    await db().raw('vacuum analyze products, product_variants')
  }
  // The first round warms up.
  const measured = imports.slice(1)
  const perSecond = (side: 'floor' | 'ours') =>
    `${Math.round(median(measured.map((one) => one[side]))).toLocaleString('en')}/s`
  const ratio = median(measured.map(({ floor, ours }) => ours / floor))
  const count = variants.toLocaleString('en')
  return [
    [
      `Import of ${count} new variants by a worker, peak ${peaks.worker} MiB`,
      perSecond('floor'),
      perSecond('ours'),
      `${ratio.toFixed(2)} ×`,
      '≥ 2,000/s',
    ],
    [
      `Export of ${count} rows, peak of web ${peaks.web} MiB`,
      '',
      `${Math.round(median(exports.slice(1))).toLocaleString('en')}/s`,
      '',
      'constant memory',
    ],
  ]
}

type Call = (path: string, init?: RequestInit) => Promise<Response>

const POLL_MS = 200

/** Imports a file and returns how many seconds the worker took. */
async function importFile(call: Call, body: string): Promise<number> {
  const { data } = (await (await call('/products/import', { method: 'POST', body })).json()) as {
    data: { id: string }
  }
  for (;;) {
    const { data: job } = (await (await call(`/catalog-jobs/${data.id}`)).json()) as {
      data: { status: string; error_count: number; started_at: string; finished_at: string }
    }
    if (job.status === 'failed' || job.error_count)
      throw new Error(`The import failed: ${JSON.stringify(job)}`)
    if (job.status === 'succeeded') return (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1_000
    await pause(POLL_MS)
  }
}

/** Exports all products and returns the rows a second. */
async function exportFile(call: Call, rows: number): Promise<number> {
  const begun = performance.now()
  const response = await call('/products/export?format=own')
  if (response.headers.get('x-total-rows') !== String(rows)) throw new Error('The export has other rows')
  for await (const _ of response.body ?? []) {
    // Read and dropped: the client is not measured.
  }
  return rows / ((performance.now() - begun) / 1_000)
}
