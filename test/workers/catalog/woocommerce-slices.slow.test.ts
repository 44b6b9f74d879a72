import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { csv, nextSlice, readJob, uploadCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { importProducts } from '#workers/catalog/import-products.ts'

const HEADER = 'ID,Type,SKU,Name,Published,Regular price,Categories,Images,Parent'

/** Imports a file slice by slice, until it is done or has had `most` slices. Returns their number and the report. */
async function importInSlices(lines: string[], most: number) {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const { data } = await uploadCsv(token, csv(HEADER, ...lines))
  for (let slices = 1; ; slices++) {
    const run = { jobId: `${slices}`, retry: 0, signal: new AbortController().signal }
    await importProducts.run(await nextSlice(store.id, data.id), run)
    const report = await readJob(token, data.id)
    if (report.status === 'succeeded' || slices === most) return { slices, report }
  }
}

/** Lets more time than a slice has pass between two looks at the clock. */
function slowDown(t: TestContext): void {
  let time = 0
  t.mock.method(performance, 'now', () => {
    time += 20_000
    return time
  })
}

test('a slice takes more than the time to find the rows of the file', async (t) => {
  const products = Array.from({ length: 450 }, (_, n) => `${n},simple,P${n},Cup ${n},1,5,,,`)
  slowDown(t)

  const { slices, report } = await importInSlices(products, 5)

  assert.partialDeepStrictEqual(report, { status: 'succeeded', products_created: 450 })
  assert.equal(slices, 2)
})

test('an import whose slice ends within the rows of one record succeeds', async (t) => {
  const images = Array.from({ length: 12_000 }, (_, n) => `b${n}`).join()
  slowDown(t)

  const { report } = await importInSlices(
    [`1,simple,CUP,Cup,1,5,,"${images}",`, '2,simple,MUG,Mug,1,5,,,'],
    6,
  )

  assert.partialDeepStrictEqual(report, { status: 'succeeded', products_created: 2 })
})
