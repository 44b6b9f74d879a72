import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { keyOf } from '#shared/images/files.ts'
import { Image } from '#shared/images/image.ts'
import { removeImageFiles } from '#shared/images/jobs.ts'
import { publishImage } from '#shared/images/publish-image.ts'
import { findImagesToPurge, purgeImages } from '#shared/images/purge-images.ts'
import { SIZES } from '#shared/images/size.ts'
import type { ImageStatus } from '#shared/images/states.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { now } from '#shared/platform/time/clock.ts'
import { BUCKET, startBucket } from '#test/sandbox/bucket.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { removeImagesOfStore } from '#workers/images/remove-images-of-store.ts'

const bucket = await startBucket()
after(() => bucket.stop())
const IN_BUCKET = {
  S3_ENDPOINT: bucket.endpoint,
  S3_BUCKET: BUCKET.name,
  S3_REGION: BUCKET.region,
  S3_ACCESS_KEY_ID: BUCKET.accessKeyId,
  S3_SECRET_ACCESS_KEY: BUCKET.secretAccessKey,
  IMAGES_URL: 'https://images.example',
}
Object.assign(process.env, IN_BUCKET)
resetConfig()

// More than the 500 that are removed together.
const MANY = 600
/** The requests of the first run that the bucket still answers. */
const UNDER_WAY = 16
const { signal } = new AbortController()

const nameOf = (n: number) => String(n).padStart(32, '0')
const FILE = { size: 200, width: 1, height: 1, bytes: 60 } as const

const insertImage = (store: BuiltStore, n: number, status: ImageStatus = 'ready') =>
  inStore(store.id, (tx) =>
    Image.in(tx).insert({
      name: nameOf(n),
      status,
      contentType: 'image/png',
      bytes: 70,
      storedBytes: 60,
      width: 1,
      height: 1,
      files: status === 'ready' ? [FILE] : [],
      createdAt: now(),
      updatedAt: now(),
    }),
  )

/** Calls `see` with each key that the bucket deletes. */
function watchRemovals(see: (key: string) => void) {
  bucket.objects.delete = (key) => {
    see(key)
    return Map.prototype.delete.call(bucket.objects, key)
  }
}

/** Removes the images of a store until `count` files are removed, and then the rest. Returns the keys of both runs. */
async function removeInTwoRuns(store: BuiltStore, count: number): Promise<[string[], string[]]> {
  const keys: string[] = []
  const kill = new AbortController()
  watchRemovals((key) => {
    if (keys.push(key) === count) kill.abort()
  })
  await assert.rejects(removeImagesOfStore(store.id, kill.signal), { name: 'AbortError' })
  const first = keys.splice(0)
  await removeImagesOfStore(store.id, signal)
  return [first, keys]
}

const imagesOf = ({ id }: BuiltStore) => inStore(id, (tx) => Image.in(tx).select('name'))

test('a removal that is stopped continues where it stopped, and removes only files that were made', async () => {
  const store = await buildStore()
  for (let n = 0; n < MANY; n++) await insertImage(store, n)

  const [first, second] = await removeInTwoRuns(store, MANY - 50)

  assert.ok(second.length <= 100 + UNDER_WAY, `the second run removed ${second.length} files`)
  assert.deepEqual(
    [...new Set([...first, ...second])].sort(),
    Array.from({ length: MANY }, (_, n) => keyOf(nameOf(n), 200)),
  )
  assert.deepEqual(await imagesOf(store), [])
})

test('a stopped removal of the files of deleted images continues too', async () => {
  const store = await buildStore()
  const jobs = Array.from({ length: MANY }, (_, n) => ({ payload: { name: nameOf(n) } }))
  await inStore(store.id, (tx) => enqueueAll(tx, removeImageFiles, jobs))

  const [first, second] = await removeInTwoRuns(store, 5 * (MANY - 50))

  assert.ok(second.length <= 5 * 100 + UNDER_WAY, `the second run removed ${second.length} files`)
  assert.equal(new Set([...first, ...second]).size, 5 * MANY)
})

test('all possible files are removed of an image that is not ready', async () => {
  const store = await buildStore()
  await insertImage(store, 1, 'processing')
  const keys: string[] = []
  watchRemovals((key) => void keys.push(key))

  await removeImagesOfStore(store.id, signal)

  assert.deepEqual(keys.sort(), SIZES.map((size) => keyOf(nameOf(1), size)).sort())
})

test('an image that a worker publishes during the removal is removed with its new files afterwards', async () => {
  const store = await buildStore()
  const [published, unpublished] = [await insertImage(store, 1, 'processing'), await insertImage(store, 2)]
  const found = await inStore(store.id, findImagesToPurge)
  await inStore(store.id, (tx) => publishImage(tx, published.id, [FILE]))

  await inStore(store.id, (tx) => purgeImages(tx, found))

  assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([published.id, unpublished.id]))
  const left = await inStore(store.id, findImagesToPurge)
  assert.partialDeepStrictEqual(left, [{ id: published.id, status: 'ready', files: [FILE] }])
  assert.equal(left.length, 1)
})

test('a stopped removal from a folder ends after a batch of deleted images', async (t) => {
  for (const name of Object.keys(IN_BUCKET)) delete process.env[name]
  resetConfig()
  t.after(() => {
    Object.assign(process.env, IN_BUCKET)
    resetConfig()
  })
  const store = await buildStore()
  const jobs = Array.from({ length: MANY }, (_, n) => ({ payload: { name: nameOf(n) } }))
  await inStore(store.id, (tx) => enqueueAll(tx, removeImageFiles, jobs))

  await assert.rejects(removeImagesOfStore(store.id, AbortSignal.abort()), { name: 'AbortError' })

  assert.equal((await pendingPayloads(removeImageFiles, store.id)).length, MANY - 500)
})
