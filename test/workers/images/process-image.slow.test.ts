import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import '#test/support/database.ts'
import sharp from 'sharp'
import { deleteImage } from '#shared/images/delete-image.ts'
import { findImage } from '#shared/images/image.ts'
import { publishImage } from '#shared/images/publish-image.ts'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildImage, drawPicture, repeatFrame } from '#test/support/builders/images.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { discardJobs, drainJobs } from '#test/support/processes/jobs.ts'
import { makeFiles, UndecodableImage } from '#workers/images/make-files.ts'
import { processImage } from '#workers/images/process-image.ts'
import { removeImagesOfStore } from '#workers/images/remove-images-of-store.ts'

const { signal } = new AbortController()
const runOf = ({ storeId, id, name }: { storeId: string; id: string; name: string }) =>
  processImage.run({ storeId, imageId: id, name }, { jobId: '', retry: 0, signal })
const filesOf = ({ name }: { name: string }) => readdir(`${config().IMAGES_DIR}/${name}`).catch(() => [])
const uploadsOf = ({ storeId }: { storeId: string }) =>
  inStore(storeId, ({ knex }) => knex('image_uploads').select('image_id'))

const MIB = 1024 * 1024
const PNG = { contentType: 'image/png', storeId: 'store' } as const

test('an image is published once, and its upload is deleted', async () => {
  const store = await buildStore()
  const image = await buildImage(store)

  await runOf(image)
  const first = await inStore(store.id, (tx) => findImage(tx, image.id))
  await runOf(image)

  assert.deepEqual(await inStore(store.id, (tx) => findImage(tx, image.id)), first)
  assert.equal(first.status, 'ready')
  assert.deepEqual(await filesOf(image), ['200.webp', '400.webp', '800.webp'])
  assert.deepEqual(await uploadsOf(image), [])
})

test('a worker that dies before the commit leaves the image unpublished; the next run publishes it', async (t) => {
  const store = await buildStore()
  const image = await buildImage(store)
  await db().raw("alter table images add constraint dies check (status <> 'ready') not valid")
  t.after(() => db().raw('alter table images drop constraint if exists dies'))

  await assert.rejects(runOf(image), /dies/)

  const left = await inStore(store.id, (tx) => findImage(tx, image.id))
  assert.equal(left.status, 'processing')
  assert.deepEqual(left.files, [])
  await db().raw('alter table images drop constraint dies')
  await runOf(image)
  assert.equal((await inStore(store.id, (tx) => findImage(tx, image.id))).status, 'ready')
})

test('an image that is deleted before or while its files are made leaves none', async () => {
  const store = await buildStore()
  const [before, late] = [await buildImage(store), await buildImage(store)]
  await inStore(store.id, (tx) => deleteImage(tx, before.id))
  await runOf(before)

  // The files of the second one are saved, and the run ends without its image.
  await runOf(late)
  await inStore(store.id, (tx) => deleteImage(tx, late.id))
  assert.equal(await inStore(store.id, (tx) => publishImage(tx, late.id, [])), false)
  await runOf(late)

  assert.deepEqual(await filesOf(before), [])
  assert.deepEqual(await filesOf(late), [])
  await discardJobs()
})

test('the files of a purged store are removed, those of another stay', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const [own, theirs] = [await buildImage(store), await buildImage(other)]
  await drainJobs([processImage])

  await removeImagesOfStore(store.id, signal)

  assert.deepEqual(await filesOf(own), [])
  assert.equal((await filesOf(theirs)).length, 3)
})

test('a small image has one file of its own size', async () => {
  const files = await makeFiles(await drawPicture({ width: 30, height: 20, format: 'png' }), PNG)

  assert.deepEqual(
    files.map(({ size, width, height }) => ({ size, width, height })),
    [{ size: 200, width: 30, height: 20 }],
  )
})

test('transparency stays', async () => {
  const clear = await sharp({ create: { width: 50, height: 50, channels: 4, background: '#0000' } })
    .png()
    .toBuffer()
  const [file] = await makeFiles(clear, PNG)

  assert.equal((await sharp(file?.content).metadata()).hasAlpha, true)
})

for (const [name, bytes] of Object.entries({
  'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  'a GIF': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'a truncated PNG': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
}))
  test(`${name} is not decoded`, async () => {
    await assert.rejects(makeFiles(bytes, PNG), UndecodableImage)
  })

test('an image of another format than its header said is not decoded', async () => {
  await assert.rejects(makeFiles(await drawPicture({ format: 'jpeg' }), PNG), /jpeg/)
})

test('an image above the limit of pixels is not decoded', async () => {
  const large = await sharp({ create: { width: 10_001, height: 5_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()

  await assert.rejects(makeFiles(large, PNG), /pixel limit/)
})

test('an image is decoded once for all sizes', async () => {
  const picture = await drawPicture({ width: 2_600, height: 2_600, format: 'avif' })
  // Decoding so many frames takes most of the time, and five times as long for five sizes.
  const frames = repeatFrame(picture, 150)
  const decode = () => sharp(frames).raw().toBuffer()
  const make = async () => {
    const files = await makeFiles(frames, { contentType: 'image/avif', storeId: 'store', quickMs: 60_000 })
    assert.equal(files.length, 5)
  }

  // Other work may slow one of the two, but not each time.
  const ratios: number[] = []
  while (ratios.length < 3 && (ratios.at(-1) ?? 3) >= 3) {
    const decodingMs = await elapsedMs(decode)
    ratios.push((await elapsedMs(make)) / decodingMs)
  }

  assert.ok(Math.min(...ratios) < 3, `${ratios} times as long as decoding once`)
})

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test('an image that takes too much memory fails for that reason, and the next is decoded', async () => {
  const picture = await drawPicture({ width: 2_600, height: 2_600, format: 'avif' })
  const AVIF = { contentType: 'image/avif', storeId: 'store' } as const

  await assert.rejects(makeFiles(picture, { ...AVIF, maxMemoryBytes: 150 * MIB }), {
    message: 'Decoding takes too much memory',
    reason: 'Decoding takes too much memory',
  })
  const files = await makeFiles(picture, AVIF)

  assert.equal(files.length, 5)
})

test('the decoding of an image that takes too long is ended, and the next is decoded', async () => {
  const picture = await drawPicture({ width: 1_000, height: 1_000, format: 'avif' })
  const AVIF = { contentType: 'image/avif', storeId: 'store' } as const
  // Nine seconds of work, in 5 MB.
  const long = repeatFrame(picture, 10_000)

  await assert.rejects(makeFiles(long, { ...AVIF, quickMs: 500, timeoutMs: 1_500 }), {
    message: 'Decoding takes too long',
  })
  const files = await makeFiles(repeatFrame(picture, 1), AVIF)

  assert.equal(files.length, 4)
})

test('an image that takes long delays those of other stores by its quick turn only', async () => {
  const long = repeatFrame(await drawPicture({ width: 1_000, height: 1_000, format: 'avif' }), 10_000)
  const picture = await drawPicture({ width: 30, height: 20, format: 'png' })
  const ended: string[] = []
  const slow = makeFiles(long, {
    contentType: 'image/avif',
    storeId: 'slow',
    quickMs: 500,
    timeoutMs: 20_000,
  })
    .then(() => ended.push('slow'))
    .catch(() => ended.push('slow'))

  for (const storeId of ['other', 'third'])
    ended.push((await makeFiles(picture, { ...PNG, storeId })) && storeId)
  await slow

  assert.deepEqual(ended, ['other', 'third', 'slow'])
})

test('images of one store do not delay that of another by more than one', async () => {
  const bytes = await drawPicture({ width: 300, height: 200, format: 'png' })
  const made: string[] = []
  const make = async (storeId: string) => {
    await makeFiles(bytes, { ...PNG, storeId })
    made.push(storeId)
  }

  await Promise.all(['busy', 'busy', 'busy', 'busy', 'other'].map(make))

  assert.deepEqual(made, ['busy', 'other', 'busy', 'busy', 'busy'])
})
